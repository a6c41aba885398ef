#include "processes.h"

#include "audit/guards.h"

static struct looked looked;
static struct coverage coverage;

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

static void cover(const char *tree)
{
	looked_open(tree, NULL, &looked);
	coverage_find(&looked.facts, &coverage);
}

static const struct coverage_row *row_of(const char *unit)
{
	for (size_t i = 0; i < coverage.rows; i++)
		if (strcmp(coverage.row[i].unit, unit) == 0)
			return &coverage.row[i];
	fail_msg("no row %s", unit);
	return NULL;
}

static const struct coverage_actor *actor_of(const struct coverage_row *row, const char *who)
{
	for (size_t i = 0; i < row->actors; i++)
		if (strcmp(row->actor[i].who, who) == 0)
			return &row->actor[i];
	return NULL;
}

#define SYSTEM PROCESS("1", "systemd"), PSI_CALM, CGROUP2
#define SLICE GROUP("system.slice", "2", "400000000", "max", "max")

static void without_swap_and_guard_nobody_acts_in_time(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("0"), SLICE,
		   GROUP("system.slice/api.service", "3", "300000000", "max", "max"),
		   GROUP("system.slice/small.service", "4", "1000000", "max", "max")));
	assert_int_equal(coverage.state, OK);
	assert_int_equal(coverage.rows, 3);
	assert_string_equal(coverage.row[0].unit, "");
	assert_int_equal(coverage.row[0].used, (uint64_t)512 << 20);
	assert_string_equal(coverage.row[0].shape, "file-refault");
	assert_true(coverage.row[0].nobody);
	assert_string_equal(coverage.row[1].unit, "system.slice");
	assert_true(row_of("system.slice/api.service")->nobody);
	assert_string_equal(row_of("system.slice/api.service")->shape, "file-refault");
	assert_non_null(strstr(coverage.row[0].actor[0].after, "169 s"));
}

static void swap_on_disk_changes_the_shape(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/vda3")));
	assert_string_equal(coverage.row[0].shape, "swap-thrash");
	assert_int_equal(coverage.row[0].swap, (uint64_t)1 << 30);
}

static void swap_on_zram_changes_it_too(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/zram0")));
	assert_string_equal(coverage.row[0].shape, "zram-full");
}

static void swap_that_is_never_used_is_as_none(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/vda3"),
		   { "proc/sys/vm/swappiness", "0\n" }));
	assert_string_equal(coverage.row[0].shape, "file-refault");
}

static void a_unit_at_memory_high_is_never_ended_by_the_kernel(void **state)
{
	const struct coverage_row *row;

	cover(TREE(SYSTEM, MEMINFO("0"), SLICE,
		   GROUP("system.slice/a.service", "3", "1000000", "20000000", "max"),
		   PROCESS("7", "earlyoom")));
	row = row_of("system.slice/a.service");
	assert_string_equal(row->shape, "high-throttle");
	assert_int_equal(row->high, 20000000);
	assert_true(row->nobody);
	assert_null(actor_of(row, "earlyoom"));
	assert_non_null(actor_of(&coverage.row[0], "earlyoom"));
	assert_false(coverage.row[0].nobody);
}

static void a_limit_without_swap_ends_what_grows(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/vda3"), SLICE,
		   GROUP("system.slice/a.service", "3", "1000000", "max", "20000000"),
		   { "sys/fs/cgroup/system.slice/a.service/memory.swap.max", "0\n" }));
	assert_string_equal(row_of("system.slice/a.service")->shape, "max-loop");
	assert_int_equal(row_of("system.slice/a.service")->swap, 0);
	assert_false(row_of("system.slice/a.service")->nobody);
}

static void the_limit_of_a_slice_holds_for_what_is_in_it(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("0"), GROUP("a.slice", "2", "90000000", "100000000", "max"),
		   GROUP("a.slice/b.service", "3", "80000000", "max", "max")));
	assert_string_equal(row_of("a.slice/b.service")->shape, "high-throttle");
	assert_int_equal(row_of("a.slice/b.service")->high, 100000000);
}

static void protection_is_what_all_above_protect_too(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("0"), SLICE,
		   GROUP("system.slice/a.service", "3", "90000000", "max", "max"),
		   { "sys/fs/cgroup/system.slice/a.service/memory.min", "50000000\n" },
		   { "sys/fs/cgroup/system.slice/memory.min", "30000000\n" }));
	assert_int_equal(row_of("system.slice/a.service")->min, 30000000);
}

