#include "processes.h"

#include "audit/guards.h"
#include "audit/kube.h"

static struct looked looked;

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

static struct guards guards_in(const char *tree)
{
	struct guards guards;

	looked_open(tree, NULL, &looked);
	guards_find(&looked.facts, &guards);
	return guards;
}

static void a_machine_without_guards_has_none(void **state)
{
	struct guards guards = guards_in(TREE(PROCESS("1", "systemd"), MEMINFO("0")));

	assert_int_equal(guards.count, 0);
	assert_int_equal(guards.state, OK);
	assert_null(guard_of(&guards, GUARD_EARLYOOM));
	assert_false(guard_acts(&guards, GUARD_EARLYOOM));
}

static void without_pid_1_somebody_may_be_missing(void **state)
{
	struct guards guards = guards_in(TREE(PROCESS("7", "bash"), MEMINFO("0")));

	assert_int_equal(guards.state, DENIED);
}

static void a_users_process_of_that_name_is_no_guard(void **state)
{
	struct guards guards = guards_in(
		TREE(PROCESS("1", "systemd"), PROCESS("7", "earlyoom"),
		     { "proc/7/status", "Name:\tearlyoom\nUid:\t1000\t1000\t1000\t1000\n" },
		     MEMINFO("0")));

	assert_int_equal(guards.count, 0);
}

static void a_guard_in_a_container_is_not_the_machines(void **state)
{
	struct guards guards =
		guards_in(TREE(PROCESS("1", "systemd"), PROCESS("7", "earlyoom"), CGROUP2,
			       MEMINFO("0"), GROUP("system.slice", "2", "1000", "max", "max"),
			       GROUP("system.slice/docker-1.scope", "3", "1000", "max", "max"),
			       { "proc/7/cgroup", "0::/system.slice/docker-1.scope\n" }));

	assert_int_equal(guards.count, 0);
}

static void earlyoom_looks_at_memory_and_swap(void **state)
{
	struct guards guards = guards_in(TREE(PROCESS("1", "systemd"), PROCESS("7", "earlyoom"),
					      { "proc/7/cmdline", "earlyoom -m 5,2 -s 20" },
					      MEMINFO("1048576")));
	const struct guard_found *found = guard_of(&guards, GUARD_EARLYOOM);

	assert_true(guard_acts(&guards, GUARD_EARLYOOM));
	assert_string_equal(found->at,
			    "available memory below 5.0 %, and free swap below 20 %");
	assert_int_equal(found->pid, 7);
}

static void earlyoom_that_ignores_swap_says_so(void **state)
{
	struct guards guards = guards_in(TREE(
		PROCESS("1", "systemd"), PROCESS("7", "earlyoom"),
		{ "etc/default/earlyoom", "EARLYOOM_ARGS=\"-s 100\"\n" }, MEMINFO("1048576")));

	assert_string_equal(guard_of(&guards, GUARD_EARLYOOM)->at,
			    "available memory below 10 %");
	assert_int_equal(guard_of(&guards, GUARD_EARLYOOM)->row->line, 1);
}

static void a_dry_run_does_not_act(void **state)
{
	struct guards guards =
		guards_in(TREE(PROCESS("1", "systemd"), PROCESS("7", "earlyoom"),
			       { "proc/7/cmdline", "earlyoom --dryrun" }, MEMINFO("0")));

	assert_false(guard_acts(&guards, GUARD_EARLYOOM));
	assert_non_null(guard_of(&guards, GUARD_EARLYOOM)->because);
}

static struct earlyoom earlyoom_with(const char *arguments)
{
	static char text[200];
	struct earlyoom earlyoom;

	snprintf(text, sizeof(text), "EARLYOOM_ARGS=\"%s\"\n", arguments);
	looked_open(TREE({ "etc/default/earlyoom", text }, MEMINFO("1048576")), NULL, &looked);
	earlyoom_read(&looked.facts, 0, &earlyoom);
	looked_close(&looked);
	return earlyoom;
}

static void of_two_thresholds_of_earlyoom_the_lower_counts(void **state)
{
	assert_int_equal(earlyoom_with("").memory_centi, 1000);
	assert_int_equal(earlyoom_with("-m 4.5").memory_centi, 450);
	assert_in_range(earlyoom_with("-M 52428").memory_centi, 495, 500);
	assert_in_range(earlyoom_with("-m 20 -M 52428").memory_centi, 495, 500);
	assert_int_equal(earlyoom_with("-m 2 -M 52428").memory_centi, 200);
	assert_int_equal(earlyoom_with("-m x").state, GARBLED);
	assert_int_equal(earlyoom_with("-m 101").state, GARBLED);
	assert_int_equal(earlyoom_with("-M 99999999999999999").state, GARBLED);
}

