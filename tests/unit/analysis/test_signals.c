#include "test.h"

#include "made.h"

/* Signals of the machine five seconds after a snapshot in which these counters were 1000. */
static struct snapshot *with_counters(const enum machine_field *fields, size_t count)
{
	struct snapshot *before = snapshot_new();

	for (size_t i = 0; i < count; i++)
		machine(before, fields[i], 1000);
	return before;
}

#define COUNTERS(...)                                                       \
	with_counters((const enum machine_field[]){ __VA_ARGS__ },          \
		      sizeof((const enum machine_field[]){ __VA_ARGS__ }) / \
			      sizeof(enum machine_field))

static void time_between_two_snapshots_needs_both_clocks(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now = later(before, 5);

	assert_near(pair_of(before, now).seconds, 5);
	assert_true(isnan(pair_of(NULL, now).seconds));
	assert_true(isnan(pair_of(now, before).seconds));
	assert_true(isnan(pair_of(now, now).seconds));
	before->host.has_time = false;
	assert_true(isnan(pair_of(before, now).seconds));
	before->host.has_time = true;
	now->host.has_time = false;
	assert_true(isnan(pair_of(before, now).seconds));
}

static void pages_of_a_counter_are_bytes_per_second(void **state)
{
	struct snapshot *before = COUNTERS(VM_REFAULT_FILE, VM_PGSTEAL_FILE);
	struct snapshot *now = later(before, 5);

	now->host.page_bytes = 16384;
	machine_more(now, VM_REFAULT_FILE, 500);
	assert_signal(machine_signals(before, now), SIG_REFAULT_FILE, 100.0 * 16384);
	assert_signal(machine_signals(before, now), SIG_STEAL_FILE, 0);
}

/* pgpgin is in KiB, io.stat in bytes. */
static void reads_are_bytes_in_both_units_of_the_kernel(void **state)
{
	struct snapshot *before = COUNTERS(VM_PGPGIN, VM_PGPGOUT);
	struct snapshot *now;
	int top = cgroup(before, "", 1, -1);

	own(before, top, CG_RBYTES, 0);
	own(before, top, CG_WBYTES, 0);
	now = later(before, 2);
	machine_more(now, VM_PGPGIN, 30);
	machine_more(now, VM_PGPGOUT, 50);
	own_more(now, top, CG_RBYTES, 3000);
	own_more(now, top, CG_WBYTES, 5000);
	assert_signal(machine_signals(before, now), SIG_READ, 15.0 * 1024);
	assert_signal(machine_signals(before, now), SIG_WRITE, 25.0 * 1024);
	assert_signal(own_signals(before, now, top), SIG_READ, 1500);
	assert_signal(own_signals(before, now, top), SIG_WRITE, 2500);
}

static void pressure_is_a_share_of_the_time(void **state)
{
	struct snapshot *before = COUNTERS(PSI_MEM_SOME_TOTAL, PSI_IO_FULL_TOTAL);
	struct snapshot *now = later(before, 4);

	machine_more(now, PSI_MEM_SOME_TOTAL, SECOND_US);
	assert_signal(machine_signals(before, now), SIG_MEM_SOME, 0.25);
	assert_signal(machine_signals(before, now), SIG_IO_FULL, 0);
}

static void pressure_that_is_switched_off_is_unknown_and_never_nothing(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	machine_is(before, PSI_MEM_SOME_TOTAL, DISABLED);
	now = later(before, 4);
	assert_unknown(machine_signals(before, now), SIG_MEM_SOME, WHY_DISABLED);
	machine_is(now, PSI_MEM_SOME_TOTAL, DENIED);
	assert_unknown(machine_signals(before, now), SIG_MEM_SOME, WHY_DENIED);
}

static void one_snapshot_has_levels_and_no_rates(void **state)
{
	struct snapshot *now = COUNTERS(VM_REFAULT_FILE, MI_TOTAL);

	assert_signal(machine_signals(NULL, now), SIG_TOTAL, 1000);
	assert_unknown(machine_signals(NULL, now), SIG_REFAULT_FILE, WHY_BASELINE);
}

