#include "test.h"

#include "crowd.h"

#define MANY 9

static const char *const NAMES[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" };

/* Service and leak side by side in one cgroup. */
static void the_process_that_grows_is_taken_and_not_the_largest(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	own(crowd->before, app, CG_ANON, 600 * MIB_BYTES);
	crowd_process(crowd, "leak", app, 100);
	crowd_grows(crowd, app, 1, 40);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app leak");
	assert_place(crowd, 1, "system.slice/app app");
	assert_near(crowd->ranking.list[0].gain, 140 * MIB_BYTES);
	assert_false(crowd->ranking.list[0].whole);
}

static void when_none_grows_the_largest_process_is_taken(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 300);

	own(crowd->before, app, CG_ANON, 800 * MIB_BYTES);
	crowd_process(crowd, "large", app, 500);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app large");
}

static void a_new_process_has_grown_from_nothing(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	crowd->now = later(crowd->before, 5);
	own_more(crowd->now, app, CG_ANON, 200 * MIB_BYTES);
	task_has(process(crowd->now, 300, "new", app), TASK_RSS_ANON, 200 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app new");
	assert_near(crowd->ranking.list[0].growth, 40 * MIB_BYTES);
}

/* Right after fork() all of the parent's memory is the child's too. */
static void a_copy_of_its_parent_has_not_grown(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);
	struct task *copy;

	crowd_process(crowd, "leak", app, 200);
	own(crowd->before, app, CG_ANON, 700 * MIB_BYTES);
	crowd_grows(crowd, app, 1, 50);
	copy = process(crowd->now, 300, "copy", app);
	copy->parent = 100;
	task_has(copy, TASK_RSS_ANON, 500 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app leak");
}

static void a_policy_on_a_name_ranks_processes_of_one_cgroup(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	crowd_process(crowd, "cheap", app, 20);
	own(crowd->before, app, CG_ANON, 520 * MIB_BYTES);
	crowd_service(crowd, "system.slice/other", 900);
	crowd_policy(crowd, POLICY_EXPENDABLE, NULL, "cheap");
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app cheap");
	assert_place(crowd, 1, "system.slice/other other");
	assert_place(crowd, 2, "system.slice/app app");
}

static void an_exempt_process_leaves_the_others_of_its_cgroup(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	crowd_process(crowd, "second", app, 100);
	own(crowd->before, app, CG_ANON, 600 * MIB_BYTES);
	task_has(&crowd->before->tasks[0], TASK_OOM_ADJ, 0);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/app second");
	assert_place(crowd, 1, "(system.slice/app app)");
}

static struct crowd *with_group(void)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	crowd_process(crowd, "second", app, 100);
	own(crowd->before, app, CG_ANON, 600 * MIB_BYTES);
	own(crowd->before, app, CG_OOM_GROUP, 1);
	return crowd;
}

static void expect_whole(struct crowd *crowd, const char *path, const char *why)
{
	crowd_rank(crowd);
	assert_place(crowd, 0, path);
	assert_true(crowd->ranking.list[0].whole);
	assert_string_equal(crowd->ranking.list[0].whole_why, why);
	assert_null(crowd->ranking.list[0].task);
}

static void expect_process(struct crowd *crowd, const char *name)
{
	crowd_rank(crowd);
	assert_place(crowd, 0, name);
	assert_false(crowd->ranking.list[0].whole);
	assert_null(crowd->ranking.list[0].whole_why);
	for (size_t i = 0; i < crowd->ranking.count; i++)
		assert_false(crowd->ranking.list[i].whole);
}

static void a_group_for_the_kernel_dies_as_one(void **state)
{
	struct crowd *crowd = with_group();

	expect_whole(crowd, "system.slice/app", "memory.oom.group");
	assert_near(crowd->ranking.list[0].gain, 600 * MIB_BYTES);
	assert_int_equal(crowd->ranking.count, 1);
	crowd = with_group();
	own(crowd->before, 2, CG_OOM_GROUP, 0);
	expect_process(crowd, "system.slice/app app");
}

static void a_group_above_dies_as_one(void **state)
{
	struct crowd *crowd = crowd_new();
	int pod = crowd_cgroup(crowd, "pod", TOP, 500);
	int left = crowd_cgroup(crowd, "pod/left", pod, 200);
	int right = crowd_cgroup(crowd, "pod/right", pod, 300);

	crowd_process(crowd, "left", left, 200);
	crowd_process(crowd, "right", right, 300);
	own(crowd->before, pod, CG_OOM_GROUP, 1);
	expect_whole(crowd, "pod", "memory.oom.group");
	assert_int_equal(crowd->ranking.count, 1);
	crowd->domain = left; /* what lies above the domain is not asked */
	expect_process(crowd, "pod/left left");
}

