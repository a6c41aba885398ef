#include "reading.h"

#include "config/sysctl.h"

static const char *set(const struct config *config, const char *key)
{
	const struct config_row *row = sysctl_find(config, key);

	return row ? row->value : "(none)";
}

static void dots_and_slashes_are_the_same_key(void **state)
{
	struct config config = { 0 };

	assert_int_equal(sysctl_parse(&reader, "x",
				      span_cstr("vm.swappiness = 1\nvm/dirty_ratio=2\n"
						"net.ipv4.conf.eth0/1.forwarding=3\n"
						"net/ipv4/conf/eth0.2/forwarding=4\n"),
				      &config),
			 0);
	assert_string_equal(set(&config, "vm/swappiness"), "1");
	assert_string_equal(set(&config, "vm/dirty_ratio"), "2");
	assert_string_equal(set(&config, "net/ipv4/conf/eth0.1/forwarding"), "3");
	assert_string_equal(set(&config, "net/ipv4/conf/eth0.2/forwarding"), "4");
}

static void the_last_one_wins_and_a_key_written_out_wins_over_a_glob(void **state)
{
	struct config config = { 0 };

	assert_int_equal(sysctl_parse(&reader, "x",
				      span_cstr("a.b=1\na.b=2\na.c=3\na.*=9\n-a.d\n-a.e=5\n"),
				      &config),
			 0);
	assert_string_equal(set(&config, "a/b"), "2");
	assert_string_equal(set(&config, "a/c"), "3");
	assert_string_equal(set(&config, "a/z"), "9");
	assert_string_equal(set(&config, "a/d"), "(none)");
	assert_string_equal(set(&config, "a/e"), "5");
	assert_string_equal(set(&config, "a/x/y"), "(none)");
}

static void files_are_read_by_name_and_the_first_folder_hides_the_others(void **state)
{
	struct config config = { 0 };

	assert_int_equal(sysctl_read(in(TREE({ "usr/lib/sysctl.d/50-a.conf", "v.a=1\n" },
					     { "etc/sysctl.d/40-z.conf", "v.a=2\n" },
					     { "run/sysctl.d/60-b.conf", "v.b=1\n" },
					     { "etc/sysctl.d/60-b.conf", "v.b=2\n" })),
				     &config),
			 0);
	assert_string_equal(set(&config, "v/a"), "1");
	assert_string_equal(set(&config, "v/b"), "2");
	assert_string_equal(sysctl_find(&config, "v/a")->file, "usr/lib/sysctl.d/50-a.conf");
}

static void sysctl_conf_counts_by_a_link_only(void **state)
{
	struct config config = { 0 };
	struct config legacy = { 0 };

	assert_int_equal(sysctl_read(in(TREE({ "etc/sysctl.conf", "v.a=1\n" })), &config), 0);
	assert_int_equal(sysctl_legacy(&reader, &legacy), 0);
	assert_string_equal(set(&config, "v/a"), "(none)");
	assert_int_equal(legacy.rows, 1);
}

static void with_the_link_sysctl_conf_is_no_legacy(void **state)
{
	struct config config = { 0 };
	struct config legacy = { 0 };

	skip_under_valgrind();

	assert_int_equal(
		sysctl_read(in(TREE({ "etc/sysctl.conf", "v.a=1\n" },
				    { "etc/sysctl.d/99-sysctl.conf", "->../sysctl.conf" })),
			    &config),
		0);
	assert_int_equal(sysctl_legacy(&reader, &legacy), 0);
	assert_string_equal(set(&config, "v/a"), "1");
	assert_int_equal(legacy.rows, 0);
}

static void a_key_that_leads_elsewhere_is_a_note(void **state)
{
	struct config config = { 0 };

	assert_int_equal(sysctl_parse(&reader, "x", span_cstr("../../etc/passwd=1\n=2\nword\n"),
				      &config),
			 0);
	assert_int_equal(config.rows, 0);
	assert_int_equal(config.notes, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(dots_and_slashes_are_the_same_key),
		TEST(the_last_one_wins_and_a_key_written_out_wins_over_a_glob),
		TEST(files_are_read_by_name_and_the_first_folder_hides_the_others),
		TEST(sysctl_conf_counts_by_a_link_only),
		TEST(with_the_link_sysctl_conf_is_no_legacy),
		TEST(a_key_that_leads_elsewhere_is_a_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