/* Before 5.9 there was one counter for anonymous and file pages: neither is 0. */
static void old_kernels_do_not_split_refaults(void **state)
{
	struct snapshot *before = COUNTERS(VM_REFAULT);
	struct snapshot *now = later(before, 5);

	machine_more(now, VM_REFAULT, 70000);
	assert_unknown(machine_signals(before, now), SIG_REFAULT_FILE, WHY_ABSENT);
	assert_unknown(machine_signals(before, now), SIG_REFAULT_ANON, WHY_ABSENT);
}

static void allocation_stalls_are_those_of_all_zones(void **state)
{
	struct snapshot *before =
		COUNTERS(VM_ALLOCSTALL_DMA, VM_ALLOCSTALL_DMA32, VM_ALLOCSTALL_NORMAL,
			 VM_ALLOCSTALL_HIGH, VM_ALLOCSTALL_MOVABLE, VM_ALLOCSTALL_DEVICE);
	struct snapshot *now = later(before, 5);

	machine_more(now, VM_ALLOCSTALL_DMA, 1);
	machine_more(now, VM_ALLOCSTALL_DMA32, 20);
	machine_more(now, VM_ALLOCSTALL_NORMAL, 300);
	machine_more(now, VM_ALLOCSTALL_HIGH, 4000);
	machine_more(now, VM_ALLOCSTALL_MOVABLE, 50000);
	machine_more(now, VM_ALLOCSTALL_DEVICE, 600000);
	assert_signal(machine_signals(before, now), SIG_ALLOCSTALL, 654321 / 5.0);
}

static void zones_that_a_machine_does_not_have_are_left_out_of_the_stalls(void **state)
{
	struct snapshot *before = COUNTERS(VM_ALLOCSTALL_MOVABLE);
	struct snapshot *now = later(before, 5);

	machine_more(now, VM_ALLOCSTALL_MOVABLE, 100);
	assert_signal(machine_signals(before, now), SIG_ALLOCSTALL, 20);
}

static void the_old_kernels_stalls_are_one_counter(void **state)
{
	struct snapshot *before = COUNTERS(VM_ALLOCSTALL);
	struct snapshot *now = later(before, 5);

	machine_more(now, VM_ALLOCSTALL, 100);
	assert_signal(machine_signals(before, now), SIG_ALLOCSTALL, 20);
	assert_unknown(machine_signals(snapshot_new(), later(snapshot_new(), 5)),
		       SIG_ALLOCSTALL, WHY_ABSENT);
}

static void a_sum_with_a_part_that_cannot_be_read_is_unknown(void **state)
{
	struct snapshot *before = COUNTERS(VM_ALLOCSTALL_NORMAL, VM_ALLOCSTALL_MOVABLE);
	struct snapshot *now = later(before, 5);

	machine_is(now, VM_ALLOCSTALL_NORMAL, GARBLED);
	assert_unknown(machine_signals(before, now), SIG_ALLOCSTALL, WHY_GARBLED);
	now = later(before, 5);
	machine(now, VM_ALLOCSTALL_MOVABLE, 999);
	assert_unknown(machine_signals(before, now), SIG_ALLOCSTALL, WHY_RESET);
}

static void reclaim_is_that_of_both_kinds_of_pages(void **state)
{
	struct snapshot *before =
		COUNTERS(VM_PGSCAN_ANON, VM_PGSCAN_FILE, VM_PGSTEAL_ANON, VM_PGSTEAL_FILE);
	struct snapshot *now = later(before, 1);

	machine_more(now, VM_PGSCAN_ANON, 10);
	machine_more(now, VM_PGSCAN_FILE, 200);
	machine_more(now, VM_PGSTEAL_ANON, 3);
	machine_more(now, VM_PGSTEAL_FILE, 40);
	assert_signal(machine_signals(before, now), SIG_SCAN, 210.0 * PAGE);
	assert_signal(machine_signals(before, now), SIG_STEAL, 43.0 * PAGE);
	assert_signal(machine_signals(before, now), SIG_STEAL_FILE, 40.0 * PAGE);
}

/* Before 5.8 pages were counted by who reclaimed them only. */
static void old_kernels_count_reclaim_by_who_does_it(void **state)
{
	struct snapshot *before = COUNTERS(VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT,
					   VM_PGSTEAL_KSWAPD, VM_PGSTEAL_DIRECT);
	struct snapshot *now = later(before, 1);

	machine_more(now, VM_PGSCAN_KSWAPD, 10);
	machine_more(now, VM_PGSCAN_DIRECT, 200);
	machine_more(now, VM_PGSTEAL_KSWAPD, 3);
	machine_more(now, VM_PGSTEAL_DIRECT, 40);
	assert_signal(machine_signals(before, now), SIG_SCAN, 210.0 * PAGE);
	assert_signal(machine_signals(before, now), SIG_STEAL, 43.0 * PAGE);
	assert_unknown(machine_signals(before, now), SIG_STEAL_FILE, WHY_ABSENT);
}

