#include "test.h"

#include "base/text.h"

static void text_that_fits_is_whole(void **state)
{
	char buffer[8];
	struct text text = text_on(buffer, sizeof(buffer));

	assert_string_equal(buffer, "");
	text_add(&text, "%d%s", 12, "ab");
	text_put(&text, "xyz", 3);
	assert_string_equal(buffer, "12abxyz");
	assert_int_equal(text.used, 7);
	assert_false(text.cut);
}

static void text_that_is_too_long_is_cut_and_says_so(void **state)
{
	char buffer[4];
	struct text text = text_on(buffer, sizeof(buffer));

	text_put(&text, "abcd", 4);
	assert_string_equal(buffer, "abc");
	assert_true(text.cut);
	text = text_on(buffer, sizeof(buffer));
	text_add(&text, "%s", "abcd");
	assert_string_equal(buffer, "abc");
	assert_true(text.cut);
}

static void a_full_text_takes_nothing_more(void **state)
{
	char buffer[4];
	struct text text = text_on(buffer, sizeof(buffer));

	text_put(&text, "abc", 3);
	text_put(&text, "", 0);
	text_add(&text, "%s", "");
	assert_false(text.cut);
	text_add(&text, "%d", 1);
	assert_true(text.cut);
	text_put(&text, "x", 1);
	assert_string_equal(buffer, "abc");
	assert_int_equal(text.used, 3);
}

static void a_buffer_of_one_byte_holds_the_end(void **state)
{
	char buffer[1];
	struct text text = text_on(buffer, sizeof(buffer));

	text_put(&text, "a", 1);
	text_add(&text, "a");
	text_name(&text, span_cstr("a"));
	assert_string_equal(buffer, "");
	assert_true(text.cut);
}

