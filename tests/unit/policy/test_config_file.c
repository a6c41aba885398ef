#include "test.h"

#include <errno.h>
#include <sys/stat.h>

#include "policy/config_file.h"

static struct guard_config config;
static struct config_report report;

static void reads(const char *folder)
{
	int r = config_read(folder, &config, &report);

	for (size_t i = 0; i < report.errors; i++)
		print_message("%s\n", report.error[i].text);
	assert_int_equal(r, 0);
	assert_int_equal(report.errors, 0);
}

static void parses(const char *text)
{
	int r = config_parse("x.conf", span_cstr(text), &config, &report);

	for (size_t i = 0; i < report.errors; i++)
		print_message("%s\n", report.error[i].text);
	assert_int_equal(r, 0);
}

static const char *origin_of(const char *section, const char *key)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strcmp(OPTION_ROWS[i].section, section) == 0 &&
		    strcmp(OPTION_ROWS[i].key, key) == 0)
			return report.origin[i];
	fail();
	return "";
}

static const struct policy_row *policy(const char *name)
{
	for (uint32_t i = 0; i < config.rows; i++)
		if (strcmp(config.row[i].name, name) == 0)
			return &config.row[i];
	fail();
	return NULL;
}

static void without_files_all_is_default(void **state)
{
	static struct guard_config defaults;

	config_defaults(&defaults);
	reads(folder_new());
	assert_memory_equal(&config.options, &defaults.options, sizeof(defaults.options));
	assert_int_equal(config.rows, defaults.rows);
	assert_int_equal(report.files, 0);
	assert_int_equal(report.set, 0);
	assert_string_equal(origin_of("guard", "mode"), "");
	assert_string_equal(report.policy_origin[0], "");
}

static void a_value_of_each_type_is_read(void **state)
{
	parses("# a comment\n[guard]\nmode = act\ntapes = 7\ntapes-size = 1.5G\n"
	       "warm-up = 250ms\n[protect]\nshare = 70 %\nmargin = 15\nenabled = off\n");
	assert_int_equal(config.options.mode, MODE_ACT);
	assert_int_equal(config.options.tapes, 7);
	assert_int_equal(config.options.tapes_bytes, 3ull << 29);
	assert_int_equal(config.options.warm_up_us, 250000);
	assert_int_equal(config.options.protect_share, 70);
	assert_int_equal(config.options.protect_margin, 15);
	assert_false(config.options.protect_enabled);
	assert_int_equal(report.set, 7);
	assert_int_equal(report.files, 1);
	assert_string_equal(origin_of("protect", "margin"), "/x.conf:9");
}

static void yes_and_no_have_other_words_too(void **state)
{
	static const char *const words[] = {
		"no", "yes", "off", "on", "false", "true", "0", "1"
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		char text[64];

		snprintf(text, sizeof(text), "[ladder]\nfreeze = %s\n", words[i]);
		case_of(words[i]);
		parses(text);
		assert_int_equal(config.options.freeze, i % 2);
	}
}

static void the_ends_of_a_range_are_in_it(void **state)
{
	parses("[protect]\nshare = 90%\ncap = 1%\n[guard]\ninterval = 50ms\n");
	assert_int_equal(config.options.protect_share, 90);
	assert_int_equal(config.options.protect_cap, 1);
	assert_int_equal(config.options.interval_us, 50000);
}

/* What --print-config shows can be written into a file. */
static void a_value_that_is_printed_is_read_as_the_same(void **state)
{
	for (size_t i = 0; i < 3 * OPTIONS; i++) {
		const struct option_row *row = &OPTION_ROWS[i / 3];
		const uint64_t values[] = { row->value, row->least, row->most };
		char buffer[200];
		struct text text = text_on(buffer, sizeof(buffer));

		text_add(&text, "[%s]\n%s = ", row->section, row->key);
		config_value(row, values[i % 3], &text);
		parses(buffer);
		assert_int_equal(*option_at(&config.options, row), values[i % 3]);
	}
}

