#include "run.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/shape.h"

static struct shape shape_of(const char *text)
{
	struct lab_error error = { 0 };
	struct shape shape;

	if (shape_parse(span_cstr("name"), span_cstr(text), &shape, &error) < 0)
		fail_msg("%s: %s", text, error.text);
	return shape;
}

static void a_shape_compares_two_figures_or_a_figure_and_a_number(void **state)
{
	struct shape shape = shape_of("no-swap-1m.phase > no-swap-20m.phase");

	assert_string_equal(shape.left.arm, "no-swap-1m");
	assert_string_equal(shape.right.arm, "no-swap-20m");
	assert_int_equal(shape.left.figure, FIG_PHASE);
	assert_int_equal(shape.op, SHAPE_MORE);
	assert_near(shape.right.number, 1, 0);
	shape = shape_of(" a.reread  <  b.reread * 0.2 ");
	assert_near(shape.right.number, 0.2, 1e-9);
	assert_string_equal(shape.text, "a.reread  <  b.reread * 0.2");
	shape = shape_of("high.available_min > 64M");
	assert_string_equal(shape.right.arm, "");
	assert_near(shape.right.number, 64 << 20, 0);
	assert_int_equal(shape_of("a.phase ~ b.phase").op, SHAPE_NEAR);
}

/* Arms of a matrix have dots, and so have numbers. */
static void an_arm_may_have_dots(void **state)
{
	struct shape shape = shape_of("leak.0.25.phase > 0.25");

	assert_string_equal(shape.left.arm, "leak.0.25");
	assert_near(shape.right.number, 0.25, 1e-9);
}

static void what_is_not_a_shape_is_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"a.phase",
		"a.phase >",
		"a.phase = 1",
		"a.phase > 1 2",
		"phase > 1",
		".phase > 1",
		"a.nothing > 1",
		"a.phase > b.nothing",
		"a.phase > b.phase *",
		"a.phase > b.phase * x",
		"a.phase > b.phase * 1 2",
		"a.phase > b.phase 2",
		"a.phase > 28%",
		"a.phase > .phase",
	};
	struct lab_error error;
	struct shape shape;
	char large[300];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i]);
		error.text[0] = '\0';
		assert_int_equal(
			shape_parse(span_cstr("name"), span_cstr(cases[i]), &shape, &error),
			-EBADMSG);
		assert_non_null(strstr(error.text, "expected ARM.FIGURE"));
	}
	memset(large, 'a', sizeof(large));
	memcpy(large + 290, ".phase > 1", 10);
	assert_int_equal(shape_parse(span_cstr("name"), span_of(large, 300), &shape, &error),
			 -EBADMSG);
	assert_int_equal(
		shape_parse(span_of(large, 64), span_cstr("a.phase > 1"), &shape, &error),
		-EBADMSG);
	assert_int_equal(
		shape_parse(span_cstr("name"), span_of(large + 190, 110), &shape, &error),
		-EBADMSG);
}

static void a_shape_holds_or_not_and_a_run_that_ended_first_tells_half(void **state)
{
	static const struct {
		const char *text;
		double left;
		bool left_censored;
		double right;
		bool right_censored;
		enum verdict_of_shape verdict;
	} cases[] = {
		{ "a.phase < b.phase", 1, false, 2, false, SHAPE_HOLDS },
		{ "a.phase < b.phase", 2, false, 2, false, SHAPE_FAILS },
		{ "a.phase > b.phase", 2, false, 1, false, SHAPE_HOLDS },
		{ "a.phase > b.phase", 2, false, 2, false, SHAPE_FAILS },
		{ "a.phase > b.phase * 3", 2, false, 1, false, SHAPE_FAILS },
		{ "a.phase < b.phase", 1, true, 2, false, SHAPE_UNKNOWN },
		{ "a.phase < b.phase", 3, true, 2, false, SHAPE_FAILS },
		{ "a.phase < b.phase", 1, false, 2, true, SHAPE_HOLDS },
		{ "a.phase < b.phase", 3, false, 2, true, SHAPE_UNKNOWN },
		{ "a.phase > b.phase", 3, true, 2, false, SHAPE_HOLDS },
		{ "a.phase > b.phase", 1, true, 2, false, SHAPE_UNKNOWN },
		{ "a.phase ~ b.phase", 3, false, 1, false, SHAPE_HOLDS },
		{ "a.phase ~ b.phase", 1, false, 3, false, SHAPE_HOLDS },
		{ "a.phase ~ b.phase", 3.1, false, 1, false, SHAPE_FAILS },
		{ "a.phase ~ b.phase", 1, false, 3.1, false, SHAPE_FAILS },
		{ "a.phase ~ b.phase", 0, false, 0, false, SHAPE_HOLDS },
		{ "a.phase ~ b.phase", 2, true, 1, false, SHAPE_UNKNOWN },
		{ "a.phase ~ b.phase", 2, false, 1, true, SHAPE_UNKNOWN },
		{ "a.phase ~ b.phase", 4, true, 1, false, SHAPE_FAILS },
		{ "a.phase ~ b.phase", 4, false, 1, true, SHAPE_UNKNOWN },
		{ "a.phase ~ b.phase", 1, true, 4, false, SHAPE_UNKNOWN },
		{ "a.phase ~ b.phase", 1, false, 4, true, SHAPE_FAILS },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct figure left = { cases[i].left, cases[i].left_censored, NULL };
		const struct figure right = { cases[i].right, cases[i].right_censored, NULL };
		struct shape shape = shape_of(cases[i].text);
		struct shape_result result = shape_judge(&shape, &left, &right);

		case_of(cases[i].text);
		assert_string_equal(shape_verdict_name(result.verdict),
				    shape_verdict_name(cases[i].verdict));
		assert_int_equal(strstr(result.why, "the run ended first") != NULL,
				 cases[i].verdict == SHAPE_UNKNOWN);
	}
}

static void what_was_not_measured_cannot_be_told_and_says_why(void **state)
{
	const struct figure none = { (double)NAN, false, "no pressure" };
	const struct figure two = { 2, false, NULL };
	const struct shape both = shape_of("a.phase < b.phase");
	const struct shape number = shape_of("a.phase < 3");
	struct shape_result result = shape_judge(&both, &none, &two);

	assert_int_equal(result.verdict, SHAPE_UNKNOWN);
	assert_string_equal(result.why, "a.phase: no pressure");
	assert_string_equal(shape_judge(&both, &two, &none).why, "b.phase: no pressure");
	assert_string_equal(shape_judge(&both, NULL, &two).why, "a.phase: no run");
	assert_string_equal(shape_judge(&both, &two, NULL).why, "b.phase: no run");
	result = shape_judge(&number, &two, NULL);
	assert_int_equal(result.verdict, SHAPE_HOLDS);
	assert_string_equal(result.why, "2.0 s, 3.0 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shape_compares_two_figures_or_a_figure_and_a_number),
		cmocka_unit_test(an_arm_may_have_dots),
		cmocka_unit_test(what_is_not_a_shape_is_refused),
		cmocka_unit_test(a_shape_holds_or_not_and_a_run_that_ended_first_tells_half),
		cmocka_unit_test(what_was_not_measured_cannot_be_told_and_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
