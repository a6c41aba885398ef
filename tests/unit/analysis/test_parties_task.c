/* Which process of a sufferer waits, and which of a culprit grows. */
#include "test.h"

#include "services.h"

/* Service "a" grows, and in it these processes. */
static struct snapshot *growing_service(void)
{
	struct snapshot *now = with_services();

	own(now, 1, CG_ANON, 100 * MIB_BYTES);
	return now;
}

static void sized(struct task *task, uint64_t anon, uint64_t swap)
{
	task_has(task, TASK_RSS_ANON, anon);
	task_has(task, TASK_SWAP, swap);
}

static const struct party *culprit_of(const struct snapshot *before, struct snapshot *now)
{
	const struct verdict *verdict;

	own_more(now, 1, CG_ANON, 50 * MIB_BYTES);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	assert_int_equal(verdict->culprit[0].member, 1);
	return &verdict->culprit[0];
}

static const struct party *sufferer_of(const struct snapshot *before, struct snapshot *now)
{
	const struct verdict *verdict;

	loses(now, 1, 50);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	assert_int_equal(verdict->sufferer[0].member, 1);
	return &verdict->sufferer[0];
}

static struct snapshot *waiting_service(void)
{
	struct snapshot *now = with_services();

	for (uint32_t pid = 10; pid < 13; pid++) {
		struct task *task = process(now, pid, pid == 12 ? "third" : "other", 1);

		task_has(task, TASK_MAJFLT, 1000 * (13 - pid));
		task_has(task, TASK_BLKIO, 1000 * (13 - pid));
	}
	return now;
}

static void the_process_that_grows_most_is_named(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;
	const struct party *culprit;

	sized(process(before, 10, "large", 1), 900, 0);
	sized(process(before, 11, "leak", 1), 100, 10);
	sized(process(before, 12, "slow", 1), 100, 0);
	sized(process(before, 13, "elsewhere", 2), 100, 0);
	now = later(before, SECONDS);
	sized(&now->tasks[1], 400, 210);
	sized(&now->tasks[2], 300, 0);
	sized(&now->tasks[3], 9000, 0);
	culprit = culprit_of(before, now);
	assert_string_equal(culprit->task->name, "leak");
	assert_near(culprit->task_rate, 100);
	assert_near(culprit->task_level, 610);
}

static void where_no_process_grows_the_largest_is_named(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "small", 1), 100, 0);
	sized(process(before, 11, "large", 1), 900, 100);
	sized(process(before, 12, "middle", 1), 950, 0);
	now = later(before, SECONDS);
	assert_string_equal(culprit_of(before, now)->task->name, "large");
}

/* One that shrinks least has not grown most. */
static void what_shrinks_does_not_grow(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "large", 1), 9000, 0);
	sized(process(before, 11, "tiny", 1), 10, 0);
	now = later(before, SECONDS);
	sized(&now->tasks[0], 8000, 0);
	assert_string_equal(culprit_of(before, now)->task->name, "large");
	sized(&now->tasks[1], 9, 0);
	assert_string_equal(culprit_of(before, now)->task->name, "large");
}

/* Its pid may be that of another one that has ended. */
static void a_process_that_is_new_has_no_growth_yet(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "leak", 1), 100, 0);
	sized(process(before, 11, "ended", 1), 0, 0);
	now = later(before, SECONDS);
	sized(&now->tasks[0], 200, 0);
	now->tasks[1].start_ticks = 77777;
	sized(&now->tasks[1], 5000, 0);
	assert_string_equal(culprit_of(before, now)->task->name, "leak");
}

static void growth_of_a_process_that_is_new_is_unknown_and_not_none(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "old", 1), 900, 0);
	now = later(before, SECONDS);
	assert_near(culprit_of(before, now)->task_rate, 0);
	sized(process(now, 11, "new", 1), 5000, 0);
	assert_string_equal(culprit_of(before, now)->task->name, "new");
	assert_near(culprit_of(before, now)->task_level, 5000);
	assert_true(isnan(culprit_of(before, now)->task_rate));
}

