#include "../test.h"

#include "config/cmdline.h"

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

static void words_are_parted_by_blanks_and_quotes_keep_them_together(void **state)
{
	struct config config = { 0 };

	assert_int_equal(cmdline_parse(&reader, "proc/cmdline",
				       span_cstr("ro a=1 b=\"x y\" \"c=z z\" a=2 -- d=4\n"),
				       &config),
			 0);
	assert_string_equal(value_of(&config, "", "ro"), "");
	assert_string_equal(value_of(&config, "", "a"), "2");
	assert_string_equal(value_of(&config, "", "b"), "x y");
	assert_string_equal(value_of(&config, "", "c"), "z z");
	assert_string_equal(value_of(&config, "", "d"), "(none)");
}

static void the_next_boot_is_told_by_the_files_of_grub(void **state)
{
	struct config config = { 0 };

	assert_int_equal(cmdline_next_read(in(TREE({ "etc/default/grub",
						     "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n"
						     "GRUB_CMDLINE_LINUX='psi=0'\n" },
						   { "etc/default/grub.d/90-x.cfg",
						     "GRUB_CMDLINE_LINUX=\"psi=1 a\"\n" })),
					   &config),
			 0);
	assert_string_equal(value_of(&config, "", "psi"), "1");
	assert_string_equal(value_of(&config, "", "quiet"), "");
	assert_string_equal(config_find(&config, "", "psi")->file,
			    "etc/default/grub.d/90-x.cfg");
	assert_int_equal(config_find(&config, "", "quiet")->line, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(words_are_parted_by_blanks_and_quotes_keep_them_together),
		TEST(the_next_boot_is_told_by_the_files_of_grub),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
