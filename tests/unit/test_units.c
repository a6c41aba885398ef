#include "test.h"

#include <errno.h>
#include <math.h>

#include "base/units.h"

struct number_case {
	double number;
	const char *shown;
};

typedef void print_number(struct text *text, double number);

static void check_numbers(print_number *print, const struct number_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char buffer[64];
		struct text text = text_on(buffer, sizeof(buffer));

		print(&text, cases[i].number);
		assert_string_equal(buffer, cases[i].shown);
	}
}

static void bytes_have_three_digits_of_sense(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0 B" },
		{ 12, "12 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.0 KiB" },
		{ 1536, "1.5 KiB" },
		{ -1024, "-1.0 KiB" },
		{ 99.9 * 1024, "99.9 KiB" },
		{ 99.96 * 1024, "100 KiB" },
		{ -99.96 * 1024, "-100 KiB" },
		{ 27.7 * 1048576, "27.7 MiB" },
		{ 819.0 * 1048576, "819 MiB" },
		{ 3.5 * 1073741824, "3.5 GiB" },
		{ 1099511627776.0, "1.0 TiB" },
		{ 1125899906842624.0, "1.0 PiB" },
		{ 18446744073709551615.0, "16384 PiB" },
	};

	check_numbers(text_bytes, cases, ARRAY_LEN(cases));
}

static void a_share_is_a_percentage(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0 %" },	    { 0.0004, "0 %" }, { 0.004, "0.4 %" }, { 0.0994, "9.9 %" },
		{ 0.0996, "10 %" }, { 0.63, "63 %" },  { 1, "100 %" },	   { 2.5, "250 %" },
	};

	check_numbers(text_share, cases, ARRAY_LEN(cases));
}

static void a_count_has_its_thousands_marked(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0" },
		{ 0.04, "0" },
		{ 0.4, "0.4" },
		{ 9.9, "9.9" },
		{ 9.96, "10" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 7081, "7,081" },
		{ 123456, "123,456" },
		{ 1234567, "1,234,567" },
		{ 1e18, "1,000,000,000,000,000,000" },
		{ 1e300, "1,000,000,000,000,000,000" },
		{ INFINITY, "1,000,000,000,000,000,000" },
		{ -5, "-5" },
		{ NAN, "nan" },
	};

	check_numbers(text_count, cases, ARRAY_LEN(cases));
}

static void a_time_has_the_largest_unit_that_says_two(void **state)
{
	static const struct number_case cases[] = {
		{ 0, "0 s" },	     { 0.4, "0 s" },	   { 40, "40 s" },
		{ 119, "119 s" },    { 120, "2 min" },	   { 720, "12 min" },
		{ 7199, "120 min" }, { 7200, "2 h" },	   { 3 * 3600, "3 h" },
		{ 172799, "48 h" },  { 172800, "2 days" }, { 5 * 86400, "5 days" },
		{ -1, "0 s" },
	};

	check_numbers(text_time, cases, ARRAY_LEN(cases));
}

static void a_time_is_read_with_its_unit(void **state)
{
	static const struct {
		const char *text;
		int result;
		uint64_t us;
	} cases[] = {
		{ "5", 0, 5000000 },
		{ "5s", 0, 5000000 },
		{ "5 s", 0, 5000000 },
		{ "500ms", 0, 500000 },
		{ "0.5", 0, 500000 },
		{ "1.5s", 0, 1500000 },
		{ "0.25ms", 0, 250 },
		{ "250us", 0, 250 },
		{ "2m", 0, 120000000 },
		{ "2min", 0, 120000000 },
		{ "1h", 0, 3600000000 },
		{ "", -EBADMSG, 0 },
		{ "s", -EBADMSG, 0 },
		{ "nan", -EBADMSG, 0 },
		{ "inf", -EBADMSG, 0 },
		{ "-1", -EBADMSG, 0 },
		{ "+1", -EBADMSG, 0 },
		{ " 1", -EBADMSG, 0 },
		{ "1e9", -EBADMSG, 0 },
		{ "0x10", -EBADMSG, 0 },
		{ "1.", -EBADMSG, 0 },
		{ ".5", -EBADMSG, 0 },
		{ "1.2.3s", -EBADMSG, 0 },
		{ "1 1", -EBADMSG, 0 },
		{ "1S", -EBADMSG, 0 },
		{ "1sec", -EBADMSG, 0 },
		{ "1d", -EBADMSG, 0 },
		{ "18446744073709551616s", -ERANGE, 0 },
		{ "18446744073709551615", -ERANGE, 0 },
		{ "18446744073709551h", -ERANGE, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t us = 77;

		case_of(cases[i].text);
		assert_int_equal(time_parse(span_cstr(cases[i].text), 0, UINT64_MAX, &us),
				 cases[i].result);
		assert_int_equal(us, cases[i].result == 0 ? cases[i].us : 77);
	}
}

static void a_time_ends_where_its_text_ends(void **state)
{
	uint64_t us;

	assert_int_equal(time_parse(span_of("15ms", 1), 0, UINT64_MAX, &us), 0);
	assert_int_equal(us, 1000000);
	assert_int_equal(time_parse(span_of("15ms", 2), 0, UINT64_MAX, &us), 0);
	assert_int_equal(us, 15000000);
	assert_int_equal(time_parse(span_of("15ms", 3), 0, UINT64_MAX, &us), 0);
	assert_int_equal(us, 900000000);
}

static void a_time_keeps_within_its_limits(void **state)
{
	uint64_t us = 77;

	assert_int_equal(time_parse(span_cstr("99ms"), 100000, 2000000, &us), -ERANGE);
	assert_int_equal(time_parse(span_cstr("2001ms"), 100000, 2000000, &us), -ERANGE);
	assert_int_equal(time_parse(span_cstr("0"), 1, 2000000, &us), -ERANGE);
	assert_int_equal(us, 77);
	assert_int_equal(time_parse(span_cstr("100ms"), 100000, 2000000, &us), 0);
	assert_int_equal(us, 100000);
	assert_int_equal(time_parse(span_cstr("2s"), 100000, 2000000, &us), 0);
	assert_int_equal(us, 2000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_three_digits_of_sense),
		cmocka_unit_test(a_share_is_a_percentage),
		cmocka_unit_test(a_count_has_its_thousands_marked),
		cmocka_unit_test(a_time_has_the_largest_unit_that_says_two),
		cmocka_unit_test(a_time_is_read_with_its_unit),
		cmocka_unit_test(a_time_ends_where_its_text_ends),
		cmocka_unit_test(a_time_keeps_within_its_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
