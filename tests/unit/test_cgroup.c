#include "test.h"

#include <errno.h>
#include <fcntl.h>

#include "kernel/cgroup.h"

struct cgroup_read {
	uint64_t value[CGROUP_FIELDS];
	uint8_t state[CGROUP_FIELDS];
	bool is_local;
};

static struct cgroup_read got;

static struct numbers numbers_now(void)
{
	return (struct numbers){ got.value, got.state };
}

/* Reads "cg" of the root once more, with the descriptors kept so far. */
static int read_again(const struct root *root, struct cgroup_files *files)
{
	int r;

	got = (struct cgroup_read){ 0 };
	r = cgroup_read(root, "cg", files, any_buffer(), numbers_now());
	got.is_local = files->local_events;
	return r;
}

static int read_cgroup(enum hierarchy hierarchy, const char *tree)
{
	struct root root = root_of(tree);
	struct cgroup_files files;
	int r;

	cgroup_files_init(&files, hierarchy);
	r = read_again(&root, &files);
	for (size_t i = 0; i < CGROUP_SLOTS; i++)
		assert_int_equal(files.slot[i], SLOT_EMPTY);
	cgroup_files_close(&files);
	root_done(&root);
	return r;
}

#define PSI(total)                                                 \
	"some avg10=1.50 avg60=0.00 avg300=0.00 total=" total "\n" \
	"full avg10=0.50 avg60=0.00 avg300=0.00 total=" total "\n"

static const struct file V2[] = {
	{ "cg/memory.stat", "anon 1\nfile 2\nworkingset_refault_file 3\npgscan 4\n" },
	{ "cg/memory.events.local", "low 1\nhigh 2\nmax 3\noom 4\noom_kill 5\n" },
	{ "cg/memory.current", "10\n" },
	{ "cg/memory.peak", "15\n" },
	{ "cg/memory.max", "max\n" },
	{ "cg/memory.high", "20\n" },
	{ "cg/memory.low", "30\n" },
	{ "cg/memory.min", "0\n" },
	{ "cg/memory.swap.current", "40\n" },
	{ "cg/memory.swap.max", "0\n" },
	{ "cg/memory.swap.high", "max\n" },
	{ "cg/memory.oom.group", "1\n" },
	{ "cg/memory.pressure", PSI("11") },
	{ "cg/io.pressure", PSI("22") },
	{ "cg/cpu.pressure", PSI("33") },
	{ "cg/io.stat", "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n" },
	{ "cg/cpu.stat", "usage_usec 7\nnr_throttled 8\nthrottled_usec 9\n" },
	{ "cg/cgroup.events", "populated 1\nfrozen 0\n" },
	{ "cg/cgroup.stat", "nr_descendants 5\nnr_dying_descendants 6\n" },
	{ "cg/cgroup.pressure", "1\n" },
	{ 0 },
};

static void every_file_of_v2_goes_to_its_slots(void **state)
{
	assert_int_equal(read_cgroup(HIERARCHY_V2, tree_new(V2)), 0);
	assert_true(got.is_local);
	assert_number(got, CG_ANON, 1);
	assert_number(got, CG_REFAULT_FILE, 3);
	assert_number(got, CG_EV_OOM_KILL, 5);
	assert_state(got, CG_EV_OOM_GROUP, ABSENT);
	assert_number(got, CG_CURRENT, 10);
	assert_number(got, CG_PEAK, 15);
	assert_state(got, CG_MAX, UNLIMITED);
	assert_number(got, CG_HIGH, 20);
	assert_number(got, CG_LOW, 30);
	assert_number(got, CG_MIN, 0);
	assert_number(got, CG_SWAP_CURRENT, 40);
	assert_number(got, CG_SWAP_MAX, 0);
	assert_state(got, CG_SWAP_HIGH, UNLIMITED);
	assert_number(got, CG_OOM_GROUP, 1);
	assert_number(got, CG_MEM_SOME_TOTAL, 11);
	assert_number(got, CG_IO_FULL_TOTAL, 22);
	assert_number(got, CG_CPU_SOME_TOTAL, 33);
	assert_number(got, CG_CPU_FULL_AVG10, 50);
	assert_number(got, CG_RBYTES, 1);
	assert_number(got, CG_WIOS, 4);
	assert_number(got, CG_CPU_USAGE, 7);
	assert_number(got, CG_CPU_THROTTLED, 9);
	assert_number(got, CG_POPULATED, 1);
	assert_number(got, CG_FROZEN, 0);
	assert_number(got, CG_DYING, 6);
	assert_number(got, CG_PRESSURE, 1);
	assert_state(got, CG_FAILCNT, ABSENT);
}

