#include "test.h"

#include "made.h"

/* A cgroup "db" below the top, as index 1. */
#define DB 1

static struct snapshot *with_db(void)
{
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	cgroup(now, "db", 7, 0);
	return now;
}

static void counters_and_levels_are_the_cgroups_own(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now;

	own(before, DB, CG_REFAULT_FILE, 1000);
	own(before, DB, CG_MEM_SOME_TOTAL, 0);
	own(before, DB, CG_CPU_SYSTEM, 0);
	now = later(before, 5);
	own_more(now, DB, CG_REFAULT_FILE, 500);
	own_more(now, DB, CG_MEM_SOME_TOTAL, 4 * SECOND_US);
	own_more(now, DB, CG_CPU_SYSTEM, SECOND_US);
	own(now, DB, CG_CURRENT, 99);
	own(now, DB, CG_FILE_MAPPED, 33);
	machine(now, MI_MAPPED, 77);
	assert_signal(own_signals(before, now, DB), SIG_REFAULT_FILE, 100.0 * PAGE);
	assert_signal(own_signals(before, now, DB), SIG_MEM_SOME, 0.8);
	assert_signal(own_signals(before, now, DB), SIG_CPU_SYSTEM, 0.2);
	assert_signal(own_signals(before, now, DB), SIG_USAGE, 99);
	assert_signal(own_signals(before, now, DB), SIG_MAPPED, 33);
}

/* The same path with another id: counters that begin anew are no fall and no leap. */
static void a_cgroup_that_was_made_again_has_a_baseline_only(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now;

	own(before, DB, CG_REFAULT_FILE, 1000);
	now = later(before, 5);
	now->cgroups[DB].id = 8;
	own(now, DB, CG_REFAULT_FILE, 900000);
	assert_unknown(own_signals(before, now, DB), SIG_REFAULT_FILE, WHY_BASELINE);
	own(now, DB, CG_REFAULT_FILE, 3);
	assert_unknown(own_signals(before, now, DB), SIG_REFAULT_FILE, WHY_BASELINE);
}

static void a_cgroup_without_pressure_is_unknown_and_never_calm(void **state)
{
	struct snapshot *before = with_db();

	own_is(before, DB, CG_MEM_SOME_TOTAL, DISABLED);
	assert_unknown(own_signals(before, later(before, 5), DB), SIG_MEM_SOME, WHY_DISABLED);
	assert_unknown(own_signals(before, later(before, 5), DB), SIG_IO_SOME, WHY_ABSENT);
}

static void no_limit_is_no_number(void **state)
{
	struct snapshot *now = with_db();

	own(now, DB, CG_MAX, UINT64_MAX);
	own_is(now, DB, CG_MAX, UNLIMITED);
	own(now, DB, CG_HIGH, 0);
	assert_unknown(own_signals(NULL, now, DB), SIG_LIMIT_MAX, WHY_UNLIMITED);
	assert_signal(own_signals(NULL, now, DB), SIG_LIMIT_HIGH, 0);
}

static void failures_to_charge_are_the_events_of_a_limit_in_v1(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	int v2 = cgroup(before, "", 1, -1);
	int v1 = cgroup_v1(before, "", 1, -1);

	own(before, v2, CG_EV_MAX, 10);
	own(before, v2, CG_FAILCNT, 0);
	own(before, v1, CG_FAILCNT, 1000);
	now = later(before, 5);
	own_more(now, v2, CG_EV_MAX, 50);
	own_more(now, v2, CG_FAILCNT, 500);
	own_more(now, v1, CG_FAILCNT, 5000);
	assert_signal(own_signals(before, now, v2), SIG_EV_MAX, 10);
	assert_signal(own_signals(before, now, v1), SIG_EV_MAX, 1000);
	own_is(now, v2, CG_EV_MAX, DENIED);
	assert_unknown(own_signals(before, now, v2), SIG_EV_MAX, WHY_DENIED);
}

