#include "test.h"

#include "guard/gate.h"

#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)
#define LOOK_US (SECOND_US / 4)
#define HORIZON_US (5 * SECOND_US)

/* A calm machine with half of its memory available, and a quarter of a second later. */
static struct gate_reading before;
static struct gate_reading now;

static int set_up(void **state)
{
	before = (struct gate_reading){
		.at_us = SECOND_US,
		.has_memory = true,
		.has_pressure = true,
		.has_io_pressure = true,
		.total = 4 * GIB,
		.available = 2 * GIB,
		.swap_total = GIB,
		.swap_free = GIB,
		.stalled_us = 1000,
		.io_stalled_us = 1000,
		.events = 7,
	};
	now = before;
	now.at_us += LOOK_US;
	return 0;
}

static enum gate_state judge(void)
{
	return gate_judge(&before, &now, HORIZON_US);
}

static void a_calm_machine_is_quiet(void **state)
{
	assert_int_equal(judge(), GATE_QUIET);
}

static void the_first_look_compares_with_nothing(void **state)
{
	before = (struct gate_reading){ 0 };
	assert_int_equal(judge(), GATE_QUIET);
}

static void a_stall_of_more_than_one_percent_stirs(void **state)
{
	now.stalled_us += LOOK_US / 100;
	assert_int_equal(judge(), GATE_QUIET);
	now.stalled_us += 1;
	assert_int_equal(judge(), GATE_STIR);
}

static void a_stall_of_more_than_ten_percent_alarms(void **state)
{
	now.stalled_us += LOOK_US / 10 + 1;
	assert_int_equal(judge(), GATE_ALARM);
}

static void pressure_that_was_not_read_is_no_stall(void **state)
{
	now.stalled_us += LOOK_US;
	before.has_pressure = false;
	assert_int_equal(judge(), GATE_QUIET);
	before.has_pressure = true;
	now.has_pressure = false;
	assert_int_equal(judge(), GATE_QUIET);
}

static void a_limit_that_is_met_stirs(void **state)
{
	now.events++;
	assert_int_equal(judge(), GATE_STIR);
}

static void little_memory_stirs(void **state)
{
	before.available = now.available = now.total / 100 * 15 - 1;
	assert_int_equal(judge(), GATE_STIR);
}

static void very_little_memory_alarms(void **state)
{
	before.available = now.available = now.total / 100 * 5 - 1;
	assert_int_equal(judge(), GATE_ALARM);
}

static void little_memory_and_a_stall_alarm(void **state)
{
	before.available = now.available = now.total / 100 * 14;
	now.stalled_us += LOOK_US / 50;
	assert_int_equal(judge(), GATE_ALARM);
}

/* From 2 GiB to 10 % in 5 s needs 328 MiB/s, 82 MiB a look. */
static void memory_that_will_be_short_before_the_next_sample_stirs(void **state)
{
	now.available = before.available - 60 * MIB;
	assert_int_equal(judge(), GATE_QUIET);
	now.available = before.available - 90 * MIB;
	assert_int_equal(judge(), GATE_STIR);
	assert_int_equal(gate_judge(&before, &now, LOOK_US), GATE_QUIET);
}

/* From 2 GiB to 5 % in 3 s needs 614 MiB/s, 154 MiB a look. */
static void memory_that_will_be_gone_at_once_alarms(void **state)
{
	now.available = before.available - 160 * MIB;
	assert_int_equal(judge(), GATE_ALARM);
}

static void memory_that_grows_is_quiet(void **state)
{
	now.available = before.available + GIB;
	assert_int_equal(judge(), GATE_QUIET);
}

static void memory_that_was_not_known_before_has_not_fallen(void **state)
{
	before.has_memory = false;
	before.available = 4 * GIB;
	assert_int_equal(judge(), GATE_QUIET);
}

static void without_numbers_of_memory_only_the_others_count(void **state)
{
	now.has_memory = false;
	now.available = now.total = 0;
	assert_int_equal(judge(), GATE_QUIET);
	now.events++;
	assert_int_equal(judge(), GATE_STIR);
}

static void swap_that_fills_stirs(void **state)
{
	now.swap_free -= MIB;
	assert_int_equal(judge(), GATE_QUIET);
	now.swap_free -= 1;
	assert_int_equal(judge(), GATE_STIR);
}

static void waiting_for_the_disk_stirs_only_where_memory_is_not_ample(void **state)
{
	now.io_stalled_us += LOOK_US / 2 + 1;
	assert_int_equal(judge(), GATE_QUIET);
	before.available = now.available = now.total / 100 * 29;
	assert_int_equal(judge(), GATE_STIR);
}

static void disk_pressure_that_is_read_for_the_first_time_is_no_wait(void **state)
{
	before.available = now.available = now.total / 100 * 29;
	before.has_io_pressure = false;
	before.io_stalled_us = 0;
	now.io_stalled_us = 900 * SECOND_US;
	assert_int_equal(judge(), GATE_QUIET); /* since boot, and not since the last look */
}

static void time_that_went_back_tells_nothing(void **state)
{
	now.at_us = before.at_us - 1;
	now.stalled_us += LOOK_US;
	assert_int_equal(judge(), GATE_QUIET);
}

/* Files, in a tree that stands in for a machine. */

#define MOUNTINFO "28 25 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define CG "sys/fs/cgroup/"
#define EVENTS(high, max) "low 0\nhigh " high "\nmax " max "\noom 0\noom_kill 0\n"

