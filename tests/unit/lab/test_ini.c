#include "test.h"

#include "lab/figures/ini.h"

static const char TEXT[] = "lost=1\n"
			   "# a remark = no\n"
			   "[run]\n"
			   "  status = done  \n"
			   "; status=lost\n"
			   "no pair\n"
			   "note=\"a = b \"\n"
			   "empty=\n"
			   "long = one\n"
			   "\ttwo\n"
			   "  three\n"
			   "  # four\n"
			   "  key = 1\n"
			   "  ; five\n"
			   "no part\n"
			   "twice=1\n"
			   "[other]\n"
			   "status=noisy\n"
			   "[]\n"
			   "[\n"
			   "[run]\n"
			   "twice=2\n";

static void expect(const char *section, const char *key, const char *wanted)
{
	struct span got;

	case_of(key);
	assert_true(ini_find(span_cstr(TEXT), section, key, &got));
	assert_span_equal(got, wanted);
}

static void a_value_is_found_by_its_section_and_key(void **state)
{
	expect("run", "status", "done");
	expect("other", "status", "noisy");
	expect("run", "empty", "");
}

static void quotes_keep_blanks(void **state)
{
	expect("run", "note", "a = b ");
}

static void a_value_goes_on_in_lines_that_begin_with_a_blank(void **state)
{
	expect("run", "long", "one\n\ttwo\n  three");
	expect("run", "key", "1");
}

static void the_last_of_two_values_holds(void **state)
{
	expect("run", "twice", "2");
}

static void what_is_not_there_is_not_found(void **state)
{
	static const char *const cases[][2] = {
		{ "run", "lost" },    { "run", "# a remark" }, { "run", "; status" },
		{ "run", "no pair" }, { "nowhere", "status" }, { "", "status" },
	};
	struct span got = span_cstr("untouched");

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i][1]);
		assert_false(ini_find(span_cstr(TEXT), cases[i][0], cases[i][1], &got));
		assert_span_equal(got, "untouched");
	}
}

static void a_copy_is_cut_to_fit_and_empty_without_a_value(void **state)
{
	char three[3] = "x";

	ini_copy(span_cstr(TEXT), "run", "status", (struct buffer){ three, sizeof(three) });
	assert_string_equal(three, "do");
	ini_copy(span_cstr(TEXT), "run", "none", (struct buffer){ three, sizeof(three) });
	assert_string_equal(three, "");
}

static void sections_come_in_their_order(void **state)
{
	static const char *const names[] = { "run", "other", "", "run" };
	struct span text = span_cstr(TEXT);
	struct span name;
	struct span lines;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_true(ini_section(&text, &name, &lines));
		assert_span_equal(name, names[i]);
	}
	assert_false(ini_section(&text, &name, &lines));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_found_by_its_section_and_key),
		cmocka_unit_test(quotes_keep_blanks),
		cmocka_unit_test(a_value_goes_on_in_lines_that_begin_with_a_blank),
		cmocka_unit_test(the_last_of_two_values_holds),
		cmocka_unit_test(what_is_not_there_is_not_found),
		cmocka_unit_test(a_copy_is_cut_to_fit_and_empty_without_a_value),
		cmocka_unit_test(sections_come_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
