#include "test.h"

#include "crowd.h"
#include "policy/exempt.h"

/* A small service beside a large one, which each test exempts. */
static struct crowd *with_large(void)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/large", 900);
	crowd_service(crowd, "system.slice/small", 50);
	return crowd;
}

#define LARGE 2

static void expect_exempt(struct crowd *crowd, enum exempt exempt)
{
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 2);
	assert_place(crowd, 0, "system.slice/small small");
	assert_place(crowd, 1, "(system.slice/large large)");
	assert_string_equal(exempt_words(crowd->ranking.list[1].exempt), exempt_words(exempt));
}

static void expect_first(struct crowd *crowd)
{
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/large large");
}

static void nothing_is_exempt_without_a_reason(void **state)
{
	expect_first(with_large());
}

static void process_1_is_never_killed(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->tasks[0].pid = 1;
	expect_exempt(crowd, EXEMPT_INIT);
}

static void the_guard_is_never_killed(void **state)
{
	struct crowd *crowd = with_large();

	crowd->self_pid = crowd->before->tasks[0].pid;
	expect_exempt(crowd, EXEMPT_SELF);
}

static void who_runs_the_guard_is_never_killed(void **state)
{
	struct crowd *crowd = with_large();
	struct task *shell = crowd_process(crowd, "shell", SLICE, 0);
	struct task *guard = crowd_process(crowd, "guard", SLICE, 0);

	shell->parent = crowd->before->tasks[0].pid;
	guard->parent = shell->pid;
	crowd->self_pid = guard->pid;
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/small small");
	assert_int_equal(crowd_find(crowd, LARGE)->exempt, EXEMPT_SELF);
}

static void parents_in_a_circle_are_no_trap(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->tasks[0].parent = 101;
	crowd->before->tasks[1].parent = 100;
	crowd->self_pid = 100;
	crowd_rank(crowd);
	assert_place(crowd, 0, "(system.slice/large large)");
	assert_place(crowd, 1, "(system.slice/small small)");
}

static void a_guard_that_is_not_seen_exempts_nobody(void **state)
{
	struct crowd *crowd = with_large();

	crowd->self_pid = 0;
	expect_first(crowd);
}

static void the_service_of_the_guard_is_left_alone(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->cgroups[LARGE].path = "system.slice/refault.service";
	crowd->self_member = LARGE;
	crowd_rank(crowd);
	assert_place(crowd, 1, "(system.slice/refault.service large)");
	assert_int_equal(crowd->ranking.list[1].exempt, EXEMPT_SELF);
}

/* Started by hand, it shares a login session with the leak. */
static void a_session_that_the_guard_shares_is_not(void **state)
{
	static const char *const paths[] = { "user.slice/session-3.scope",
					     "user.slice/user@1000.service", "app" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct crowd *crowd = with_large();

		case_of(paths[i]);
		crowd->before->cgroups[LARGE].path = paths[i];
		crowd->self_member = LARGE;
		crowd_rank(crowd);
		assert_int_equal(crowd->ranking.list[0].exempt, EXEMPT_NOT);
		assert_int_equal(crowd->ranking.list[0].member, LARGE);
	}
}

static void a_bias_of_minus_1000_is_respected(void **state)
{
	struct crowd *crowd = with_large();

	task_has(&crowd->before->tasks[0], TASK_OOM_ADJ, 0);
	expect_exempt(crowd, EXEMPT_ADJ);
	crowd = with_large();
	task_has(&crowd->before->tasks[0], TASK_OOM_ADJ, 1);
	expect_first(crowd);
}

static void a_bias_that_may_not_be_read_could_be_that(void **state)
{
	static const enum state hidden[] = { DENIED, GARBLED };
	struct crowd *crowd;

	for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
		crowd = with_large();
		crowd->before->tasks[0].state[TASK_OOM_ADJ] = (uint8_t)hidden[i];
		expect_exempt(crowd, EXEMPT_UNKNOWN);
	}
}

static void a_mark_to_omit_by_root_counts(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->cgroups[LARGE].marks = MARK_OOMD_OMIT;
	expect_exempt(crowd, EXEMPT_OMIT);
}

