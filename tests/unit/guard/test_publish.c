#include "test.h"

#include <errno.h>

#include "base/mem.h"
#include "guard/hook.h"
#include "guard/loop.h"
#include "guard/publish.h"
#include "guard/watchdog.h"

static struct shared *shared;

static int set_up(void **state)
{
	if (!shared)
		shared = xalloc(1, sizeof(*shared));
	memset(shared, 0, sizeof(*shared));
	return 0;
}

static void put_records(uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		publish_record(shared, &(struct guard_record){ .id = i + 1 }, 9);
}

static void a_record_can_be_read_by_its_number(void **state)
{
	struct guard_record record;

	put_records(0, 2);
	assert_true(record_copy(shared, 1, &record));
	assert_int_equal(record.id, 2);
	assert_int_equal(record.wall_us, 9);
	assert_false(record_copy(shared, 2, &record));
}

static void a_record_keeps_its_own_time_of_day(void **state)
{
	struct guard_record record;

	publish_record(shared, &(struct guard_record){ .wall_us = 4 }, 9);
	assert_true(record_copy(shared, 0, &record));
	assert_int_equal(record.wall_us, 4);
}

/* The oldest place is the one that is written next. */
static void records_that_were_overwritten_are_gone(void **state)
{
	struct guard_record record;

	put_records(0, RECORDS_KEPT + 10);
	assert_false(record_copy(shared, 9, &record));
	assert_false(record_copy(shared, 10, &record));
	assert_true(record_copy(shared, 11, &record));
	assert_int_equal(record.id, 12);
}

static void a_status_that_is_being_written_is_not_copied(void **state)
{
	static struct shared_status status;

	publish_health(shared, &(struct shared_health){ .ticks = 3 });
	assert_true(status_copy(shared, &status));
	assert_int_equal(status.health.ticks, 3);
	atomic_store(&shared->status_sequence, 5);
	assert_false(status_copy(shared, &status));
}

static void half_of_a_list_of_services_is_none(void **state)
{
	struct service_list list = { .count = 1, .id = { 7 } };

	shared->services = (struct service_list){ .count = UINT32_MAX, .id = { 8 } };
	atomic_store(&shared->services_sequence, 1);
	assert_false(services_copy(shared, &list));
	assert_int_equal(list.id[0], 7);
	atomic_store(&shared->services_sequence, 2);
	assert_true(services_copy(shared, &list));
	assert_int_equal(list.id[0], 8);
	assert_int_equal(list.count, PROTECTED_MAX);
}

static void a_loop_that_stands_still_is_seen_after_a_second(void **state)
{
	assert_int_equal(watchdog_stuck_us(0, 10 * SECOND_US), 0);
	assert_int_equal(watchdog_stuck_us(SECOND_US, 2 * SECOND_US), 0);
	assert_int_equal(watchdog_stuck_us(SECOND_US, 2 * SECOND_US + 1), SECOND_US);
	assert_int_equal(watchdog_stuck_us(SECOND_US, 1), 0);
}

static void a_loop_that_goes_on_is_not_stuck_any_more(void **state)
{
	atomic_store(&shared->heartbeat_us, 5);
	watchdog_look(shared, 5 * SECOND_US);
	assert_int_equal(atomic_load(&shared->stuck_us), 5);
	atomic_store(&shared->heartbeat_us, 5 * SECOND_US);
	watchdog_look(shared, 5 * SECOND_US);
	assert_int_equal(atomic_load(&shared->stuck_us), 0);
}

static const struct action HOOK = { .kind = ACTION_HOOK, .decision = 4, .pid = 7, .hook = 2 };

static int begin_hook(void)
{
	struct guard_record record = { .domain = "d", .candidates = 1 };
	struct hook_order order = { &HOOK, &record, 1000 };

	snprintf(record.candidate[0].path, sizeof(record.candidate[0].path), "v");
	return hook_begin(&shared->hook, &order);
}

static void a_hook_is_asked_for_and_its_end_is_told(void **state)
{
	struct feedback feedback;

	assert_int_equal(begin_hook(), 0);
	assert_int_equal(shared->hook.row, 2);
	assert_string_equal(shared->hook.domain, "d");
	assert_string_equal(shared->hook.victim, "v");
	assert_int_equal(begin_hook(), -EBUSY);
	assert_false(hook_end(&shared->hook, 500, &feedback));
	atomic_store(&shared->hook.done, 4);
	assert_true(hook_end(&shared->hook, 500, &feedback));
	assert_int_equal(feedback.outcome, OUTCOME_DONE);
	assert_int_equal(feedback.decision, 4);
	assert_false(hook_end(&shared->hook, 500, &feedback));
}

