#include "policy/others.h"

#include "made.h"
#include "test.h"

static struct task *runs(struct snapshot *snapshot, const char *name, uint32_t uid, int place)
{
	struct task *task = process(snapshot, 700, name, place);

	task->uid = uid;
	task->run_state = 'S';
	return task;
}

static const char *found(const struct snapshot *snapshot)
{
	enum other_scope scope;

	return other_guard_of(snapshot, &scope);
}

static void nobody_is_no_other_guard(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "cron", 0, cgroup(snapshot, "system.slice/cron.service", 2, -1));
	assert_null(found(snapshot));
}

static void a_guard_that_root_runs_is_seen(void **state)
{
	struct snapshot *snapshot = snapshot_new();
	enum other_scope scope;

	(void)state;
	runs(snapshot, "nohang", 0, cgroup(snapshot, "system.slice/x.service", 2, -1));
	assert_string_equal(other_guard_of(snapshot, &scope), "nohang");
	assert_int_equal(scope, OTHER_MACHINE);
}

static void a_process_of_a_user_with_that_name_does_not_count(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 1000, cgroup(snapshot, "user.slice/session-1.scope", 2, -1));
	assert_null(found(snapshot));
}

static void a_process_whose_user_is_unknown_does_not_count(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", UID_UNKNOWN, cgroup(snapshot, "user.slice", 2, -1));
	assert_null(found(snapshot));
}

static void the_root_of_a_container_does_not_count(void **state)
{
	static const char *const places[] = {
		"system.slice/docker-0a1b.scope",
		"docker/0a1b",
		"kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope",
		"machine.slice/libpod-1.scope",
		"user.slice/libpod-1.scope",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct snapshot *snapshot = snapshot_new();

		case_of(places[i]);
		runs(snapshot, "earlyoom", 0, cgroup(snapshot, places[i], 2, -1));
		assert_null(found(snapshot));
	}
}

static void the_unit_of_that_name_counts_whoever_runs_it(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 61234,
	     cgroup(snapshot, "system.slice/earlyoom.service", 2, -1));
	assert_string_equal(found(snapshot), "earlyoom");
}

static void a_service_that_only_calls_itself_so_does_not_count(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 33, cgroup(snapshot, "system.slice/apache2.service", 2, -1));
	assert_null(found(snapshot));
}

static void a_service_whose_name_begins_so_does_not_count(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 33,
	     cgroup(snapshot, "system.slice/earlyoom-web.service", 2, -1));
	assert_null(found(snapshot));
}

static void a_dead_one_guards_nothing(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 0, cgroup(snapshot, "system.slice", 2, -1))->run_state = 'Z';
	assert_null(found(snapshot));
}

static void a_kernel_thread_is_no_guard(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "earlyoom", 0, cgroup(snapshot, "system.slice", 2, -1))->is_kernel =
		true;
	assert_null(found(snapshot));
}

static void who_reaches_furthest_is_named_first(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	(void)state;
	runs(snapshot, "systemd-oomd", 990,
	     cgroup(snapshot, "system.slice/systemd-oomd.service", 2, -1));
	assert_string_equal(found(snapshot), "systemd-oomd");
	runs(snapshot, "nohang", 0, cgroup(snapshot, "system.slice/nohang.service", 3, -1));
	assert_string_equal(found(snapshot), "nohang");
}

static void systemd_oomd_reaches_as_far_as_systemd_says(void **state)
{
	(void)state;
	assert_false(other_guard_is_machine("systemd-oomd", OTHER_UNITS, OTHER_UNKNOWN));
	assert_false(other_guard_is_machine("systemd-oomd", OTHER_UNITS, OTHER_NOWHERE));
	assert_true(other_guard_is_machine("systemd-oomd", OTHER_UNITS, OTHER_MACHINE));
}

static void what_systemd_says_holds_for_no_other(void **state)
{
	(void)state;
	assert_true(other_guard_is_machine("earlyoom", OTHER_MACHINE, OTHER_NOWHERE));
	assert_false(other_guard_is_machine(NULL, OTHER_NOWHERE, OTHER_MACHINE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_no_other_guard),
		cmocka_unit_test(a_guard_that_root_runs_is_seen),
		cmocka_unit_test(a_process_of_a_user_with_that_name_does_not_count),
		cmocka_unit_test(a_process_whose_user_is_unknown_does_not_count),
		cmocka_unit_test(the_root_of_a_container_does_not_count),
		cmocka_unit_test(the_unit_of_that_name_counts_whoever_runs_it),
		cmocka_unit_test(a_service_that_only_calls_itself_so_does_not_count),
		cmocka_unit_test(a_service_whose_name_begins_so_does_not_count),
		cmocka_unit_test(a_dead_one_guards_nothing),
		cmocka_unit_test(a_kernel_thread_is_no_guard),
		cmocka_unit_test(who_reaches_furthest_is_named_first),
		cmocka_unit_test(systemd_oomd_reaches_as_far_as_systemd_says),
		cmocka_unit_test(what_systemd_says_holds_for_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