static void who_may_not_die_keeps_a_group_from_dying_as_one(void **state)
{
	struct crowd *crowd = with_group();

	task_has(&crowd->before->tasks[1], TASK_OOM_ADJ, 0);
	expect_process(crowd, "system.slice/app app");
	crowd = with_group();
	crowd->before->tasks[1].pid = 1;
	crowd->before->tasks[0].pid = 0; /* sorted by pid */
	expect_process(crowd, "system.slice/app app");
	crowd = with_group();
	crowd->self_pid = crowd->before->tasks[1].pid;
	expect_process(crowd, "system.slice/app app");
	crowd = with_group();
	crowd_policy(crowd, POLICY_NEVER, NULL, "second");
	expect_process(crowd, "system.slice/app app");
	crowd = with_group();
	crowd->before->tasks[1].state[TASK_OOM_ADJ] = DENIED;
	expect_process(crowd, "system.slice/app app");
}

static void who_may_not_die_below_a_group_keeps_it_too(void **state)
{
	struct crowd *crowd = with_group();
	int below = crowd_cgroup(crowd, "system.slice/app/below", 2, 0);

	task_has(crowd_process(crowd, "agent", below, 5), TASK_OOM_ADJ, 0);
	expect_process(crowd, "system.slice/app app");
}

/* It has no memory that could be told, and nothing to lose. */
static void the_dead_keep_nobody_from_it(void **state)
{
	struct crowd *crowd = with_group();

	crowd->before->tasks[1].run_state = 'Z';
	crowd->before->tasks[1].state[TASK_RSS_ANON] = ABSENT;
	expect_whole(crowd, "system.slice/app", "memory.oom.group");
}

static void a_policy_makes_a_unit_one(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/app", 500);
	crowd_policy(crowd, POLICY_UNIT_AS_ONE, "app", NULL);
	expect_whole(crowd, "system.slice/app", "policy unit-as-one");
}

static void a_policy_for_all_units_takes_no_slice(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/app", 500);
	crowd_service(crowd, "system.slice/other", 100);
	crowd_policy(crowd, POLICY_UNIT_AS_ONE, NULL, NULL);
	expect_whole(crowd, "system.slice/app", "policy unit-as-one");
}

static void all_of_a_unit_or_nothing(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "system.slice/app", 500);

	task_has(crowd_process(crowd, "agent", app, 5), TASK_OOM_ADJ, 0);
	crowd_policy(crowd, POLICY_UNIT_AS_ONE, "app", NULL);
	crowd_rank(crowd);
	assert_true(crowd->ranking.count > 0);
	for (size_t i = 0; i < crowd->ranking.count; i++)
		assert_int_equal(crowd->ranking.list[i].exempt, EXEMPT_ADJ);
}

static struct crowd *with_many(const char *path, size_t count, uint64_t mib)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_cgroup(crowd, path, SLICE, count * mib);

	for (size_t i = 0; i < count; i++)
		crowd_process(crowd, NAMES[i], app, mib);
	return crowd;
}

static void many_small_processes_die_as_one(void **state)
{
	expect_whole(with_many("app.service", MANY, 50), "app.service", "many small processes");
}

/* A fork bomb: none of them is worth a look. */
static void many_tiny_processes_die_as_one(void **state)
{
	struct crowd *crowd = with_many("app.service", MANY, 0);

	own(crowd->before, 2, CG_ANON, 200 * MIB_BYTES);
	expect_whole(crowd, "app.service", "many small processes");
	crowd->now = NULL;
	crowd->before->cgroups[2].path = "session-3.scope";
	crowd_rank(crowd);
	assert_place(crowd, 0, "(session-3.scope)");
	assert_int_equal(crowd->ranking.list[0].exempt, EXEMPT_EMPTY);
}

static void who_may_not_die_keeps_many_small_ones_too(void **state)
{
	struct crowd *crowd = with_many("app.service", MANY, 50);

	task_has(&crowd->before->tasks[0], TASK_OOM_ADJ, 0);
	expect_process(crowd, "app.service b");
}

/* Its processes are small, and together they are the largest. */
static void the_best_cgroup_comes_before_the_largest_process(void **state)
{
	struct crowd *crowd = with_many("app.service", 5, 100);

	crowd_service(crowd, "db.service", 200);
	crowd_rank(crowd);
	assert_place(crowd, 0, "app.service a");
	assert_place(crowd, 1, "db.service db.service");
	assert_place(crowd, 2, "app.service b");
}

/* Two that share all of their memory would seem to give back twice as much as there is. */
static void no_process_scores_higher_than_its_cgroup(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_service(crowd, "app.service", 500);

	crowd_process(crowd, "copy", app, 500);
	own(crowd->before, app, CG_ANON, 300 * MIB_BYTES);
	crowd_service(crowd, "db.service", 400);
	crowd_rank(crowd);
	assert_place(crowd, 0, "db.service db.service");
}

static void some_small_processes_do_not(void **state)
{
	expect_process(with_many("app.service", MANY - 1, 50), "app.service a");
}