static struct snapshot *reclaim_later(const struct snapshot *before)
{
	struct snapshot *now = later(before, 1);

	machine_more(now, VM_PGSCAN_KSWAPD, 10);
	machine_more(now, VM_PGSCAN_DIRECT, 200);
	machine_more(now, VM_PGSCAN_KHUGEPAGED, 3000);
	return now;
}

static void reclaim_for_the_machine_is_that_of_kswapd_and_of_allocations(void **state)
{
	struct snapshot *before =
		COUNTERS(VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT, VM_PGSCAN_KHUGEPAGED);

	assert_signal(machine_signals(before, reclaim_later(before)), SIG_SCAN_GLOBAL,
		      3210.0 * PAGE);
	before->profile.reclaim_counts = RECLAIM_UNKNOWN;
	assert_signal(machine_signals(before, reclaim_later(before)), SIG_SCAN_GLOBAL,
		      3210.0 * PAGE);
}

/* From 7.1 pgscan_direct counts the reclaim of cgroup limits as well. */
static void where_counters_include_limits_only_kswapd_is_surely_the_machine(void **state)
{
	struct snapshot *before =
		COUNTERS(VM_PGSCAN_KSWAPD, VM_PGSCAN_DIRECT, VM_PGSCAN_KHUGEPAGED);

	before->profile.reclaim_counts = RECLAIM_ALL;
	assert_signal(machine_signals(before, reclaim_later(before)), SIG_SCAN_GLOBAL,
		      10.0 * PAGE);
}

static void swap_traffic_is_that_of_devices_and_zswap(void **state)
{
	struct snapshot *before = COUNTERS(VM_PSWPIN, VM_PSWPOUT, VM_ZSWPIN, VM_ZSWPOUT);
	struct snapshot *now = later(before, 1);

	machine_more(now, VM_PSWPIN, 1);
	machine_more(now, VM_ZSWPIN, 20);
	machine_more(now, VM_PSWPOUT, 300);
	machine_more(now, VM_ZSWPOUT, 4000);
	assert_signal(machine_signals(before, now), SIG_SWAP_IN, 21.0 * PAGE);
	assert_signal(machine_signals(before, now), SIG_SWAP_OUT, 4300.0 * PAGE);
}

static void what_is_read_back_is_of_both_kinds_or_of_the_one_that_is_known(void **state)
{
	struct signals signals = { 0 };

	signals.value[SIG_REFAULT_FILE] = 3;
	signals.value[SIG_REFAULT_ANON] = 4;
	assert_near(reread_of(&signals), 7);
	signals.value[SIG_REFAULT_ANON] = (double)NAN;
	assert_near(reread_of(&signals), 3);
	signals.value[SIG_REFAULT_FILE] = (double)NAN;
	assert_true(isnan(reread_of(&signals)));
	signals.value[SIG_REFAULT_ANON] = 4;
	assert_near(reread_of(&signals), 4);
}

static void watermarks_are_summed_over_zones(void **state)
{
	struct snapshot *now = snapshot_new();

	zone(now, 0, 50 * MIB_BYTES, 2 * MIB_BYTES, 3 * MIB_BYTES);
	zone(now, 0, 50 * MIB_BYTES, 20 * MIB_BYTES, 30 * MIB_BYTES);
	now->zones->zone[1].state[ZONE_HIGH] = GARBLED;
	assert_signal(machine_signals(NULL, now), SIG_LOW, 22.0 * MIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_HIGH, 3.0 * MIB_BYTES);
}

static void watermarks_that_cannot_be_read_say_why(void **state)
{
	struct snapshot *now = snapshot_new();

	now->zones_state = DENIED;
	assert_unknown(machine_signals(NULL, now), SIG_LOW, WHY_DENIED);
	assert_unknown(machine_signals(NULL, now), SIG_HIGH, WHY_DENIED);
}