static void a_process_whose_memory_is_unknown_is_not_named(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "hidden", 1), 900, 0);
	sized(process(before, 11, "seen", 1), 100, 0);
	now = later(before, SECONDS);
	now->tasks[0].state[TASK_RSS_ANON] = DENIED;
	assert_string_equal(culprit_of(before, now)->task->name, "seen");
	now->tasks[1].state[TASK_RSS_ANON] = DENIED;
	assert_null(culprit_of(before, now)->task);
}

static void refault_itself_is_not_named(void **state)
{
	struct snapshot *before = growing_service();
	struct snapshot *now;

	sized(process(before, 10, "refault", 1), 100, 0);
	sized(process(before, 11, "leak", 1), 100, 0);
	now = later(before, SECONDS);
	now->host.self_pid = 10;
	sized(&now->tasks[0], 900, 0);
	sized(&now->tasks[1], 200, 0);
	assert_string_equal(culprit_of(before, now)->task->name, "leak");
}

static void the_process_that_waited_most_is_named(void **state)
{
	struct snapshot *before = waiting_service();
	struct snapshot *now = later(before, SECONDS);

	assert_null(sufferer_of(before, now)->task);
	now->tasks[0].value[TASK_MAJFLT] += 10;
	now->tasks[2].value[TASK_MAJFLT] += 5;
	now->tasks[2].value[TASK_BLKIO] += 6;
	task_has(&now->tasks[2], TASK_RSS_ANON, 70);
	assert_string_equal(sufferer_of(before, now)->task->name, "third");
	assert_near(sufferer_of(before, now)->task_level, 70);
	assert_true(isnan(sufferer_of(before, now)->task_rate));
}

static void a_process_elsewhere_or_new_did_not_wait_here(void **state)
{
	struct snapshot *before = waiting_service();
	struct snapshot *now = later(before, SECONDS);

	now->tasks[0].start_ticks = 77777;
	now->tasks[1].cgroup = 2;
	now->tasks[1].value[TASK_MAJFLT] += 500;
	now->tasks[2].value[TASK_MAJFLT] += 5;
	assert_string_equal(sufferer_of(before, now)->task->name, "third");
}

static void of_v1_the_hierarchy_that_has_memory_tells_whose_process_it_is(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	struct verdict *verdict;
	int v2;
	int v1;

	before->mounts.mode = CGROUPS_HYBRID;
	v2 = cgroup(before, "", 1, -1);
	cgroup_v1(before, "", 1, -1);
	v1 = cgroup_v1(before, "legacy", 2, 1);
	own(before, v1, CG_ANON, MIB_BYTES);
	sized(process(before, 10, "worker", v1), 100, 0);
	before->tasks[0].cgroup = v2;
	now = later(before, SECONDS);
	own(now, v1, CG_ANON, 20 * MIB_BYTES);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	assert_int_equal(verdict->culprit[0].member, v1);
	assert_string_equal(verdict->culprit[0].task->name, "worker");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_process_that_grows_most_is_named),
		cmocka_unit_test(where_no_process_grows_the_largest_is_named),
		cmocka_unit_test(what_shrinks_does_not_grow),
		cmocka_unit_test(a_process_that_is_new_has_no_growth_yet),
		cmocka_unit_test(growth_of_a_process_that_is_new_is_unknown_and_not_none),
		cmocka_unit_test(a_process_whose_memory_is_unknown_is_not_named),
		cmocka_unit_test(refault_itself_is_not_named),
		cmocka_unit_test(the_process_that_waited_most_is_named),
		cmocka_unit_test(a_process_elsewhere_or_new_did_not_wait_here),
		cmocka_unit_test(of_v1_the_hierarchy_that_has_memory_tells_whose_process_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
