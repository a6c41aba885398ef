#include "test.h"

#include <math.h>

#include "view/live.h"

static const struct live_state UNKNOWN = { "", NAN, NAN, NAN, NAN, NAN, NAN };

static const char *shown(const struct live_plan *plan, const struct live_state *state,
			 size_t width)
{
	static char buffer[512];
	struct text text = text_on(buffer, sizeof(buffer));

	live_text(&text, "no-swap-1", plan, state, width);
	return buffer;
}

static void the_line_of_the_guest_is_read_by_the_names_of_loads(void **state)
{
	struct live_state live = UNKNOWN;

	assert_true(live_parse(span_cstr("at_us=5 phase=measure api.done=12 api.due=120 "
					 "api.longest_us=6700000 worker.size=1048576 x "
					 "other.done=3 refault=256 api.size=x"),
			       "api", "worker", &live));
	assert_string_equal(live.phase, "measure");
	assert_true(live.done == 12 && live.due == 120 && fabs(live.longest_s - 6.7) < 1e-9);
	assert_true(live.leak == 1048576 && live.reread == 1048576);
}

static void a_phase_is_new_once(void **state)
{
	struct live_state live = UNKNOWN;

	assert_true(live_parse(span_cstr("phase=a"), "", "", &live));
	assert_false(live_parse(span_cstr("phase=a"), "", "", &live));
	assert_false(live_parse(span_cstr("refault=1"), "", "", &live));
	assert_true(live_parse(span_cstr("phase=b"), "", "", &live));
}

static void a_scenario_without_a_service_shows_none(void **state)
{
	struct live_state live = UNKNOWN;

	live_parse(span_cstr(".done=1 .due=5 a.done=2"), "", "", &live);
	assert_true(isnan(live.done) && isnan(live.due));
}

static void a_hostile_phase_does_not_reach_the_terminal(void **state)
{
	struct live_state live = UNKNOWN;

	live_parse(span_cstr("phase=\x1b[2J"), "", "", &live);
	assert_null(strchr(live.phase, '\x1b'));
}

static void all_is_shown_in_one_line(void **state)
{
	const struct live_plan plan = { 4, 2, 120, 30 };
	const struct live_state live = { "measure", 34, 12, 120, 6.7, 1048576, 2097152 };

	assert_string_equal(shown(&plan, &live, 200),
			    "3/4 ██████░░░░ 90 s left  no-swap-1, measure ≤34 s  12/120 ticks, "
			    "pause 6.7 s, re-read 1.0 MiB, leak 2.0 MiB");
}

static void what_is_unknown_is_left_out(void **state)
{
	const struct live_plan plan = { 1, 0, NAN, 0 };

	assert_string_equal(shown(&plan, &UNKNOWN, 200), "1/1 ░░░░░░░░░░  no-swap-1");
}

static void a_narrow_terminal_gets_a_shorter_line(void **state)
{
	const struct live_plan plan = { 1, 0, NAN, 0 };

	assert_string_equal(shown(&plan, &UNKNOWN, 6), "1/1 ░░");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_of_the_guest_is_read_by_the_names_of_loads),
		cmocka_unit_test(a_phase_is_new_once),
		cmocka_unit_test(a_scenario_without_a_service_shows_none),
		cmocka_unit_test(a_hostile_phase_does_not_reach_the_terminal),
		cmocka_unit_test(all_is_shown_in_one_line),
		cmocka_unit_test(what_is_unknown_is_left_out),
		cmocka_unit_test(a_narrow_terminal_gets_a_shorter_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
