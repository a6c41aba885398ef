#include "test.h"

#include "analysis/loss.h"
#include "made.h"

/* The service is index 1, below the top; ten seconds are sampled. */
#define SERVICE 1
#define SECONDS 10

static struct snapshot *calm(void)
{
	static const enum cgroup_field counters[] = {
		CG_MEM_SOME_TOTAL, CG_IO_SOME_TOTAL, CG_REFAULT_FILE, CG_REFAULT_ANON,
		CG_RBYTES,	   CG_PGSTEAL,	     CG_CPU_SYSTEM,
	};
	struct snapshot *before = snapshot_new();

	cgroup(before, "", 1, -1);
	cgroup(before, "service", 7, 0);
	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		own(before, SERVICE, counters[i], 1000);
	own(before, SERVICE, CG_FILE_MAPPED, 64 * MIB_BYTES);
	machine(before, VM_PGPGIN, 0);
	machine(before, PSI_MEM_SOME_TOTAL, 0);
	machine(before, PSI_IO_SOME_TOTAL, 0);
	return before;
}

/* Of its time, in percent. */
static void waits(struct snapshot *now, uint64_t memory, uint64_t io)
{
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, memory * SECONDS * 10000);
	own_more(now, SERVICE, CG_IO_SOME_TOTAL, io * SECONDS * 10000);
}

/* In MiB each second. */
static void rereads(struct snapshot *now, uint64_t file, uint64_t anon, uint64_t all)
{
	own_more(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(file * SECONDS * MIB_BYTES));
	own_more(now, SERVICE, CG_REFAULT_ANON, PAGES_OF(anon * SECONDS * MIB_BYTES));
	own_more(now, SERVICE, CG_RBYTES, all * SECONDS * MIB_BYTES);
}

static struct loss loss_between(const struct snapshot *before, const struct snapshot *now)
{
	return EVIDENCE(before, now)->members[SERVICE].loss;
}

static void who_waits_for_nothing_loses_nothing(void **state)
{
	const struct snapshot *before = calm();
	struct loss loss = loss_between(before, later(before, SECONDS));

	assert_near(loss.lower, 0);
	assert_near(loss.upper, 0);
	assert_near(loss.io_share, 0);
	assert_false(loss.collapsed || loss.borrowed);
}

static void reads_of_new_data_are_not_memorys(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 3, 80);
	rereads(now, 0, 0, 100);
	assert_near(loss_between(before, now).lower, 0.03);
	assert_near(loss_between(before, now).upper, 0.03);
}

static void the_part_of_the_reads_that_are_rereads_is_memorys(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);
	struct loss loss;

	waits(now, 10, 60);
	rereads(now, 20, 10, 100);
	loss = loss_between(before, now);
	assert_near(loss.io_share, 0.3);
	assert_near(loss.lower, 0.18);
	assert_near(loss.upper, 0.28);
}

static void the_larger_of_both_pressures_is_the_lower_bound(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 40, 20);
	rereads(now, 10, 0, 10);
	assert_near(loss_between(before, now).lower, 0.40);
	assert_near(loss_between(before, now).upper, 0.60);
}

static void nobody_loses_more_than_all_his_time(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 101, 90);
	rereads(now, 30, 0, 10);
	assert_near(loss_between(before, now).io_share, 1);
	assert_near(loss_between(before, now).lower, 1);
	assert_near(loss_between(before, now).upper, 1);
}

static void time_in_the_kernel_counts_while_it_rereads(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 10, 20);
	rereads(now, 6, 0, 10);
	own_more(now, SERVICE, CG_CPU_SYSTEM, 4 * SECOND_US);
	assert_near(loss_between(before, now).lower, 0.12);
	assert_near(loss_between(before, now).upper, 0.1 + 0.12 + 0.4);
}

static void time_in_the_kernel_of_a_reader_of_new_data_does_not_count(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 10, 20);
	rereads(now, 4, 0, 10);
	own_more(now, SERVICE, CG_CPU_SYSTEM, 4 * SECOND_US);
	assert_near(loss_between(before, now).upper, 0.1 + 0.08);
}

