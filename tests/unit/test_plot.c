#include "test.h"

#include <math.h>

#include "view/plot.h"

#define ROW_SIZE 128

static void check_row(const struct plot *plot, size_t row, const char *shown)
{
	char buffer[ROW_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	plot_row(plot, row, &text);
	assert_string_equal(buffer, shown);
}

static void a_row_has_eighths_of_a_block(void **state)
{
	static const double values[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct plot plot = { .values = values, .count = 9, .top = 8, .rows = 1 };

	check_row(&plot, 0, "▁▁▂▃▄▅▆▇█");
}

static void rows_stand_on_each_other(void **state)
{
	static const double values[] = { 0, 4, 8, 12, 16 };
	const struct plot plot = { .values = values, .count = 5, .top = 16, .rows = 2 };

	check_row(&plot, 0, "   ▄█");
	check_row(&plot, 1, "▁▄███");
}

static void without_utf_8_there_are_dots(void **state)
{
	static const double values[] = { 0, 1, 2, 3, 4, 5, 6, (double)NAN };
	const struct plot plot = {
		.values = values, .count = 8, .top = 6, .rows = 2, .ascii = true
	};

	check_row(&plot, 0, "    .:| ");
	check_row(&plot, 1, "..:||||-");
}

static void an_unknown_value_is_no_zero(void **state)
{
	static const double values[] = { 0, (double)NAN, 0 };
	const struct plot plot = { .values = values, .count = 3, .top = 1, .rows = 2 };

	check_row(&plot, 0, "   ");
	check_row(&plot, 1, "▁-▁");
}

static void what_is_beyond_the_top_or_below_zero_is_cut_off(void **state)
{
	static const double values[] = { -5, 9, (double)INFINITY };
	const struct plot plot = { .values = values, .count = 3, .top = 8, .rows = 1 };
	const struct plot no_top = { .values = values, .count = 3, .top = 0, .rows = 1 };

	check_row(&plot, 0, "▁██");
	check_row(&no_top, 0, "▁▁▁");
}

static void the_top_doubles_until_all_fits(void **state)
{
	static const double values[] = { 3, (double)NAN, 17 };
	static const double unknown[] = { (double)NAN };

	assert_true(plot_top(values, 3, 1) == 32);
	assert_true(plot_top(values, 1, 3) == 3);
	assert_true(plot_top(values, 3, 17) == 17);
	assert_true(plot_top(values, 3, 20) == 20);
	assert_true(plot_top(unknown, 1, 5) == 5);
	assert_true(plot_top(NULL, 0, 5) == 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_eighths_of_a_block),
		cmocka_unit_test(rows_stand_on_each_other),
		cmocka_unit_test(without_utf_8_there_are_dots),
		cmocka_unit_test(an_unknown_value_is_no_zero),
		cmocka_unit_test(what_is_beyond_the_top_or_below_zero_is_cut_off),
		cmocka_unit_test(the_top_doubles_until_all_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