static void watermarks_that_no_zone_has_are_not_zero(void **state)
{
	struct snapshot *now = snapshot_new();

	assert_unknown(machine_signals(NULL, now), SIG_LOW, WHY_ABSENT);
	zone(now, 0, 50 * MIB_BYTES, 0, 3 * MIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_LOW, 0);
	now->zones->zone[0].state[ZONE_LOW] = GARBLED;
	assert_unknown(machine_signals(NULL, now), SIG_LOW, WHY_ABSENT);
	assert_signal(machine_signals(NULL, now), SIG_HIGH, 3.0 * MIB_BYTES);
}

static struct snapshot *with_meminfo(void)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_TOTAL, 1000);
	machine(now, MI_FREE, 100);
	machine(now, MI_AVAILABLE, 400);
	machine(now, MI_SWAP_TOTAL, 500);
	machine(now, MI_SWAP_FREE, 200);
	machine(now, MI_ACTIVE_FILE, 30);
	machine(now, MI_INACTIVE_FILE, 70);
	return now;
}

static void what_is_used_is_what_is_not_free(void **state)
{
	const struct signals *signals = machine_signals(NULL, with_meminfo());

	assert_signal(signals, SIG_USAGE, 900);
	assert_signal(signals, SIG_SWAP_USED, 300);
	assert_signal(signals, SIG_SWAP_FREE, 200);
	assert_signal(signals, SIG_FILE_LRU, 100);
	assert_signal(signals, SIG_AVAILABLE, 400);
}

/* A balloon or an imitation of meminfo that is being resized. */
static void more_available_than_there_is_is_no_number(void **state)
{
	struct snapshot *now = with_meminfo();

	machine(now, MI_AVAILABLE, 1001);
	machine(now, MI_FREE, 1001);
	machine(now, MI_SWAP_FREE, 501);
	assert_unknown(machine_signals(NULL, now), SIG_AVAILABLE, WHY_GARBLED);
	assert_unknown(machine_signals(NULL, now), SIG_FREE, WHY_GARBLED);
	assert_unknown(machine_signals(NULL, now), SIG_SWAP_FREE, WHY_GARBLED);
	assert_signal(machine_signals(NULL, now), SIG_USAGE, 0);
	machine(now, MI_AVAILABLE, 1000);
	assert_signal(machine_signals(NULL, now), SIG_AVAILABLE, 1000);
}

static void what_is_available_needs_no_total(void **state)
{
	struct snapshot *now = with_meminfo();

	machine_is(now, MI_TOTAL, ABSENT);
	assert_signal(machine_signals(NULL, now), SIG_AVAILABLE, 400);
	machine_is(now, MI_AVAILABLE, ABSENT); /* before 3.14 */
	assert_unknown(machine_signals(NULL, now), SIG_AVAILABLE, WHY_ABSENT);
}

static void kernel_memory_is_the_sum_of_what_this_kernel_shows(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SLAB_UNRECLAIMABLE, 1);
	machine(now, MI_SLAB_RECLAIMABLE, 20);
	machine(now, MI_KERNEL_STACK, 300);
	machine(now, MI_PAGE_TABLES, 4000);
	assert_signal(machine_signals(NULL, now), SIG_KERNEL, 4321);
	machine(now, MI_SEC_PAGE_TABLES, 50000);
	machine(now, MI_PERCPU, 600000);
	assert_signal(machine_signals(NULL, now), SIG_KERNEL, 654321);
}

static void hard_is_what_cannot_leave_without_swap(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, VM_ACTIVE_ANON, 2);
	machine(now, VM_INACTIVE_ANON, 3);
	assert_unknown(machine_signals(NULL, now), SIG_HARD, WHY_ABSENT);
	machine(now, MI_UNEVICTABLE, 1000);
	assert_signal(machine_signals(NULL, now), SIG_HARD, 5.0 * PAGE + 1000);
	machine(now, MI_PAGE_TABLES, 7);
	assert_signal(machine_signals(NULL, now), SIG_HARD, 5.0 * PAGE + 1007);
}

static void grown_is_what_a_leak_fills(void **state)
{
	struct snapshot *now = with_meminfo();

	machine(now, MI_ANON, 40);
	assert_unknown(machine_signals(NULL, now), SIG_GROWN, WHY_ABSENT);
	machine(now, MI_SHMEM, 2);
	assert_signal(machine_signals(NULL, now), SIG_GROWN, 342);
	machine_is(now, MI_SWAP_TOTAL, ABSENT);
	assert_signal(machine_signals(NULL, now), SIG_GROWN, 42);
}

