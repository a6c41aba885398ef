#include "test.h"

#include "crowd.h"

static void a_leak_comes_before_a_larger_service_that_stands_still(void **state)
{
	struct crowd *crowd = crowd_new();
	int db = crowd_service(crowd, "system.slice/db", 2048);
	int leak = crowd_service(crowd, "system.slice/leak", 800);

	crowd_grows(crowd, leak, 1, 20);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/leak leak");
	assert_place(crowd, 1, "system.slice/db db");
	assert_near(crowd_find(crowd, leak)->growth_share, 1);
	assert_near(crowd_find(crowd, leak)->growth, 4 * MIB_BYTES);
	assert_near(crowd_find(crowd, db)->growth_share, 0);
}

static void a_small_process_that_grows_does_not_win_over_a_large_leak(void **state)
{
	struct crowd *crowd = crowd_new();
	int leak = crowd_service(crowd, "system.slice/leak", 800);
	int tiny = crowd_service(crowd, "system.slice/tiny", 10);

	crowd_grows(crowd, leak, 0, 0);
	crowd_grows(crowd, tiny, 1, 2); /* the leak is stuck at this moment */
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/leak leak");
}

static void when_nobody_grows_size_decides(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/a", 100);
	crowd_service(crowd, "system.slice/b", 300);
	crowd_service(crowd, "system.slice/c", 200);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/b b");
	assert_place(crowd, 1, "system.slice/c c");
	assert_place(crowd, 2, "system.slice/a a");
	assert_place(crowd, 3, "");
}

static void noise_is_no_growth(void **state)
{
	struct crowd *crowd = crowd_new();
	int db = crowd_service(crowd, "system.slice/db", 300);
	int small = crowd_service(crowd, "system.slice/small", 100);

	crowd_grows(crowd, db, 0, 0);
	own_more(crowd->now, small, CG_ANON, 200 * KIB_BYTES); /* 40 KiB/s */
	crowd_rank(crowd);
	assert_near(crowd_find(crowd, small)->growth, 0);
	assert_near(crowd_find(crowd, small)->growth_share, 0);
	assert_place(crowd, 0, "system.slice/db db");
}

/* More than noise, and less than what tells anything: no reason to call it all of the growth.
 */
static void a_share_of_next_to_nothing_counts_little(void **state)
{
	struct crowd *crowd = crowd_new();
	int small = crowd_service(crowd, "system.slice/small", 100);

	crowd_grows(crowd, small, 0, 0);
	own_more(crowd->now, small, CG_ANON, 300 * KIB_BYTES); /* 60 KiB/s of 96 */
	crowd_rank(crowd);
	assert_near(crowd_find(crowd, small)->growth_share, 0.625);
}

static void a_saw_tooth_is_no_growth(void **state)
{
	struct crowd *crowd = crowd_new();
	int saw = crowd_service(crowd, "system.slice/saw", 500);
	int leak = crowd_service(crowd, "system.slice/leak", 300);

	own(crowd->before, saw, CG_CURRENT, 550 * MIB_BYTES);
	own(crowd->before, saw, CG_PEAK, 900 * MIB_BYTES);
	crowd_grows(crowd, saw, 0, 100);
	crowd_grows(crowd, leak, 1, 5);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/leak leak");
	assert_near(crowd_find(crowd, leak)->growth_share, 1);
}

static void a_saw_tooth_counts_when_nobody_else_grows(void **state)
{
	struct crowd *crowd = crowd_new();
	int saw = crowd_service(crowd, "system.slice/saw", 300);

	crowd_service(crowd, "system.slice/db", 1000);
	own(crowd->before, saw, CG_CURRENT, 350 * MIB_BYTES);
	own(crowd->before, saw, CG_PEAK, 900 * MIB_BYTES);
	crowd_grows(crowd, saw, 0, 100);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/saw saw");
}

