#include "test.h"

#include "view/history.h"

static struct history history;

/* Moment i is i seconds after boot, and says i for all series. */
static void fill(size_t count)
{
	history = (struct history){ 0 };
	for (size_t i = 0; i < count; i++) {
		struct moment moment = { .at = (double)i };

		for (size_t j = 0; j < SERIES; j++)
			moment.value[j] = (double)i;
		history_add(&history, &moment);
	}
}

static void check(enum series series, const struct stretch *stretch, const double *wanted,
		  size_t count)
{
	double values[16];

	assert_int_equal(history_read(&history, series, stretch, values), count);
	for (size_t i = 0; i < count; i++)
		assert_true(values[i] == wanted[i] || (isnan(values[i]) && isnan(wanted[i])));
}

static void the_newest_are_shown_when_there_are_more_than_columns(void **state)
{
	const struct stretch stretch = { .end = 10, .each = 1, .columns = 4 };

	fill(10);
	check(SERIES_LOSS, &stretch, (const double[]){ 6, 7, 8, 9 }, 4);
	assert_true(history_span(&history, &stretch) == 3);
}

static void there_are_fewer_columns_at_the_beginning(void **state)
{
	const struct stretch stretch = { .end = 2, .each = 1, .columns = 8 };
	const struct stretch none = { .end = 0, .each = 1, .columns = 8 };

	fill(2);
	check(SERIES_LOSS, &stretch, (const double[]){ 0, 1 }, 2);
	fill(0);
	check(SERIES_LOSS, &none, NULL, 0);
	assert_true(isnan(history_span(&history, &none)));
}

static void a_column_shows_the_worst_of_its_moments(void **state)
{
	const struct stretch stretch = { .end = 9, .each = 4, .columns = 8 };

	fill(9);
	check(SERIES_LOSS, &stretch, (const double[]){ 3, 7, 8 }, 3);
	check(SERIES_REREAD, &stretch, (const double[]){ 3, 7, 8 }, 3);
	check(SERIES_AVAILABLE, &stretch, (const double[]){ 0, 4, 8 }, 3);
}

/* Else the bars would change their height while they move. */
static void a_moment_stays_in_its_column(void **state)
{
	const struct stretch before = { .end = 8, .each = 4, .columns = 2 };
	const struct stretch after = { .end = 9, .each = 4, .columns = 2 };

	fill(9);
	check(SERIES_LOSS, &before, (const double[]){ 3, 7 }, 2);
	check(SERIES_LOSS, &after, (const double[]){ 7, 8 }, 2);
}

static void unknown_moments_are_passed_over_unless_all_are(void **state)
{
	const struct stretch pairs = { .end = 4, .each = 2, .columns = 8 };

	fill(4);
	history.moment[1].value[SERIES_LOSS] = (double)NAN;
	history.moment[2].value[SERIES_LOSS] = (double)NAN;
	history.moment[3].value[SERIES_LOSS] = (double)NAN;
	check(SERIES_LOSS, &pairs, (const double[]){ 0, (double)NAN }, 2);
}

static void a_full_ring_forgets_the_oldest(void **state)
{
	const size_t count = MOMENTS_MAX + 3;
	const struct stretch all = { .end = count, .each = MOMENTS_MAX, .columns = 8 };
	const struct stretch last = { .end = count, .each = 1, .columns = 2 };
	const struct stretch gone = { .end = 4, .each = 1, .columns = 2 };

	fill(count);
	check(SERIES_AVAILABLE, &all, (const double[]){ 3, MOMENTS_MAX }, 2);
	check(SERIES_LOSS, &last, (const double[]){ MOMENTS_MAX + 1, MOMENTS_MAX + 2 }, 2);
	check(SERIES_LOSS, &gone, (const double[]){ (double)NAN, 3 }, 2);
	assert_true(isnan(history_span(&history, &gone)));
}

static void a_frozen_screen_does_not_see_what_came_later(void **state)
{
	const struct stretch frozen = { .end = 3, .each = 1, .columns = 2 };

	fill(10);
	check(SERIES_LOSS, &frozen, (const double[]){ 1, 2 }, 2);
	assert_true(history_newest(&history, SERIES_LOSS, 3) == 2);
	assert_true(isnan(history_newest(&history, SERIES_LOSS, 0)));
	assert_true(isnan(history_newest(&history, SERIES_LOSS, 11)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_are_shown_when_there_are_more_than_columns),
		cmocka_unit_test(there_are_fewer_columns_at_the_beginning),
		cmocka_unit_test(a_column_shows_the_worst_of_its_moments),
		cmocka_unit_test(a_moment_stays_in_its_column),
		cmocka_unit_test(unknown_moments_are_passed_over_unless_all_are),
		cmocka_unit_test(a_full_ring_forgets_the_oldest),
		cmocka_unit_test(a_frozen_screen_does_not_see_what_came_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
