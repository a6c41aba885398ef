#include "test.h"

#include "analysis/parties.h"
#include "made.h"

/* The top and services "a" to "e" below it, as indices 1 to 5. Five seconds are sampled. */
#define SERVICES 5
#define SECONDS 5

static struct snapshot *with_services(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	static const enum cgroup_field fields[] = {
		CG_ANON,	   CG_KERNEL,	      CG_SHMEM,		 CG_UNEVICTABLE,
		CG_MEM_SOME_TOTAL, CG_REFAULT_FILE,   CG_REFAULT_ANON,	 CG_RBYTES,
		CG_FILE_DIRTY,	   CG_FILE_WRITEBACK, CG_CPU_SOME_TOTAL, CG_CPU_THROTTLED,
	};
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	for (int i = 1; i <= SERVICES; i++) {
		cgroup(now, names[i - 1], (uint64_t)i + 1, 0);
		for (size_t j = 0; j < ARRAY_LEN(fields); j++)
			own(now, i, fields[j], 0);
	}
	return now;
}

static struct verdict *parties_in(const struct evidence *evidence, enum verdict_class class,
				  enum severity severity)
{
	static struct verdict verdict;

	verdict = (struct verdict){
		.evidence = evidence,
		.class = class,
		.severity = severity,
		.domain = &evidence->domain[0],
	};
	parties_of(&verdict);
	return &verdict;
}

/* Percent of the time, MiB in all. */
static void loses(struct snapshot *now, int cgroup, uint64_t percent)
{
	own_more(now, cgroup, CG_MEM_SOME_TOTAL, percent * SECONDS * 10000);
}

static void grows(struct snapshot *now, int cgroup, enum cgroup_field field, uint64_t mib)
{
	own_more(now, cgroup, field, mib * MIB_BYTES);
}

static void who_loses_most_comes_first_and_three_are_named(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);
	static const uint64_t percents[] = { 30, 10, 50, 20, 40 };
	struct verdict *verdict;

	for (int i = 1; i <= SERVICES; i++)
		loses(now, i, percents[i - 1]);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	assert_int_equal(verdict->sufferers, 3);
	assert_int_equal(verdict->sufferer[0].member, 3);
	assert_int_equal(verdict->sufferer[1].member, 5);
	assert_int_equal(verdict->sufferer[2].member, 1);
}

static void who_loses_next_to_nothing_does_not_suffer(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);
	struct verdict *verdict;

	loses(now, 1, 1);
	loses(now, 2, 2);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	assert_int_equal(verdict->sufferers, 1);
	assert_int_equal(verdict->sufferer[0].member, 2);
}

static void who_is_as_large_keeps_its_place(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);
	struct verdict *verdict;

	for (int i = 1; i <= SERVICES; i++)
		loses(now, i, 50);
	verdict = parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(verdict->sufferer[i].member, i + 1);
}

static void only_who_is_in_the_domain_takes_part(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);
	const struct evidence *evidence;
	struct verdict verdict = { .class = CLASS_MAX_LOOP, .severity = SEV_HARM };
	const struct domain domain = { .kind = LIMIT_MAX, .cgroup = 2 };

	for (int i = 1; i <= SERVICES; i++) {
		loses(now, i, 50);
		grows(now, i, CG_ANON, 10);
	}
	evidence = EVIDENCE(before, now);
	verdict.evidence = evidence;
	verdict.domain = &domain;
	parties_of(&verdict);
	assert_int_equal(verdict.sufferers, 1);
	assert_int_equal(verdict.sufferer[0].member, 2);
	assert_int_equal(verdict.culprits, 1);
	assert_int_equal(verdict.culprit[0].member, 2);
}