/* L27, M10: the top has no memory.current; without swap accounting there is no swap file. */
static void a_file_that_is_missing_costs_no_other(void **state)
{
	assert_int_equal(read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.stat", "anon 1\n" },
							{ "cg/cpu.stat", "usage_usec 7\n" })),
			 0);
	assert_number(got, CG_ANON, 1);
	assert_number(got, CG_CPU_USAGE, 7);
	assert_state(got, CG_CPU_THROTTLED, ABSENT);
	assert_state(got, CG_CURRENT, ABSENT);
	assert_state(got, CG_SWAP_CURRENT, ABSENT);
	assert_state(got, CG_EV_HIGH, ABSENT);
	assert_state(got, CG_MEM_SOME_TOTAL, ABSENT);
	assert_state(got, CG_RBYTES, ABSENT);
	assert_state(got, CG_POPULATED, ABSENT);
}

static void a_file_that_is_denied_costs_no_other(void **state)
{
	assert_int_equal(
		read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.stat.errno", "EACCES" },
					       { "cg/memory.events.local.errno", "EACCES" },
					       { "cg/memory.events", "high 7\n" },
					       { "cg/memory.current", "10\n" },
					       { "cg/cgroup.stat.errno", "EACCES" },
					       { "cg/cgroup.events", "populated 1\n" },
					       { "cg/cpu.stat.errno", "EIO" })),
		0);
	assert_state(got, CG_STAT_BASE, DENIED);
	assert_state(got, CG_EVENTS_BASE - 1, DENIED);
	assert_state(got, CG_EV_HIGH, DENIED);
	assert_true(got.is_local);
	assert_number(got, CG_CURRENT, 10);
	assert_state(got, CG_DYING, DENIED);
	assert_number(got, CG_POPULATED, 1);
	assert_state(got, CG_FROZEN, ABSENT);
	assert_state(got, CG_CPU_USAGE, GARBLED);
	assert_state(got, CG_CPU_NR_THROTTLED, GARBLED);
	assert_state(got, CG_MEM_SOME_TOTAL, ABSENT);
}

/* M39: before 5.2 events count those below too. */
static void events_are_local_where_the_kernel_tells(void **state)
{
	const char *both = TREE({ "cg/memory.events.local", "high 1\n" },
				{ "cg/memory.events", "high 9\n" });

	assert_int_equal(read_cgroup(HIERARCHY_V2, both), 0);
	assert_number(got, CG_EV_HIGH, 1);
	assert_true(got.is_local);
	assert_int_equal(read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.events", "high 9\n" })),
			 0);
	assert_number(got, CG_EV_HIGH, 9);
	assert_false(got.is_local);
	assert_int_equal(
		read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.events.errno", "EACCES" })), 0);
	assert_state(got, CG_EV_HIGH, DENIED);
	assert_false(got.is_local);
}

/* L12, M11: cgroup.pressure=0 takes the files away, psi=0 makes them fail: neither is a zero.
 */
static void pressure_that_is_switched_off_is_disabled(void **state)
{
	assert_int_equal(read_cgroup(HIERARCHY_V2, TREE({ "cg/cgroup.pressure", "0\n" },
							{ "cg/io.stat", "8:0 rbytes=1\n" })),
			 0);
	for (size_t id = CG_PSI_BASE; id < CG_IO_BASE; id++)
		assert_state(got, id, DISABLED);
	assert_number(got, CG_RBYTES, 1);
	assert_state(got, CG_PSI_BASE - 1, ABSENT);
	assert_int_equal(
		read_cgroup(HIERARCHY_V2, TREE({ "cg/cgroup.pressure", "1\n" },
					       { "cg/memory.pressure.errno", "EOPNOTSUPP" },
					       { "cg/io.pressure", PSI("22") })),
		0);
	assert_state(got, CG_MEM_SOME_AVG10, DISABLED);
	assert_state(got, CG_MEM_FULL_TOTAL, DISABLED);
	assert_number(got, CG_IO_SOME_TOTAL, 22);
	assert_state(got, CG_CPU_SOME_TOTAL, ABSENT);
}

/* A kernel before 6.1 has no cgroup.pressure, a garbled one says nothing. */
static void without_a_switch_pressure_is_what_its_files_say(void **state)
{
	static const char *const texts[] = { "", "x\n", "00\n" };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_int_equal(
			read_cgroup(HIERARCHY_V2, TREE({ "cg/cgroup.pressure", texts[i] },
						       { "cg/io.pressure", PSI("22") })),
			0);
		assert_state(got, CG_PRESSURE, GARBLED);
		assert_number(got, CG_IO_SOME_TOTAL, 22);
		assert_state(got, CG_MEM_SOME_TOTAL, ABSENT);
	}
	assert_int_equal(read_cgroup(HIERARCHY_V2, TREE({ "cg/io.pressure", PSI("22") })), 0);
	assert_number(got, CG_IO_SOME_TOTAL, 22);
	assert_state(got, CG_MEM_SOME_TOTAL, ABSENT);
}

