#include "test.h"

#include "guest/progress.h"

#define PERIOD 100000

static struct progress *progress_with(uint32_t slots)
{
	struct progress *progress = calloc(1, progress_size(slots));

	assert_non_null(progress);
	progress->listed = slots;
	return progress;
}

static struct event event_at(const struct progress *progress, size_t index)
{
	struct event event = { 0 };

	assert_true(progress_event(progress, index, &event));
	return event;
}

static void an_event_comes_back_as_it_was(void **state)
{
	const struct event wanted = { .kind = SLOT_STEP,
				      .due_us = 5000000,
				      .begun_us = 5000001,
				      .done_us = 5000900,
				      .value = (uint64_t)1 << 40,
				      .faults = 228 };
	auto_free struct progress *progress = progress_with(4);
	struct event event;

	progress->base_us = 5000000;
	progress_add(progress, &wanted);
	event = event_at(progress, 0);
	assert_int_equal(event.kind, wanted.kind);
	assert_int_equal(event.due_us, wanted.due_us);
	assert_int_equal(event.begun_us, wanted.begun_us);
	assert_int_equal(event.done_us, wanted.done_us);
	assert_int_equal(event.value, wanted.value);
	assert_int_equal(event.faults, wanted.faults);
}

static void never_stays_never(void **state)
{
	auto_free struct progress *progress = progress_with(1);

	progress->base_us = 5000000;
	progress_add(progress, &(struct event){ .due_us = 5000000 });
	assert_int_equal(event_at(progress, 0).begun_us, 0);
	assert_int_equal(event_at(progress, 0).done_us, 0);
}

static void a_full_list_counts_what_it_loses(void **state)
{
	auto_free struct progress *progress = progress_with(2);
	struct event event;

	for (int i = 0; i < 5; i++)
		progress_add(progress, &(struct event){ .due_us = 1 });
	assert_int_equal(progress->slots, 5);
	assert_true(progress_event(progress, 1, &event));
	assert_false(progress_event(progress, 2, &event));
}

static void a_slot_done_in_time_is_not_late(void **state)
{
	auto_free struct progress *progress = progress_with(8);

	ticks_start(progress, 1000000, PERIOD);
	assert_int_equal(ticks_pass(progress, 1000000), 1000000);
	ticks_done(progress, 1000000, 1030000, 3);
	assert_int_equal(progress->due, 1);
	assert_int_equal(progress->done, 1);
	assert_int_equal(progress->late, 0);
	assert_int_equal(progress->longest_us, 30000);
	assert_int_equal(event_at(progress, 0).faults, 3);
	assert_int_equal(event_at(progress, 0).value, 1);
	assert_int_equal(ticks_pass(progress, 1030000), 1100000);
}

static void a_pause_of_six_seconds_is_sixty_late_slots(void **state)
{
	auto_free struct progress *progress = progress_with(128);
	struct event event;

	ticks_start(progress, 1000000, PERIOD);
	assert_int_equal(ticks_pass(progress, 1000000), 1000000);
	ticks_done(progress, 1000000, 7000000, 0);
	/* It comes back just when the sixty-first is due, which is done as always. */
	assert_int_equal(ticks_pass(progress, 7000000), 7000000);
	assert_int_equal(progress->due, 60);
	assert_int_equal(progress->late, 60);
	assert_int_equal(progress->done, 1);
	assert_int_equal(progress->longest_us, 6000000);
	event = event_at(progress, 1);
	assert_int_equal(event.due_us, 1100000);
	assert_int_equal(event.begun_us, 7000000);
	assert_int_equal(event.done_us, 7000000);
	assert_int_equal(event.value, 0);
	event = event_at(progress, 59);
	assert_int_equal(event.due_us, 6900000);
}

static void a_load_that_is_held_up_is_seen_from_outside(void **state)
{
	auto_free struct progress *progress = progress_with(8);
	struct progress now;

	ticks_start(progress, 1000000, PERIOD);
	assert_int_equal(ticks_pass(progress, 1000000), 1000000);
	progress_now(progress, 3050000, &now);
	assert_int_equal(now.due, 21);
	assert_int_equal(now.late, 20);
	assert_int_equal(now.done, 0);
	assert_int_equal(now.longest_us, 2050000);
	assert_int_equal(progress->due, 0);
}

static void before_the_next_slot_nothing_is_owed(void **state)
{
	auto_free struct progress *progress = progress_with(8);
	struct progress now;

	ticks_start(progress, 1000000, PERIOD);
	ticks_done(progress, 1000000, 1010000, 0);
	progress_now(progress, 1050000, &now);
	assert_int_equal(now.due, 1);
	assert_int_equal(now.late, 0);
	assert_int_equal(now.longest_us, 10000);
}

static void a_load_without_slots_owes_nothing(void **state)
{
	auto_free struct progress *progress = progress_with(0);
	struct progress now;

	progress->size_bytes = 77;
	progress_now(progress, 9000000, &now);
	assert_int_equal(now.due, 0);
	assert_int_equal(now.size_bytes, 77);
}

static void a_second_start_keeps_the_times_of_the_first(void **state)
{
	auto_free struct progress *progress = progress_with(8);

	ticks_start(progress, 1000000, PERIOD);
	ticks_done(progress, 1000000, 1010000, 0);
	ticks_start(progress, 9000000, PERIOD);
	assert_int_equal(ticks_pass(progress, 9000000), 9000000);
	ticks_done(progress, 9000000, 9010000, 0);
	assert_int_equal(event_at(progress, 0).due_us, 1000000);
	assert_int_equal(event_at(progress, 1).due_us, 9000000);
	assert_int_equal(progress->due, 2);
}

static void slots_that_it_never_came_back_for_are_lost(void **state)
{
	auto_free struct progress *progress = progress_with(8);
	struct event event;

	ticks_start(progress, 1000000, PERIOD);
	ticks_done(progress, 1000000, 1010000, 0);
	assert_true(progress_lost(progress, 1350000, 0, &event));
	assert_int_equal(event.due_us, 1100000);
	assert_int_equal(event.done_us, 0);
	assert_true(progress_lost(progress, 1350000, 1, &event));
	/* The next one was due, and its time is not over. */
	assert_false(progress_lost(progress, 1350000, 2, &event));
}

static void a_load_without_slots_loses_none(void **state)
{
	auto_free struct progress *progress = progress_with(0);
	struct event event;

	assert_false(progress_lost(progress, 9000000, 0, &event));
}

static void a_slot_is_one_line(void **state)
{
	char line[128];
	struct text text = text_on(line, sizeof(line));

	event_print(&text, &(struct event){ .kind = SLOT_PAUSE,
					    .due_us = 1,
					    .begun_us = 2,
					    .done_us = 3,
					    .value = 4,
					    .faults = 5 });
	assert_string_equal(line, "pause 1 2 3 4 5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_comes_back_as_it_was),
		cmocka_unit_test(never_stays_never),
		cmocka_unit_test(a_full_list_counts_what_it_loses),
		cmocka_unit_test(a_slot_done_in_time_is_not_late),
		cmocka_unit_test(a_pause_of_six_seconds_is_sixty_late_slots),
		cmocka_unit_test(a_load_that_is_held_up_is_seen_from_outside),
		cmocka_unit_test(before_the_next_slot_nothing_is_owed),
		cmocka_unit_test(a_load_without_slots_owes_nothing),
		cmocka_unit_test(a_second_start_keeps_the_times_of_the_first),
		cmocka_unit_test(slots_that_it_never_came_back_for_are_lost),
		cmocka_unit_test(a_load_without_slots_loses_none),
		cmocka_unit_test(a_slot_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
