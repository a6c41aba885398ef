#include "test.h"

#include "analysis/rules.h"
#include "calm.h"

static void who_is_calm_is_healthy(void **state)
{
	const struct snapshot *before = calm_machine();
	const struct verdict *verdict = verdict_between(before, later(before, SECONDS));

	assert_string_equal(class_row(verdict->class)->name, "healthy");
	assert_int_equal(verdict->severity, SEV_NONE);
	assert_int_equal(verdict->findings, 0);
	assert_int_equal(verdict->untolds, 0);
	assert_int_equal(verdict->confidence, CONFIDENCE_HIGH);
	assert_ptr_equal(verdict->domain, &verdict->evidence->domain[0]);
	assert_int_equal(verdict->charged, -1);
}

static void a_stall_that_no_rule_explains_is_unknown(void **state)
{
	const struct snapshot *before = calm_machine();
	struct snapshot *now = later(before, SECONDS);
	const struct verdict *verdict;

	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, SECONDS * 99000);
	assert_string_equal(class_between(before, now), "healthy");
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, SECONDS * 2000);
	verdict = verdict_between(before, now);
	assert_string_equal(class_row(verdict->class)->name, "unknown");
	assert_int_equal(verdict->severity, SEV_WARN);
	assert_int_equal(verdict->confidence, CONFIDENCE_LOW);
}

/* Its own pressure has kswapd in it as well: twice as much is needed. */
static void a_stall_of_the_machine_is_unknown_too(void **state)
{
	const struct snapshot *before = calm_machine();
	struct snapshot *now = later(before, SECONDS);

	machine_more(now, PSI_MEM_SOME_TOTAL, SECONDS * 199000);
	assert_string_equal(class_between(before, now), "healthy");
	machine_more(now, PSI_MEM_SOME_TOTAL, SECONDS * 2000);
	assert_string_equal(class_between(before, now), "unknown");
}

/* --cgroup: what stalls elsewhere is not asked for. */
static void of_a_part_only_its_members_count(void **state)
{
	const struct snapshot *before = calm_machine();
	struct snapshot *now = later(before, SECONDS);
	static struct evidence evidence;
	static struct verdict verdict;

	machine_more(now, PSI_MEM_SOME_TOTAL, SECONDS * 900000);
	evidence = *EVIDENCE(before, now);
	evidence.is_part = true;
	verdict_of(&evidence, &verdict);
	assert_int_equal(verdict.class, CLASS_HEALTHY);
}

static struct snapshot *without_pressure(void)
{
	struct snapshot *now = calm_machine();