static struct gate gate;
static struct sampler sampler;
static struct arena arena;
static struct root root;

static const struct file MACHINE[] = {
	{ "proc/self/mountinfo", MOUNTINFO },
	{ "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\nSwapTotal: 8 kB\n"
			  "SwapFree: 4 kB\n" },
	{ "proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\n" },
	{ "proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=88\n" },
	{ CG "cgroup.controllers", "memory\n" },
	{ CG "a/memory.events", EVENTS("1", "2") },
	{ CG "a/below/memory.events", EVENTS("100", "200") },
	{ CG "b/memory.events", EVENTS("10", "0") },
	{ 0 },
};

static void follow(void)
{
	struct snapshot *snapshot;

	assert_int_equal(sampler_take(&sampler, &root, SAMPLE_WITHOUT_TASKS, &arena, &snapshot),
			 0);
	gate_follow(&gate, &sampler, snapshot);
}

static struct gate_reading look(void)
{
	struct gate_reading reading;

	gate_read(&gate, &root, SECOND_US, &reading);
	return reading;
}

static void open_gate(const char *tree)
{
	root = root_of(tree);
	assert_int_equal(sampler_init(&sampler), 0);
	assert_int_equal(arena_init(&arena, SNAPSHOT_ARENA), 0);
	gate_init(&gate);
	follow();
}

static void close_gate(void)
{
	gate_done(&gate);
	sampler_done(&sampler);
	arena_done(&arena);
	root_done(&root);
}

static void a_look_reads_the_machine(void **state)
{
	struct gate_reading reading;

	open_gate(tree_new(MACHINE));
	reading = look();
	assert_true(reading.has_memory);
	assert_true(reading.has_pressure);
	assert_int_equal(reading.total, 1000 * 1024);
	assert_int_equal(reading.available, 400 * 1024);
	assert_int_equal(reading.swap_free, 4 * 1024);
	assert_int_equal(reading.stalled_us, 77);
	assert_int_equal(reading.io_stalled_us, 88);
	assert_true(reading.has_io_pressure);
	assert_int_equal(reading.events, 0); /* what was before is not news */
	assert_false(gate.is_blind);
	close_gate();
}

static void a_machine_that_tells_nothing_has_nothing_to_compare(void **state)
{
	struct gate_reading reading;

	open_gate(TREE({ "proc/version", "" }));
	reading = look();
	assert_false(reading.has_memory);
	assert_false(reading.has_io_pressure);
	assert_false(reading.has_pressure);
	assert_true(gate.is_blind);
	close_gate();
}

static void events_are_counted_once_below_the_top(void **state)
{
	const char *tree = tree_new(MACHINE);

	open_gate(tree);
	assert_int_equal(gate.files, 2);
	look();
	tree_add(tree, (const struct file[]){ { CG "a/memory.events", EVENTS("3", "7") },
					      { CG "b/memory.events", EVENTS("4", "0") },
					      { 0 } });
	assert_int_equal(look().events, 7); /* a counter that went back is none */
	close_gate();
}

static void a_new_cgroup_is_a_baseline_first(void **state)
{
	const char *tree = tree_new(MACHINE);

	open_gate(tree);
	look();
	tree_add(tree,
		 (const struct file[]){ { CG "c/memory.events", EVENTS("9", "9") }, { 0 } });
	follow();
	assert_int_equal(gate.files, 3);
	assert_int_equal(look().events, 0);
	close_gate();
}

static void a_cgroup_that_is_gone_is_dropped(void **state)
{
	const char *tree = tree_new(MACHINE);

	open_gate(tree);
	look();
	remove(path_in(tree, CG "b/memory.events"));
	remove(path_in(tree, CG "b"));
	assert_int_equal(look().events, 0);
	follow();
	assert_int_equal(gate.files, 1);
	close_gate();
}

static void limits_of_v1_are_not_seen_here(void **state)
{
	open_gate(TREE(
		{ "proc/self/mountinfo", "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n" },
		{ "m/a/memory.stat", "" }));
	assert_true(gate.is_blind);
	close_gate();
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_calm_machine_is_quiet),
		TEST(the_first_look_compares_with_nothing),
		TEST(a_stall_of_more_than_one_percent_stirs),
		TEST(a_stall_of_more_than_ten_percent_alarms),
		TEST(pressure_that_was_not_read_is_no_stall),
		TEST(a_limit_that_is_met_stirs),
		TEST(little_memory_stirs),
		TEST(very_little_memory_alarms),
		TEST(little_memory_and_a_stall_alarm),
		TEST(memory_that_will_be_short_before_the_next_sample_stirs),
		TEST(memory_that_will_be_gone_at_once_alarms),
		TEST(memory_that_grows_is_quiet),
		TEST(memory_that_was_not_known_before_has_not_fallen),
		TEST(without_numbers_of_memory_only_the_others_count),
		TEST(swap_that_fills_stirs),
		TEST(disk_pressure_that_is_read_for_the_first_time_is_no_wait),
		TEST(waiting_for_the_disk_stirs_only_where_memory_is_not_ample),
		TEST(time_that_went_back_tells_nothing),
		TEST(a_look_reads_the_machine),
		TEST(a_machine_that_tells_nothing_has_nothing_to_compare),
		TEST(events_are_counted_once_below_the_top),
		TEST(a_new_cgroup_is_a_baseline_first),
		TEST(a_cgroup_that_is_gone_is_dropped),
		TEST(limits_of_v1_are_not_seen_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
