#include "test.h"

#include <locale.h>

#include "view/fit.h"

typedef void fit(struct text *out, struct span text, size_t width);

struct fit_case {
	const char *text;
	size_t width;
	const char *shown;
};

static void check(fit *fits, const struct fit_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char buffer[64];
		struct text out = text_on(buffer, sizeof(buffer));

		case_of(cases[i].text);
		fits(&out, span_cstr(cases[i].text), cases[i].width);
		assert_string_equal(buffer, cases[i].shown);
		assert_true(fit_width(span_cstr(buffer)) <= cases[i].width);
	}
}

static void width_is_in_columns_of_the_terminal(void **state)
{
	static const struct {
		const char *text;
		size_t width;
	} cases[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "a·b", 3 },
		{ "日本", 4 },
		{ "e\xcc\x81", 1 }, /* an accent of its own */
		{ "\xff\xfe", 2 },  /* no UTF-8: two replacement characters */
		{ "\xe6\x97", 2 },  /* a sequence that is cut off */
		{ "\xf0\x9f\x98\x80", 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(fit_width(span_cstr(cases[i].text)), cases[i].width);
}

static void what_fits_stays_as_it_is(void **state)
{
	static const struct fit_case cases[] = {
		{ "abc", 3, "abc" },
		{ "", 0, "" },
		{ "日本", 4, "日本" },
	};

	check(fit_end, cases, ARRAY_LEN(cases));
	check(fit_name, cases, ARRAY_LEN(cases));
}

static void the_end_is_cut_away(void **state)
{
	static const struct fit_case cases[] = {
		{ "abcdef", 4, "abc…" }, { "abcdef", 1, "…" },
		{ "abcdef", 0, "" },	 { "日本語", 5, "日本…" },
		{ "日本語", 4, "日…" },	 { "ae\xcc\x81xyz", 3, "ae\xcc\x81…" },
	};

	check(fit_end, cases, ARRAY_LEN(cases));
}

static void the_last_part_of_a_path_stays(void **state)
{
	static const struct fit_case cases[] = {
		{ "system.slice/api.service", 24, "system.slice/api.service" },
		{ "system.slice/api.service", 20, "system.…/api.service" },
		{ "system.slice/api.service", 14, "s…/api.service" },
		{ "system.slice/api.service", 13, "…/api.service" },
		{ "system.slice/api.service", 12, "api.service" },
		{ "system.slice/api.service", 10, "api.s…vice" },
		{ "a/b/c", 4, "a…/c" },
		{ "a-long-name", 5, "a-…me" },
		{ "a-long-name", 1, "…" },
		{ "a-long-name", 0, "" },
		{ "日本語/日本語", 9, "…/日本語" },
		{ "日本語/日本語", 7, "日本語" },
		{ "日本語/日本語", 5, "日…語" },
	};

	check(fit_name, cases, ARRAY_LEN(cases));
}

static void an_accent_goes_with_its_letter(void **state)
{
	static const struct fit_case cases[] = {
		{ "abcde\xcc\x81"
		  "fg",
		  4, "ab…g" },
		{ "abcde\xcc\x81"
		  "fg",
		  5, "ab…fg" },
		{ "abcde\xcc\x81"
		  "f",
		  4, "ab…f" },
	};

	check(fit_name, cases, ARRAY_LEN(cases));
}

static void padding_fills_the_column(void **state)
{
	char buffer[64];
	struct text out = text_on(buffer, sizeof(buffer));

	fit_padded(&out, "日本", 6);
	text_add(&out, "|");
	fit_padded(&out, "long name", 4);
	text_add(&out, "|");
	assert_string_equal(buffer, "日本  |lo…e|");
}

struct line_case {
	const char *text;
	size_t width;
	const char *lines[6];
};

static void lines_break_at_blanks(void **state)
{
	static const struct line_case cases[] = {
		{ "", 10, { NULL } },
		{ "one two", 10, { "one two" } },
		{ "one two three", 8, { "one two ", "three" } },
		{ "one two three", 7, { "one two", "three" } },
		{ "one\n\ntwo\n", 10, { "one", "", "two" } },
		{ "abcdefgh", 3, { "abc", "def", "gh" } },
		{ "  label  text goes on", 14, { "  label  text ", "goes on" } },
		{ "one   \ntwo", 4, { "one ", "two" } },
		{ "   wide", 4, { "   w", "ide" } },
		{ "日本語", 4, { "日本", "語" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct span rest = span_cstr(cases[i].text);
		struct span line;
		size_t count = 0;

		case_of(cases[i].text);
		while (fit_line(&rest, cases[i].width, &line)) {
			assert_non_null(cases[i].lines[count]);
			assert_span_equal(line, cases[i].lines[count]);
			count++;
		}
		assert_null(cases[i].lines[count]);
	}
}

/* A character that is wider than the line must not be waited for. */
static void every_line_takes_something(void **state)
{
	struct span rest = span_cstr("日本 語");
	struct span line;
	size_t count = 0;

	while (fit_line(&rest, 0, &line) && count < 10)
		count++;
	assert_int_equal(count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(width_is_in_columns_of_the_terminal),
		cmocka_unit_test(what_fits_stays_as_it_is),
		cmocka_unit_test(the_end_is_cut_away),
		cmocka_unit_test(the_last_part_of_a_path_stays),
		cmocka_unit_test(an_accent_goes_with_its_letter),
		cmocka_unit_test(padding_fills_the_column),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(every_line_takes_something),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