static void a_hook_that_failed_says_so(void **state)
{
	struct feedback feedback;

	assert_int_equal(begin_hook(), 0);
	shared->hook.error = ENOENT;
	atomic_store(&shared->hook.done, 4);
	assert_true(hook_end(&shared->hook, 500, &feedback));
	assert_int_equal(feedback.outcome, OUTCOME_FAILED);
	assert_int_equal(feedback.error, ENOENT);
}

static void a_hook_that_takes_too_long_is_not_waited_for(void **state)
{
	struct feedback feedback;

	assert_int_equal(begin_hook(), 0);
	assert_false(hook_end(&shared->hook, 999, &feedback));
	assert_true(hook_end(&shared->hook, 1000, &feedback));
	assert_int_equal(feedback.error, ETIMEDOUT);
	assert_int_equal(begin_hook(), 0);
}

static void a_sample_that_is_dear_comes_less_often(void **state)
{
	const struct guard_options options = {
		.interval_us = 100000,
		.sample_interval_us = 5000000,
	};

	assert_int_equal(loop_wait_us(&options, LOOP_ALARM, false, 1000), 100000);
	assert_int_equal(loop_wait_us(&options, LOOP_ALARM, false, 80000), 160000);
	assert_int_equal(loop_wait_us(&options, LOOP_STIR, false, 1000), 1000000);
	assert_int_equal(loop_wait_us(&options, LOOP_STIR, false, 40000), 2000000);
	assert_int_equal(loop_wait_us(&options, LOOP_CALM, false, 1000), 5000000);
	assert_int_equal(loop_wait_us(&options, LOOP_CALM, false, 40000), 12000000);
	assert_int_equal(loop_wait_us(&options, LOOP_CALM, true, 1000), 1000000);
	assert_int_equal(loop_wait_us(&options, LOOP_CALM, true, 10000), 3000000);
}

static void set_memory(struct snapshot *snapshot, uint64_t total, uint64_t available)
{
	snapshot->value[MI_TOTAL] = total;
	snapshot->value[MI_AVAILABLE] = available;
	snapshot->state[MI_TOTAL] = snapshot->state[MI_AVAILABLE] = OK;
}

static void a_frame_that_makes_no_sense_is_not_judged(void **state)
{
	static struct snapshot snapshot;

	snapshot.host.has_time = true;
	snapshot.host.at_us = 10;
	set_memory(&snapshot, 100, 100);
	assert_true(frame_is_sane(&snapshot, 9));
	assert_false(frame_is_sane(&snapshot, 10)); /* time stood still */
	assert_false(frame_is_sane(&snapshot, 11));
	set_memory(&snapshot, 100, 101);
	assert_false(frame_is_sane(&snapshot, 9));
	set_memory(&snapshot, 0, 0);
	assert_false(frame_is_sane(&snapshot, 9));
	set_memory(&snapshot, 100, 0);
	snapshot.state[MI_AVAILABLE] = ABSENT; /* before 3.14, and not needed for all */
	assert_true(frame_is_sane(&snapshot, 9));
	snapshot.state[MI_TOTAL] = GARBLED;
	assert_false(frame_is_sane(&snapshot, 9));
	snapshot.state[MI_TOTAL] = OK;
	snapshot.host.has_time = false;
	assert_false(frame_is_sane(&snapshot, 9));
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_record_can_be_read_by_its_number),
		TEST(a_record_keeps_its_own_time_of_day),
		TEST(records_that_were_overwritten_are_gone),
		TEST(a_status_that_is_being_written_is_not_copied),
		TEST(half_of_a_list_of_services_is_none),
		TEST(a_loop_that_stands_still_is_seen_after_a_second),
		TEST(a_loop_that_goes_on_is_not_stuck_any_more),
		TEST(a_hook_is_asked_for_and_its_end_is_told),
		TEST(a_hook_that_failed_says_so),
		TEST(a_hook_that_takes_too_long_is_not_waited_for),
		TEST(a_sample_that_is_dear_comes_less_often),
		TEST(a_frame_that_makes_no_sense_is_not_judged),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(shared);
	return failed;
}
