#include "test.h"

#include "analysis/slope.h"
#include "made.h"

#define SLOPE(...)                                      \
	slope_of((const struct point[]){ __VA_ARGS__ }, \
		 sizeof((const struct point[]){ __VA_ARGS__ }) / sizeof(struct point))
#define RISING(...)                                      \
	rising_of((const struct point[]){ __VA_ARGS__ }, \
		  sizeof((const struct point[]){ __VA_ARGS__ }) / sizeof(struct point))

static void a_line_has_its_slope(void **state)
{
	assert_near(SLOPE({ 0, 5 }, { 1, 8 }, { 2, 11 }, { 4, 17 }), 3);
	assert_near(SLOPE({ 0, 5 }, { 1, 2 }, { 2, -1 }), -3);
	assert_near(SLOPE({ 0, 5 }, { 1, 5 }, { 2, 5 }), 0);
}

static void two_points_have_a_slope(void **state)
{
	assert_near(SLOPE({ 10, 100 }, { 12, 140 }), 20);
}

static void one_point_has_none(void **state)
{
	assert_true(isnan(SLOPE({ 10, 100 })));
	assert_true(isnan(slope_of(NULL, 0)));
}

static void an_outlier_does_not_move_the_slope(void **state)
{
	assert_near(SLOPE({ 0, 0 }, { 1, 1 }, { 2, 1e9 }, { 3, 3 }, { 4, 4 }, { 5, 5 }), 1);
	assert_near(SLOPE({ 0, 0 }, { 1, -1e9 }, { 2, 2 }, { 3, 3 }, { 4, 4 }), 1);
}

/* An even number of slopes: 1, 1 and 3 between neighbours, 1, 2 and 5/3 across. */
static void the_median_of_an_even_number_lies_between_the_middle_ones(void **state)
{
	assert_near(SLOPE({ 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 5 }), (1 + 5.0 / 3) / 2);
}

static void points_at_the_same_time_make_no_slope(void **state)
{
	assert_true(isnan(SLOPE({ 5, 1 }, { 5, 100 })));
	assert_near(SLOPE({ 5, 1 }, { 5, 3 }, { 6, 4 }), 2);
}

static void time_that_goes_back_makes_no_slope(void **state)
{
	assert_true(isnan(SLOPE({ 5, 1 }, { 4, 100 })));
}

static void a_long_series_is_cut(void **state)
{
	struct point points[SLOPE_POINTS + 40];

	for (size_t i = 0; i < ARRAY_LEN(points); i++)
		points[i] = (struct point){ (double)i, i < SLOPE_POINTS ? 2.0 * (double)i : 0 };
	assert_near(slope_of(points, ARRAY_LEN(points)), 2);
}

static void rising_is_the_share_of_steps_that_do_not_fall(void **state)
{
	assert_near(RISING({ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }), 1);
	assert_near(RISING({ 0, 1 }, { 1, 1 }, { 2, 1 }), 1);
	assert_near(RISING({ 0, 4 }, { 1, 3 }, { 2, 2 }), 0);
	assert_near(RISING({ 0, 1 }, { 1, 2 }, { 2, 1 }, { 3, 2 }, { 4, 1 }), 0.5);
	assert_near(RISING({ 0, 1 }, { 1, 9 }, { 2, 8 }, { 3, 10 }, { 4, 11 }), 0.75);
}

static void one_point_does_not_rise(void **state)
{
	assert_near(RISING({ 0, 1 }), 0);
	assert_near(rising_of(NULL, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_its_slope),
		cmocka_unit_test(two_points_have_a_slope),
		cmocka_unit_test(one_point_has_none),
		cmocka_unit_test(an_outlier_does_not_move_the_slope),
		cmocka_unit_test(the_median_of_an_even_number_lies_between_the_middle_ones),
		cmocka_unit_test(points_at_the_same_time_make_no_slope),
		cmocka_unit_test(time_that_goes_back_makes_no_slope),
		cmocka_unit_test(a_long_series_is_cut),
		cmocka_unit_test(rising_is_the_share_of_steps_that_do_not_fall),
		cmocka_unit_test(one_point_does_not_rise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
