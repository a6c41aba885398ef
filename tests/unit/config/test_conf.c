#include "reading.h"

static void a_setting_has_its_section_and_its_line(void **state)
{
	struct config config = { 0 };

	assert_int_equal(conf_parse(&reader, "x",
				    span_cstr("[A]\n# no\n; no\nk = v w \n\n[B]\nk=2\n"),
				    &config),
			 0);
	assert_int_equal(config.rows, 2);
	assert_string_equal(value_in(&config, "A", "k"), "v w");
	assert_int_equal(config.row[1].line, 7);
	assert_int_equal(config.notes, 0);
}

static void a_backslash_goes_on_in_the_next_line(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		conf_parse(&reader, "x",
			   span_cstr("[A]\nk=one \\\n# a comment\n  two\nl=3\nm=last \\"),
			   &config),
		0);
	assert_string_equal(value_in(&config, "A", "k"), "one  two");
	assert_int_equal(config.row[0].line, 2);
	assert_string_equal(value_in(&config, "A", "l"), "3");
	assert_string_equal(value_in(&config, "A", "m"), "last");
}

static void what_is_no_setting_is_a_note_with_its_line(void **state)
{
	struct config config = { 0 };

	assert_int_equal(conf_parse(&reader, "x", span_cstr("[A\nword\n[B]\nk=1\n"), &config),
			 0);
	assert_int_equal(config.notes, 2);
	assert_int_equal(config.note[0].line, 1);
	assert_int_equal(config.note[1].line, 2);
	assert_string_equal(value_in(&config, "B", "k"), "1");
}

static void a_line_with_a_nul_and_a_very_long_one_are_left_out(void **state)
{
	static char text[40000];
	struct config config = { 0 };

	memset(text, 'x', sizeof(text));
	memcpy(text, "[A]\na=1\0\nb=", 12);
	memcpy(text + sizeof(text) - 5, "\nc=3\n", 5);
	assert_int_equal(conf_parse(&reader, "x", span_of(text, sizeof(text)), &config), 0);
	assert_int_equal(config.notes, 2);
	assert_int_equal(config.rows, 1);
	assert_string_equal(value_in(&config, "A", "c"), "3");
}

static void a_drop_in_overrides_and_one_in_etc_hides_its_namesake(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		conf_read(in(TREE({ "etc/systemd/oomd.conf", "[OOM]\na=1\nb=1\n" },
				  { "usr/lib/systemd/oomd.conf", "[OOM]\nz=1\n" },
				  { "usr/lib/systemd/oomd.conf.d/10.conf", "[OOM]\nb=2\n" },
				  { "usr/lib/systemd/oomd.conf.d/20.conf", "[OOM]\nb=3\n" },
				  { "etc/systemd/oomd.conf.d/20.conf", "[OOM]\nb=4\n" },
				  { "usr/lib/systemd/oomd.conf.d/30.conf", "[OOM]\nb=5\n" },
				  { "etc/systemd/oomd.conf.d/30.conf", "->/dev/null" },
				  { "etc/systemd/oomd.conf.d/40.txt", "[OOM]\nb=6\n" })),
			  "systemd/oomd.conf", &config),
		0);
	assert_string_equal(value_in(&config, "OOM", "a"), "1");
	assert_string_equal(value_in(&config, "OOM", "b"), "4");
	assert_string_equal(value_in(&config, "OOM", "z"), "(none)");
	assert_string_equal(config_find(&config, "OOM", "b")->file,
			    "etc/systemd/oomd.conf.d/20.conf");
}

static void what_may_not_be_read_is_a_note(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		conf_read(in(TREE({ "etc/a.conf.errno", "EACCES\n" })), "a.conf", &config), 0);
	assert_int_equal(config.notes, 1);
	assert_int_equal(config.note[0].error, EACCES);
	assert_string_equal(config.note[0].what, "may not be read");
}

static void a_link_that_leaves_the_tree_is_not_followed(void **state)
{
	struct config config = { 0 };

	assert_int_equal(conf_read(in(TREE({ "etc/a.conf", "->../../../../etc/passwd" })),
				   "a.conf", &config),
			 0);
	assert_int_equal(config.rows, 0);
}

static void more_rows_than_there_is_room_for_are_cut(void **state)
{
	static char text[CONFIG_ROWS * 5];
	struct config config = { 0 };

	for (size_t i = 0; i < sizeof(text); i += 4)
		memcpy(text + i, "k=1\n", 4);
	assert_int_equal(conf_parse(&reader, "x", span_of(text, sizeof(text)), &config), 0);
	assert_int_equal(config.rows, CONFIG_ROWS);
	assert_true(config.cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_setting_has_its_section_and_its_line),
		TEST(a_backslash_goes_on_in_the_next_line),
		TEST(what_is_no_setting_is_a_note_with_its_line),
		TEST(a_line_with_a_nul_and_a_very_long_one_are_left_out),
		TEST(a_drop_in_overrides_and_one_in_etc_hides_its_namesake),
		TEST(what_may_not_be_read_is_a_note),
		TEST(a_link_that_leaves_the_tree_is_not_followed),
		TEST(more_rows_than_there_is_room_for_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
