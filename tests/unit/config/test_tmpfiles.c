#include "reading.h"

#include "config/tmpfiles.h"

static struct config parse(const char *text)
{
	struct config config = { 0 };

	assert_int_equal(tmpfiles_parse(&reader, "x", span_cstr(text), &config), 0);
	return config;
}

static void a_line_has_a_type_a_path_and_an_argument(void **state)
{
	const struct config config =
		parse("# no\nw /sys/a - - - - 1000\nw+! /sys/b - - - - two words \n"
		      "d /run/x 0755 root root -\n");

	assert_int_equal(config.rows, 3);
	assert_string_equal(tmpfiles_find(&config, "sys/a")->value, "1000");
	assert_string_equal(tmpfiles_find(&config, "sys/b")->value, "two words");
	assert_string_equal(tmpfiles_find(&config, "sys/b")->section, "w+!");
	assert_null(tmpfiles_find(&config, "run/x"));
}

static void quotes_are_taken_off_and_a_percent_sign_is_written_twice(void **state)
{
	const struct config config = parse("w \"/sys/a b\" - - - - 50%%\n");

	assert_string_equal(tmpfiles_find(&config, "sys/a b")->value, "50%");
}

static void what_only_the_running_system_knows_is_a_note(void **state)
{
	const struct config config =
		parse("w /sys/%b - - - - 1\nw /sys/a - - - - %v\nw \"/sys/x - -\nw sys/a\n");

	assert_int_equal(config.rows, 0);
	assert_int_equal(config.notes, 4);
}

static void the_last_line_for_a_path_wins(void **state)
{
	const struct config config = parse("w /sys/a - - - - 1\nw /sys/a - - - - 2\n");

	assert_string_equal(tmpfiles_find(&config, "sys/a")->value, "2");
	assert_int_equal(tmpfiles_find(&config, "sys/a")->line, 2);
}

static void files_are_read_by_their_names(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		tmpfiles_read(
			in(TREE({ "etc/tmpfiles.d/90-a.conf", "w /sys/a - - - - 2\n" },
				{ "usr/lib/tmpfiles.d/10-b.conf", "w /sys/a - - - - 1\n" })),
			&config),
		0);
	assert_string_equal(tmpfiles_find(&config, "sys/a")->value, "2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_line_has_a_type_a_path_and_an_argument),
		TEST(quotes_are_taken_off_and_a_percent_sign_is_written_twice),
		TEST(what_only_the_running_system_knows_is_a_note),
		TEST(files_are_read_by_their_names),
		TEST(the_last_line_for_a_path_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