static void writers_wait_half_way_between_the_dirty_thresholds(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_DIRTY, 5);
	machine(now, MI_WRITEBACK, 2);
	machine(now, VM_DIRTY_THRESHOLD, 300);
	machine(now, VM_DIRTY_BG_THRESHOLD, 100);
	assert_signal(machine_signals(NULL, now), SIG_DIRTY, 7);
	assert_signal(machine_signals(NULL, now), SIG_DIRTY_LIMIT, 200.0 * PAGE);
}

static void idle_huge_pages_are_free_and_not_promised(void **state)
{
	struct snapshot *now = snapshot_new();

	assert_unknown(machine_signals(NULL, now), SIG_HUGETLB_IDLE, WHY_ABSENT);
	machine(now, MI_HUGE_FREE, 100);
	machine(now, MI_HUGE_RSVD, 30);
	assert_unknown(machine_signals(NULL, now), SIG_HUGETLB_IDLE, WHY_ABSENT);
	machine(now, MI_HUGE_SIZE, 2 * MIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_HUGETLB_IDLE, 140.0 * MIB_BYTES);
	machine(now, MI_HUGE_RSVD, 101);
	assert_signal(machine_signals(NULL, now), SIG_HUGETLB_IDLE, 0);
}

static void what_only_a_cgroup_has_does_not_apply_to_the_machine(void **state)
{
	static const enum signal signals[] = { SIG_EV_HIGH, SIG_EV_MAX, SIG_LIMIT_HIGH,
					       SIG_CPU_USE };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		assert_unknown(machine_signals(NULL, snapshot_new()), signals[i],
			       WHY_NOT_APPLICABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_between_two_snapshots_needs_both_clocks),
		cmocka_unit_test(pages_of_a_counter_are_bytes_per_second),
		cmocka_unit_test(reads_are_bytes_in_both_units_of_the_kernel),
		cmocka_unit_test(pressure_is_a_share_of_the_time),
		cmocka_unit_test(pressure_that_is_switched_off_is_unknown_and_never_nothing),
		cmocka_unit_test(one_snapshot_has_levels_and_no_rates),
		cmocka_unit_test(old_kernels_do_not_split_refaults),
		cmocka_unit_test(allocation_stalls_are_those_of_all_zones),
		cmocka_unit_test(zones_that_a_machine_does_not_have_are_left_out_of_the_stalls),
		cmocka_unit_test(the_old_kernels_stalls_are_one_counter),
		cmocka_unit_test(a_sum_with_a_part_that_cannot_be_read_is_unknown),
		cmocka_unit_test(reclaim_is_that_of_both_kinds_of_pages),
		cmocka_unit_test(old_kernels_count_reclaim_by_who_does_it),
		cmocka_unit_test(reclaim_for_the_machine_is_that_of_kswapd_and_of_allocations),
		cmocka_unit_test(
			where_counters_include_limits_only_kswapd_is_surely_the_machine),
		cmocka_unit_test(swap_traffic_is_that_of_devices_and_zswap),
		cmocka_unit_test(watermarks_are_summed_over_zones),
		cmocka_unit_test(watermarks_that_cannot_be_read_say_why),
		cmocka_unit_test(watermarks_that_no_zone_has_are_not_zero),
		cmocka_unit_test(
			what_is_read_back_is_of_both_kinds_or_of_the_one_that_is_known),
		cmocka_unit_test(what_is_used_is_what_is_not_free),
		cmocka_unit_test(more_available_than_there_is_is_no_number),
		cmocka_unit_test(what_is_available_needs_no_total),
		cmocka_unit_test(kernel_memory_is_the_sum_of_what_this_kernel_shows),
		cmocka_unit_test(hard_is_what_cannot_leave_without_swap),
		cmocka_unit_test(grown_is_what_a_leak_fills),
		cmocka_unit_test(writers_wait_half_way_between_the_dirty_thresholds),
		cmocka_unit_test(idle_huge_pages_are_free_and_not_promised),
		cmocka_unit_test(what_only_a_cgroup_has_does_not_apply_to_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
