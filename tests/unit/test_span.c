#include "test.h"

#include <errno.h>

struct number_case {
	const char *text;
	int result;
	uint64_t value;
};

typedef int parse_number(struct span text, uint64_t *out);

static void check_numbers(parse_number *parse, const struct number_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 77;

		case_of(cases[i].text);
		assert_int_equal(parse(span_cstr(cases[i].text), &value), cases[i].result);
		assert_int_equal(value, cases[i].result == 0 ? cases[i].value : 77);
	}
}

static void a_number_is_digits_and_nothing_else(void **state)
{
	static const struct number_case cases[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "1234567890", 0, 1234567890 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "18446744073709551620", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "184467440737095516150", -ERANGE, 0 },
		{ "", -EBADMSG, 0 },
		{ "-1", -EBADMSG, 0 },
		{ "+1", -EBADMSG, 0 },
		{ " 1", -EBADMSG, 0 },
		{ "1 ", -EBADMSG, 0 },
		{ "1\n", -EBADMSG, 0 },
		{ "0x1", -EBADMSG, 0 },
		{ "1a", -EBADMSG, 0 },
		{ "1e9", -EBADMSG, 0 },
		{ "1.0", -EBADMSG, 0 },
		{ "1/", -EBADMSG, 0 },
		{ "1:", -EBADMSG, 0 },
		{ "nan", -EBADMSG, 0 },
		{ "max", -EBADMSG, 0 },
		{ "\xef\xbc\x91", -EBADMSG, 0 }, /* a full-width 1 */
	};

	check_numbers(span_u64, cases, ARRAY_LEN(cases));
}

static void a_number_does_not_hold_nul(void **state)
{
	uint64_t value = 77;

	assert_int_equal(span_u64(span_of("1\0", 2), &value), -EBADMSG);
	assert_int_equal(span_u64(span_of("\0", 1), &value), -EBADMSG);
	assert_int_equal(value, 77);
}

static void a_hexadecimal_number_may_have_a_prefix(void **state)
{
	static const struct number_case cases[] = {
		{ "0x0007", 0, 7 },
		{ "0", 0, 0 },
		{ "1f", 0, 0x1f },
		{ "aF", 0, 0xaf },
		{ "Fa", 0, 0xfa },
		{ "0xffffffffffffffff", 0, UINT64_MAX },
		{ "0x10000000000000000", -ERANGE, 0 },
		{ "0x", -EBADMSG, 0 },
		{ "", -EBADMSG, 0 },
		{ "x7", -EBADMSG, 0 },
		{ "0x0x7", -EBADMSG, 0 },
		{ "0xg", -EBADMSG, 0 },
		{ "0xG", -EBADMSG, 0 },
		{ "0x`", -EBADMSG, 0 },
		{ "0x@", -EBADMSG, 0 },
		{ "-1", -EBADMSG, 0 },
		{ " 1", -EBADMSG, 0 },
	};

	check_numbers(span_hex, cases, ARRAY_LEN(cases));
}

static void a_signed_number_has_one_minus_at_most(void **state)
{
	static const struct {
		const char *text;
		int result;
		int64_t value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "-0", 0, 0 },
		{ "-1000", 0, -1000 },
		{ "1000", 0, 1000 },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "-9223372036854775807", 0, -INT64_MAX },
		{ "9223372036854775808", -ERANGE, 0 },
		{ "-9223372036854775808", -ERANGE, 0 },
		{ "-18446744073709551616", -ERANGE, 0 },
		{ "", -EBADMSG, 0 },
		{ "-", -EBADMSG, 0 },
		{ "--1", -EBADMSG, 0 },
		{ "+1", -EBADMSG, 0 },
		{ "- 1", -EBADMSG, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int64_t value = 77;

		case_of(cases[i].text);
		assert_int_equal(span_i64(span_cstr(cases[i].text), &value), cases[i].result);
		assert_true(value == (cases[i].result == 0 ? cases[i].value : 77));
	}
}