static void the_first_folder_that_has_guard_conf_hides_the_others(void **state)
{
	const char *all = TREE({ "etc/refault/guard.conf", "[guard]\nmode = act\n" },
			       { "run/refault/guard.conf", "[guard]\ntapes = 3\n" },
			       { "usr/lib/refault/guard.conf", "[guard]\ntapes = 4\n" });
	const char *run = TREE({ "run/refault/guard.conf", "[guard]\ntapes = 3\n" },
			       { "usr/lib/refault/guard.conf", "[guard]\ntapes = 4\n" });
	const char *usr = TREE({ "usr/lib/refault/guard.conf", "[guard]\ntapes = 4\n" });

	reads(all);
	assert_int_equal(config.options.mode, MODE_ACT);
	assert_int_equal(config.options.tapes, 20);
	assert_int_equal(report.files, 1);
	reads(run);
	assert_int_equal(config.options.tapes, 3);
	reads(usr);
	assert_int_equal(config.options.tapes, 4);
	assert_string_equal(origin_of("guard", "tapes"), "/usr/lib/refault/guard.conf:2");
}

static void an_empty_file_hides_those_behind_it(void **state)
{
	reads(TREE({ "etc/refault/guard.conf", "# nothing\n" },
		   { "usr/lib/refault/guard.conf", "[guard]\ntapes = 4\n" }));
	assert_int_equal(config.options.tapes, 20);
}

static void drop_ins_come_in_the_order_of_their_names(void **state)
{
	reads(TREE(
		{ "etc/refault/guard.conf", "[guard]\ntapes = 1\nwarm-up = 1s\n" },
		{ "etc/refault/guard.conf.d/20.conf", "[guard]\ntapes = 2\n" },
		{ "usr/lib/refault/guard.conf.d/10.conf", "[guard]\ntapes = 4\nmode = act\n" },
		{ "run/refault/guard.conf.d/30.conf", "[guard]\nwarm-up = 9s\n" }));
	assert_int_equal(config.options.tapes, 2);
	assert_int_equal(config.options.mode, MODE_ACT);
	assert_int_equal(config.options.warm_up_us, 9 * SECOND_US);
	assert_int_equal(report.files, 4);
	assert_int_equal(report.set, 3);
	assert_string_equal(origin_of("guard", "tapes"), "/etc/refault/guard.conf.d/20.conf:2");
}

static void a_drop_in_hides_one_of_the_same_name(void **state)
{
	reads(TREE({ "etc/refault/guard.conf.d/a.conf", "[guard]\ntapes = 2\n" },
		   { "run/refault/guard.conf.d/a.conf", "[guard]\nmode = act\n" },
		   { "usr/lib/refault/guard.conf.d/a.conf", "[guard]\nwarm-up = 1s\n" }));
	assert_int_equal(config.options.tapes, 2);
	assert_int_equal(config.options.mode, MODE_OBSERVE);
	assert_int_equal(config.options.warm_up_us, 5 * SECOND_US);
	assert_int_equal(report.files, 1);
}

static void other_files_beside_the_drop_ins_are_not_read(void **state)
{
	reads(TREE({ "etc/refault/guard.conf.d/a.conf~", "nonsense" },
		   { "etc/refault/guard.conf.d/.a.conf", "nonsense" },
		   { "etc/refault/guard.conf.d/.conf", "nonsense" },
		   { "etc/refault/guard.conf.d/README", "nonsense" },
		   { "etc/refault/other.conf", "nonsense" }));
	assert_int_equal(report.files, 0);
}

/* Whoever writes to it may never come. */
static void a_fifo_is_not_waited_for(void **state)
{
	const char *folder = TREE({ "etc/refault/guard.conf.d/a.conf", "" });

	assert_int_equal(mkfifo(path_in(folder, "etc/refault/guard.conf"), 0600), 0);
	reads(folder);
}

static void every_key_of_a_policy_is_read(void **state)
{
	const struct policy_row *row;

	parses("[policy db]\nunit = post*\ncgroup = /a.slice/*\ncomm = p?\nexe = /usr/bin/*\n"
	       "uid = 12\nkinds = protect  never\tunit-as-one\npriority = -5\nmin = 64M\n"
	       "max = 1G\nhook = /bin/x\n");
	row = policy("db");
	assert_string_equal(row->unit, "post*");
	assert_string_equal(row->cgroup, "a.slice/*");
	assert_string_equal(row->comm, "p?");
	assert_string_equal(row->exe, "/usr/bin/*");
	assert_true(row->has_uid);
	assert_int_equal(row->uid, 12);
	assert_int_equal(row->kinds, 1u << POLICY_PROTECT | 1u << POLICY_NEVER |
					     1u << POLICY_UNIT_AS_ONE | 1u << POLICY_HOOK);
	assert_int_equal(row->priority, -5);
	assert_int_equal(row->min_bytes, 64 << 20);
	assert_int_equal(row->max_bytes, 1 << 30);
	assert_string_equal(row->argv, "/bin/x");
	assert_string_equal(report.policy_origin[row - config.row], "/x.conf:1");
}