static void nobody_makes_himself_immortal(void **state)
{
	static const uint32_t owners[] = { 1000, UID_UNKNOWN };

	for (size_t i = 0; i < ARRAY_LEN(owners); i++) {
		struct crowd *crowd = with_large();

		crowd->before->cgroups[LARGE].marks = MARK_OOMD_OMIT | MARK_OOMD_AVOID;
		crowd->before->cgroups[LARGE].owner = owners[i];
		expect_first(crowd);
		assert_int_equal(crowd->ranking.list[0].rank, 0);
	}
}

/* What the owner of the domain says of his own counts there. */
static void the_owner_of_the_domain_may_mark(void **state)
{
	static const struct {
		uint32_t domain;
		uint32_t member;
		enum exempt exempt;
	} cases[] = {
		{ 1000, 1000, EXEMPT_OMIT },
		{ 1000, 1001, EXEMPT_NOT },
		{ 1000, 0, EXEMPT_OMIT },
		{ 0, 1000, EXEMPT_NOT },
		{ UID_UNKNOWN, UID_UNKNOWN, EXEMPT_NOT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct crowd *crowd = with_large();

		crowd->domain = SLICE;
		crowd->before->cgroups[SLICE].owner = cases[i].domain;
		crowd->before->cgroups[LARGE].owner = cases[i].member;
		crowd->before->cgroups[LARGE].marks = MARK_OOMD_OMIT;
		crowd_rank(crowd);
		assert_int_equal(crowd_find(crowd, LARGE)->exempt, cases[i].exempt);
	}
}

static void a_mark_holds_for_what_lies_below(void **state)
{
	struct crowd *crowd = crowd_new();
	int box = crowd_cgroup(crowd, "box", TOP, 900);
	int inner = crowd_cgroup(crowd, "box/inner", box, 900);

	crowd_process(crowd, "inner", inner, 900);
	crowd->before->cgroups[inner].owner = 1000;
	crowd->before->cgroups[box].marks = MARK_OOMD_OMIT;
	crowd_rank(crowd);
	assert_place(crowd, 0, "(box/inner inner)");
}

static void a_mark_to_avoid_makes_it_the_last(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->cgroups[LARGE].marks = MARK_OOMD_AVOID;
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/small small");
	assert_place(crowd, 1, "system.slice/large large");
	assert_int_equal(crowd->ranking.list[1].rank, -1);
}

static void a_policy_may_say_never(void **state)
{
	struct crowd *crowd = with_large();

	crowd_policy(crowd, POLICY_NEVER, "lar*", NULL);
	expect_exempt(crowd, EXEMPT_POLICY);
	crowd = with_large();
	crowd_policy(crowd, POLICY_NEVER, NULL, "large");
	expect_exempt(crowd, EXEMPT_POLICY);
	crowd = with_large();
	*crowd_policy(crowd, POLICY_NEVER, NULL, NULL) = (struct policy_row){
		.kinds = 1u << POLICY_NEVER,
		.has_uid = true,
		.uid = 7,
	};
	crowd->before->tasks[0].uid = 7;
	expect_exempt(crowd, EXEMPT_POLICY);
}

static void who_it_is_that_is_not_known_matches_no_uid(void **state)
{
	struct crowd *crowd = with_large();

	*crowd_policy(crowd, POLICY_NEVER, NULL, NULL) = (struct policy_row){
		.kinds = 1u << POLICY_NEVER,
		.has_uid = true,
		.uid = UID_UNKNOWN,
	};
	crowd->before->tasks[0].uid = UID_UNKNOWN;
	expect_first(crowd);
}

static void a_policy_of_a_unit_holds_for_its_own_folders(void **state)
{
	struct crowd *crowd = crowd_new();
	int box = crowd_cgroup(crowd, "box.service", TOP, 900);
	int inner = crowd_cgroup(crowd, "box.service/a", box, 900);

	crowd_process(crowd, "inner", inner, 900);
	crowd_policy(crowd, POLICY_NEVER, "box.service", NULL);
	crowd_rank(crowd);
	assert_place(crowd, 0, "(box.service/a inner)");
}

static void policies_rank_before_size_and_growth(void **state)
{
	struct crowd *crowd = crowd_new();
	int leak;

	crowd_service(crowd, "system.slice/kept", 400);
	crowd_service(crowd, "system.slice/cheap", 10);
	crowd_service(crowd, "system.slice/cheaper", 5);
	leak = crowd_service(crowd, "system.slice/leak", 500);
	crowd_policy(crowd, POLICY_PROTECT, "kept", NULL);
	crowd_policy(crowd, POLICY_PREFER, "cheap", NULL);
	crowd_policy(crowd, POLICY_EXPENDABLE, NULL, "cheaper");
	crowd_grows(crowd, leak, 3, 50);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/cheaper cheaper");
	assert_place(crowd, 1, "system.slice/cheap cheap");
	assert_place(crowd, 2, "system.slice/leak leak");
	assert_place(crowd, 3, "system.slice/kept kept");
	assert_int_equal(crowd->ranking.list[0].rank, 2);
	assert_int_equal(crowd->ranking.list[1].rank, 1);
	assert_int_equal(crowd->ranking.list[2].rank, 0);
	assert_int_equal(crowd->ranking.list[3].rank, -1);
}

static void of_policies_that_contradict_the_higher_priority_wins(void **state)
{
	struct crowd *crowd = with_large();

	crowd_policy(crowd, POLICY_EXPENDABLE, "large", NULL)->priority = 1;
	crowd_policy(crowd, POLICY_NEVER, "large", NULL);
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.list[0].rank, 2);
	crowd->config.row[0].priority = 0; /* equal: the milder one */
	expect_exempt(crowd, EXEMPT_POLICY);
}