static void a_new_cgroup_has_grown_from_nothing(void **state)
{
	struct crowd *crowd = crowd_new();
	int fresh;

	crowd_service(crowd, "system.slice/db", 1000);
	crowd->now = later(crowd->before, 5);
	fresh = cgroup(crowd->now, "system.slice/new", 50, SLICE);
	own(crowd->now, fresh, CG_ANON, 300 * MIB_BYTES);
	task_has(process(crowd->now, 300, "new", fresh), TASK_RSS_ANON, 300 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/new new");
}

static void swap_is_given_back_too(void **state)
{
	struct crowd *crowd = crowd_new();
	int cold = crowd_service(crowd, "system.slice/cold", 10);

	crowd_service(crowd, "system.slice/hot", 100);
	own(crowd->before, cold, CG_SWAP_CURRENT, 400 * MIB_BYTES);
	task_has(&crowd->before->tasks[0], TASK_SWAP, 400 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/cold cold");
	assert_near(crowd->ranking.list[0].gain, 410 * MIB_BYTES);
}

/* Files in a tmpfs stay when who wrote them is killed. */
static void a_tmpfs_is_not_given_back(void **state)
{
	struct crowd *crowd = crowd_new();
	int writer = crowd_service(crowd, "system.slice/writer", 20);

	crowd_service(crowd, "system.slice/other", 30);
	own(crowd->before, writer, CG_SHMEM, 900 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/other other");
	assert_near(crowd_find(crowd, writer)->gain, 20 * MIB_BYTES);
}

static void shared_memory_of_one_process_is_given_back(void **state)
{
	struct crowd *crowd = crowd_new();
	int one = crowd_service(crowd, "system.slice/one", 20);

	own(crowd->before, one, CG_SHMEM, 100 * MIB_BYTES);
	task_has(&crowd->before->tasks[0], TASK_RSS_SHMEM, 100 * MIB_BYTES);
	crowd_rank(crowd);
	assert_near(crowd->ranking.list[0].gain, 120 * MIB_BYTES);
}

static void shared_memory_of_several_is_not(void **state)
{
	struct crowd *crowd = crowd_new();
	int two = crowd_service(crowd, "system.slice/two", 20);

	crowd_process(crowd, "second", two, 10);
	own(crowd->before, two, CG_SHMEM, 100 * MIB_BYTES);
	task_has(&crowd->before->tasks[0], TASK_RSS_SHMEM, 100 * MIB_BYTES);
	task_has(&crowd->before->tasks[1], TASK_RSS_SHMEM, 90 * MIB_BYTES);
	crowd_rank(crowd);
	assert_near(crowd->ranking.list[0].gain, 20 * MIB_BYTES);
}

static void what_is_protected_weighs_nothing(void **state)
{
	struct crowd *crowd = crowd_new();
	int db = crowd_service(crowd, "system.slice/db", 500);

	crowd_service(crowd, "system.slice/other", 150);
	own(crowd->before, db, CG_MIN, 400 * MIB_BYTES);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/other other");
	assert_near(crowd_find(crowd, db)->gain, 500 * MIB_BYTES);
	crowd->now = NULL;
	own_is(crowd->before, db, CG_MIN, UNLIMITED);
	crowd_rank(crowd);
	assert_near(crowd_find(crowd, db)->score, 0);
}

static void only_who_is_in_the_domain_is_looked_at(void **state)
{
	struct crowd *crowd = crowd_new();
	int app = crowd_cgroup(crowd, "app", TOP, 50);
	int inside = crowd_cgroup(crowd, "app/inside", app, 50);

	crowd_process(crowd, "inside", inside, 50);
	crowd_service(crowd, "system.slice/large", 900);
	crowd->domain = app;
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 1);
	assert_place(crowd, 0, "app/inside inside");
}

static void it_says_whether_the_best_is_enough(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/a", 100);
	crowd->needed = 100;
	assert_true(crowd_rank(crowd)->best_is_enough);
	assert_near(crowd->ranking.needed, 100 * MIB_BYTES);
	crowd->needed = 101;
	assert_false(crowd_rank(crowd)->best_is_enough);
	crowd->needed = (double)NAN;
	assert_false(crowd_rank(crowd)->best_is_enough);
}

static void an_exempt_one_is_never_enough(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/a", 100);
	task_has(&crowd->before->tasks[0], TASK_OOM_ADJ, 0);
	assert_false(crowd_rank(crowd)->best_is_enough);
	assert_place(crowd, 0, "(system.slice/a a)");
}

static void without_anybody_the_ranking_is_empty(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 0);
	assert_false(crowd->ranking.best_is_enough);
}

static void the_exempt_stand_behind_and_have_their_places(void **state)
{
	static const char *const path[] = {
		"system.slice/0", "system.slice/1", "system.slice/2", "system.slice/3",
		"system.slice/4", "system.slice/5", "system.slice/6", "system.slice/7",
		"system.slice/8", "system.slice/9",
	};
	struct crowd *crowd = crowd_new();

	for (size_t i = 0; i < ARRAY_LEN(path); i++)
		crowd_service(crowd, path[i], 100 + i);
	for (size_t i = 6; i < ARRAY_LEN(path); i++)
		task_has(&crowd->before->tasks[i], TASK_OOM_ADJ, 0);
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, CANDIDATES_MAX);
	assert_place(crowd, 0, "system.slice/5 5");
	assert_place(crowd, 4, "system.slice/1 1");
	assert_place(crowd, 5, "(system.slice/9 9)");
	assert_place(crowd, 7, "(system.slice/7 7)");
}

