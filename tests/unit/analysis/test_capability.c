#include "test.h"

#include "analysis/capability.h"
#include "made.h"

/* The top and a service with a process in it; all that can be seen is seen. */
#define SERVICE 1

static struct snapshot *all_seen(void)
{
	struct snapshot *now = snapshot_new();

	machine(now, PSI_MEM_SOME_TOTAL, 0);
	machine(now, VM_REFAULT_FILE, 0);
	cgroup(now, "", 1, -1);
	cgroup(now, "service", 2, 0);
	own(now, SERVICE, CG_MEM_SOME_TOTAL, 0);
	own(now, SERVICE, CG_RBYTES, 0);
	process(now, 10, "service", SERVICE);
	return now;
}

static enum state state_of(const struct snapshot *now, enum capability capability)
{
	return capability_state(capability, EVIDENCE(now, later(now, 5)));
}

#define assert_capability(now, capability, wanted) \
	assert_string_equal(state_name(state_of(now, capability)), state_name(wanted))

static void where_all_is_seen_nothing_is_missing(void **state)
{
	const struct snapshot *now = all_seen();

	for (enum capability i = 0; i < CAPABILITIES; i++) {
		case_of(capability_row(i)->name);
		assert_capability(now, i, OK);
	}
}

static void pressure_of_the_machine_may_be_off_or_not_built(void **state)
{
	static const enum state states[] = { ABSENT, DENIED, DISABLED };

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		struct snapshot *now = all_seen();

		machine_is(now, PSI_MEM_SOME_TOTAL, states[i]);
		assert_capability(now, CAP_MACHINE_PSI, states[i]);
	}
}

static void memory_of_cgroups_needs_its_controller(void **state)
{
	static const struct {
		enum cgroup_mode mode;
		enum state wanted;
	} cases[] = {
		{ CGROUPS_NONE, ABSENT }, { CGROUPS_V1, OK },	       { CGROUPS_HYBRID, OK },
		{ CGROUPS_V2, OK },	  { CGROUPS_V2_BARE, ABSENT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct snapshot *now = all_seen();

		now->mounts.mode = cases[i].mode;
		assert_capability(now, CAP_CGROUP_MEMORY, cases[i].wanted);
	}
}

static void pressure_of_a_service_may_be_off(void **state)
{
	struct snapshot *now = all_seen();

	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	assert_capability(now, CAP_CGROUP_PSI, DISABLED);
	now = all_seen();
	now->cgroups[SERVICE].pressure = -1;
	assert_capability(now, CAP_CGROUP_PSI, ABSENT);
	assert_capability(now, CAP_CGROUP_IO, OK);
}

/* v1 has none: it is that of the group of v2. */
static void pressure_of_a_service_may_be_that_of_its_group(void **state)
{
	struct snapshot *now = all_seen();

	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, ABSENT);
	own(now, 0, CG_MEM_SOME_TOTAL, 0);
	now->cgroups[SERVICE].pressure = 0;
	assert_capability(now, CAP_CGROUP_PSI, OK);
}

static void reads_of_a_service_may_be_unknown(void **state)
{
	struct snapshot *now = all_seen();

	own_is(now, SERVICE, CG_RBYTES, ABSENT);
	assert_capability(now, CAP_CGROUP_IO, ABSENT);
	own_is(now, SERVICE, CG_RBYTES, DENIED);
	assert_capability(now, CAP_CGROUP_IO, DENIED);
}

/* systemd keeps empty cgroups, and slices have no processes of their own. */
static void a_cgroup_without_processes_lacks_nothing(void **state)
{
	struct snapshot *now = all_seen();

	cgroup(now, "empty", 3, 0);
	assert_capability(now, CAP_CGROUP_PSI, OK);
	assert_capability(now, CAP_CGROUP_IO, OK);
}