/* L25, L26, L09: v1 has its own names, totals and word for unlimited. */
static const struct file V1[] = {
	{ "cg/memory.stat", "cache 1\nrss 2\nanon 99\nfile 99\npgscan 99\n"
			    "hierarchical_memory_limit 9223372036854771712\n"
			    "total_cache 10\ntotal_rss 20\ntotal_swap 30\n"
			    "total_workingset_refault_file 40\n" },
	{ "cg/memory.usage_in_bytes", "50\n" },
	{ "cg/memory.max_usage_in_bytes", "55\n" },
	{ "cg/memory.limit_in_bytes", "9223372036854771712\n" },
	{ "cg/memory.memsw.limit_in_bytes", "60\n" },
	{ "cg/memory.failcnt", "1270090200\n" },
	{ "cg/memory.current", "99\n" }, /* a file of v2 */
	{ "cg/memory.pressure", PSI("11") },
	{ 0 },
};

static void v1_has_its_own_files_and_totals(void **state)
{
	assert_int_equal(read_cgroup(HIERARCHY_V1_MEMORY, tree_new(V1)), 0);
	assert_number(got, CG_FILE, 10);
	assert_number(got, CG_ANON, 20);
	assert_number(got, CG_SWAP_V1, 30);
	assert_number(got, CG_REFAULT_FILE, 40);
	assert_state(got, CG_PGSCAN, ABSENT);
	assert_number(got, CG_CURRENT, 50);
	assert_number(got, CG_PEAK, 55);
	assert_state(got, CG_MAX, UNLIMITED);
	assert_number(got, CG_MEMSW_MAX, 60);
	assert_number(got, CG_FAILCNT, 1270090200);
	assert_state(got, CG_MEM_SOME_TOTAL, ABSENT);
	assert_state(got, CG_EV_HIGH, ABSENT);
	assert_true(got.is_local);
}

/* L31, M12: the cgroup went away while it was read. */
static void a_cgroup_that_is_gone_is_an_error(void **state)
{
	assert_int_equal(read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.stat.errno", "ENODEV" })),
			 -ENODEV);
	assert_int_equal(
		read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.stat", "anon 1\n" },
					       { "cg/cgroup.pressure.errno", "ENODEV" })),
		-ENODEV);
	assert_int_equal(
		read_cgroup(HIERARCHY_V2, TREE({ "cg/memory.stat", "anon 1\n" },
					       { "cg/memory.events.errno", "ENODEV" })),
		-ENODEV);
	assert_int_equal(
		read_cgroup(HIERARCHY_V1_MEMORY, TREE({ "cg/memory.failcnt.errno", "ENODEV" })),
		-ENODEV);
}