	for (int i = PSI_BASE; i < TUNABLES_BASE; i++)
		machine_is(now, (enum machine_field)i, DISABLED);
	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(now, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
	return now;
}

static void without_pressure_a_quiet_machine_is_healthy(void **state)
{
	const struct snapshot *before = without_pressure();
	const struct verdict *verdict = verdict_between(before, later(before, SECONDS));

	assert_string_equal(class_row(verdict->class)->name, "healthy");
	assert_true(verdict->untolds > 0);
	assert_int_equal(verdict->confidence, CONFIDENCE_MEDIUM);
}

static void without_pressure_a_busy_machine_is_unknown(void **state)
{
	static const struct {
		enum machine_field field;
		uint64_t quiet;
		uint64_t busy;
	} cases[] = {
		{ VM_REFAULT_FILE, SECONDS * 15, SECONDS * 16 },
		{ VM_PSWPIN, SECONDS * 15, SECONDS * 16 },
		{ VM_ALLOCSTALL_NORMAL, 0, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *before = without_pressure();
		struct snapshot *now = later(before, SECONDS);

		machine(now, cases[i].field, cases[i].quiet);
		assert_string_equal(class_between(before, now), "healthy");
		machine(now, cases[i].field, cases[i].busy);
		assert_string_equal(class_between(before, now), "unknown");
		machine_is(now, cases[i].field, GARBLED);
		assert_string_equal(class_between(before, now), "unknown");
	}
}

static void who_rereads_and_loses_an_unknown_share_hides_a_stall(void **state)
{
	static const enum cgroup_field fields[] = { CG_REFAULT_FILE, CG_REFAULT_ANON };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		struct snapshot *before = calm_machine();
		struct snapshot *now;

		own_is(before, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
		own_is(before, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
		now = later(before, SECONDS);
		own(now, SERVICE, fields[i], PAGES_OF(SECONDS * MIB_BYTES) - 1);
		assert_string_equal(class_between(before, now), "healthy");
		own(now, SERVICE, fields[i], PAGES_OF(SECONDS * MIB_BYTES));
		assert_string_equal(class_between(before, now), "unknown");
		assert_int_equal(verdict_between(before, now)->sufferer[0].member, SERVICE);
	}
}

static void who_rereads_a_little_of_both_kinds_rereads_enough(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;

	own_is(before, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(before, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
	now = later(before, SECONDS);
	own(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(SECONDS * MIB_BYTES / 2));
	own(now, SERVICE, CG_REFAULT_ANON, PAGES_OF(SECONDS * MIB_BYTES / 2));
	assert_string_equal(class_between(before, now), "unknown");
}

/* The lower bound says 6 %, the upper 25 %: harm lies between. */
static void bounds_on_both_sides_of_harm_are_unknown(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;

	own(before, SERVICE, CG_CPU_SYSTEM, 0);
	now = later(before, SECONDS);
	machine_more(now, VM_PGPGIN, SECONDS * 2048);
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, SECONDS * 60000);
	own_more(now, SERVICE, CG_IO_SOME_TOTAL, SECONDS * 60000);
	own_more(now, SERVICE, CG_RBYTES, SECONDS * 2 * MIB_BYTES);
	own_more(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(SECONDS * 2 * MIB_BYTES));
	assert_string_equal(class_between(before, now), "healthy");
	own_more(now, SERVICE, CG_CPU_SYSTEM, SECONDS * 130000);
	assert_string_equal(class_between(before, now), "unknown");
	own(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(SECONDS * MIB_BYTES) - 1);
	assert_string_equal(class_between(before, now), "healthy");
}

static void a_small_loss_with_a_large_bound_is_healthy(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;

	own(before, SERVICE, CG_CPU_SYSTEM, 0);
	now = later(before, SECONDS);
	machine_more(now, VM_PGPGIN, SECONDS * 2048);
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, SECONDS * 49000);
	own_more(now, SERVICE, CG_RBYTES, SECONDS * 2 * MIB_BYTES);
	own_more(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(SECONDS * 2 * MIB_BYTES));
	own_more(now, SERVICE, CG_CPU_SYSTEM, SECONDS * 500000);
	assert_string_equal(class_between(before, now), "healthy");
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, SECONDS * 2000);
	assert_string_equal(class_between(before, now), "unknown");
}

/* A leak without harm is a remark; a service that re-reads unseen outweighs it. */
static struct snapshot *leak_later(const struct snapshot *before)
{
	struct snapshot *now = later(before, SECONDS);

	own(now, SERVICE, CG_ANON, 164 * MIB_BYTES);
	return now;
}

static void a_hidden_stall_outweighs_a_remark(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;
	const struct verdict *verdict;

	own_is(before, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(before, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
	now = leak_later(before);
	assert_string_equal(class_between(before, now), "anon-growth");
	own(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(9 * SECONDS * MIB_BYTES));
	verdict = verdict_between(before, now);
	assert_string_equal(class_row(verdict->class)->name, "unknown");
	assert_ptr_equal(verdict->domain, &verdict->evidence->domain[0]);
	assert_int_equal(verdict->finding[0].class, CLASS_ANON_GROWTH);
}

static void a_hidden_stall_does_not_outweigh_a_warning(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;

	own_is(before, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(before, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
	now = later(before, SECONDS);
	own(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(9 * SECONDS * MIB_BYTES));
	machine(now, VM_ALLOCSTALL_NORMAL, 1000);
	machine(now, VM_PGSTEAL_DIRECT, 1000);
	machine(now, PSI_MEM_SOME_TOTAL, SECONDS * 60000);
	assert_string_equal(class_between(before, now), "direct-reclaim");
}

/* Locked memory (a remark) stands before stalls (a warning) in the table. */
static void the_most_severe_is_the_headline_and_causes_come_first(void **state)
{
	const struct snapshot *before = calm_machine();
	struct snapshot *now = leak_later(before);
	const struct verdict *verdict;

	machine(now, MI_UNEVICTABLE, GIB_BYTES * 6 / 10);
	verdict = verdict_between(before, now);
	assert_int_equal(verdict->class, CLASS_LOCKED);
	assert_int_equal(verdict->severity, SEV_NOTE);
	assert_int_equal(verdict->findings, 1); /* growth is told once, as the culprit's */
	machine(now, VM_ALLOCSTALL_NORMAL, 1000);
	machine(now, VM_PGSTEAL_DIRECT, 1000);
	machine(now, PSI_MEM_SOME_TOTAL, SECONDS * 60000);
	verdict = verdict_between(before, now);
	assert_int_equal(verdict->class, CLASS_DIRECT_RECLAIM);
	assert_int_equal(verdict->severity, SEV_WARN);
	assert_int_equal(verdict->findings, 2);
	assert_int_equal(verdict->finding[1].class, CLASS_LOCKED);
}

static void growth_alone_is_the_headline(void **state)
{
	const struct snapshot *before = calm_machine();
	const struct verdict *verdict = verdict_between(before, leak_later(before));

	assert_int_equal(verdict->class, CLASS_ANON_GROWTH);
	assert_int_equal(verdict->findings, 1);
	assert_int_equal(verdict->culprit[0].member, SERVICE);
}

static void what_cannot_be_told_is_said_once_of_each_class(void **state)
{
	struct snapshot *before = calm_machine();
	const struct verdict *verdict;
	size_t told = 0;

	/* Two domains lack it: the machine and the service at its limit. */
	machine_is(before, MI_UNEVICTABLE, ABSENT);
	own_is(before, SERVICE, CG_UNEVICTABLE, ABSENT);
	own(before, SERVICE, CG_CURRENT, 100);
	own(before, SERVICE, CG_MAX, 100);
	verdict = verdict_between(before, later(before, SECONDS));
	for (size_t i = 0; i < verdict->untolds; i++) {
		if (verdict->untold[i].class != CLASS_LOCKED)
			continue;
		assert_int_equal(verdict->untold[i].cite.signal, SIG_UNEVICTABLE);
		assert_int_equal(verdict->untold[i].cite.member, -1);
		told++;
	}
	assert_int_equal(told, 1);
}

/* The machine, and cgroups at their limits that are full of locked memory. */
#define MANY 40

static const struct verdict *verdict_of_many(const struct snapshot *before,
					     const struct snapshot *now, struct domain *domains)
{
	static struct signals locked;
	static struct evidence evidence;
	static struct verdict verdict;

	evidence = *EVIDENCE(before, later(before, 1), now);
	locked = evidence.machine;
	locked.value[SIG_UNEVICTABLE] = (double)GIB_BYTES;
	domains[0] = evidence.domain[0];
	for (size_t i = 1; i < MANY; i++)
		domains[i] = (struct domain){
			.kind = LIMIT_MAX,
			.cgroup = SERVICE,
			.signals = &locked,
			.limit = (double)GIB_BYTES,
			.sufferer = -1,
			.bystander = -1,
			.culprit = -1,
		};
	evidence.domain = domains;
	evidence.domains = MANY;
	verdict_of(&evidence, &verdict);
	return &verdict;
}

/* The harm is asked for last. */
static void many_remarks_do_not_hide_harm(void **state)
{
	static struct domain domains[MANY];
	const struct snapshot *before = calm_machine();
	const struct verdict *verdict =
		verdict_of_many(before, freeze_later(before, 50), domains);

	assert_int_equal(verdict->class, CLASS_FILE_REFAULT);
	assert_int_equal(verdict->findings, FINDINGS_MAX);
	assert_int_equal(verdict->finding[1].class, CLASS_LOCKED);
	assert_ptr_equal(verdict->finding[FINDINGS_MAX - 1].domain, &domains[FINDINGS_MAX - 1]);
}

static void of_too_many_that_are_as_severe_the_first_are_kept(void **state)
{
	static struct domain domains[MANY];
	const struct snapshot *before = calm_machine();
	const struct verdict *verdict =
		verdict_of_many(before, later(before, SECONDS), domains);

	assert_int_equal(verdict->findings, FINDINGS_MAX);
	for (size_t i = 0; i < FINDINGS_MAX; i++)
		assert_ptr_equal(verdict->finding[i].domain, &domains[i + 1]);
}

/* Half of the machine is locked, and something else holds as well. */
static const struct verdict *locked_and(const struct snapshot *before, struct snapshot *now)
{
	machine(now, MI_UNEVICTABLE, GIB_BYTES * 6 / 10);
	return verdict_between(before, now);
}

static void below_another_headline_what_is_no_harm_is_not_told(void **state)
{
	const struct snapshot *before = calm_machine();
	struct snapshot *shared = later(before, SECONDS);
	struct snapshot *starved = later(before, SECONDS);
	struct snapshot *reading = later(before, SECONDS);

	machine(shared, MI_SHMEM, 50 * MIB_BYTES);
	machine(starved, PSI_CPU_SOME_TOTAL, SECONDS * 900000);
	machine(reading, VM_PGPGIN, SECONDS * 9000);
	machine(reading, PSI_IO_SOME_TOTAL, SECONDS * 500000);
	assert_string_equal(class_between(before, shared), "shmem-growth");
	assert_string_equal(class_between(before, starved), "cpu-starved");
	assert_string_equal(class_between(before, reading), "first-read");
	assert_int_equal(locked_and(before, shared)->findings, 1);
	assert_int_equal(locked_and(before, starved)->findings, 1);
	assert_int_equal(locked_and(before, reading)->findings, 1);
	assert_string_equal(class_between(before, reading), "locked");
}

static void the_same_evidence_gives_the_same_verdict(void **state)
{
	static struct verdict one;
	static struct verdict other;
	const struct snapshot *before = calm_machine();
	const struct evidence *evidence =
		EVIDENCE(before, later(before, 1), freeze_later(before, 50));

	verdict_of(evidence, &one);
	verdict_of(evidence, &other);
	assert_int_equal(one.class, other.class);
	assert_int_equal(one.findings, other.findings);
	assert_int_equal(one.untolds, other.untolds);
	assert_ptr_equal(one.confidence_why, other.confidence_why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_calm_is_healthy),
		cmocka_unit_test(a_stall_that_no_rule_explains_is_unknown),
		cmocka_unit_test(a_stall_of_the_machine_is_unknown_too),
		cmocka_unit_test(of_a_part_only_its_members_count),
		cmocka_unit_test(without_pressure_a_quiet_machine_is_healthy),
		cmocka_unit_test(without_pressure_a_busy_machine_is_unknown),
		cmocka_unit_test(who_rereads_and_loses_an_unknown_share_hides_a_stall),
		cmocka_unit_test(who_rereads_a_little_of_both_kinds_rereads_enough),
		cmocka_unit_test(bounds_on_both_sides_of_harm_are_unknown),
		cmocka_unit_test(a_hidden_stall_outweighs_a_remark),
		cmocka_unit_test(a_hidden_stall_does_not_outweigh_a_warning),
		cmocka_unit_test(the_most_severe_is_the_headline_and_causes_come_first),
		cmocka_unit_test(growth_alone_is_the_headline),
		cmocka_unit_test(what_cannot_be_told_is_said_once_of_each_class),
		cmocka_unit_test(many_remarks_do_not_hide_harm),
		cmocka_unit_test(of_too_many_that_are_as_severe_the_first_are_kept),
		cmocka_unit_test(below_another_headline_what_is_no_harm_is_not_told),
		cmocka_unit_test(a_small_loss_with_a_large_bound_is_healthy),
		cmocka_unit_test(the_same_evidence_gives_the_same_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
