#include "test.h"

#include "view/cell.h"

#define MIB (1024.0 * 1024)
#define UNKNOWN ((double)NAN)

struct cell_case {
	cell_format *format;
	struct cell cell;
	const char *shown;
};

static void check(const struct cell_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char buffer[64];
		struct text text = text_on(buffer, sizeof(buffer));

		cases[i].format(&text, &cases[i].cell);
		assert_string_equal(buffer, cases[i].shown);
	}
}

static void what_is_unknown_is_a_dash(void **state)
{
	static const struct cell_case cases[] = {
		{ cell_range, { .first = UNKNOWN, .second = UNKNOWN }, "-" },
		{ cell_share, { .first = UNKNOWN }, "-" },
		{ cell_shares, { .first = UNKNOWN, .second = UNKNOWN }, "-" },
		{ cell_shares, { .first = UNKNOWN, .second = 0.5 }, "-/50 %" },
		{ cell_bytes, { .first = UNKNOWN }, "-" },
		{ cell_bytes_pair, { .first = UNKNOWN, .second = MIB }, "-" },
		{ cell_count, { .first = UNKNOWN }, "-" },
	};

	check(cases, ARRAY_LEN(cases));
}

static void bounds_that_are_near_are_one_number(void **state)
{
	static const struct cell_case cases[] = {
		{ cell_range, { 0.39, 0.87, NULL }, "39-87 %" },
		{ cell_range, { 0.39, 0.395, NULL }, "39 %" },
		{ cell_range, { 0.005, 0.006, NULL }, "0.5 %" },
		{ cell_range, { 0, 0, NULL }, "0 %" },
		{ cell_range, { 0, 1, NULL }, "0-100 %" },
		{ cell_range, { 0.5, UNKNOWN, NULL }, "50 %" },
	};

	check(cases, ARRAY_LEN(cases));
}

static void shares_have_a_decimal_where_it_tells_something(void **state)
{
	static const struct cell_case cases[] = {
		{ cell_shares, { 0, 1, NULL }, "0/100 %" },
		{ cell_shares, { 0.093, 0.123, NULL }, "9.3/12 %" },
		{ cell_share, { .first = 0.004 }, "0.4 %" },
		{ cell_share, { .first = 1 }, "100 %" },
	};

	check(cases, ARRAY_LEN(cases));
}

static void a_pair_of_bytes_has_one_unit(void **state)
{
	static const struct cell_case cases[] = {
		{ cell_bytes_pair, { 21.5 * MIB, 55.7 * MIB, NULL }, "21.5/55.7 MiB" },
		{ cell_bytes_pair, { 0.5 * MIB, 200 * MIB, "high" }, "0.5/200 MiB high" },
		{ cell_bytes_pair, { 108 * MIB, 100 * MIB, "max" }, "108/100 MiB max" },
		{ cell_bytes_pair, { 1024 * MIB, 512 * MIB, NULL }, "1.0/0.5 GiB" },
		{ cell_bytes_pair, { 0, 669 * 1024, NULL }, "0/669 KiB" },
		{ cell_bytes_pair, { 0, 0, NULL }, "0/0 B" },
		{ cell_bytes_pair, { 3 * MIB, UNKNOWN, "max" }, "3.0 MiB" },
		{ cell_bytes, { .first = -2 * MIB }, "-2.0 MiB" },
	};

	check(cases, ARRAY_LEN(cases));
}

static void counts_numbers_and_letters(void **state)
{
	static const struct cell_case cases[] = {
		{ cell_count, { .first = 1234 }, "1,234" },
		{ cell_count, { .first = 0 }, "0" },
		{ cell_count, { .first = -1000 }, "-1000" },
		{ cell_number, { .first = 4194304 }, "4194304" },
		{ cell_letter, { .first = 'D' }, "D" },
		{ cell_letter, { .first = 0x1b }, "?" },
		{ cell_letter, { .first = -1 }, "?" },
		{ cell_letter, { .first = 0 }, "?" },
	};

	check(cases, ARRAY_LEN(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_unknown_is_a_dash),
		cmocka_unit_test(bounds_that_are_near_are_one_number),
		cmocka_unit_test(shares_have_a_decimal_where_it_tells_something),
		cmocka_unit_test(a_pair_of_bytes_has_one_unit),
		cmocka_unit_test(counts_numbers_and_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