static void systemd_oomd_acts_where_a_unit_asks_for_it(void **state)
{
	struct guards guards = guards_in(TREE(
		PROCESS("1", "systemd"), PROCESS("7", "systemd-oomd"), PSI_CALM, CGROUP2,
		GROUP("system.slice", "2", "1000", "max", "max"), OOMD_KILLS, MEMINFO("0")));

	assert_true(guard_acts(&guards, GUARD_SYSTEMD_OOMD));
	assert_string_equal(guard_of(&guards, GUARD_SYSTEMD_OOMD)->at,
			    "memory pressure of system.slice above 50 % for 20 s");
}

static void systemd_oomd_that_nobody_asks_does_not_act(void **state)
{
	struct guards guards =
		guards_in(TREE(PROCESS("1", "systemd"), PROCESS("7", "systemd-oomd"), PSI_CALM,
			       CGROUP2, MEMINFO("0")));

	assert_false(guard_acts(&guards, GUARD_SYSTEMD_OOMD));
}

static void systemd_oomd_can_not_act_without_pressure(void **state)
{
	struct guards guards = guards_in(TREE(
		PROCESS("1", "systemd"), PROCESS("7", "systemd-oomd"), CGROUP2,
		GROUP("system.slice", "2", "1000", "max", "max"), OOMD_KILLS, MEMINFO("0")));

	assert_false(guard_acts(&guards, GUARD_SYSTEMD_OOMD));
	assert_non_null(strstr(guard_of(&guards, GUARD_SYSTEMD_OOMD)->because, "pressure"));
}

static void systemd_oomd_needs_swap_for_what_looks_at_swap(void **state)
{
	const struct file files[] = { PROCESS("1", "systemd"),
				      PROCESS("7", "systemd-oomd"),
				      PSI_CALM,
				      CGROUP2,
				      { "etc/systemd/system/-.slice.d/10-x.conf",
					"[Slice]\nManagedOOMSwap=kill\n" },
				      MEMINFO("0"),
				      { 0 } };
	const char *tree = tree_new(files);
	struct guards guards = guards_in(tree);

	assert_false(guard_acts(&guards, GUARD_SYSTEMD_OOMD));
	looked_close(&looked);
	tree_add(tree, (const struct file[]){ MEMINFO("1048576"), { 0 } });
	guards = guards_in(tree);
	assert_true(guard_acts(&guards, GUARD_SYSTEMD_OOMD));
	assert_string_equal(guard_of(&guards, GUARD_SYSTEMD_OOMD)->at,
			    "memory and swap 90 % full, within -.slice");
}

static void the_innermost_unit_that_is_watched_counts(void **state)
{
	struct oomd_settings settings;
	struct oomd_reach reach;

	looked_open(
		TREE(OOMD_KILLS,
		     { "etc/systemd/oomd.conf", "[OOM]\nDefaultMemoryPressureLimit=70%\n"
						"DefaultMemoryPressureDurationSec=1min\n" },
		     { "etc/systemd/system/a.service", "[Service]\nManagedOOMMemoryPressure="
						       "kill\nManagedOOMPreference=omit\n" }),
		NULL, &looked);
	oomd_settings_read(&looked.facts, &settings);
	oomd_reach_read(&looked.facts, &settings, "system.slice/a.service", &reach);
	assert_string_equal(reach.pressure_of, "a.service");
	assert_int_equal(reach.pressure_centi, 7000);
	assert_int_equal(reach.duration_us, 60 * SECOND_US);
	assert_true(reach.omitted);
	oomd_reach_read(&looked.facts, &settings, "system.slice/b.service", &reach);
	assert_string_equal(reach.pressure_of, "system.slice");
	assert_int_equal(reach.pressure_centi, 5000);
	assert_false(reach.omitted);
	oomd_reach_read(&looked.facts, &settings, "user.slice", &reach);
	assert_null(reach.pressure_of);
}

static void units_of_a_users_manager_are_not_the_systems(void **state)
{
	struct oomd_settings settings;
	struct oomd_reach reach;

	looked_open(TREE({ "etc/systemd/system/x.service",
			   "[Service]\nManagedOOMMemoryPressure=kill\n" }),
		    NULL, &looked);
	oomd_settings_read(&looked.facts, &settings);
	oomd_reach_read(&looked.facts, &settings,
			"user.slice/user-1000.slice/user@1000.service/x.service", &reach);
	assert_null(reach.pressure_of);
}

