#include "test.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "kernel/task.h"
#include "policy/act.h"
#include "policy/act_signal.h"
#include "policy/pidfd.h"

static struct hand hand;
static struct root machine;
static pid_t child; /* a process that may be killed; -1 none */

static int set_up(void **state)
{
	child = -1;
	if (root_open("/", &machine) < 0)
		return -1;
	return act_init(&hand, &machine, false);
}

static int tear_down(void **state)
{
	act_done(&hand);
	root_done(&machine);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return 0;
}

/* It sleeps until it is killed, and dies with the test. */
static void start_child(void)
{
	child = fork();
	if (child == 0) {
		for (;;)
			pause();
	}
	assert_true(child > 0);
}

static uint64_t start_of(pid_t pid)
{
	char path[32];
	struct span text;
	struct task task;

	snprintf(path, sizeof(path), "proc/%d/stat", (int)pid);
	assert_int_equal(root_read(&machine, path, any_buffer(), &text), 0);
	assert_int_equal(task_stat_parse(text, &task), 0);
	return task.start_ticks;
}

static struct action on_child(enum action_kind kind)
{
	return (struct action){
		.kind = kind,
		.decision = 7,
		.member = -1,
		.pid = (uint32_t)child,
		.start_ticks = start_of(child),
	};
}

static struct feedback only_feedback(void)
{
	struct feedback out[FEEDBACK_MAX];

	assert_int_equal(act_collect(&hand, 1000, out), 1);
	return out[0];
}

static void expect_failure(int error)
{
	struct feedback feedback = only_feedback();

	assert_int_equal(feedback.outcome, OUTCOME_FAILED);
	assert_int_equal(feedback.error, error);
}

static bool is_alive(void)
{
	return waitpid(child, NULL, WNOHANG) == 0;
}

/* Without reaping it: the descriptor says so of a zombie too. */
static void await_end(void)
{
	siginfo_t info;

	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
}

static void a_killed_process_is_pending_until_it_is_dead(void **state)
{
	struct action action;
	struct feedback out[FEEDBACK_MAX];
	size_t count;

	skip_under_valgrind();

	start_child();
	action = on_child(ACTION_KILL);
	act_do(&hand, &action, NULL, 500);
	await_end();
	count = act_collect(&hand, 1000, out);
	assert_int_equal(count, 2);
	assert_int_equal(out[0].outcome, OUTCOME_PENDING);
	assert_int_equal(out[0].at_us, 500);
	assert_int_equal(out[1].outcome, OUTCOME_DONE);
	assert_int_equal(out[1].decision, 7);
	assert_int_equal(out[1].pid, child);
	assert_int_equal(out[1].at_us, 1000);
	assert_int_equal(act_collect(&hand, 2000, out), 0);
}

static void who_ignores_a_request_to_end_stays_pending(void **state)
{
	struct action action;
	struct feedback out[FEEDBACK_MAX];
	int ready[2];
	char byte;

	skip_under_valgrind();

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		signal(SIGTERM, SIG_IGN);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	action = on_child(ACTION_TERM);
	act_do(&hand, &action, NULL, 500);
	assert_int_equal(only_feedback().outcome, OUTCOME_PENDING);
	assert_int_equal(act_collect(&hand, 2000, out), 0);
	assert_true(is_alive());
	/* The same victim, the next step: one place, one end. */
	action.kind = ACTION_KILL;
	act_do(&hand, &action, NULL, 600);
	await_end();
	assert_int_equal(act_collect(&hand, 3000, out), 2);
	assert_int_equal(out[1].kind, ACTION_KILL);
	assert_int_equal(out[1].outcome, OUTCOME_DONE);
}

static void a_pid_that_is_another_process_by_now_is_not_killed(void **state)
{
	struct action action;

	skip_under_valgrind();

	start_child();
	action = on_child(ACTION_KILL);
	action.start_ticks++;
	act_do(&hand, &action, NULL, 500);
	expect_failure(ESRCH);
	assert_true(is_alive());
}

