#include "test.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/json.h"

struct sheet {
	FILE *file;
	char *text;
	size_t size;
	struct json json;
};

static struct sheet *sheet_new(bool pretty)
{
	static struct sheet sheet;

	sheet.file = open_memstream(&sheet.text, &sheet.size);
	assert_non_null(sheet.file);
	sheet.json = json_on(sheet.file, pretty);
	return &sheet;
}

static void expect(struct sheet *sheet, const char *wanted)
{
	fclose(sheet->file);
	assert_int_equal(sheet->size, strlen(wanted));
	assert_string_equal(sheet->text, wanted);
	free(sheet->text);
}

static void members_are_separated_by_commas(void **state)
{
	struct sheet *sheet = sheet_new(false);
	struct json *json = &sheet->json;

	json_open(json, NULL, '{');
	json_u64(json, "a", UINT64_MAX);
	json_bool(json, "b", true);
	json_bool(json, "c", false);
	json_null(json, "d");
	json_text(json, "e", "f");
	json_close(json, '}');
	expect(sheet,
	       "{\"a\":18446744073709551615,\"b\":true,\"c\":false,\"d\":null,\"e\":\"f\"}\n");
}

static void levels_keep_their_own_commas(void **state)
{
	struct sheet *sheet = sheet_new(false);
	struct json *json = &sheet->json;

	json_open(json, NULL, '[');
	json_open(json, NULL, '{');
	json_close(json, '}');
	json_open(json, NULL, '{');
	json_open(json, "a", '[');
	json_u64(json, NULL, 1);
	json_u64(json, NULL, 2);
	json_close(json, ']');
	json_u64(json, "b", 3);
	json_close(json, '}');
	json_close(json, ']');
	expect(sheet, "[{},{\"a\":[1,2],\"b\":3}]\n");
}

static void pretty_json_is_indented_and_empty_brackets_stay_together(void **state)
{
	struct sheet *sheet = sheet_new(true);
	struct json *json = &sheet->json;

	json_open(json, NULL, '{');
	json_open(json, "a", '[');
	json_close(json, ']');
	json_open(json, "b", '[');
	json_u64(json, NULL, 1);
	json_close(json, ']');
	json_close(json, '}');
	expect(sheet, "{\n  \"a\": [],\n  \"b\": [\n    1\n  ]\n}\n");
}

/* One object a line: no comma between the objects. */
static void values_at_the_top_follow_each_other(void **state)
{
	struct sheet *sheet = sheet_new(false);
	struct json *json = &sheet->json;

	for (uint64_t i = 1; i <= 2; i++) {
		json_open(json, NULL, '{');
		json_u64(json, "a", i);
		json_close(json, '}');
	}
	expect(sheet, "{\"a\":1}\n{\"a\":2}\n");
}

static void foreign_text_is_escaped(void **state)
{
	static const struct {
		const char *text;
		const char *written;
	} cases[] = {
		{ "", "[\"\"]\n" },
		{ "a\"b\\c/d", "[\"a\\\"b\\\\c/d\"]\n" },
		{ "\n\t\x01\x1f\x7f ", "[\"\\u000a\\u0009\\u0001\\u001f\\u007f \"]\n" },
		{ "caf\xc3\xa9 \xf0\x9f\x90\xa7", "[\"caf\xc3\xa9 \xf0\x9f\x90\xa7\"]\n" },
		{ "\xff", "[\"\xef\xbf\xbd\"]\n" },
		{ "a\xc3", "[\"a\xef\xbf\xbd\"]\n" },
		{ "\xc0\xaf", "[\"\xef\xbf\xbd\xef\xbf\xbd\"]\n" },
		{ "\xed\xa0\x80x", "[\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx\"]\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sheet *sheet = sheet_new(false);

		json_open(&sheet->json, NULL, '[');
		json_text(&sheet->json, NULL, cases[i].text);
		json_close(&sheet->json, ']');
		expect(sheet, cases[i].written);
	}
}

static void names_are_escaped_and_text_may_hold_nul(void **state)
{
	struct sheet *sheet = sheet_new(false);

	json_open(&sheet->json, NULL, '{');
	json_span(&sheet->json, "a\"b", span_of("x\0y", 3));
	json_close(&sheet->json, '}');
	expect(sheet, "{\"a\\\"b\":\"x\\u0000y\"}\n");
}

static void what_is_no_number_is_null(void **state)
{
	static const double numbers[] = { NAN, -NAN, INFINITY, -INFINITY, 0, -1.5, 1e300, 0.1 };
	struct sheet *sheet = sheet_new(false);

	json_open(&sheet->json, NULL, '[');
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		json_double(&sheet->json, NULL, numbers[i]);
	json_close(&sheet->json, ']');
	expect(sheet, "[null,null,null,null,0,-1.5,1e+300,0.1]\n");
}

static void brackets_nest_to_the_limit(void **state)
{
	struct sheet *sheet = sheet_new(false);

	for (int i = 1; i < JSON_DEPTH; i++)
		json_open(&sheet->json, NULL, '[');
	for (int i = 1; i < JSON_DEPTH; i++)
		json_close(&sheet->json, ']');
	expect(sheet, "[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]\n");
}

static void too_many_open(struct json *json)
{
	for (int i = 0; i < JSON_DEPTH; i++)
		json_open(json, NULL, '[');
}

static void too_many_closed(struct json *json)
{
	json_open(json, NULL, '[');
	json_close(json, ']');
	json_close(json, ']');
}

/* A mistake in this program, and not in what it reads: it ends. */
static void brackets_that_do_not_match_end_the_program(void **state)
{
	void (*const mistakes[])(struct json * json) = { too_many_open, too_many_closed };

	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		struct sheet *sheet = sheet_new(false);
		int status;
		pid_t child = fork();

		if (child == 0) {
			signal(SIGABRT, SIG_DFL);
			close(STDERR_FILENO);
			mistakes[i](&sheet->json);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
		expect(sheet, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_separated_by_commas),
		cmocka_unit_test(levels_keep_their_own_commas),
		cmocka_unit_test(pretty_json_is_indented_and_empty_brackets_stay_together),
		cmocka_unit_test(values_at_the_top_follow_each_other),
		cmocka_unit_test(foreign_text_is_escaped),
		cmocka_unit_test(names_are_escaped_and_text_may_hold_nul),
		cmocka_unit_test(what_is_no_number_is_null),
		cmocka_unit_test(brackets_nest_to_the_limit),
		cmocka_unit_test(brackets_that_do_not_match_end_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