static void io_is_summed_over_devices(void **state)
{
	static const struct {
		const char *text;
		uint64_t rbytes;
		uint64_t wios;
	} cases[] = {
		{ "", 0, 0 },
		{ "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6\n", 1, 4 },
		{ "8:0 rbytes=1 wios=4\n253:0 rbytes=10 wios=40\n", 11, 44 },
		/* devices without a policy have no numbers; some kernels forget the newline */
		{ "253:0 \n254:16 rbytes=7 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n", 7, 0 },
		{ "253:0 254:16 rbytes=7 wios=2\n", 7, 2 },
		{ "253:0\n", 0, 0 },
		{ "8:0 xrbytes=1 rbytes1=1 RBYTES=1 wios=3\n", 0, 3 },
		{ "8:0 wios=4 rbytes=1", 1, 4 },
		{ "8:0 rbytes=1 word wios=4 8:1\n", 1, 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct numbers numbers = NUMBERS(CGROUP_FIELDS);

		case_of(cases[i].text);
		cgroup_io_parse(span_cstr(cases[i].text), numbers);
		assert_number(numbers, CG_RBYTES, cases[i].rbytes);
		assert_number(numbers, CG_WIOS, cases[i].wios);
		assert_state(numbers, CG_IO_BASE - 1, ABSENT);
	}
}

static void io_that_is_malformed_is_garbled(void **state)
{
	static const char *const texts[] = {
		"8:0 rbytes=x wios=1\n",
		"8:0 rbytes= wios=1\n",
		"8:0 rbytes=-1 wios=1\n",
		"8:0 rbytes=1=1 wios=1\n",
		"8:0 rbytes=18446744073709551616 wios=1\n",
		"8:0 rbytes=18446744073709551615 wios=1\n8:1 rbytes=1\n",
		"8:0 rbytes=x wios=1\n8:1 rbytes=5\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct numbers numbers = NUMBERS(CGROUP_FIELDS);

		case_of(texts[i]);
		cgroup_io_parse(span_cstr(texts[i]), numbers);
		assert_state(numbers, CG_RBYTES, GARBLED);
		assert_number(numbers, CG_WIOS, 1);
	}
}

/* A folder of plain files stands in for a live cgroup. */
static struct root live_of(const char *tree)
{
	struct root root = root_of(tree);

	root.kind = ROOT_LIVE;
	return root;
}

static void live_files_are_kept_open_and_closed(void **state)
{
	struct root root = live_of(
		TREE({ "cg/memory.stat", "anon 1\n" }, { "cg/memory.events", "high 9\n" }));
	struct cgroup_files files;
	int kept[CGROUP_SLOTS];

	cgroup_files_init(&files, HIERARCHY_V2);
	assert_int_equal(read_again(&root, &files), 0);
	memcpy(kept, files.slot, sizeof(kept));
	assert_true(kept[0] >= 0);
	assert_int_equal(kept[1], -ENOENT);
	assert_true(kept[CGROUP_SLOTS - 1] >= 0);
	assert_int_equal(read_again(&root, &files), 0);
	assert_memory_equal(files.slot, kept, sizeof(kept));
	assert_number(got, CG_ANON, 1);
	assert_number(got, CG_EV_HIGH, 9);
	assert_false(got.is_local);
	cgroup_files_close(&files);
	for (size_t i = 0; i < CGROUP_SLOTS; i++)
		assert_int_equal(files.slot[i], SLOT_EMPTY);
	assert_int_equal(fcntl(kept[0], F_GETFD), -1);
	assert_int_equal(fcntl(kept[CGROUP_SLOTS - 1], F_GETFD), -1);
	root_done(&root);
}

/* On a hybrid v2 has no memory controller: pressure is there all the same, and so are the rest.
 */
static void without_the_memory_controller_the_other_files_are_read(void **state)
{
	static const struct file files[] = {
		{ "cg/memory.pressure", PSI("11") },
		{ "cg/io.pressure", PSI("22") },
		{ "cg/cpu.pressure", PSI("33") },
		{ "cg/cgroup.events", "populated 1\n" },
		{ "cg/cgroup.pressure", "1\n" },
		{ "cg/memory.current", "10\n" }, /* is not looked for: it can't be there */
		{ 0 },
	};
	struct root root = live_of(tree_new(files));
	struct cgroup_files kept;

	cgroup_files_init(&kept, HIERARCHY_V2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(read_again(&root, &kept), 0);
		assert_state(got, CG_ANON, ABSENT);
		assert_state(got, CG_CURRENT, ABSENT);
		assert_number(got, CG_MEM_SOME_TOTAL, 11);
		assert_number(got, CG_IO_SOME_TOTAL, 22);
		assert_number(got, CG_CPU_SOME_TOTAL, 33);
		assert_number(got, CG_POPULATED, 1);
	}
	cgroup_files_close(&kept);
	root_done(&root);
}

static void without_memory_stat_the_other_files_of_v1_are_read(void **state)
{
	struct root root = live_of(TREE({ "cg/memory.usage_in_bytes", "50\n" }));
	struct cgroup_files kept;

	cgroup_files_init(&kept, HIERARCHY_V1_MEMORY);
	assert_int_equal(read_again(&root, &kept), 0);
	assert_state(got, CG_ANON, ABSENT);
	assert_number(got, CG_CURRENT, 50);
	cgroup_files_close(&kept);
	root_done(&root);
}

/* A controller that was switched on shows after a retry, and what is open stays open. */
static void a_file_that_appeared_is_found_on_retry(void **state)
{
	const char *tree = TREE({ "cg/memory.stat", "anon 1\n" });
	struct root root = live_of(tree);
	struct cgroup_files files;
	int kept;

	cgroup_files_init(&files, HIERARCHY_V2);
	assert_int_equal(read_again(&root, &files), 0);
	kept = files.slot[0];
	tree_add(tree, (const struct file[]){ { "cg/memory.current", "10\n" }, { 0 } });
	assert_int_equal(read_again(&root, &files), 0);
	assert_state(got, CG_CURRENT, ABSENT);
	cgroup_files_retry(&files);
	assert_int_equal(files.slot[0], kept);
	assert_int_equal(read_again(&root, &files), 0);
	assert_number(got, CG_CURRENT, 10);
	cgroup_files_close(&files);
	root_done(&root);
}

static void a_file_too_large_to_be_true_is_garbled(void **state)
{
	struct root root = root_of(
		TREE({ "cg/memory.stat", "anon 1234567890\n" }, { "cg/memory.max", "10\n" }));
	struct numbers numbers = NUMBERS(CGROUP_FIELDS);
	struct cgroup_files files;
	char space[8];

	cgroup_files_init(&files, HIERARCHY_V2);
	assert_int_equal(cgroup_read(&root, "cg", &files,
				     (struct buffer){ space, sizeof(space) }, numbers),
			 0);
	assert_state(numbers, CG_ANON, GARBLED);
	assert_number(numbers, CG_MAX, 10);
	cgroup_files_close(&files);
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_of_v2_goes_to_its_slots),
		cmocka_unit_test(a_file_that_is_missing_costs_no_other),
		cmocka_unit_test(a_file_that_is_denied_costs_no_other),
		cmocka_unit_test(events_are_local_where_the_kernel_tells),
		cmocka_unit_test(pressure_that_is_switched_off_is_disabled),
		cmocka_unit_test(without_a_switch_pressure_is_what_its_files_say),
		cmocka_unit_test(v1_has_its_own_files_and_totals),
		cmocka_unit_test(a_cgroup_that_is_gone_is_an_error),
		cmocka_unit_test(io_is_summed_over_devices),
		cmocka_unit_test(io_that_is_malformed_is_garbled),
		cmocka_unit_test(live_files_are_kept_open_and_closed),
		cmocka_unit_test(without_the_memory_controller_the_other_files_are_read),
		cmocka_unit_test(without_memory_stat_the_other_files_of_v1_are_read),
		cmocka_unit_test(a_file_that_appeared_is_found_on_retry),
		cmocka_unit_test(a_file_too_large_to_be_true_is_garbled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