/* Each class has its own measure of who does it. */
static void a_culprit_is_who_does_what_the_class_is_about(void **state)
{
	static const struct {
		enum verdict_class class;
		enum cgroup_field field;
	} cases[] = {
		{ CLASS_FILE_REFAULT, CG_ANON },
		{ CLASS_ANON_GROWTH, CG_ANON },
		{ CLASS_KERNEL_LEAK, CG_KERNEL },
		{ CLASS_SHMEM_GROWTH, CG_SHMEM },
		{ CLASS_LOCKED, CG_UNEVICTABLE },
		{ CLASS_FIRST_READ, CG_RBYTES },
		{ CLASS_DIRTY_THROTTLE, CG_FILE_DIRTY },
		{ CLASS_CPU_STARVED, CG_CPU_THROTTLED },
		{ CLASS_CPU_STARVED, CG_CPU_SOME_TOTAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *before = with_services();
		struct snapshot *now = later(before, SECONDS);
		struct verdict *verdict;

		case_of(class_row(cases[i].class)->name);
		grows(now, 1, CG_ANON, cases[i].field == CG_ANON ? 0 : 90);
		grows(now, 2, cases[i].field, 30);
		grows(now, 3, cases[i].field, 60);
		verdict = parties_in(EVIDENCE(before, now), cases[i].class, SEV_NOTE);
		assert_int_equal(verdict->culprits, 2);
		assert_int_equal(verdict->culprit[0].member, 3);
		assert_int_equal(verdict->culprit[1].member, 2);
	}
}

static void who_does_little_of_it_is_no_culprit(void **state)
{
	static const struct {
		enum verdict_class class;
		enum cgroup_field field;
		uint64_t little;
		uint64_t enough;
	} cases[] = {
		{ CLASS_CPU_STARVED, CG_CPU_SOME_TOTAL, 499000, 501000 },
		{ CLASS_FIRST_READ, CG_RBYTES, SECONDS * MIB_BYTES - 9, SECONDS * MIB_BYTES },
		{ CLASS_DIRTY_THROTTLE, CG_FILE_WRITEBACK, MIB_BYTES - 1, MIB_BYTES },
		{ CLASS_KERNEL_LEAK, CG_KERNEL, 0, 5 },
		{ CLASS_SHMEM_GROWTH, CG_SHMEM, 0, 5 },
		{ CLASS_LOCKED, CG_UNEVICTABLE, 0, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *before = with_services();
		struct snapshot *now = later(before, SECONDS);

		case_of(class_row(cases[i].class)->name);
		own_more(now, 1, cases[i].field, cases[i].little);
		assert_int_equal(
			parties_in(EVIDENCE(before, now), cases[i].class, SEV_NOTE)->culprits,
			0);
		own(now, 1, cases[i].field, cases[i].enough);
		assert_int_equal(
			parties_in(EVIDENCE(before, now), cases[i].class, SEV_NOTE)->culprits,
			1);
	}
}

/* At memory.high nothing grows any more. */
static const struct evidence *sizes_without_growth(void)
{
	struct snapshot *before = with_services();

	own(before, 2, CG_ANON, 70 * MIB_BYTES);
	own(before, 4, CG_ANON, 90 * MIB_BYTES);
	return EVIDENCE(before, later(before, SECONDS));
}

static void where_nothing_grows_the_largest_is_to_blame_for_harm(void **state)
{
	const struct evidence *evidence = sizes_without_growth();

	assert_int_equal(parties_in(evidence, CLASS_HIGH_THROTTLE, SEV_HARM)->culprits, 1);
	assert_int_equal(parties_in(evidence, CLASS_HIGH_THROTTLE, SEV_HARM)->culprit[0].member,
			 4);
	assert_int_equal(parties_in(evidence, CLASS_NUMA, SEV_WARN)->culprits, 1);
}

static void without_harm_nobody_is_to_blame_for_his_size(void **state)
{
	const struct evidence *evidence = sizes_without_growth();

	assert_int_equal(parties_in(evidence, CLASS_HEALTHY, SEV_NONE)->culprits, 0);
	assert_int_equal(parties_in(evidence, CLASS_COLD_SWAP, SEV_NOTE)->culprits, 0);
	assert_int_equal(parties_in(evidence, CLASS_UNKNOWN, SEV_WARN)->culprits, 0);
}

static struct snapshot *rereads_unseen(const struct snapshot *before)
{
	struct snapshot *now = later(before, SECONDS);

	for (int i = 0; i <= SERVICES; i++)
		own_is(now, i, CG_MEM_SOME_TOTAL, DISABLED);
	own_more(now, 1, CG_REFAULT_FILE, PAGES_OF(SECONDS * MIB_BYTES) - 1);
	own_more(now, 2, CG_REFAULT_FILE, PAGES_OF(SECONDS * MIB_BYTES));
	own_more(now, 3, CG_REFAULT_ANON, PAGES_OF(2 * SECONDS * MIB_BYTES));
	return now;
}

static void where_losses_are_unknown_who_rereads_is_named(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = rereads_unseen(before);
	struct verdict *verdict = parties_in(EVIDENCE(before, now), CLASS_UNKNOWN, SEV_WARN);

	assert_int_equal(verdict->sufferers, 2);
	assert_int_equal(verdict->sufferer[0].member, 3);
	assert_int_equal(verdict->sufferer[1].member, 2);
	verdict = parties_in(EVIDENCE(before, now), CLASS_HEALTHY, SEV_NONE);
	assert_int_equal(verdict->sufferers, 0);
}

static void where_a_loss_is_known_who_only_rereads_does_not_suffer(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = rereads_unseen(before);
	struct verdict *verdict;

	own_is(now, 5, CG_MEM_SOME_TOTAL, OK);
	loses(now, 5, 30);
	verdict = parties_in(EVIDENCE(before, now), CLASS_UNKNOWN, SEV_WARN);
	assert_int_equal(verdict->sufferers, 1);
	assert_int_equal(verdict->sufferer[0].member, 5);
}

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

/* Shared pages are charged to whoever touched them first. */
static void who_is_charged_for_what_the_sufferer_waits_for_is_named(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);

	own_more(now, 4, CG_REFAULT_FILE, PAGES_OF(3 * SECONDS * MIB_BYTES));
	own_more(now, 5, CG_REFAULT_FILE, PAGES_OF(9 * SECONDS * MIB_BYTES));
	loses(now, 1, 50);
	assert_int_equal(
		parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM)->charged, 5);
	/* Who waits himself is not only charged. */
	loses(now, 5, 10);
	assert_int_equal(
		parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM)->charged, 4);
}