static void a_policy_wins_over_a_mark_to_avoid(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->cgroups[LARGE].marks = MARK_OOMD_AVOID;
	crowd_policy(crowd, POLICY_EXPENDABLE, "large", NULL);
	expect_first(crowd);
	assert_int_equal(crowd->ranking.list[0].rank, 2);
}

static struct tried tried_of(const struct crowd *crowd, size_t process)
{
	const struct task *task = &crowd->before->tasks[process];

	return (struct tried){
		.cgroup_id = crowd->before->cgroups[task->cgroup].id,
		.pid = task->pid,
		.start_ticks = task->start_ticks,
		.stuck = true,
	};
}

static void who_did_not_die_is_left_out(void **state)
{
	struct crowd *crowd = with_large();

	crowd->tried[crowd->tried_count++] = tried_of(crowd, 0);
	expect_exempt(crowd, EXEMPT_STUCK);
	crowd->tried[0].pid = 0; /* the whole cgroup */
	expect_exempt(crowd, EXEMPT_STUCK);
	crowd->tried[0].cgroup_id = 77;
	expect_first(crowd);
}

static void another_process_with_the_pid_of_a_stuck_one_is_not_it(void **state)
{
	struct crowd *crowd = with_large();

	crowd->tried[crowd->tried_count++] = tried_of(crowd, 0);
	crowd->tried[0].start_ticks++;
	crowd->tried[0].cgroup_id = 77;
	expect_first(crowd);
}

static void what_would_give_nothing_back_is_left_alone(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_service(crowd, "system.slice/empty", 0);
	crowd_rank(crowd);
	assert_place(crowd, 0, "(system.slice/empty empty)");
	assert_int_equal(crowd->ranking.list[0].exempt, EXEMPT_EMPTY);
}

static void whose_memory_is_hidden_is_left_alone(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->tasks[0].state[TASK_RSS_ANON] = DENIED;
	expect_exempt(crowd, EXEMPT_UNKNOWN);
}

static void a_cgroup_whose_processes_are_not_seen_is_left_alone(void **state)
{
	struct crowd *crowd = crowd_new();

	crowd_cgroup(crowd, "system.slice/hidden", SLICE, 900);
	crowd_service(crowd, "system.slice/small", 50);
	crowd_rank(crowd);
	assert_place(crowd, 0, "system.slice/small small");
	assert_place(crowd, 1, "(system.slice/hidden)");
	assert_int_equal(crowd->ranking.list[1].exempt, EXEMPT_UNKNOWN);
}

static void the_dead_and_kernel_threads_are_nobody(void **state)
{
	struct crowd *crowd = with_large();

	crowd->before->tasks[0].run_state = 'Z';
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 1);
	crowd = with_large();
	crowd->before->tasks[0].is_kernel = true;
	crowd_rank(crowd);
	assert_int_equal(crowd->ranking.count, 1);
}