/* The second literal ends what would be one hexadecimal escape. */
static void a_foreign_name_shows_what_a_terminal_would_act_on(void **state)
{
	static const struct {
		const char *name;
		const char *shown;
	} cases[] = {
		{ "", "" },
		{ "system.slice", "system.slice" },
		{ "a b~", "a b~" },
		{ "two\nlines", "two\\x0alines" },
		{ "\r\t\b", "\\x0d\\x09\\x08" },
		{ "\x1b[2Jx", "\\x1b[2Jx" },
		{ "\x1f\x20\x7e\x7f", "\\x1f ~\\x7f" },
		{ "a\\x0a", "a\\\\x0a" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xe2\x82\xac \xf0\x9f\x90\xa7", "\xe2\x82\xac \xf0\x9f\x90\xa7" },
		/* C1 controls: U+0080, U+009B (as ESC [), U+009F; U+00A0 is none */
		{ "\xc2\x80\xc2\x9b\xc2\x9f", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f" },
		{ "\xc2\xa0", "\xc2\xa0" },
		{ "\xd8\x80", "\xd8\x80" },
		/* reorder or hide: U+061C, U+200B, U+200F, U+2028, U+202A, U+202E, U+2066,
		   U+2069 */
		{ "\xd8\x9c", "\\xd8\\x9c" },
		{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
		{ "\xe2\x80\x8f", "\\xe2\\x80\\x8f" },
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
		{ "\xe2\x80\xaa", "\\xe2\\x80\\xaa" },
		{ "a\xe2\x80\xae"
		  "cod.exe",
		  "a\\xe2\\x80\\xaecod.exe" },
		{ "\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9" },
		/* their harmless neighbours: U+2009, U+2010, U+2026, U+205F, U+20AC */
		{ "\xe2\x80\x89\xe2\x80\x90\xe2\x80\xa6",
		  "\xe2\x80\x89\xe2\x80\x90\xe2\x80\xa6" },
		{ "\xe2\x81\x9f", "\xe2\x81\x9f" },
		{ "\xe2\x81\xa0", "\\xe2\\x81\\xa0" }, /* U+2060, a word joiner */
		/* letters that share bytes with them: U+011C, U+300B, U+3060 */
		{ "\xc4\x9c\xe3\x80\x8b\xe3\x81\xa0", "\xc4\x9c\xe3\x80\x8b\xe3\x81\xa0" },
		{ "\xe2\x80\x8a\xe2\x80\xa7", "\xe2\x80\x8a\xe2\x80\xa7" },
		/* not UTF-8: a lone tail, a lone head, an overlong slash, a surrogate, Latin-1
		 */
		{ "\x80", "\\x80" },
		{ "a\xc3", "a\\xc3" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\xc2\xff", "\\xc2\\xff" },
		{ "\xd8\xff", "\\xd8\\xff" },
		{ "\xe2\x80X", "\\xe2\\x80X" },
		{ "\xe2\x81X", "\\xe2\\x81X" },
		{ "caf\xe9 x", "caf\\xe9 x" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char buffer[128];
		struct text text = text_on(buffer, sizeof(buffer));

		text_name(&text, span_cstr(cases[i].name));
		assert_string_equal(buffer, cases[i].shown);
		assert_false(text.cut);
	}
}

static void a_name_may_hold_nul(void **state)
{
	char buffer[16];
	struct text text = text_on(buffer, sizeof(buffer));

	text_name(&text, span_of("a\0b", 3));
	assert_string_equal(buffer, "a\\x00b");
}

/* What is left of a character would show as rubbish. */
static void a_long_name_is_cut_between_characters(void **state)
{
	static const char name[] = "ab\xf0\x9f\x90\xa7\xe2\x82\xac\x1b";

	for (size_t size = 1; size <= 14; size++) {
		char buffer[14];
		struct text text = text_on(buffer, size);
		struct span rest;

		text_name(&text, span_cstr(name));
		assert_int_equal(text.cut, size < 14);
		rest = span_cstr(buffer);
		assert_int_equal(span_len(rest), text.used);
		while (!span_empty(rest)) {
			assert_true(utf8_length(rest) > 0);
			rest.at += utf8_length(rest);
		}
	}
}

static void a_name_that_just_fits_is_whole(void **state)
{
	char buffer[4];
	struct text text = text_on(buffer, sizeof(buffer));

	text_name(&text, span_cstr("a\xc3\xa9"));
	assert_string_equal(buffer, "a\xc3\xa9");
	assert_false(text.cut);
}

/* In the C locale no such letter can be printed. */
static void what_cannot_be_printed_is_left_out(void **state)
{
	char buffer[8];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "a%ls", L"\xd800");
	assert_string_equal(buffer, "");
	text_add(&text, "b");
	assert_int_equal(text.used, strlen(buffer));
	assert_false(text.cut);
}

static void an_overlong_name_is_cut_and_ended(void **state)
{
	char name[5000];
	char buffer[64];
	struct text text = text_on(buffer, sizeof(buffer));

	memset(name, 0x1b, sizeof(name));
	text_name(&text, span_of(name, sizeof(name)));
	assert_true(text.cut);
	assert_int_equal(strlen(buffer), text.used);
	assert_true(text.used < sizeof(buffer));
}

static void only_the_shortest_form_is_utf8(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{ "", 0 },
		{ "a", 1 },
		{ "\x7f", 1 },
		{ "\x80", 0 },
		{ "\xbf", 0 },
		{ "\xc0\x80", 0 },
		{ "\xc1\xbf", 0 },
		{ "\xc2\x80", 2 },
		{ "\xdf\xbf", 2 },
		{ "\xc2", 0 },
		{ "\xc2\x20", 0 },
		{ "\xc2\xc2", 0 },
		{ "\xe0\x80\x80", 0 },
		{ "\xe0\x9f\xbf", 0 },
		{ "\xe0\xa0\x80", 3 },
		{ "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 },
		{ "\xed\xbf\xbf", 0 },
		{ "\xee\x80\x80", 3 },
		{ "\xef\xbf\xbf", 3 },
		{ "\xe2\x82", 0 },
		{ "\xe2\x82\x20", 0 },
		{ "\xf0\x80\x80\x80", 0 },
		{ "\xf0\x8f\xbf\xbf", 0 },
		{ "\xf0\x90\x80\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 },
		{ "\xf8\x88\x80\x80\x80", 0 },
		{ "\xff", 0 },
		{ "\xf0\x9f\x90", 0 },
		{ "\xbf\xbf", 0 },
		{ "\xf8\x90\x80\x80", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(utf8_length(span_cstr(cases[i].bytes)), cases[i].length);
	/* what stands behind the text does not count */
	for (size_t length = 0; length < 4; length++)
		assert_int_equal(utf8_length(span_of("\xf0\x9f\x90\xa7", length)), 0);
}

static void width_counts_characters(void **state)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width("caf\xc3\xa9"), 4);
	assert_int_equal(text_width("\xe2\x82\xac\xf0\x9f\x90\xa7"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_that_fits_is_whole),
		cmocka_unit_test(text_that_is_too_long_is_cut_and_says_so),
		cmocka_unit_test(a_full_text_takes_nothing_more),
		cmocka_unit_test(a_buffer_of_one_byte_holds_the_end),
		cmocka_unit_test(a_foreign_name_shows_what_a_terminal_would_act_on),
		cmocka_unit_test(a_name_may_hold_nul),
		cmocka_unit_test(a_long_name_is_cut_between_characters),
		cmocka_unit_test(a_name_that_just_fits_is_whole),
		cmocka_unit_test(what_cannot_be_printed_is_left_out),
		cmocka_unit_test(an_overlong_name_is_cut_and_ended),
		cmocka_unit_test(only_the_shortest_form_is_utf8),
		cmocka_unit_test(width_counts_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
