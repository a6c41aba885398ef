#include "run.h"

#include <math.h>

#include "lab/figures/stats.h"

#define assert_same(got, wanted) assert_near(got, wanted, 1e-9)

/* As python's statistics.median() and numpy's quantile() have them. */
static void the_median_and_quantiles_lie_between_the_nearest(void **state)
{
	double value[] = { 9, 1, 4, 3 };

	assert_same(stats_median(value, 4), 3.5);
	assert_same(stats_quantile(value, 4, 0), 1);
	assert_same(stats_quantile(value, 4, 0.25), 2.5);
	assert_same(stats_quantile(value, 4, 0.99), 8.85);
	assert_same(stats_quantile(value, 4, 1), 9);
	assert_same(stats_median(value, 3), 3);
	assert_same(stats_median(value, 1), 1);
}

static void of_nothing_there_is_no_median(void **state)
{
	assert_true(isnan(stats_median(NULL, 0)));
	assert_true(isnan(stats_median_lasted(NULL, 0).time));
}

static void what_is_not_known_comes_last(void **state)
{
	double value[] = { (double)NAN, 2, (double)NAN, 1 };

	stats_sort(value, 4);
	assert_same(value[0], 1);
	assert_same(value[1], 2);
	assert_true(isnan(value[2]) && isnan(value[3]));
}

#define SAMPLE(...)                                        \
	((struct sample){ (const double[]){ __VA_ARGS__ }, \
			  sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double) })

static void a_clear_difference_leaves_one_out(void **state)
{
	struct ratio ratio = stats_ratio(SAMPLE(20, 21, 22, 23, 24), SAMPLE(10, 11, 9, 10, 12));

	assert_same(ratio.value, 2.2);
	assert_true(ratio.has_interval && ratio.differs);
	assert_true(ratio.low > 1.6 && ratio.low < 2.2);
	assert_true(ratio.high > 2.2 && ratio.high < 2.7);
}

static void the_same_sample_is_not_distinguishable(void **state)
{
	struct ratio ratio = stats_ratio(SAMPLE(8, 10, 12, 9, 11), SAMPLE(11, 8, 12, 10, 9));

	assert_same(ratio.value, 1);
	assert_true(ratio.has_interval);
	assert_false(ratio.differs);
	assert_true(ratio.low < 1 && ratio.high > 1);
}

/* Every draw of a constant is that constant. */
static void a_constant_has_an_interval_of_no_width(void **state)
{
	struct ratio ratio = stats_ratio(SAMPLE(5, 5, 5), SAMPLE(10, 10, 10));

	assert_same(ratio.low, 0.5);
	assert_same(ratio.high, 0.5);
	assert_true(ratio.differs);
}

static void the_same_runs_give_the_same_interval(void **state)
{
	struct ratio once = stats_ratio(SAMPLE(1, 4, 9), SAMPLE(2, 3, 5));
	struct ratio again = stats_ratio(SAMPLE(1, 4, 9), SAMPLE(2, 3, 5));

	assert_same(once.low, again.low);
	assert_same(once.high, again.high);
}

static void fewer_than_three_runs_have_a_ratio_and_no_interval(void **state)
{
	struct ratio few = stats_ratio(SAMPLE(4, 4), SAMPLE(2, 2, 2));
	struct ratio base = stats_ratio(SAMPLE(4, 4, 4), SAMPLE(2, 2));

	assert_same(few.value, 2);
	assert_same(base.value, 2);
	assert_false(few.has_interval || few.differs);
	assert_false(base.has_interval || base.differs);
	assert_true(isnan(few.low) && isnan(few.high));
}

static void there_is_no_ratio_to_nothing(void **state)
{
	struct ratio zero = stats_ratio(SAMPLE(1, 1, 1), SAMPLE(0, 0, 0));
	struct ratio none = stats_ratio((struct sample){ NULL, 0 }, SAMPLE(1, 2, 3));

	assert_true(isnan(zero.value));
	assert_false(zero.has_interval);
	assert_true(isnan(none.value));
	assert_false(none.has_interval);
}

/* The median exists, and a third of the draws of the base are zero. */
static void an_interval_that_some_draws_do_not_have_is_none(void **state)
{
	struct ratio ratio = stats_ratio(SAMPLE(1, 2, 3), SAMPLE(0, 0, 1, 1, 1));

	assert_same(ratio.value, 2);
	assert_false(ratio.has_interval);
}

static void expect_lasted(struct lasted *value, size_t count, double time, bool censored)
{
	struct lasted got = stats_median_lasted(value, count);

	assert_same(got.time, time);
	assert_int_equal(got.censored, censored);
}

/*
 * By hand: of 5 at risk one ends at 31 (4/5 survive), one of 4 at 58 (3/5), one of 3 at 65
 * (2/5): the median is 65.
 */
static void a_median_survives_some_runs_that_did_not_end(void **state)
{
	struct lasted value[] = {
		{ 194, true }, { 58, false }, { 31, false }, { 65, false }, { 150, true }
	};

	expect_lasted(value, 5, 65, false);
}

/* One of 4 ends at 10 (3/4), 20 is censored, one of 2 ends at 30 (3/8): the median is 30. */
static void a_run_that_left_early_counts_until_then(void **state)
{
	struct lasted value[] = { { 40, true }, { 20, true }, { 30, false }, { 10, false } };

	expect_lasted(value, 4, 30, false);
}

static void a_median_beyond_the_longest_run_is_censored(void **state)
{
	struct lasted value[] = { { 150, true }, { 120, true }, { 90, false } };

	expect_lasted(value, 3, 150, true);
}

/* What ends and what is cut off at the same time: the end comes first. */
static void an_end_counts_before_a_cut_at_the_same_time(void **state)
{
	struct lasted value[] = { { 10, true }, { 10, false } };

	expect_lasted(value, 2, 10, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_and_quantiles_lie_between_the_nearest),
		cmocka_unit_test(of_nothing_there_is_no_median),
		cmocka_unit_test(what_is_not_known_comes_last),
		cmocka_unit_test(a_clear_difference_leaves_one_out),
		cmocka_unit_test(the_same_sample_is_not_distinguishable),
		cmocka_unit_test(a_constant_has_an_interval_of_no_width),
		cmocka_unit_test(the_same_runs_give_the_same_interval),
		cmocka_unit_test(fewer_than_three_runs_have_a_ratio_and_no_interval),
		cmocka_unit_test(there_is_no_ratio_to_nothing),
		cmocka_unit_test(an_interval_that_some_draws_do_not_have_is_none),
		cmocka_unit_test(a_median_survives_some_runs_that_did_not_end),
		cmocka_unit_test(a_run_that_left_early_counts_until_then),
		cmocka_unit_test(a_median_beyond_the_longest_run_is_censored),
		cmocka_unit_test(an_end_counts_before_a_cut_at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