static void a_candidate_is_held_before_it_is_needed(void **state)
{
	struct task task = { 0 };
	struct ranking ranking = { .count = 1, .list = { { .task = &task } } };
	struct action action;

	skip_under_valgrind();

	start_child();
	task.pid = (uint32_t)child;
	task.start_ticks = start_of(child);
	act_hold(&hand, &ranking);
	act_hold(&hand, &ranking);
	assert_true(hand.held[0].used);
	assert_false(hand.held[1].used); /* once is enough */
	action = on_child(ACTION_KILL);
	act_do(&hand, &action, NULL, 500);
	assert_false(hand.held[0].used);
	await_end();
}

static void a_candidate_whose_pid_was_given_away_is_not_held(void **state)
{
	struct task task = { 0 };
	struct ranking ranking = { .count = 1, .list = { { .task = &task } } };

	skip_under_valgrind();

	start_child();
	task.pid = (uint32_t)child;
	task.start_ticks = start_of(child) + 1;
	act_hold(&hand, &ranking);
	assert_false(hand.held[0].used);
}

static void who_is_exempt_is_not_held(void **state)
{
	struct task task = { 0 };
	struct ranking ranking = {
		.count = 1,
		.list = { { .task = &task, .exempt = EXEMPT_ADJ } },
	};

	skip_under_valgrind();

	start_child();
	task.pid = (uint32_t)child;
	task.start_ticks = start_of(child);
	act_hold(&hand, &ranking);
	assert_false(hand.held[0].used);
}

static void init_itself_and_its_parent_are_never_signalled(void **state)
{
	const uint32_t pids[] = { 1, (uint32_t)getpid(), (uint32_t)getppid(), UINT32_MAX };

	skip_under_valgrind();

	for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
		act_do(&hand, &(struct action){ .kind = ACTION_TERM, .pid = pids[i] }, NULL, 1);
		expect_failure(EPERM);
	}
}

static void the_dry_hand_touches_nothing(void **state)
{
	struct action action;
	struct task task = { 0 };
	struct ranking ranking = { .count = 1, .list = { { .task = &task } } };

	skip_under_valgrind();

	act_done(&hand);
	assert_int_equal(act_init(&hand, &machine, true), 0);
	start_child();
	task.pid = (uint32_t)child;
	task.start_ticks = start_of(child);
	act_hold(&hand, &ranking);
	assert_false(hand.held[0].used);
	action = on_child(ACTION_KILL);
	act_do(&hand, &action, NULL, 500);
	assert_int_equal(only_feedback().outcome, OUTCOME_DRY);
	assert_true(is_alive());
}

/* A folder of plain files stands in for a cgroup of a live machine. */
static struct root root;
static const char *tree;

static struct action on_group(enum action_kind kind)
{
	struct stat st;

	assert_int_equal(stat(path_in(tree, "cg"), &st), 0);
	return (struct action){ .kind = kind, .decision = 9, .cgroup_id = st.st_ino };
}

static void use_tree(const char *folder)
{
	tree = folder;
	root = root_of(tree);
	root.kind = ROOT_LIVE;
	hand.root = &root;
}

static void expect_file(const char *path, const char *text)
{
	struct root plain = root_of(tree);
	struct span got;

	assert_int_equal(root_read(&plain, path, any_buffer(), &got), 0);
	assert_span_equal(got, text);
	root_done(&plain);
}

static void do_write(const struct action *action)
{
	act_do(&hand, action, "cg", 500);
	root_done(&root);
}

static void memory_min_is_written_where_it_is_what_was_seen(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/memory.min", "4096\n" }));
	action = on_group(ACTION_MIN);
	action.write = (struct min_write){ .from = 4096, .to = 81920 };
	do_write(&action);
	assert_int_equal(only_feedback().outcome, OUTCOME_DONE);
	expect_file("cg/memory.min", "81920");
}