static void a_fixed_number_is_scaled_and_cut_off(void **state)
{
	static const struct {
		const char *text;
		unsigned int decimals;
		int result;
		uint64_t value;
	} cases[] = {
		{ "0.00", 2, 0, 0 },
		{ "12.34", 2, 0, 1234 },
		{ "12.3", 2, 0, 1230 },
		{ "12", 2, 0, 1200 },
		{ "12.349", 2, 0, 1234 },
		{ "100.00", 2, 0, 10000 },
		{ "12.9", 0, 0, 12 },
		{ "0.000001", 6, 0, 1 },
		{ "184467440737095516.15", 2, 0, UINT64_MAX },
		{ "184467440737095516.16", 2, -ERANGE, 0 },
		{ "184467440737095516.2", 2, -ERANGE, 0 },
		{ "18446744073709551615", 2, -ERANGE, 0 },
		{ "18446744073709551616", 0, -ERANGE, 0 },
		{ "", 2, -EBADMSG, 0 },
		{ ".", 2, -EBADMSG, 0 },
		{ "1.", 2, -EBADMSG, 0 },
		{ ".5", 2, -EBADMSG, 0 },
		{ "1.2.3", 2, -EBADMSG, 0 },
		{ "1.2x", 2, -EBADMSG, 0 },
		{ "1.2a", 1, -EBADMSG, 0 },
		{ "1.a", 2, -EBADMSG, 0 },
		{ "1,5", 2, -EBADMSG, 0 },
		{ "-1.00", 2, -EBADMSG, 0 },
		{ "1.-5", 2, -EBADMSG, 0 },
		{ "nan", 2, -EBADMSG, 0 },
		{ "inf", 2, -EBADMSG, 0 },
		{ "1e9", 2, -EBADMSG, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t value = 77;

		case_of(cases[i].text);
		assert_int_equal(
			span_fixed(span_cstr(cases[i].text), cases[i].decimals, &value),
			cases[i].result);
		assert_int_equal(value, cases[i].result == 0 ? cases[i].value : 77);
	}
}

static void lines_end_with_newline_or_with_the_text(void **state)
{
	struct span text = span_cstr("one\n\ntwo\r\nlast");
	struct span line;

	assert_true(span_line(&text, &line));
	assert_span_equal(line, "one");
	assert_true(span_line(&text, &line));
	assert_span_equal(line, "");
	assert_true(span_line(&text, &line));
	assert_span_equal(line, "two\r");
	assert_true(span_line(&text, &line));
	assert_span_equal(line, "last");
	assert_false(span_line(&text, &line));
	assert_span_equal(line, "last");
}

static void a_newline_at_the_end_starts_no_line(void **state)
{
	struct span text = span_cstr("one\n");
	struct span line;

	assert_true(span_line(&text, &line));
	assert_false(span_line(&text, &line));
}

static void words_are_separated_by_any_blanks(void **state)
{
	struct span line = span_cstr(" \t one\r\n  two\tthree");
	struct span word;

	assert_true(span_word(&line, &word));
	assert_span_equal(word, "one");
	assert_true(span_word(&line, &word));
	assert_span_equal(word, "two");
	assert_true(span_word(&line, &word));
	assert_span_equal(word, "three");
	assert_false(span_word(&line, &word));
	assert_span_equal(word, "three");
}

static void blanks_hold_no_word(void **state)
{
	static const char *const texts[] = { "", " ", "\t\r\n ", "\n\n" };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct span line = span_cstr(texts[i]);
		struct span word = { 0 };

		assert_false(span_word(&line, &word));
		assert_null(word.at);
	}
}

static void a_word_may_hold_nul_and_controls(void **state)
{
	struct span line = span_of("a\0b\v c", 6);
	struct span word;

	assert_true(span_word(&line, &word));
	assert_int_equal(span_len(word), 4);
	assert_memory_equal(word.at, "a\0b\v", 4);
}

static void a_cut_leaves_empty_pieces(void **state)
{
	static const char *const pieces[] = { "", "a", "", "b" };
	struct span text = span_cstr(",a,,b,");
	struct span piece;

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		assert_true(span_cut(&text, ',', &piece));
		assert_span_equal(piece, pieces[i]);
	}
	assert_false(span_cut(&text, ',', &piece));
}

static void a_split_takes_the_first_separator_and_rsplit_the_last(void **state)
{
	struct span text = span_cstr("a:b:c");
	struct span left;
	struct span right;

	assert_true(span_split(text, ':', &left, &right));
	assert_span_equal(left, "a");
	assert_span_equal(right, "b:c");
	assert_true(span_rsplit(text, ':', &left, &right));
	assert_span_equal(left, "a:b");
	assert_span_equal(right, "c");
}

