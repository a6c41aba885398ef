#include "../test.h"

#include <errno.h>

#include "config/arguments.h"

static struct arena arena;
static const struct reader reader = { .arena = &arena };

static int set_up(void **state)
{
	return arena_init(&arena, (size_t)64 << 20);
}

static int tear_down(void **state)
{
	arena_done(&arena);
	return 0;
}

static struct words cut(const char *text)
{
	struct words words = { 0 };

	assert_int_equal(words_cut(&reader, span_cstr(text), &words), 0);
	return words;
}

static struct config parse(const char *text)
{
	struct config config = { 0 };

	assert_int_equal(assignments_parse(&reader, "etc/default/x", span_cstr(text), &config),
			 0);
	return config;
}

static const char *value_of(const char *text, const char *key)
{
	const struct config config = parse(text);
	const struct config_row *row = config_find(&config, "", key);

	return row ? row->value : NULL;
}

static void words_are_cut_at_blanks(void **state)
{
	const struct words words = cut("  -m 5\t-s  100 ");

	assert_int_equal(words.count, 4);
	assert_string_equal(words.word[0], "-m");
	assert_string_equal(words.word[3], "100");
	assert_int_equal(cut(" ").count, 0);
	assert_int_equal(cut("").count, 0);
}

static void quotes_and_backslashes_hold_a_word_together(void **state)
{
	const struct words words =
		cut("--prefer '(^| )a b$' c\\ d \"e \\\" f\" '' x'y'z '\\n'");

	assert_int_equal(words.count, 7);
	assert_string_equal(words.word[1], "(^| )a b$");
	assert_string_equal(words.word[2], "c d");
	assert_string_equal(words.word[3], "e \" f");
	assert_string_equal(words.word[4], "");
	assert_string_equal(words.word[5], "xyz");
	assert_string_equal(words.word[6], "\\n");
}

static void a_quote_that_is_not_closed_is_no_word(void **state)
{
	struct words words = { 0 };

	assert_int_equal(words_cut(&reader, span_cstr("-m \"5"), &words), -EBADMSG);
	assert_int_equal(words.count, 0);
}

static void a_backslash_at_the_end_is_itself(void **state)
{
	assert_string_equal(cut("a\\").word[0], "a\\");
}

static void assignments_lose_their_quotes(void **state)
{
	assert_string_equal(value_of("A=\"-m 5 -s 100\"\n", "A"), "-m 5 -s 100");
	assert_string_equal(value_of("export A='x y'\n", "A"), "x y");
	assert_string_equal(value_of("A=\n", "A"), "");
}

/* earlyoom's file is read by systemd, not by a shell. */
static void a_value_without_quotes_keeps_its_blanks(void **state)
{
	assert_string_equal(value_of("A=-m 5 -s 100  \n", "A"), "-m 5 -s 100");
}

static void comments_and_other_lines_are_skipped(void **state)
{
	assert_null(value_of("# A=1\nif x; then\n  9=2\n", "A"));
	assert_string_equal(value_of("A=1 # one\n", "A"), "1");
	assert_string_equal(value_of("A=\"1 # one\"\n", "A"), "1 # one");
	assert_string_equal(value_of("A=a#b\n", "A"), "a#b");
}

static void rows_know_their_line_and_the_last_wins(void **state)
{
	const struct config config = parse("A=1\n\nA=2\n");

	assert_int_equal(config.rows, 2);
	assert_int_equal(config_find(&config, "", "A")->line, 3);
	assert_string_equal(config_find(&config, "", "A")->value, "2");
}

static void an_open_quote_is_noted_with_its_line(void **state)
{
	const struct config config = parse("A=1\nB=\"2\nC=3\n");

	assert_int_equal(config.rows, 2);
	assert_int_equal(config.notes, 1);
	assert_int_equal(config.note[0].line, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_cut_at_blanks),
		cmocka_unit_test(quotes_and_backslashes_hold_a_word_together),
		cmocka_unit_test(a_quote_that_is_not_closed_is_no_word),
		cmocka_unit_test(a_backslash_at_the_end_is_itself),
		cmocka_unit_test(assignments_lose_their_quotes),
		cmocka_unit_test(a_value_without_quotes_keeps_its_blanks),
		cmocka_unit_test(comments_and_other_lines_are_skipped),
		cmocka_unit_test(rows_know_their_line_and_the_last_wins),
		cmocka_unit_test(an_open_quote_is_noted_with_its_line),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