static void memory_min_that_somebody_has_changed_is_left_alone(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/memory.min", "8192\n" }));
	action = on_group(ACTION_MIN);
	action.write = (struct min_write){ .from = 4096, .to = 81920 };
	do_write(&action);
	expect_failure(ESTALE);
	expect_file("cg/memory.min", "8192\n");
}

static void another_cgroup_under_the_same_path_is_not_touched(void **state)
{
	const enum action_kind kinds[] = { ACTION_MIN, ACTION_HIGH, ACTION_FREEZE,
					   ACTION_KILL };

	skip_under_valgrind();

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct action action;

		use_tree(TREE({ "cg/memory.min", "0\n" }, { "cg/memory.high", "0\n" },
			      { "cg/cgroup.freeze", "0\n" }, { "cg/cgroup.kill", "" }));
		action = on_group(kinds[i]);
		action.cgroup_id++;
		action.value = 1;
		do_write(&action);
		expect_failure(ESTALE);
		expect_file("cg/memory.min", "0\n");
		expect_file("cg/memory.high", "0\n");
		expect_file("cg/cgroup.freeze", "0\n");
		expect_file("cg/cgroup.kill", "");
	}
}

static void a_cgroup_that_is_not_known_any_more_is_stale(void **state)
{
	skip_under_valgrind();
	act_do(&hand, &(struct action){ .kind = ACTION_FREEZE, .value = 1 }, NULL, 500);
	expect_failure(ESTALE);
}

static void a_captured_tree_is_never_written_to(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/cgroup.freeze", "0\n" }));
	root.kind = ROOT_TREE;
	action = on_group(ACTION_FREEZE);
	action.value = 1;
	do_write(&action);
	expect_failure(EROFS);
	expect_file("cg/cgroup.freeze", "0\n");
}

static void a_file_that_is_a_link_is_not_followed(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "other", "0\n" }, { "cg/cgroup.freeze", "->../other" }));
	action = on_group(ACTION_FREEZE);
	action.value = 1;
	do_write(&action);
	expect_failure(ELOOP);
	expect_file("other", "0\n");
}

static void a_cgroup_is_frozen_and_goes_on(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/cgroup.freeze", "0\n" }));
	action = on_group(ACTION_FREEZE);
	action.value = 1;
	do_write(&action);
	assert_int_equal(only_feedback().outcome, OUTCOME_DONE);
	expect_file("cg/cgroup.freeze", "1\n");
}

static void memory_high_is_raised_at_once(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/memory.high", "4096" }));
	action = on_group(ACTION_HIGH);
	action.value = 8192;
	do_write(&action);
	expect_file("cg/memory.high", "8192");
}

static void memory_high_is_lowered_by_who_may_wait(void **state)
{
	struct action action;

	skip_under_valgrind();

	use_tree(TREE({ "cg/memory.high", "max\n" }));
	action = on_group(ACTION_HIGH);
	action.value = 8192;
	do_write(&action);
	expect_file("cg/memory.high", "max\n");
	act_wait(&hand);
	expect_file("cg/memory.high", "8192");
}

static void a_cgroup_as_a_whole_is_dead_when_nobody_is_in_it(void **state)
{
	struct action action;
	struct feedback out[FEEDBACK_MAX];

	skip_under_valgrind();

	use_tree(TREE({ "cg/cgroup.kill", "" },
		      { "cg/cgroup.events", "populated 1\nfrozen 0\n" }));
	action = on_group(ACTION_KILL);
	do_write(&action);
	expect_file("cg/cgroup.kill", "1");
	assert_int_equal(only_feedback().outcome, OUTCOME_PENDING);
	assert_int_equal(act_collect(&hand, 1000, out), 0);
	tree_add(tree, (const struct file[]){ { "cg/cgroup.events", "populated 0\nfrozen 0\n" },
					      { 0 } });
	assert_int_equal(act_collect(&hand, 2000, out), 1);
	assert_int_equal(out[0].outcome, OUTCOME_DONE);
	assert_int_equal(out[0].cgroup_id, action.cgroup_id);
}