static void a_user_may_be_named(void **state)
{
	parses("[policy a]\nuid = root\nkinds = prefer\n");
	assert_true(policy("a")->has_uid);
	assert_int_equal(policy("a")->uid, 0);
}

static void a_hook_is_words_and_quotes_keep_blanks(void **state)
{
	static const char wanted[] = "/bin/x\0two  words\0a;b$c\0d e\0";
	const struct policy_row *row;

	parses("[policy a]\nunit = a\nhook = /bin/x  \"two  words\"\ta;b$c d\" \"e\n");
	row = policy("a");
	assert_memory_equal(row->argv, wanted, sizeof(wanted));
	assert_int_equal(row->kinds, 1u << POLICY_HOOK);
}

static void a_policy_may_stand_in_several_files(void **state)
{
	reads(TREE({ "etc/refault/guard.conf",
		     "[policy a]\nunit = a\nkinds = protect\nhook = /bin/x\n" },
		   { "etc/refault/guard.conf.d/1.conf",
		     "[policy a]\nkinds = prefer unit-as-one\n[policy b]\nunit = b\nkinds = "
		     "never\n" }));
	assert_string_equal(policy("a")->unit, "a");
	/* Kinds are one value; a hook is one of its own. */
	assert_int_equal(policy("a")->kinds,
			 1u << POLICY_PREFER | 1u << POLICY_UNIT_AS_ONE | 1u << POLICY_HOOK);
	assert_int_equal(policy("b")->kinds, 1u << POLICY_NEVER);
}

static void policies_stand_by_priority_and_then_as_they_were_read(void **state)
{
	static const char *const wanted[] = { "high", "first", "second", BUILT_IN_NAME };

	parses("[policy low]\nunit = a\nkinds = never\npriority = -200\n"
	       "[policy first]\nunit = a\nkinds = never\n"
	       "[policy second]\nunit = a\nkinds = never\npriority = 0\n"
	       "[policy high]\nunit = a\nkinds = never\npriority = 9\n");
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_string_equal(config.row[i].name, wanted[i]);
	assert_string_equal(config.row[config.rows - 1].name, "low");
	assert_string_equal(report.policy_origin[0], "/x.conf:12");
	assert_string_equal(report.policy_origin[1], "/x.conf:5");
	assert_string_equal(report.policy_origin[3], "");
	assert_string_equal(report.policy_origin[config.rows - 1], "/x.conf:1");
}

/* The longest name that a file can have. */
static void the_line_is_known_whatever_the_name(void **state)
{
	char name[64 + 256];

	snprintf(name, sizeof(name), "usr/lib/refault/guard.conf.d/%0250d.conf", 1);
	reads(TREE({ name, "[guard]\ntapes = 1\n" }));
	assert_true(strcmp(origin_of("guard", "tapes") + strlen(name) + 1, ":2") == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_files_all_is_default),
		cmocka_unit_test(a_value_of_each_type_is_read),
		cmocka_unit_test(yes_and_no_have_other_words_too),
		cmocka_unit_test(the_ends_of_a_range_are_in_it),
		cmocka_unit_test(a_value_that_is_printed_is_read_as_the_same),
		cmocka_unit_test(the_first_folder_that_has_guard_conf_hides_the_others),
		cmocka_unit_test(an_empty_file_hides_those_behind_it),
		cmocka_unit_test(drop_ins_come_in_the_order_of_their_names),
		cmocka_unit_test(a_drop_in_hides_one_of_the_same_name),
		cmocka_unit_test(other_files_beside_the_drop_ins_are_not_read),
		cmocka_unit_test(a_fifo_is_not_waited_for),
		cmocka_unit_test(every_key_of_a_policy_is_read),
		cmocka_unit_test(a_user_may_be_named),
		cmocka_unit_test(a_hook_is_words_and_quotes_keep_blanks),
		cmocka_unit_test(a_policy_may_stand_in_several_files),
		cmocka_unit_test(policies_stand_by_priority_and_then_as_they_were_read),
		cmocka_unit_test(the_line_is_known_whatever_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
