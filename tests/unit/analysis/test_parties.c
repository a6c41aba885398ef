#include "test.h"

#include "analysis/parties.h"
#include "services.h"

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
		cmocka_unit_test(who_is_charged_for_what_the_sufferer_waits_for_is_named),
		cmocka_unit_test(who_rereads_enough_himself_waits_for_his_own),
		cmocka_unit_test(where_nobody_suffers_nobody_is_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
