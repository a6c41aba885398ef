#include "reading.h"

#include "config/cmdline.h"

static void words_are_parted_by_blanks_and_quotes_keep_them_together(void **state)
{
	struct config config = { 0 };

	assert_int_equal(cmdline_parse(&reader, "proc/cmdline",
				       span_cstr("ro a=1 b=\"x y\" \"c=z z\" a=2 -- d=4\n"),
				       &config),
			 0);
	assert_string_equal(value_in(&config, "", "ro"), "");
	assert_string_equal(value_in(&config, "", "a"), "2");
	assert_string_equal(value_in(&config, "", "b"), "x y");
	assert_string_equal(value_in(&config, "", "c"), "z z");
	assert_string_equal(value_in(&config, "", "d"), "(none)");
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
	assert_string_equal(value_in(&config, "", "psi"), "1");
	assert_string_equal(value_in(&config, "", "quiet"), "");
	assert_string_equal(config_find(&config, "", "psi")->file,
			    "etc/default/grub.d/90-x.cfg");
	assert_int_equal(config_find(&config, "", "quiet")->line, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_are_parted_by_blanks_and_quotes_keep_them_together),
		TEST(the_next_boot_is_told_by_the_files_of_grub),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