static void a_split_at_the_edge_leaves_an_empty_side(void **state)
{
	struct span left;
	struct span right;

	assert_true(span_split(span_cstr("="), '=', &left, &right));
	assert_true(span_empty(left));
	assert_true(span_empty(right));
}

static void a_split_without_separator_touches_nothing(void **state)
{
	struct span left = span_cstr("left");
	struct span right = span_cstr("right");

	assert_false(span_split(span_cstr("abc"), '=', &left, &right));
	assert_false(span_rsplit(span_cstr(""), '=', &left, &right));
	assert_span_equal(left, "left");
	assert_span_equal(right, "right");
}

static void trim_takes_blanks_off_both_ends(void **state)
{
	assert_span_equal(span_trim(span_cstr(" \t a b \r\n")), "a b");
	assert_span_equal(span_trim(span_cstr("a")), "a");
	assert_true(span_empty(span_trim(span_cstr(" \n "))));
	assert_true(span_empty(span_trim(span_cstr(""))));
}

static void equal_is_not_the_same_as_starts(void **state)
{
	struct span high = span_cstr("high:");

	assert_false(span_eq(high, "high"));
	assert_false(span_eq(high, "high:x"));
	assert_false(span_eq(high, "High:"));
	assert_true(span_eq(high, "high:"));
	assert_true(span_starts(high, "high"));
	assert_true(span_starts(high, ""));
	assert_false(span_starts(high, "high: "));
	assert_false(span_starts(high, "low"));
}

/* A struct that was zeroed holds such spans. */
static void nothing_is_an_empty_text(void **state)
{
	struct span none = { 0 };
	struct span left = { 0 };
	struct span right = { 0 };
	uint64_t value;

	assert_true(span_empty(none));
	assert_true(span_eq(none, ""));
	assert_true(span_starts(none, ""));
	assert_false(span_eq(none, "x"));
	assert_false(span_split(none, ':', &left, &right));
	assert_false(span_rsplit(none, ':', &left, &right));
	assert_false(span_line(&none, &left));
	assert_false(span_word(&none, &left));
	assert_true(span_empty(span_trim(none)));
	assert_int_equal(span_fixed(none, 2, &value), -EBADMSG);
}

static void a_copy_fits_or_says_that_it_was_cut(void **state)
{
	char buffer[4] = "zzz";

	assert_true(span_copy(span_cstr("abc"), buffer, sizeof(buffer)));
	assert_string_equal(buffer, "abc");
	assert_false(span_copy(span_cstr("abcd"), buffer, sizeof(buffer)));
	assert_string_equal(buffer, "abc");
	assert_true(span_copy((struct span){ 0 }, buffer, sizeof(buffer)));
	assert_string_equal(buffer, "");
	assert_false(span_copy(span_cstr("a"), buffer, 1));
	assert_string_equal(buffer, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_digits_and_nothing_else),
		cmocka_unit_test(a_number_does_not_hold_nul),
		cmocka_unit_test(a_hexadecimal_number_may_have_a_prefix),
		cmocka_unit_test(a_signed_number_has_one_minus_at_most),
		cmocka_unit_test(a_fixed_number_is_scaled_and_cut_off),
		cmocka_unit_test(lines_end_with_newline_or_with_the_text),
		cmocka_unit_test(a_newline_at_the_end_starts_no_line),
		cmocka_unit_test(words_are_separated_by_any_blanks),
		cmocka_unit_test(blanks_hold_no_word),
		cmocka_unit_test(a_word_may_hold_nul_and_controls),
		cmocka_unit_test(a_cut_leaves_empty_pieces),
		cmocka_unit_test(a_split_takes_the_first_separator_and_rsplit_the_last),
		cmocka_unit_test(a_split_at_the_edge_leaves_an_empty_side),
		cmocka_unit_test(a_split_without_separator_touches_nothing),
		cmocka_unit_test(trim_takes_blanks_off_both_ends),
		cmocka_unit_test(equal_is_not_the_same_as_starts),
		cmocka_unit_test(nothing_is_an_empty_text),
		cmocka_unit_test(a_copy_fits_or_says_that_it_was_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
