#include "reading.h"

#include "config/tuned.h"

static void a_profile_wins_over_what_it_includes(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		tuned_read(
			in(TREE({ "etc/tuned/active_profile", "mine\n" },
				{ "etc/tuned/mine/tuned.conf",
				  "[main]\ninclude=base, more\n[sysctl]\nvm.a=1\nvm.v=${x}\n" },
				{ "usr/lib/tuned/base/tuned.conf",
				  "[sysctl]\nvm.a=2\nvm.b=2\n" },
				{ "usr/lib/tuned/profiles/more/tuned.conf",
				  "[sysctl]\nvm.c=3\n" })),
			&config),
		0);
	assert_string_equal(value_in(&config, "sysctl", "vm.a"), "1");
	assert_string_equal(value_in(&config, "sysctl", "vm.b"), "2");
	assert_string_equal(value_in(&config, "sysctl", "vm.c"), "3");
	assert_string_equal(value_in(&config, "sysctl", "vm.v"), "(none)");
	assert_int_equal(config.notes, 1);
}

static void a_profile_that_includes_itself_is_a_note(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		tuned_read(in(TREE({ "etc/tuned/active_profile", "a\n" },
				   { "etc/tuned/a/tuned.conf", "[main]\ninclude=a\n" })),
			   &config),
		0);
	assert_true(config.notes > 0);
}

static void without_tuned_there_is_nothing(void **state)
{
	struct config config = { 0 };

	assert_int_equal(tuned_read(in(TREE({ "etc/x", "" })), &config), 0);
	assert_int_equal(config.rows + config.notes, 0);
}

static void a_name_that_leads_elsewhere_is_not_followed(void **state)
{
	struct config config = { 0 };

	assert_int_equal(
		tuned_read(in(TREE({ "etc/tuned/active_profile", "../../x\n" })), &config), 0);
	assert_int_equal(config.notes, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_profile_wins_over_what_it_includes),
		TEST(a_profile_that_includes_itself_is_a_note),
		TEST(without_tuned_there_is_nothing),
		TEST(a_name_that_leads_elsewhere_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