static void many_around_a_large_one_do_not(void **state)
{
	struct crowd *crowd = with_many("app.service", MANY, 10);

	own_more(crowd->before, 2, CG_ANON, 20 * MIB_BYTES);
	task_has(&crowd->before->tasks[0], TASK_RSS_ANON, 30 * MIB_BYTES); /* of 110 */
	expect_process(crowd, "app.service a");
}

static void a_login_session_is_never_taken_as_one(void **state)
{
	static const char *const paths[] = { "session-3.scope", "user@1000.service",
					     "user-1000.slice", "init.scope" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct crowd *crowd = with_many(paths[i], MANY, 50);

		case_of(paths[i]);
		crowd_rank(crowd);
		assert_false(crowd->ranking.list[0].whole);
		assert_int_equal(crowd->ranking.count, CANDIDATES_MAX);
	}
}

static void unless_a_policy_says_so(void **state)
{
	struct crowd *crowd = with_many("session-3.scope", MANY, 50);

	crowd_policy(crowd, POLICY_UNIT_AS_ONE, "session-*.scope", NULL);
	expect_whole(crowd, "session-3.scope", "policy unit-as-one");
}

static struct crowd *with_tried(const char *path)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, path, 500);
	crowd->tried[crowd->tried_count++] = (struct tried){
		.cgroup_id = crowd->before->cgroups[2].id,
		.pid = 99,
		.start_ticks = 5,
	};
	return crowd;
}

static void a_cgroup_that_offends_again_dies_as_one(void **state)
{
	struct crowd *crowd = with_tried("app.service");

	expect_whole(crowd, "app.service", "it offends again");
	crowd->tried[0].cgroup_id = 77;
	expect_process(crowd, "app.service app.service");
	expect_process(with_tried("session-3.scope"), "session-3.scope session-3.scope");
}

static void while_its_process_is_dying_it_does_not(void **state)
{
	struct crowd *crowd = with_tried("app.service");

	crowd->tried[0].pid = 100;
	crowd->tried[0].start_ticks = crowd->before->tasks[0].start_ticks;
	expect_process(crowd, "app.service app.service");
	crowd->now = NULL;
	crowd->tried[0].start_ticks++; /* the pid is another's by now */
	expect_whole(crowd, "app.service", "it offends again");
}

static void on_v1_processes_die_one_by_one(void **state)
{
	struct crowd *crowd = crowd_new();
	int app;

	crowd->before->cgroup_count = 0;
	crowd->before->mounts.mode = CGROUPS_V1;
	cgroup_v1(crowd->before, "", 1, -1);
	app = cgroup_v1(crowd->before, "app", 2, TOP);
	own(crowd->before, app, CG_ANON, 500 * MIB_BYTES);
	own(crowd->before, app, CG_OOM_GROUP, 1);
	crowd_process(crowd, "app", app, 500);
	expect_process(crowd, "app app");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_dead_keep_nobody_from_it),
		cmocka_unit_test(who_may_not_die_keeps_many_small_ones_too),
		cmocka_unit_test(the_best_cgroup_comes_before_the_largest_process),
		cmocka_unit_test(no_process_scores_higher_than_its_cgroup),
		cmocka_unit_test(the_process_that_grows_is_taken_and_not_the_largest),
		cmocka_unit_test(when_none_grows_the_largest_process_is_taken),
		cmocka_unit_test(a_new_process_has_grown_from_nothing),
		cmocka_unit_test(a_copy_of_its_parent_has_not_grown),
		cmocka_unit_test(a_policy_on_a_name_ranks_processes_of_one_cgroup),
		cmocka_unit_test(an_exempt_process_leaves_the_others_of_its_cgroup),
		cmocka_unit_test(a_group_for_the_kernel_dies_as_one),
		cmocka_unit_test(a_group_above_dies_as_one),
		cmocka_unit_test(who_may_not_die_keeps_a_group_from_dying_as_one),
		cmocka_unit_test(who_may_not_die_below_a_group_keeps_it_too),
		cmocka_unit_test(a_policy_makes_a_unit_one),
		cmocka_unit_test(a_policy_for_all_units_takes_no_slice),
		cmocka_unit_test(all_of_a_unit_or_nothing),
		cmocka_unit_test(many_small_processes_die_as_one),
		cmocka_unit_test(many_tiny_processes_die_as_one),
		cmocka_unit_test(some_small_processes_do_not),
		cmocka_unit_test(many_around_a_large_one_do_not),
		cmocka_unit_test(a_login_session_is_never_taken_as_one),
		cmocka_unit_test(unless_a_policy_says_so),
		cmocka_unit_test(a_cgroup_that_offends_again_dies_as_one),
		cmocka_unit_test(while_its_process_is_dying_it_does_not),
		cmocka_unit_test(on_v1_processes_die_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