static void names_of_any_bytes_change_nothing(void **state)
{
	static const char *const names[] = { "*",	  "[",	      "\\",   "session-*.scope",
					     "\n\x1b[2J", "\xff\xfe", "%s%n", "" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct crowd *crowd = with_large();

		crowd->before->cgroups[LARGE].path = names[i];
		span_copy(span_cstr(names[i]), crowd->before->tasks[0].name, TASK_NAME_SIZE);
		crowd_policy(crowd, POLICY_NEVER, "sshd*.service", NULL);
		crowd_policy(crowd, POLICY_NEVER, NULL, "sshd");
		crowd_rank(crowd);
		assert_int_equal(crowd->ranking.list[0].member, LARGE);
		assert_int_equal(crowd->ranking.list[0].exempt, EXEMPT_NOT);
	}
}

static void each_reason_has_words(void **state)
{
	for (enum exempt i = EXEMPT_NOT + 1; i < EXEMPTS; i++) {
		assert_true(strlen(exempt_words(i)) > 8);
		for (enum exempt j = EXEMPT_NOT; j < i; j++)
			assert_string_not_equal(exempt_words(i), exempt_words(j));
	}
	assert_string_equal(exempt_words(EXEMPT_NOT), "");
	assert_string_equal(exempt_words(EXEMPTS), "");
}

static void places_of_many_programs_are_known_by_name(void **state)
{
	static const struct {
		const char *path;
		bool is_shared;
	} cases[] = {
		{ "user.slice/user-1000.slice/session-3.scope", true },
		{ "user.slice/user-1000.slice/user@1000.service", true },
		{ "user.slice/user-1000.slice/user@1000.service/init.scope", true },
		{ "init.scope", true },
		{ "user.slice/user-1000.slice", true },
		{ "", true },
		{ "user.slice/user@1000.service/app.slice/app-x.scope", false },
		{ "system.slice/db.service", false },
		{ "session-3.scope/x", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i].path);
		assert_int_equal(is_shared_place(cases[i].path), cases[i].is_shared);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_exempt_without_a_reason),
		cmocka_unit_test(process_1_is_never_killed),
		cmocka_unit_test(the_guard_is_never_killed),
		cmocka_unit_test(who_runs_the_guard_is_never_killed),
		cmocka_unit_test(parents_in_a_circle_are_no_trap),
		cmocka_unit_test(a_guard_that_is_not_seen_exempts_nobody),
		cmocka_unit_test(the_service_of_the_guard_is_left_alone),
		cmocka_unit_test(a_session_that_the_guard_shares_is_not),
		cmocka_unit_test(a_bias_of_minus_1000_is_respected),
		cmocka_unit_test(a_bias_that_may_not_be_read_could_be_that),
		cmocka_unit_test(a_mark_to_omit_by_root_counts),
		cmocka_unit_test(nobody_makes_himself_immortal),
		cmocka_unit_test(the_owner_of_the_domain_may_mark),
		cmocka_unit_test(a_mark_holds_for_what_lies_below),
		cmocka_unit_test(a_mark_to_avoid_makes_it_the_last),
		cmocka_unit_test(a_policy_may_say_never),
		cmocka_unit_test(who_it_is_that_is_not_known_matches_no_uid),
		cmocka_unit_test(a_policy_of_a_unit_holds_for_its_own_folders),
		cmocka_unit_test(policies_rank_before_size_and_growth),
		cmocka_unit_test(of_policies_that_contradict_the_higher_priority_wins),
		cmocka_unit_test(a_policy_wins_over_a_mark_to_avoid),
		cmocka_unit_test(who_did_not_die_is_left_out),
		cmocka_unit_test(another_process_with_the_pid_of_a_stuck_one_is_not_it),
		cmocka_unit_test(what_would_give_nothing_back_is_left_alone),
		cmocka_unit_test(whose_memory_is_hidden_is_left_alone),
		cmocka_unit_test(a_cgroup_whose_processes_are_not_seen_is_left_alone),
		cmocka_unit_test(the_dead_and_kernel_threads_are_nobody),
		cmocka_unit_test(names_of_any_bytes_change_nothing),
		cmocka_unit_test(each_reason_has_words),
		cmocka_unit_test(places_of_many_programs_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
