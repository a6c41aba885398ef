/* What zram takes of the machine, and what it can still take of swap. */
#include "test.h"

#include "made.h"

/* 8 GiB of device, at most 1 GiB of RAM: at 2:1 another GiB of pages fits, not 6. */
static void swap_free_is_what_zram_can_still_take(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SWAP_TOTAL, 8 * GIB_BYTES);
	machine(now, MI_SWAP_FREE, 7 * GIB_BYTES);
	swap_area(now, "/dev/zram0", 8 * GIB_BYTES, GIB_BYTES);
	zram(now, "zram0", GIB_BYTES, GIB_BYTES / 2, GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_SWAP_FREE, (double)GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_USED, GIB_BYTES / 2.0);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_FILL, 0.5);
}

static void swap_free_is_nothing_when_zram_is_at_its_limit(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SWAP_TOTAL, 4 * GIB_BYTES);
	machine(now, MI_SWAP_FREE, 2 * GIB_BYTES);
	swap_area(now, "/dev/zram0", 4 * GIB_BYTES, 2 * GIB_BYTES);
	zram(now, "zram0", 2 * GIB_BYTES, GIB_BYTES + PAGE, GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_SWAP_FREE, 0);
	assert_true(signal_of(machine_signals(NULL, now), SIG_ZRAM_FILL) > 1);
}

static void a_zram_without_limit_takes_what_its_size_says(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SWAP_TOTAL, 4 * GIB_BYTES);
	machine(now, MI_SWAP_FREE, GIB_BYTES);
	swap_area(now, "/dev/zram0", 4 * GIB_BYTES, 3 * GIB_BYTES);
	zram(now, "zram0", 3 * GIB_BYTES, GIB_BYTES, 0);
	assert_signal(machine_signals(NULL, now), SIG_SWAP_FREE, (double)GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_FILL, 0.75);
}

static void an_empty_zram_takes_what_its_size_says(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SWAP_TOTAL, GIB_BYTES);
	machine(now, MI_SWAP_FREE, GIB_BYTES);
	swap_area(now, "/dev/zram0", GIB_BYTES, 0);
	zram(now, "zram0", 0, 0, GIB_BYTES / 4);
	assert_signal(machine_signals(NULL, now), SIG_SWAP_FREE, (double)GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_FILL, 0);
}

/* A zram device may hold a file system, and another disk's name may end like it. */
static void a_zram_that_is_not_swap_bounds_no_swap(void **state)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_SWAP_TOTAL, GIB_BYTES);
	machine(now, MI_SWAP_FREE, GIB_BYTES);
	swap_area(now, "/dev/vdb", GIB_BYTES, 0);
	swap_area(now, "zram0", GIB_BYTES, 0);
	swap_area(now, "/dev/xzram0", GIB_BYTES, 0);
	zram(now, "zram0", GIB_BYTES, GIB_BYTES / 4, GIB_BYTES / 4);
	assert_signal(machine_signals(NULL, now), SIG_SWAP_FREE, (double)GIB_BYTES);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_USED, GIB_BYTES / 4.0);
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_FILL, WHY_NOT_APPLICABLE);
}

static void the_fullest_of_several_zrams_counts(void **state)
{
	struct snapshot *now = snapshot_new();

	swap_area(now, "/dev/zram0", 100, 10);
	swap_area(now, "/dev/zram1", 100, 90);
	swap_area(now, "/dev/zram2", 100, 50);
	zram(now, "zram0", 10, 5, 0);
	zram(now, "zram1", 90, 60, 0);
	zram(now, "zram2", 50, 25, 0);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_FILL, 0.9);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_USED, 90);
}

static void without_zram_none_of_it_is_used(void **state)
{
	assert_signal(machine_signals(NULL, snapshot_new()), SIG_ZRAM_USED, 0);
	assert_unknown(machine_signals(NULL, snapshot_new()), SIG_ZRAM_FILL,
		       WHY_NOT_APPLICABLE);
}

static void a_zram_that_cannot_be_read_makes_its_ram_unknown(void **state)
{
	struct snapshot *now = snapshot_new();

	zram(now, "zram0", 10, 5, 0);
	now->devices->zram[0].state[ZRAM_USED] = DENIED;
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_USED, WHY_DENIED);
}

/* A container may see the swap of the machine and not its devices. */
static void swap_on_a_zram_that_is_not_seen_is_not_none(void **state)
{
	struct snapshot *now = snapshot_new();

	swap_area(now, "/dev/zram0", 100, 95);
	now->devices->zram_state = DENIED;
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_USED, WHY_DENIED);
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_FILL, WHY_DENIED);
	now->devices->zram_state = OK;
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_USED, WHY_ABSENT);
	zram(now, "zram0", 95, 60, 0);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_USED, 60);
	swap_area(now, "/dev/zram1", 100, 5);
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_USED, WHY_ABSENT);
}

static void a_swap_file_is_no_zram_whatever_its_name(void **state)
{
	struct snapshot *now = snapshot_new();

	swap_area(now, "/var/zramlike", 100, 5);
	now->devices->swap[0].is_file = true;
	swap_area(now, "/dev/vdb", 100, 5);
	assert_signal(machine_signals(NULL, now), SIG_ZRAM_USED, 0);
	assert_unknown(machine_signals(NULL, now), SIG_ZRAM_FILL, WHY_NOT_APPLICABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swap_free_is_what_zram_can_still_take),
		cmocka_unit_test(swap_free_is_nothing_when_zram_is_at_its_limit),
		cmocka_unit_test(a_zram_without_limit_takes_what_its_size_says),
		cmocka_unit_test(an_empty_zram_takes_what_its_size_says),
		cmocka_unit_test(a_zram_that_is_not_swap_bounds_no_swap),
		cmocka_unit_test(the_fullest_of_several_zrams_counts),
		cmocka_unit_test(without_zram_none_of_it_is_used),
		cmocka_unit_test(a_zram_that_cannot_be_read_makes_its_ram_unknown),
		cmocka_unit_test(swap_on_a_zram_that_is_not_seen_is_not_none),
		cmocka_unit_test(a_swap_file_is_no_zram_whatever_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