/* v1 does not count reads: pages that were charged bound them, and so does the machine. */
static void pages_charged_in_v1_bound_its_reads(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	int v1 = cgroup_v1(before, "", 1, -1);

	machine(before, VM_PGPGIN, 0);
	own(before, v1, CG_PGPGIN, 0);
	now = later(before, 1);
	own_more(now, v1, CG_PGPGIN, 50);
	machine_more(now, VM_PGPGIN, 4000);
	assert_signal(own_signals(before, now, v1), SIG_READ, 50.0 * PAGE);
	machine(now, VM_PGPGIN, 100);
	assert_signal(own_signals(before, now, v1), SIG_READ, 100.0 * 1024);
	machine_is(now, VM_PGPGIN, ABSENT);
	assert_signal(own_signals(before, now, v1), SIG_READ, 50.0 * PAGE);
	own(before, v1, CG_RBYTES, 0);
	own(now, v1, CG_RBYTES, 77);
	assert_signal(own_signals(before, now, v1), SIG_READ, 77);
}

/* A large folio is charged as one page; what came back was read in any case. */
static void what_came_back_was_read_in_v1(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	int v1 = cgroup_v1(before, "", 1, -1);

	own(before, v1, CG_PGPGIN, 0);
	own(before, v1, CG_REFAULT_FILE, 0);
	own(before, v1, CG_REFAULT_ANON, 0);
	now = later(before, 1);
	own_more(now, v1, CG_PGPGIN, 50);
	own_more(now, v1, CG_REFAULT_FILE, 20);
	own_more(now, v1, CG_REFAULT_ANON, 20);
	assert_signal(own_signals(before, now, v1), SIG_READ, 50.0 * PAGE);
	own_more(now, v1, CG_REFAULT_ANON, 30);
	assert_signal(own_signals(before, now, v1), SIG_READ, 70.0 * PAGE);
}

static void without_any_count_reads_of_a_cgroup_are_unknown(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now = later(before, 1);

	own_is(now, DB, CG_RBYTES, DENIED);
	assert_unknown(own_signals(before, now, DB), SIG_READ, WHY_DENIED);
	own_is(now, DB, CG_PGPGIN, GARBLED);
	assert_unknown(own_signals(before, now, DB), SIG_READ, WHY_DENIED);
}

static void refaults_stand_in_for_swap_in_where_it_is_not_counted(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now;

	own(before, DB, CG_REFAULT_ANON, 0);
	own(before, DB, CG_ZSWPIN, 0);
	now = later(before, 1);
	own_more(now, DB, CG_REFAULT_ANON, 9);
	own_more(now, DB, CG_ZSWPIN, 2);
	assert_signal(own_signals(before, now, DB), SIG_SWAP_IN, 9.0 * PAGE);
	own(before, DB, CG_PSWPIN, 0);
	own(now, DB, CG_PSWPIN, 40);
	assert_signal(own_signals(before, now, DB), SIG_SWAP_IN, 42.0 * PAGE);
}

static void what_swap_grew_by_and_took_back_was_swapped_out(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now;

	own(before, DB, CG_REFAULT_ANON, 0);
	own(before, DB, CG_SWAP_CURRENT, 10 * PAGE);
	now = later(before, 2);
	own_more(now, DB, CG_REFAULT_ANON, 6);
	own(now, DB, CG_SWAP_CURRENT, 14 * PAGE);
	assert_signal(own_signals(before, now, DB), SIG_SWAP_OUT, 5.0 * PAGE);
	own(now, DB, CG_SWAP_CURRENT, 0); /* freed, not read back */
	assert_signal(own_signals(before, now, DB), SIG_SWAP_OUT, 0);
	own(before, DB, CG_PSWPOUT, 0);
	own(now, DB, CG_PSWPOUT, 20);
	assert_signal(own_signals(before, now, DB), SIG_SWAP_OUT, 10.0 * PAGE);
}

static void swap_out_of_v1_is_seen_in_its_own_gauge(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	int v1 = cgroup_v1(before, "", 1, -1);

	own(before, v1, CG_REFAULT_ANON, 0);
	own(before, v1, CG_SWAP_V1, 0);
	now = later(before, 1);
	own(now, v1, CG_SWAP_V1, 8 * PAGE);
	assert_signal(own_signals(before, now, v1), SIG_SWAP_OUT, 8.0 * PAGE);
	assert_signal(own_signals(before, now, v1), SIG_SWAP_USED, 8.0 * PAGE);
}

