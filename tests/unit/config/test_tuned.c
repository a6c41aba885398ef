#include "../test.h"

#include "config/tuned.h"

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
	assert_string_equal(value_of(&config, "sysctl", "vm.a"), "1");
	assert_string_equal(value_of(&config, "sysctl", "vm.b"), "2");
	assert_string_equal(value_of(&config, "sysctl", "vm.c"), "3");
	assert_string_equal(value_of(&config, "sysctl", "vm.v"), "(none)");
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_profile_wins_over_what_it_includes),
		TEST(a_profile_that_includes_itself_is_a_note),
		TEST(without_tuned_there_is_nothing),
		TEST(a_name_that_leads_elsewhere_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
