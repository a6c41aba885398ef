#include "test.h"

#include <sys/mman.h>

#include "count_memory.h"

#include "guard/loop.h"
#include "model/source.h"

#define TICKS 1000

static struct loop loop;
static struct shared *shared;
static struct source source;

static void next_frame(void)
{
	int r = source_next(&source);

	if (r == SOURCE_END) {
		source.next = 0;
		r = source_next(&source);
	}
	assert_int_equal(r, 0);
	loop.root = source.root;
}

/* The recording begins anew after its last frame: its time goes back, and that is survived. */
static void open_loop(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", RECORDINGS, name);
	assert_int_equal(source_open(path, NULL, &source), 0);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	shared->dry = true;
	config_defaults(&shared->config[0]);
	memset(&loop, 0, sizeof(loop));
	loop.shared = shared;
	loop.wake = -1;
	assert_int_equal(loop_init(&loop), 0);
	next_frame();
}

static void close_loop(void)
{
	loop_done(&loop);
	source_done(&source);
	munmap(shared, sizeof(*shared));
}

/* Far enough apart that each takes a full sample. */
static void tick_through(size_t ticks, uint64_t *now_us)
{
	for (size_t i = 0; i < ticks; i++) {
		*now_us += 20 * SECOND_US;
		loop.due_us = 0; /* on time */
		loop_tick(&loop, *now_us);
		next_frame();
	}
}

static void expect_no_allocation(const char *name, bool tape)
{
	uint64_t now_us = SECOND_US;
	uint64_t samples;

	open_loop(name);
	atomic_store(&shared->tape_wanted, tape);
	assert_int_equal(loop_ready(&loop), 0);
	tick_through(2 * source.frames + 2, &now_us);
	assert_true(memory_calls() > 0); /* it does count */
	memory_calls_reset();
	samples = loop.health.samples;
	tick_through(TICKS, &now_us);
	assert_int_equal(memory_calls(), 0);
	assert_int_equal(loop.health.samples - samples, TICKS);
	/* Of each round one frame goes back in time. */
	assert_true(loop.health.dropped < TICKS / 4);
	close_loop();
}

static void a_thousand_ticks_on_a_leak_allocate_nothing(void **state)
{
	expect_no_allocation("leak-captured-6.12.tar.zst", false);
}

static void a_thousand_ticks_on_a_quiet_machine_allocate_nothing(void **state)
{
	expect_no_allocation("idle-6.12.tar.zst", false);
}

static void a_thousand_ticks_with_a_tape_allocate_nothing(void **state)
{
	expect_no_allocation("leak-captured-6.12.tar.zst", true);
	assert_true(loop.health.tape_dropped > 0); /* nobody reads it */
}

static void the_loop_says_what_it_knows(void **state)
{
	static struct shared_status status;
	uint64_t now_us = SECOND_US;

	open_loop("leak-captured-6.12.tar.zst");
	assert_int_equal(loop_ready(&loop), 0);
	tick_through(source.frames, &now_us);
	assert_true(status_copy(shared, &status));
	assert_true(status.members > 0);
	assert_true(status.total > 0);
	assert_true(status.health.samples > 0);
	assert_true(status.domains > 0);
	assert_string_equal(status.domain[0].path, "machine");
	close_loop();
}

static void what_does_not_make_sense_is_dropped_and_survived(void **state)
{
	static const struct file frames[] = {
		{ "0/_host.ini", "at_us=5000000\n" },
		{ "0/proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n" },
		{ "1/_host.ini", "at_us=6000000\n" },
		{ "1/proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 9 kB\n" },
		{ "2/_host.ini", "at_us=7000000\n" },
		{ "2/proc/meminfo", "" },
		{ "3/_host.ini", "at_us=4000000\n" },
		{ "3/proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n" },
		{ "4/_host.ini", "at_us=5000000\n" },
		{ "4/proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n" },
		{ 0 },
	};
	uint64_t now_us = SECOND_US;

	open_loop("leak-captured-6.12.tar.zst");
	source_done(&source);
	assert_int_equal(source_open(tree_new(frames), NULL, &source), 0);
	next_frame();
	assert_int_equal(loop_ready(&loop), 0);
	tick_through(3, &now_us);
	assert_int_equal(loop.health.samples, 3);
	assert_int_equal(loop.health.dropped, 2);
	/* The first after a bad one is the first of all: it may be earlier. */
	tick_through(2, &now_us);
	assert_int_equal(loop.health.dropped, 2);
	close_loop();
}

static bool was_said(enum record_kind kind, struct guard_record *out)
{
	for (uint64_t i = atomic_load(&shared->records); i-- > 0;)
		if (record_copy(shared, i, out) && out->kind == kind)
			return true;
	return false;
}

static void a_new_configuration_holds_from_the_next_tick(void **state)
{
	struct guard_record record;
	uint64_t now_us = SECOND_US;

	open_loop("idle-6.12.tar.zst");
	assert_int_equal(loop_ready(&loop), 0);
	tick_through(1, &now_us);
	config_defaults(&shared->config[1]);
	shared->config[1].options.interval_us = 77000;
	shared->config[1].rows = UINT32_MAX;
	atomic_store(&shared->config_current, 1);
	tick_through(1, &now_us);
	assert_int_equal(loop.config.options.interval_us, 77000);
	assert_int_equal(loop.config.rows, POLICY_ROWS_MAX);
	assert_true(was_said(RECORD_RELOAD, &record));
	close_loop();
}

static void the_hand_is_dry_unless_it_was_told_to_act(void **state)
{
	uint64_t now_us = SECOND_US;

	open_loop("idle-6.12.tar.zst");
	assert_int_equal(loop_ready(&loop), 0);
	shared->config[0].options.mode = MODE_ACT;
	tick_through(1, &now_us);
	assert_true(loop.hand.dry); /* --dry-run */
	shared->dry = false;
	config_defaults(&shared->config[1]);
	shared->config[1].options.mode = MODE_OBSERVE;
	atomic_store(&shared->config_current, 1);
	tick_through(1, &now_us);
	assert_true(loop.hand.dry);
	close_loop();
}

static void a_loop_that_stood_still_says_so(void **state)
{
	struct guard_record record;
	uint64_t now_us = SECOND_US;

	open_loop("idle-6.12.tar.zst");
	assert_int_equal(loop_ready(&loop), 0);
	tick_through(1, &now_us);
	loop.due_us = now_us;
	loop_tick(&loop, now_us + 3 * SECOND_US);
	assert_true(was_said(RECORD_LATE, &record));
	assert_string_equal(record.text, "the loop stood still for 3000 ms");
	assert_int_equal(loop.health.late_us_max, 3 * SECOND_US);
	close_loop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_ticks_on_a_leak_allocate_nothing),
		cmocka_unit_test(a_thousand_ticks_on_a_quiet_machine_allocate_nothing),
		cmocka_unit_test(a_thousand_ticks_with_a_tape_allocate_nothing),
		cmocka_unit_test(the_loop_says_what_it_knows),
		cmocka_unit_test(what_does_not_make_sense_is_dropped_and_survived),
		cmocka_unit_test(a_new_configuration_holds_from_the_next_tick),
		cmocka_unit_test(the_hand_is_dry_unless_it_was_told_to_act),
		cmocka_unit_test(a_loop_that_stood_still_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