static void without_cgroup_kill_each_process_is_killed(void **state)
{
	char procs[64];
	struct action action;

	skip_under_valgrind();

	start_child();
	snprintf(procs, sizeof(procs), "1\n%d\n0\nx\n%d\n", (int)getpid(), (int)child);
	use_tree(TREE({ "cg/cgroup.procs", procs }));
	action = on_group(ACTION_KILL);
	do_write(&action);
	assert_int_equal(only_feedback().outcome, OUTCOME_PENDING);
	await_end();
}

static void a_listed_pid_that_was_given_away_is_not_signalled(void **state)
{
	struct listed listed;
	char list[64];

	start_child();
	listed = (struct listed){ .pid = (uint32_t)child, .pidfd = pidfd_now((uint32_t)child) };
	snprintf(list, sizeof(list), "1\n%d0\n", (int)child);
	listed_again(span_cstr(list), &listed, 1);
	assert_int_equal(listed_signal(&listed, SIGKILL), -ESRCH);
	assert_true(is_alive());
	snprintf(list, sizeof(list), "1\n%d\n", (int)child);
	listed_again(span_cstr(list), &listed, 1);
	assert_int_equal(listed_signal(&listed, SIGKILL), 0);
	await_end();
	slot_close(&listed.pidfd);
}

static void a_pid_that_was_cut_off_is_nobody(void **state)
{
	static char procs[16384 + 64];
	struct action action;
	size_t used;

	skip_under_valgrind();

	/* The reader's room ends within the last pid, whose half is the child's. */
	start_child();
	used = 16384 - (size_t)snprintf(NULL, 0, "%d", (int)child);
	memset(procs, '\n', used);
	snprintf(procs + used, sizeof(procs) - used, "%d0\n", (int)child);
	use_tree(TREE({ "cg/cgroup.procs", procs }));
	action = on_group(ACTION_KILL);
	do_write(&action);
	expect_failure(ESRCH);
	assert_true(is_alive());
}

static void a_kill_asks_for_its_memory_from_who_may_wait(void **state)
{
	struct action action;

	skip_under_valgrind();

	start_child();
	action = on_child(ACTION_KILL);
	act_do(&hand, &action, NULL, 500);
	assert_true(hand.waiting[0].fd >= 0);
	assert_string_equal(hand.waiting[0].text, "");
	act_wait(&hand);
	assert_int_equal(hand.waiting[0].fd, SLOT_EMPTY);
	await_end();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_killed_process_is_pending_until_it_is_dead),
		TEST(who_ignores_a_request_to_end_stays_pending),
		TEST(a_pid_that_is_another_process_by_now_is_not_killed),
		TEST(a_candidate_is_held_before_it_is_needed),
		TEST(a_candidate_whose_pid_was_given_away_is_not_held),
		TEST(who_is_exempt_is_not_held),
		TEST(init_itself_and_its_parent_are_never_signalled),
		TEST(the_dry_hand_touches_nothing),
		TEST(memory_min_is_written_where_it_is_what_was_seen),
		TEST(memory_min_that_somebody_has_changed_is_left_alone),
		TEST(another_cgroup_under_the_same_path_is_not_touched),
		TEST(a_cgroup_that_is_not_known_any_more_is_stale),
		TEST(a_captured_tree_is_never_written_to),
		TEST(a_file_that_is_a_link_is_not_followed),
		TEST(a_cgroup_is_frozen_and_goes_on),
		TEST(memory_high_is_raised_at_once),
		TEST(memory_high_is_lowered_by_who_may_wait),
		TEST(a_cgroup_as_a_whole_is_dead_when_nobody_is_in_it),
		TEST(without_cgroup_kill_each_process_is_killed),
		TEST(a_listed_pid_that_was_given_away_is_not_signalled),
		TEST(a_pid_that_was_cut_off_is_nobody),
		TEST(a_kill_asks_for_its_memory_from_who_may_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