static void systemd_oomd_is_named_only_where_it_looks(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/vda3"), SLICE,
		   GROUP("system.slice/api.service", "3", "300000000", "max", "max"),
		   GROUP("other.slice", "4", "100000000", "max", "max"),
		   PROCESS("7", "systemd-oomd"), OOMD_KILLS));
	assert_string_equal(actor_of(row_of("system.slice/api.service"), "systemd-oomd")->at,
			    "memory pressure of system.slice above 50 % for 20 s");
	assert_false(row_of("system.slice/api.service")->nobody);
	assert_null(actor_of(row_of("other.slice"), "systemd-oomd"));
	assert_true(row_of("other.slice")->nobody);
}

static void min_ttl_ends_it_for_the_machine(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("0"), { "sys/kernel/mm/lru_gen/min_ttl_ms", "1000\n" },
		   { "sys/kernel/mm/lru_gen/enabled", "0x0007\n" }));
	assert_non_null(actor_of(&coverage.row[0], "kernel OOM (min_ttl_ms)"));
	assert_false(coverage.row[0].nobody);
}

static void earlyoom_is_late_where_zram_keeps_swap_free(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("1048576"), SWAP_LINE("/dev/zram0"),
		   PROCESS("7", "earlyoom")));
	assert_true(coverage.row[0].nobody);
}

static void the_guard_of_refault_acts_at_memory_high_too(void **state)
{
	cover(TREE(SYSTEM, MEMINFO("0"), GROUP("a.slice", "2", "1000000", "20000000", "max"),
		   GROUP("b.slice", "3", "1000000", "max", "20000000"),
		   PROCESS("7", "refault-guard"),
		   { "etc/refault/guard.conf", "[guard]\nmode=act\n" }));
	assert_non_null(actor_of(row_of("a.slice"), "refault guard"));
	assert_false(row_of("a.slice")->nobody);
	assert_null(actor_of(row_of("b.slice"), "refault guard"));
}

static void where_processes_are_hidden_it_says_so(void **state)
{
	cover(TREE(PROCESS("7", "bash"), CGROUP2, MEMINFO("0")));
	assert_int_equal(coverage.state, DENIED);
}

static void more_units_than_there_is_room_for_leave_the_smallest_out(void **state)
{
	const char *tree = TREE(SYSTEM, MEMINFO("0"));

	for (unsigned int i = 0; i < 80; i++) {
		static char text[80][6][80];

		snprintf(text[i][0], 80, "sys/fs/cgroup/u%u.slice/_id", i);
		snprintf(text[i][1], 80, "%u\n", i + 100);
		snprintf(text[i][2], 80, "sys/fs/cgroup/u%u.slice/memory.current", i);
		snprintf(text[i][3], 80, "%u\n", (i * 37 % 80 + 1) * 1000);
		snprintf(text[i][4], 80, "sys/fs/cgroup/u%u.slice/memory.max", i);
		snprintf(text[i][5], 80, "100000000\n");
		tree_add(tree, (const struct file[]){ { text[i][0], text[i][1] },
						      { text[i][2], text[i][3] },
						      { text[i][4], text[i][5] },
						      { 0 } });
	}
	cover(tree);
	assert_int_equal(coverage.rows, COVERAGE_ROWS);
	assert_true(coverage.cut);
	assert_string_equal(coverage.row[0].unit, "");
	for (size_t i = 1; i < coverage.rows; i++)
		assert_int_equal(coverage.row[i].used, (81 - i) * 1000);
}

static void of_a_tree_in_which_nothing_runs_little_is_known(void **state)
{
	cover(TREE({ "etc/os-release", "ID=debian\n" }));
	assert_int_equal(coverage.rows, 1);
	assert_string_equal(coverage.row[0].shape, "unknown");
	assert_int_equal(coverage.row[0].used, UINT64_MAX);
	assert_int_not_equal(coverage.state, OK);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_swap_and_guard_nobody_acts_in_time),
		TEST(swap_on_disk_changes_the_shape),
		TEST(swap_on_zram_changes_it_too),
		TEST(swap_that_is_never_used_is_as_none),
		TEST(a_unit_at_memory_high_is_never_ended_by_the_kernel),
		TEST(a_limit_without_swap_ends_what_grows),
		TEST(the_limit_of_a_slice_holds_for_what_is_in_it),
		TEST(protection_is_what_all_above_protect_too),
		TEST(systemd_oomd_is_named_only_where_it_looks),
		TEST(min_ttl_ends_it_for_the_machine),
		TEST(earlyoom_is_late_where_zram_keeps_swap_free),
		TEST(the_guard_of_refault_acts_at_memory_high_too),
		TEST(where_processes_are_hidden_it_says_so),
		TEST(more_units_than_there_is_room_for_leave_the_smallest_out),
		TEST(of_a_tree_in_which_nothing_runs_little_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