static void where_no_process_is_seen_any_cgroup_may_have_one(void **state)
{
	struct snapshot *now = all_seen();

	now->task_count = 0;
	now->cgroups[SERVICE].tasks = 0;
	now->tasks_state = DENIED;
	assert_capability(now, CAP_CGROUP_PSI, OK);
	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(now, SERVICE, CG_RBYTES, ABSENT);
	assert_capability(now, CAP_CGROUP_PSI, DISABLED);
	assert_capability(now, CAP_CGROUP_IO, ABSENT);
}

static void old_kernels_do_not_tell_refaults_of_files(void **state)
{
	struct snapshot *now = all_seen();

	machine_is(now, VM_REFAULT_FILE, ABSENT);
	assert_capability(now, CAP_REFAULTS, ABSENT);
}

static void mglru_of_6_1_does_not_count_all_refaults(void **state)
{
	struct snapshot *now = all_seen();

	now->profile.refaults_undercounted = true;
	assert_capability(now, CAP_REFAULTS_TRUE, ABSENT);
}

static void it_may_be_unknown_what_reclaim_counts(void **state)
{
	struct snapshot *now = all_seen();

	now->profile.reclaim_counts = RECLAIM_UNKNOWN;
	assert_capability(now, CAP_LIMIT_RECLAIM, ABSENT);
	now->profile.reclaim_counts = RECLAIM_ALL;
	assert_capability(now, CAP_LIMIT_RECLAIM, OK);
}

static void processes_may_be_hidden(void **state)
{
	struct snapshot *now = all_seen();

	now->tasks_state = DENIED;
	assert_capability(now, CAP_PROCESSES, DENIED);
	now->tasks_denied = 1;
	assert_capability(now, CAP_ALL_PROCESSES, DENIED);
}

static void a_part_may_be_cut_off(void **state)
{
	struct snapshot *now = all_seen();

	now->cgroups_cut = true;
	assert_capability(now, CAP_WHOLE_TREE, GARBLED);
	now = all_seen();
	now->tasks_cut = true;
	assert_capability(now, CAP_WHOLE_TREE, GARBLED);
	now = all_seen();
	now->devices->cut = true;
	assert_capability(now, CAP_WHOLE_TREE, GARBLED);
	now = all_seen();
	now->zones->cut = true;
	assert_capability(now, CAP_WHOLE_TREE, GARBLED);
}

static void a_container_is_not_the_machine(void **state)
{
	struct snapshot *now = all_seen();

	span_copy(span_cstr("docker"), now->host.container, sizeof(now->host.container));
	assert_capability(now, CAP_OWN_MACHINE, ABSENT);
	now = all_seen();
	now->mounts.lxcfs = true;
	assert_capability(now, CAP_OWN_MACHINE, ABSENT);
}

static void one_sample_has_no_time(void **state)
{
	assert_int_equal(capability_state(CAP_TIME, EVIDENCE(all_seen())), ABSENT);
}

static void the_page_size_may_be_a_guess(void **state)
{
	struct snapshot *now = all_seen();

	now->host.page_assumed = true;
	assert_capability(now, CAP_PAGE_SIZE, ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_all_is_seen_nothing_is_missing),
		cmocka_unit_test(pressure_of_the_machine_may_be_off_or_not_built),
		cmocka_unit_test(memory_of_cgroups_needs_its_controller),
		cmocka_unit_test(pressure_of_a_service_may_be_off),
		cmocka_unit_test(pressure_of_a_service_may_be_that_of_its_group),
		cmocka_unit_test(reads_of_a_service_may_be_unknown),
		cmocka_unit_test(a_cgroup_without_processes_lacks_nothing),
		cmocka_unit_test(where_no_process_is_seen_any_cgroup_may_have_one),
		cmocka_unit_test(old_kernels_do_not_tell_refaults_of_files),
		cmocka_unit_test(mglru_of_6_1_does_not_count_all_refaults),
		cmocka_unit_test(it_may_be_unknown_what_reclaim_counts),
		cmocka_unit_test(processes_may_be_hidden),
		cmocka_unit_test(a_part_may_be_cut_off),
		cmocka_unit_test(a_container_is_not_the_machine),
		cmocka_unit_test(one_sample_has_no_time),
		cmocka_unit_test(the_page_size_may_be_a_guess),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