static void who_rereads_enough_himself_waits_for_his_own(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);

	loses(now, 1, 50);
	own_more(now, 1, CG_REFAULT_FILE, PAGES_OF(2 * SECONDS * MIB_BYTES));
	own_more(now, 5, CG_REFAULT_FILE, PAGES_OF(8 * SECONDS * MIB_BYTES));
	assert_int_equal(
		parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM)->charged, -1);
	own_more(now, 5, CG_REFAULT_FILE, PAGES_OF(SECONDS * MIB_BYTES));
	assert_int_equal(
		parties_in(EVIDENCE(before, now), CLASS_FILE_REFAULT, SEV_HARM)->charged, 5);
}

static void where_nobody_suffers_nobody_is_charged(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);

	own_more(now, 5, CG_REFAULT_FILE, PAGES_OF(9 * SECONDS * MIB_BYTES));
	assert_int_equal(parties_in(EVIDENCE(before, now), CLASS_HEALTHY, SEV_NONE)->charged,
			 -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_loses_most_comes_first_and_three_are_named),
		cmocka_unit_test(who_loses_next_to_nothing_does_not_suffer),
		cmocka_unit_test(who_is_as_large_keeps_its_place),
		cmocka_unit_test(only_who_is_in_the_domain_takes_part),
		cmocka_unit_test(a_culprit_is_who_does_what_the_class_is_about),
		cmocka_unit_test(who_does_little_of_it_is_no_culprit),
		cmocka_unit_test(where_nothing_grows_the_largest_is_to_blame_for_harm),
		cmocka_unit_test(without_harm_nobody_is_to_blame_for_his_size),
		cmocka_unit_test(where_losses_are_unknown_who_rereads_is_named),
		cmocka_unit_test(where_a_loss_is_known_who_only_rereads_does_not_suffer),
		cmocka_unit_test(the_process_that_grows_most_is_named),
		cmocka_unit_test(where_no_process_grows_the_largest_is_named),
		cmocka_unit_test(what_shrinks_does_not_grow),
		cmocka_unit_test(a_process_that_is_new_has_no_growth_yet),
		cmocka_unit_test(a_process_whose_memory_is_unknown_is_not_named),
		cmocka_unit_test(refault_itself_is_not_named),
		cmocka_unit_test(the_process_that_waited_most_is_named),
		cmocka_unit_test(a_process_elsewhere_or_new_did_not_wait_here),
		cmocka_unit_test(of_v1_the_hierarchy_that_has_memory_tells_whose_process_it_is),
		cmocka_unit_test(who_is_charged_for_what_the_sufferer_waits_for_is_named),
		cmocka_unit_test(who_rereads_enough_himself_waits_for_his_own),
		cmocka_unit_test(where_nobody_suffers_nobody_is_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