static void swap_out_is_unknown_where_its_parts_are(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now = later(before, 1);

	assert_unknown(own_signals(before, now, DB), SIG_SWAP_OUT, WHY_ABSENT);
	own(now, DB, CG_SWAP_CURRENT, 8 * PAGE);
	assert_unknown(own_signals(before, now, DB), SIG_SWAP_OUT, WHY_BASELINE);
	own(before, DB, CG_SWAP_CURRENT, 0);
	assert_unknown(own_signals(before, now, DB), SIG_SWAP_OUT, WHY_ABSENT);
	own_is(now, DB, CG_SWAP_CURRENT, DENIED);
	own_is(now, DB, CG_SWAP_V1, DENIED);
	assert_unknown(own_signals(before, now, DB), SIG_SWAP_OUT, WHY_DENIED);
}

/* /a allows 100 bytes more, /a/b has no limit, /a/c allows 30. */
static struct snapshot *with_swap_limits(void)
{
	struct snapshot *now = snapshot_new();
	int top = cgroup(now, "", 1, -1);
	int a = cgroup(now, "a", 2, top);

	cgroup(now, "a/b", 3, a);
	cgroup(now, "a/c", 4, a);
	machine(now, MI_SWAP_TOTAL, 1000);
	machine(now, MI_SWAP_FREE, 500);
	own(now, a, CG_SWAP_MAX, 150);
	own(now, a, CG_SWAP_CURRENT, 50);
	own_is(now, 2, CG_SWAP_MAX, UNLIMITED);
	own(now, 2, CG_SWAP_CURRENT, 20);
	own(now, 3, CG_SWAP_MAX, 60);
	own(now, 3, CG_SWAP_CURRENT, 30);
	return now;
}

static void swap_free_is_bounded_by_the_limits_of_those_above(void **state)
{
	struct snapshot *now = with_swap_limits();

	assert_signal(own_signals(NULL, now, 0), SIG_SWAP_FREE, 500);
	assert_signal(own_signals(NULL, now, 1), SIG_SWAP_FREE, 100);
	assert_signal(own_signals(NULL, now, 2), SIG_SWAP_FREE, 100);
	assert_signal(own_signals(NULL, now, 3), SIG_SWAP_FREE, 30);
	machine(now, MI_SWAP_FREE, 10);
	assert_signal(own_signals(NULL, now, 3), SIG_SWAP_FREE, 10);
}

static void swap_beyond_its_limit_is_not_less_than_nothing(void **state)
{
	struct snapshot *now = with_swap_limits();

	own(now, 1, CG_SWAP_MAX, 0);
	assert_signal(own_signals(NULL, now, 2), SIG_SWAP_FREE, 0);
	machine_is(now, MI_SWAP_FREE, ABSENT);
	assert_unknown(own_signals(NULL, now, 2), SIG_SWAP_FREE, WHY_ABSENT);
}

static void v1_limits_memory_and_swap_together(void **state)
{
	struct snapshot *now = snapshot_new();
	int v1 = cgroup_v1(now, "", 1, -1);

	machine(now, MI_SWAP_FREE, 500);
	own(now, v1, CG_MEMSW_MAX, 300);
	own(now, v1, CG_CURRENT, 180);
	assert_signal(own_signals(NULL, now, v1), SIG_SWAP_FREE, 500);
	own(now, v1, CG_SWAP_V1, 50);
	assert_signal(own_signals(NULL, now, v1), SIG_SWAP_FREE, 70);
	own_is(now, v1, CG_MEMSW_MAX, UNLIMITED);
	assert_signal(own_signals(NULL, now, v1), SIG_SWAP_FREE, 500);
}

static void kernel_memory_is_one_number_or_the_sum_of_its_parts(void **state)
{
	struct snapshot *now = with_db();

	assert_unknown(own_signals(NULL, now, DB), SIG_KERNEL, WHY_ABSENT);
	own(now, DB, CG_KERNEL_STACK, 1);
	own(now, DB, CG_PAGETABLES, 20);
	own(now, DB, CG_PERCPU, 300);
	own(now, DB, CG_SLAB_UNRECLAIMABLE, 4000);
	own(now, DB, CG_SLAB_RECLAIMABLE, 50000);
	own(now, DB, CG_SOCK, 600000);
	assert_signal(own_signals(NULL, now, DB), SIG_KERNEL, 654321);
	own(now, DB, CG_KERNEL, 7);
	assert_signal(own_signals(NULL, now, DB), SIG_KERNEL, 7);
	own_is(now, DB, CG_KERNEL, GARBLED);
	assert_unknown(own_signals(NULL, now, DB), SIG_KERNEL, WHY_GARBLED);
}