/* From 7.2 three times the bytes of a counted refault are read. */
static void a_refault_stands_for_more_reads_from_7_2(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now;

	before->profile.refaults_understate_reads = true;
	now = later(before, SECONDS);
	waits(now, 0, 50);
	rereads(now, 20, 0, 100);
	assert_near(loss_between(before, now).io_share, 0.6);
	assert_near(loss_between(before, now).lower, 0.3);
}

/* The second witness: refaults read 0 when their shadow entries are gone. */
static struct snapshot *collapsed_later(const struct snapshot *before)
{
	struct snapshot *now = later(before, SECONDS);

	own(now, SERVICE, CG_FILE_MAPPED, 20 * MIB_BYTES);
	own_more(now, SERVICE, CG_PGSTEAL, 5000);
	waits(now, 5, 70);
	rereads(now, 0, 0, 30);
	return now;
}

static void a_collapsed_mapped_set_makes_all_reads_memorys(void **state)
{
	const struct snapshot *before = calm();
	struct loss loss = loss_between(before, collapsed_later(before));

	assert_true(loss.collapsed);
	assert_near(loss.io_share, 1);
	assert_near(loss.lower, 0.70);
	assert_near(loss.upper, 0.75);
}

static void a_mapped_set_that_nobody_reclaims_has_been_unmapped(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = collapsed_later(before);

	own(now, SERVICE, CG_PGSTEAL, 1000);
	assert_false(loss_between(before, now).collapsed);
}

static void a_mapped_set_that_nobody_reads_has_been_unmapped(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = collapsed_later(before);

	own(now, SERVICE, CG_RBYTES, 1000 + SECONDS * 255 * KIB_BYTES);
	assert_false(loss_between(before, now).collapsed);
	own(now, SERVICE, CG_RBYTES, 1000 + SECONDS * 257 * KIB_BYTES);
	assert_true(loss_between(before, now).collapsed);
}

/* 64 MiB are forgotten to 63.26 in ten seconds; 93 % of that is 58.8. */
static void a_mapped_set_near_its_calm_size_has_not_collapsed(void **state)
{
	const struct snapshot *before = calm();
	struct snapshot *now = collapsed_later(before);

	own(now, SERVICE, CG_FILE_MAPPED, 59 * MIB_BYTES);
	assert_false(loss_between(before, now).collapsed);
	own(now, SERVICE, CG_FILE_MAPPED, 58 * MIB_BYTES);
	assert_true(loss_between(before, now).collapsed);
}

static void a_small_mapped_set_does_not_collapse_by_a_few_pages(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now;

	own(before, SERVICE, CG_FILE_MAPPED, 700 * KIB_BYTES);
	now = collapsed_later(before);
	own(now, SERVICE, CG_FILE_MAPPED, 440 * KIB_BYTES);
	assert_false(loss_between(before, now).collapsed);
	own(now, SERVICE, CG_FILE_MAPPED, 420 * KIB_BYTES);
	assert_true(loss_between(before, now).collapsed);
}

static void reclaim_that_has_no_rate_yet_collapses_nothing(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now;

	own_is(before, SERVICE, CG_PGSTEAL, ABSENT);
	now = collapsed_later(before);
	assert_false(loss_between(before, now).collapsed);
}

/* v1 has no pgsteal of a cgroup. */
static void where_reclaim_is_not_counted_reads_must_do(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now = collapsed_later(before);

	own_is(before, SERVICE, CG_PGSTEAL, ABSENT);
	own_is(now, SERVICE, CG_PGSTEAL, ABSENT);
	assert_true(loss_between(before, now).collapsed);
	own_is(now, SERVICE, CG_FILE_MAPPED, ABSENT);
	assert_false(loss_between(before, now).collapsed);
}