static void the_guard_acts_only_when_it_is_told_to(void **state)
{
	const char *tree =
		TREE(PROCESS("1", "systemd"), PROCESS("7", "refault-guard"), MEMINFO("0"));
	struct guards guards = guards_in(tree);

	assert_non_null(guard_of(&guards, GUARD_REFAULT));
	assert_false(guard_acts(&guards, GUARD_REFAULT));
	looked_close(&looked);
	tree_add(tree, (const struct file[]){
			       { "etc/refault/guard.conf", "[guard]\nmode = act\n" }, { 0 } });
	guards = guards_in(tree);
	assert_true(guard_acts(&guards, GUARD_REFAULT));
}

static void nohang_looks_at_what_its_file_says(void **state)
{
	struct guards guards = guards_in(
		TREE(PROCESS("1", "systemd"), PROCESS("7", "nohang"), MEMINFO("0"),
		     { "etc/nohang/nohang.conf", "soft_threshold_min_mem = 12 %\n" }));

	assert_true(guard_acts(&guards, GUARD_NOHANG));
	assert_string_equal(guard_of(&guards, GUARD_NOHANG)->at,
			    "available memory below 12 %, and little free swap");
}

static void min_ttl_counts_only_with_the_lru_that_knows_it(void **state)
{
	const char *tree = TREE(PROCESS("1", "systemd"), MEMINFO("0"),
				{ "sys/kernel/mm/lru_gen/min_ttl_ms", "1000\n" },
				{ "sys/kernel/mm/lru_gen/enabled", "0x0000\n" });
	struct guards guards = guards_in(tree);

	assert_false(guard_acts(&guards, GUARD_MIN_TTL));
	looked_close(&looked);
	tree_add(tree, (const struct file[]){ { "sys/kernel/mm/lru_gen/enabled", "0x0007\n" },
					      { 0 } });
	guards = guards_in(tree);
	assert_true(guard_acts(&guards, GUARD_MIN_TTL));
}

static void quantities_are_read_as_kubernetes_reads_them(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = { { "100Mi", 104857600 }, { "1.5Gi", 1610612736 }, { "500M", 500000000 },
		     { "2k", 2000 },	     { "4096", 4096 },	      { "10%", 100000 } };
	static const char *const bad[] = { "", "Mi", "1e3", "-1", "1Zi", "99999999999Ti", "%" };
	uint64_t bytes;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(quantity_parse(span_cstr(rows[i].text), 1000000, &bytes), 0);
		assert_int_equal(bytes, rows[i].bytes);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_true(quantity_parse(span_cstr(bad[i]), 1000000, &bytes) < 0);
}

static void a_kubelets_path_does_not_lead_out_of_the_root(void **state)
{
	struct kube kube;

	looked_open(TREE(PROCESS("1", "systemd"), PROCESS("7", "kubelet"),
			 { "proc/7/cmdline", "kubelet --config=/a/../../etc/shadow" }),
		    NULL, &looked);
	kube_read(&looked.facts, &kube);
	assert_true(kube.is_running);
	assert_string_equal(kube.path, "");
	assert_int_equal(kube.config.rows, 0);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_machine_without_guards_has_none),
		TEST(without_pid_1_somebody_may_be_missing),
		TEST(a_users_process_of_that_name_is_no_guard),
		TEST(a_guard_in_a_container_is_not_the_machines),
		TEST(earlyoom_looks_at_memory_and_swap),
		TEST(earlyoom_that_ignores_swap_says_so),
		TEST(a_dry_run_does_not_act),
		cmocka_unit_test(of_two_thresholds_of_earlyoom_the_lower_counts),
		TEST(systemd_oomd_acts_where_a_unit_asks_for_it),
		TEST(systemd_oomd_that_nobody_asks_does_not_act),
		TEST(systemd_oomd_can_not_act_without_pressure),
		TEST(systemd_oomd_needs_swap_for_what_looks_at_swap),
		TEST(the_innermost_unit_that_is_watched_counts),
		TEST(units_of_a_users_manager_are_not_the_systems),
		TEST(the_guard_acts_only_when_it_is_told_to),
		TEST(nohang_looks_at_what_its_file_says),
		TEST(min_ttl_counts_only_with_the_lru_that_knows_it),
		cmocka_unit_test(quantities_are_read_as_kubernetes_reads_them),
		TEST(a_kubelets_path_does_not_lead_out_of_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
