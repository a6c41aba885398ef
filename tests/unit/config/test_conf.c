#include "../test.h"

#include <errno.h>

#include "config/config.h"

static struct arena arena;
static struct reader reader = { .arena = &arena };
static struct root root;

static int set_up(void **state)
{
	if (arena_init(&arena, (size_t)256 << 20) < 0)
		return -1;
	reader.buffer =
		(struct buffer){ arena_raw(&arena, CONFIG_BYTES + 1), CONFIG_BYTES + 1 };
	return 0;
}

static int tear_down(void **state)
{
	if (reader.root)
		root_done(&root);
	reader.root = NULL;
	arena_done(&arena);
	return 0;
}

static const struct reader *in(const char *tree)
{
	root = root_of(tree);
	reader.root = &root;
	return &reader;
}

static const char *value_of(const struct config *config, const char *section, const char *key)
{
	const struct config_row *row = config_find(config, section, key);

	return row ? row->value : "(none)";
}

static void a_setting_has_its_section_and_its_line(void **state)
{
	struct config config = { 0 };

	assert_int_equal(conf_parse(&reader, "x",
				    span_cstr("[A]\n# no\n; no\nk = v w \n\n[B]\nk=2\n"),
				    &config),
			 0);
	assert_int_equal(config.rows, 2);
	assert_string_equal(value_of(&config, "A", "k"), "v w");
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
	assert_string_equal(value_of(&config, "A", "k"), "one  two");
	assert_int_equal(config.row[0].line, 2);
	assert_string_equal(value_of(&config, "A", "l"), "3");
	assert_string_equal(value_of(&config, "A", "m"), "last");
}

static void what_is_no_setting_is_a_note_with_its_line(void **state)
{
	struct config config = { 0 };

	assert_int_equal(conf_parse(&reader, "x", span_cstr("[A\nword\n[B]\nk=1\n"), &config),
			 0);
	assert_int_equal(config.notes, 2);
	assert_int_equal(config.note[0].line, 1);
	assert_int_equal(config.note[1].line, 2);
	assert_string_equal(value_of(&config, "B", "k"), "1");
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
	assert_string_equal(value_of(&config, "A", "c"), "3");
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
	assert_string_equal(value_of(&config, "OOM", "a"), "1");
	assert_string_equal(value_of(&config, "OOM", "b"), "4");
	assert_string_equal(value_of(&config, "OOM", "z"), "(none)");
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
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