static void without_io_stat_the_machines_reads_bound_those_of_the_cgroup(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now;
	struct loss loss;

	own_is(before, SERVICE, CG_RBYTES, ABSENT);
	now = later(before, SECONDS);
	waits(now, 0, 50);
	rereads(now, 10, 0, 0);
	own_is(now, SERVICE, CG_RBYTES, ABSENT);
	machine_more(now, VM_PGPGIN, 40 * 1024 * SECONDS);
	loss = loss_between(before, now);
	assert_near(loss.io_share, 0.25);
	assert_near(loss.lower, 0.125);
}

static void without_any_reads_memory_pressure_alone_is_known(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	own_is(now, SERVICE, CG_RBYTES, ABSENT);
	machine_is(now, VM_PGPGIN, ABSENT);
	waits(now, 30, 80);
	assert_true(isnan(loss_between(before, now).io_share));
	assert_near(loss_between(before, now).lower, 0.30);
	assert_near(loss_between(before, now).upper, 0.30);
}

/* Kernels before 5.9: how much of the reads are re-reads can't be told, so not none. */
static void without_refaults_the_share_of_reads_is_unknown(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now;

	own_is(before, SERVICE, CG_REFAULT_FILE, ABSENT);
	own_is(before, SERVICE, CG_REFAULT_ANON, ABSENT);
	now = later(before, SECONDS);
	waits(now, 30, 80);
	own_more(now, SERVICE, CG_RBYTES, SECONDS * MIB_BYTES);
	assert_true(isnan(loss_between(before, now).io_share));
	assert_near(loss_between(before, now).lower, 0.30);
	own(before, SERVICE, CG_REFAULT_ANON, 0);
	own(now, SERVICE, CG_REFAULT_ANON, 0);
	assert_near(loss_between(before, now).io_share, 0);
}

static void pressure_that_is_switched_off_is_an_unknown_loss_and_never_none(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);
	struct loss loss;

	rereads(now, 10, 0, 10);
	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, DISABLED);
	own_is(now, SERVICE, CG_IO_SOME_TOTAL, DISABLED);
	loss = loss_between(before, now);
	assert_true(isnan(loss.lower));
	assert_true(isnan(loss.upper));
	assert_near(loss.io_share, 1);
}

static void one_kind_of_pressure_is_better_than_none(void **state)
{
	struct snapshot *before = calm();
	struct snapshot *now = later(before, SECONDS);

	waits(now, 30, 20);
	rereads(now, 10, 0, 10);
	own_is(now, SERVICE, CG_MEM_SOME_TOTAL, DENIED);
	assert_near(loss_between(before, now).lower, 0.20);
	assert_near(loss_between(before, now).upper, 0.20);
}

/* Memory on v1: "legacy" has it, "group" of v2 holds the same processes and has pressure. */
#define GROUP 1
#define LEGACY 3

static struct snapshot *hybrid(void)
{
	struct snapshot *before = snapshot_new();

	before->mounts.mode = CGROUPS_HYBRID;
	cgroup(before, "", 1, -1);
	cgroup(before, "group", 9, 0);
	cgroup_v1(before, "", 1, -1);
	cgroup_v1(before, "legacy", 5, 2);
	own(before, GROUP, CG_MEM_SOME_TOTAL, 0);
	own(before, GROUP, CG_IO_SOME_TOTAL, 0);
	own(before, LEGACY, CG_REFAULT_FILE, 0);
	own(before, LEGACY, CG_FILE_MAPPED, 64 * MIB_BYTES);
	machine(before, PSI_MEM_SOME_TOTAL, 0);
	machine(before, PSI_IO_SOME_TOTAL, 0);
	machine(before, VM_PGPGIN, 0);
	return before;
}

/* The group loses 20 % and the machine 60 %; all that is read is read again. */
static struct snapshot *hybrid_later(const struct snapshot *before, uint64_t reread_bytes)
{
	struct snapshot *now = later(before, SECONDS);

	own_more(now, GROUP, CG_MEM_SOME_TOTAL, 2 * SECOND_US);
	machine_more(now, PSI_MEM_SOME_TOTAL, 6 * SECOND_US);
	own_more(now, LEGACY, CG_REFAULT_FILE, PAGES_OF(SECONDS * reread_bytes));
	machine_more(now, VM_PGPGIN, SECONDS * reread_bytes / 1024);
	return now;
}