/* Without the second snapshot there is no growth, and no reading beyond what is there. */
static void the_first_snapshot_is_enough_to_rank_by_size(void **state)
{
	struct crowd *crowd = crowd_new();
	struct domain domain = { .cgroup = -1 };
	struct victim_query query = {
		.domain = &domain,
		.config = &crowd->config,
		.self_member = -1,
	};
	struct ranking ranking;

	crowd_service(crowd, "system.slice/a", 100);
	crowd_service(crowd, "system.slice/b", 200);
	query.evidence = EVIDENCE(crowd->before);
	victim_rank(&query, &ranking);
	assert_int_equal(ranking.count, 2);
	assert_string_equal(ranking.list[0].task->name, "b");
}

static void without_cgroups_processes_are_ranked(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd->before->cgroup_count = 1;
	crowd->before->cgroups[TOP].has_children = false;
	crowd_process(crowd, "large", TOP, 600);
	crowd_process(crowd, "leak", TOP, 300);
	own(crowd->before, TOP, CG_ANON, 900 * MIB_BYTES);
	crowd_grows(crowd, TOP, 1, 50);
	crowd_rank(crowd);
	assert_place(crowd, 0, " leak");
	assert_place(crowd, 1, " large");
	assert_near(crowd->ranking.list[0].growth, 10 * MIB_BYTES);
}

static void processes_of_the_top_beside_services_are_ranked_too(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/db", 900);
	crowd_process(crowd, "stray", TOP, 300);
	crowd->now = later(crowd->before, 5);
	crowd->now->tasks[1].value[TASK_RSS_ANON] += 50 * MIB_BYTES;
	crowd_rank(crowd);
	assert_place(crowd, 0, " stray");
	assert_place(crowd, 1, "system.slice/db db");
	crowd->domain = SLICE;
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leak_comes_before_a_larger_service_that_stands_still),
		cmocka_unit_test(a_small_process_that_grows_does_not_win_over_a_large_leak),
		cmocka_unit_test(when_nobody_grows_size_decides),
		cmocka_unit_test(noise_is_no_growth),
		cmocka_unit_test(a_share_of_next_to_nothing_counts_little),
		cmocka_unit_test(a_saw_tooth_is_no_growth),
		cmocka_unit_test(a_saw_tooth_counts_when_nobody_else_grows),
		cmocka_unit_test(a_new_cgroup_has_grown_from_nothing),
		cmocka_unit_test(swap_is_given_back_too),
		cmocka_unit_test(a_tmpfs_is_not_given_back),
		cmocka_unit_test(shared_memory_of_one_process_is_given_back),
		cmocka_unit_test(shared_memory_of_several_is_not),
		cmocka_unit_test(what_is_protected_weighs_nothing),
		cmocka_unit_test(only_who_is_in_the_domain_is_looked_at),
		cmocka_unit_test(it_says_whether_the_best_is_enough),
		cmocka_unit_test(an_exempt_one_is_never_enough),
		cmocka_unit_test(without_anybody_the_ranking_is_empty),
		cmocka_unit_test(the_exempt_stand_behind_and_have_their_places),
		cmocka_unit_test(the_first_snapshot_is_enough_to_rank_by_size),
		cmocka_unit_test(without_cgroups_processes_are_ranked),
		cmocka_unit_test(processes_of_the_top_beside_services_are_ranked_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