static void what_cannot_leave_and_what_grew_of_a_cgroup(void **state)
{
	struct snapshot *now = with_db();

	own(now, DB, CG_ANON, 100);
	own(now, DB, CG_SHMEM, 20);
	own(now, DB, CG_ACTIVE_ANON, 70);
	own(now, DB, CG_INACTIVE_ANON, 50);
	own(now, DB, CG_UNEVICTABLE, 8);
	own(now, DB, CG_ACTIVE_FILE, 3);
	own(now, DB, CG_INACTIVE_FILE, 4);
	own(now, DB, CG_FILE_DIRTY, 5);
	own(now, DB, CG_FILE_WRITEBACK, 6);
	assert_signal(own_signals(NULL, now, DB), SIG_HARD, 128);
	assert_signal(own_signals(NULL, now, DB), SIG_GROWN, 120);
	assert_signal(own_signals(NULL, now, DB), SIG_FILE_LRU, 7);
	assert_signal(own_signals(NULL, now, DB), SIG_DIRTY, 11);
	own(now, DB, CG_SWAP_CURRENT, 5);
	own(now, DB, CG_KERNEL, 1000);
	assert_signal(own_signals(NULL, now, DB), SIG_GROWN, 125);
	assert_signal(own_signals(NULL, now, DB), SIG_HARD, 1128);
}

static void reclaim_of_a_cgroup_has_counters_of_its_own(void **state)
{
	struct snapshot *before = with_db();
	struct snapshot *now;

	own(before, DB, CG_PGSCAN, 0);
	own(before, DB, CG_PGSTEAL, 0);
	now = later(before, 1);
	own_more(now, DB, CG_PGSCAN, 9);
	own_more(now, DB, CG_PGSTEAL, 4);
	assert_signal(own_signals(before, now, DB), SIG_SCAN, 9.0 * PAGE);
	assert_signal(own_signals(before, now, DB), SIG_STEAL, 4.0 * PAGE);
	assert_unknown(own_signals(before, now, DB), SIG_SCAN_GLOBAL, WHY_NOT_APPLICABLE);
	assert_unknown(own_signals(before, now, DB), SIG_AVAILABLE, WHY_NOT_APPLICABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_and_levels_are_the_cgroups_own),
		cmocka_unit_test(a_cgroup_that_was_made_again_has_a_baseline_only),
		cmocka_unit_test(a_cgroup_without_pressure_is_unknown_and_never_calm),
		cmocka_unit_test(no_limit_is_no_number),
		cmocka_unit_test(failures_to_charge_are_the_events_of_a_limit_in_v1),
		cmocka_unit_test(pages_charged_in_v1_bound_its_reads),
		cmocka_unit_test(what_came_back_was_read_in_v1),
		cmocka_unit_test(without_any_count_reads_of_a_cgroup_are_unknown),
		cmocka_unit_test(refaults_stand_in_for_swap_in_where_it_is_not_counted),
		cmocka_unit_test(what_swap_grew_by_and_took_back_was_swapped_out),
		cmocka_unit_test(swap_out_of_v1_is_seen_in_its_own_gauge),
		cmocka_unit_test(swap_out_is_unknown_where_its_parts_are),
		cmocka_unit_test(swap_free_is_bounded_by_the_limits_of_those_above),
		cmocka_unit_test(swap_beyond_its_limit_is_not_less_than_nothing),
		cmocka_unit_test(v1_limits_memory_and_swap_together),
		cmocka_unit_test(kernel_memory_is_one_number_or_the_sum_of_its_parts),
		cmocka_unit_test(what_cannot_leave_and_what_grew_of_a_cgroup),
		cmocka_unit_test(reclaim_of_a_cgroup_has_counters_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