static void a_cgroup_of_v1_has_the_pressure_of_its_group_in_v2(void **state)
{
	struct snapshot *before = hybrid();
	struct snapshot *now;
	struct loss loss;

	before->cgroups[LEGACY].pressure = GROUP;
	now = hybrid_later(before, MIB_BYTES);
	loss = EVIDENCE(before, now)->members[LEGACY].loss;
	assert_false(loss.borrowed);
	assert_near(loss.lower, 0.2);
}

static void the_machines_pressure_stands_in_and_is_marked(void **state)
{
	struct snapshot *before = hybrid();
	struct loss loss =
		EVIDENCE(before, hybrid_later(before, MIB_BYTES))->members[LEGACY].loss;

	assert_true(loss.borrowed);
	assert_near(loss.lower, 0.6);
}

static void who_rereads_nothing_does_not_lose_what_the_machine_loses(void **state)
{
	struct snapshot *before = hybrid();
	struct loss loss =
		EVIDENCE(before, hybrid_later(before, 255 * KIB_BYTES))->members[LEGACY].loss;

	assert_true(loss.borrowed);
	assert_true(isnan(loss.lower));
	assert_near(EVIDENCE(before, hybrid_later(before, 257 * KIB_BYTES))
			    ->members[LEGACY]
			    .loss.lower,
		    0.6);
}

static void a_collapsed_mapped_set_may_borrow_as_well(void **state)
{
	struct snapshot *before = hybrid();
	struct snapshot *now = hybrid_later(before, 0);

	machine_more(now, VM_PGPGIN, SECONDS * 1024);
	own(now, LEGACY, CG_FILE_MAPPED, 10 * MIB_BYTES);
	assert_true(EVIDENCE(before, now)->members[LEGACY].loss.collapsed);
	assert_near(EVIDENCE(before, now)->members[LEGACY].loss.lower, 0.6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_for_nothing_loses_nothing),
		cmocka_unit_test(reads_of_new_data_are_not_memorys),
		cmocka_unit_test(the_part_of_the_reads_that_are_rereads_is_memorys),
		cmocka_unit_test(the_larger_of_both_pressures_is_the_lower_bound),
		cmocka_unit_test(nobody_loses_more_than_all_his_time),
		cmocka_unit_test(time_in_the_kernel_counts_while_it_rereads),
		cmocka_unit_test(time_in_the_kernel_of_a_reader_of_new_data_does_not_count),
		cmocka_unit_test(a_refault_stands_for_more_reads_from_7_2),
		cmocka_unit_test(a_collapsed_mapped_set_makes_all_reads_memorys),
		cmocka_unit_test(a_mapped_set_that_nobody_reclaims_has_been_unmapped),
		cmocka_unit_test(a_mapped_set_that_nobody_reads_has_been_unmapped),
		cmocka_unit_test(a_mapped_set_near_its_calm_size_has_not_collapsed),
		cmocka_unit_test(a_small_mapped_set_does_not_collapse_by_a_few_pages),
		cmocka_unit_test(reclaim_that_has_no_rate_yet_collapses_nothing),
		cmocka_unit_test(where_reclaim_is_not_counted_reads_must_do),
		cmocka_unit_test(without_io_stat_the_machines_reads_bound_those_of_the_cgroup),
		cmocka_unit_test(without_any_reads_memory_pressure_alone_is_known),
		cmocka_unit_test(without_refaults_the_share_of_reads_is_unknown),
		cmocka_unit_test(
			pressure_that_is_switched_off_is_an_unknown_loss_and_never_none),
		cmocka_unit_test(one_kind_of_pressure_is_better_than_none),
		cmocka_unit_test(a_cgroup_of_v1_has_the_pressure_of_its_group_in_v2),
		cmocka_unit_test(the_machines_pressure_stands_in_and_is_marked),
		cmocka_unit_test(who_rereads_nothing_does_not_lose_what_the_machine_loses),
		cmocka_unit_test(a_collapsed_mapped_set_may_borrow_as_well),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
