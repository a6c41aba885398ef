#include "test.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/ini.h"
#include "policy/config_file.h"

static struct guard_config config;
static struct config_report report;

static void refuse(struct span text)
{
	int r = config_parse("x.conf", text, &config, &report);

	for (size_t i = 0; i < report.errors; i++)
		print_message("%s\n", report.error[i].text);
	assert_int_equal(r, -EBADMSG);
	assert_true(report.errors > 0);
}

static bool says(const char *sentence, const char *words)
{
	return memmem(sentence, strlen(sentence), words, strlen(words));
}

struct mistake {
	const char *text;
	const char *place;    /* how the sentence begins */
	const char *expected; /* and what is in it */
};

static void expect(const struct mistake *mistakes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		case_of(mistakes[i].text);
		refuse(span_cstr(mistakes[i].text));
		assert_int_equal(report.errors, 1);
		assert_true(span_starts(span_cstr(report.error[0].text), mistakes[i].place));
		assert_true(says(report.error[0].text, mistakes[i].expected));
	}
}

static void a_line_that_is_no_key_is_said_with_its_number(void **state)
{
	static const struct mistake mistakes[] = {
		{ "mode = act\n", "/x.conf:1: mode: ", "[SECTION]" },
		{ "[guard]\nact\n", "/x.conf:2: 'act'", "KEY = VALUE" },
		{ "[guard\n", "/x.conf:1: ", "[SECTION NAME]" },
		{ "[guard]\nmode = act # now\n", "/x.conf:2: ", "a line of its own" },
		{ "[guard]\nmode = \"act\"\n", "/x.conf:2: mode", "without quotes" },
		{ "[guard]\nmode = act\nmode = act\n", "/x.conf:3: mode", "line 2" },
		{ "[guard]\n[protect]\n[guard]\n", "/x.conf:3: [guard]", "line 1" },
		{ "[guard]\nmode = act\r\n", "/x.conf:2: ", "control character" },
		{ "[guard]\nmode = act\x7f\n", "/x.conf:2: ", "control character" },
		{ "[guard]\n# \xff\xfe\n", "/x.conf:2: ", "UTF-8" },
		{ "[guard]\n# \xc3\n", "/x.conf:2: ", "UTF-8" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void what_is_not_known_is_said_with_what_is(void **state)
{
	static const struct mistake mistakes[] = {
		{ "[gaurd]\nmode = act\n", "/x.conf:1: gaurd: ", "[guard], [protect]" },
		{ "[gaurd]\n", "/x.conf:1: gaurd: ", "[policy NAME]" },
		{ "[Guard]\n", "/x.conf:1: Guard: ", "[guard]" },
		{ "[policy]\nunit = a\n", "/x.conf:1: policy: ", "[policy NAME]" },
		{ "[policies a]\nunit = a\n", "/x.conf:1: policies a: ", "[policy NAME]" },
		{ "[guard]\nmod = act\n", "/x.conf:2: mod: ", "mode, on-other-guard" },
		{ "[ladder]\nmode = act\n", "/x.conf:2: mode: ", "hook, relax" },
		{ "[policy a]\nunit = a\nkinds = never\nname = b\n",
		  "/x.conf:4: name = b: ", "unit, cgroup, comm" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void a_bad_value_is_said_with_its_key_and_range(void **state)
{
	static const struct mistake mistakes[] = {
		{ "[guard]\nmode = kill\n", "/x.conf:2: mode = kill: ", "observe act" },
		{ "[guard]\nmode = observ\n", "/x.conf:2: mode = observ: ", "observe act" },
		{ "[guard]\nmode = observe act\n", "/x.conf:2: ", "observe act" },
		{ "[guard]\nmode =\n", "/x.conf:2: mode = : ", "observe act" },
		{ "[ladder]\nkill = maybe\n", "/x.conf:2: kill = maybe: ", "yes or no" },
		{ "[protect]\nshare = 0%\n", "/x.conf:2: share = 0%: ", "1% to 90%" },
		{ "[protect]\nshare = 91%\n", "/x.conf:2: share = 91%: ", "1% to 90%" },
		{ "[protect]\nshare = %\n", "/x.conf:2: share = %: ", "1% to 90%" },
		{ "[protect]\nshare = 50%%\n", "/x.conf:2: share = 50%%: ", "1% to 90%" },
		{ "[protect]\nshare = -1\n", "/x.conf:2: share = -1: ", "1% to 90%" },
		{ "[guard]\ninterval = 49ms\n", "/x.conf:2: ", "50ms to 1s" },
		{ "[guard]\ninterval = 1001ms\n", "/x.conf:2: ", "50ms to 1s" },
		{ "[guard]\ninterval = 1 parsec\n", "/x.conf:2: ", "50ms to 1s" },
		{ "[guard]\ninterval = fast\n", "/x.conf:2: ", "50ms to 1s" },
		{ "[guard]\ninterval = 99999999999999999999h\n", "/x.conf:2: ", "50ms to 1s" },
		{ "[guard]\ntapes = 1001\n", "/x.conf:2: tapes = 1001: ", "0 to 1000" },
		{ "[guard]\ntapes = 1.5\n", "/x.conf:2: tapes = 1.5: ", "0 to 1000" },
		{ "[guard]\ntapes = 18446744073709551616\n", "/x.conf:2: ", "0 to 1000" },
		{ "[guard]\ntapes-size = 1\n", "/x.conf:2: tapes-size = 1: ", "1M to 64G" },
		{ "[guard]\ntapes-size = M\n", "/x.conf:2: tapes-size = M: ", "1M to 64G" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

#define ROW "[policy a]\nunit = a\nkinds = protect\n"
#define TEXT_64 "0123456789012345678901234567890123456789012345678901234567890123"

static void a_bad_value_of_a_policy_is_said(void **state)
{
	static const struct mistake mistakes[] = {
		{ ROW "cgroup =\n", "/x.conf:4: cgroup = : ", "1 to 127 bytes" },
		{ ROW "cgroup = ///\n", "/x.conf:4: ", "1 to 127 bytes" },
		{ ROW "cgroup = " TEXT_64 TEXT_64 "\n", "/x.conf:4: ", "1 to 127 bytes" },
		{ ROW "comm = 0123456789012345\n", "/x.conf:4: ", "15 bytes" },
		{ ROW "comm = *" TEXT_64 "\n", "/x.conf:4: ", "1 to 31 bytes" },
		{ ROW "exe = python\n", "/x.conf:4: exe = python: ", "begins with '/'" },
		{ ROW "exe =\n", "/x.conf:4: exe = : ", "begins with '/'" },
		{ ROW "uid = -1\n", "/x.conf:4: uid = -1: ", "a user" },
		{ ROW "uid = 4294967295\n", "/x.conf:4: ", "a user" },
		{ ROW "uid = 4294967296\n", "/x.conf:4: ", "a user" },
		{ ROW "uid = no-such-user\n", "/x.conf:4: ", "a user" },
		{ ROW "uid = " TEXT_64 "\n", "/x.conf:4: ", "a user" },
		{ ROW "uid =\n", "/x.conf:4: uid = : ", "a user" },
		{ ROW "priority = 1001\n", "/x.conf:4: ", "-1000 to 1000" },
		{ ROW "priority = -1001\n", "/x.conf:4: ", "-1000 to 1000" },
		{ ROW "priority = high\n", "/x.conf:4: ", "-1000 to 1000" },
		{ ROW "min = 0\n", "/x.conf:4: min = 0: ", "64M" },
		{ ROW "min = much\n", "/x.conf:4: min = much: ", "64M" },
		{ ROW "max = -1\n", "/x.conf:4: max = -1: ", "64M" },
		{ ROW "hook =\n", "/x.conf:4: hook = : ", "whole path" },
		{ ROW "hook = true\n", "/x.conf:4: hook = true: ", "whole path" },
		{ ROW "hook = /bin/x \"a\n", "/x.conf:4: ", "quotes closed" },
		{ ROW "hook = /bin/x \"\" a\n", "/x.conf:4: ", "none of them empty" },
		{ "[policy a]\nunit = a/b\nkinds = never\ncgroup = a\n",
		  "/x.conf:2: unit = a/b: ", "without '/'" },
		{ "[policy a]\nunit = a\nkinds = bogus\nhook = /x\n",
		  "/x.conf:3: ", "words of" },
		{ "[policy a]\nunit = a\nkinds = never bogus\nhook = /x\n",
		  "/x.conf:3: ", "protect prefer expendable never unit-as-one hook" },
		{ "[policy a]\nunit = a\nkinds = bogus never\nhook = /x\n",
		  "/x.conf:3: ", "words of" },
		{ "[policy a]\nunit = a\nkinds =\nhook = /x\n", "/x.conf:3: ", "words of" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void a_hook_that_is_too_long_is_refused(void **state)
{
	char text[1024] = ROW "hook = /bin/";
	size_t length = strlen(text);
	size_t room = POLICY_ARGV - 2 - strlen("/bin/");

	memset(text + length, 'x', room);
	assert_int_equal(config_parse("x.conf", span_of(text, length + room), &config, &report),
			 0);
	text[length + room] = 'x';
	refuse(span_of(text, length + room + 1));
	assert_true(says(report.error[0].text, "at most 510 bytes"));
}

static void a_policy_that_makes_no_sense_is_said(void **state)
{
	static const struct mistake mistakes[] = {
		{ "[policy a]\nkinds = never\n", "/x.conf:1: a: ", "at least one of unit" },
		{ "[policy a]\nunit = a\n", "/x.conf:1: a: ", "kinds or hook" },
		{ "[policy a]\nunit = a\nkinds = hook\n", "/x.conf:1: a: ", "hook = PROGRAM" },
		{ ROW "min = 2M\nmax = 1M\n", "/x.conf:1: a: ", "not above max" },
		{ "[policy a]\nunit = a\nkinds = never prefer\n", "/x.conf:1: a: ", "agree" },
		{ "[policy a]\nunit = a\nkinds = protect expendable\n",
		  "/x.conf:1: a: ", "agree" },
		{ "[policy built-in]\nunit = a\nkinds = never\n",
		  "/x.conf:1: built-in: ", "not built-in" },
		{ "[policy 0123456789012345678901234567890x]\nunit = a\nkinds = never\n",
		  "/x.conf:1: ", "1 to 31 bytes" },
	};

	expect(mistakes, ARRAY_LEN(mistakes));
}

static void a_policy_without_anything_is_said(void **state)
{
	refuse(span_cstr("[guard]\n[policy a]\n"));
	assert_int_equal(report.errors, 2);
	assert_true(span_starts(span_cstr(report.error[0].text), "/x.conf:2: a: "));
}

static void more_policies_than_there_is_room_for_are_refused(void **state)
{
	static char buffer[16384];
	struct text text = text_on(buffer, sizeof(buffer));
	static struct guard_config defaults;

	config_defaults(&defaults);
	for (size_t i = defaults.rows; i < POLICY_ROWS_MAX; i++)
		text_add(&text, "[policy %zu]\nunit = a\nkinds = never\n", i);
	assert_int_equal(config_parse("x.conf", span_cstr(buffer), &config, &report), 0);
	assert_int_equal(config.rows, POLICY_ROWS_MAX);
	text_add(&text, "[policy last]\nunit = a\nkinds = never\n");
	refuse(span_cstr(buffer));
	assert_int_equal(report.errors, 1);
	assert_true(says(report.error[0].text, "last: expected not more than 64"));
}

static void all_mistakes_of_a_file_are_said_in_their_order(void **state)
{
	static const char *const wanted[] = {
		"/x.conf:2: tapes = x: ", "/x.conf:3: modus: ", "/x.conf:4: nonsense: ",
		"/x.conf:8: uid = -5: ",  "/x.conf:6: a: ",
	};

	refuse(span_cstr("[guard]\ntapes = x\nmodus = act\n[nonsense]\nkey = 1\n[policy a]\n"
			 "kinds = never\nuid = -5\n"));
	assert_int_equal(report.errors, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_true(span_starts(span_cstr(report.error[i].text), wanted[i]));
}

/* A line that is wrong is said once, not again for the lines that belong to it. */
static void all_lines_that_are_wrong_are_said_once(void **state)
{
	static const char *const wanted[] = { "/x.conf:2: ", "/x.conf:4: ", "/x.conf:8: ",
					      "/x.conf:9: " };

	refuse(span_cstr("[guard]\nmode\n  goes on\n[protect\nshare = 1\nshare = 2\n[machine]\n"
			 "= 5\n[guard]\nmode = act\n"));
	assert_int_equal(report.errors, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_true(span_starts(span_cstr(report.error[i].text), wanted[i]));
}

static void mistakes_of_all_files_are_said(void **state)
{
	const char *folder =
		TREE({ "etc/refault/guard.conf", "[guard]\nmode = x\n" },
		     { "etc/refault/guard.conf.d/a.conf", "[\n" },
		     { "etc/refault/guard.conf.d/b.conf", "[guard]\ntapes = x\n" });

	assert_int_equal(config_read(folder, &config, &report), -EBADMSG);
	assert_int_equal(report.errors, 3);
	assert_true(says(report.error[0].text, "/etc/refault/guard.conf:2: "));
	assert_true(says(report.error[1].text, "/etc/refault/guard.conf.d/a.conf:1: "));
	assert_true(says(report.error[2].text, "/etc/refault/guard.conf.d/b.conf:2: "));
}

static void the_first_twenty_mistakes_are_kept(void **state)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "[guard]\n");
	for (int i = 0; i < 30; i++)
		text_add(&text, "key%d = 1\n", i);
	refuse(span_cstr(buffer));
	assert_int_equal(report.errors, CONFIG_ERRORS);
	assert_true(says(report.error[0].text, "key0"));
	assert_true(says(report.error[CONFIG_ERRORS - 1].text, "key19"));
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	static const char zero[] = "[guard]\nmode = a\0ct\n";
	static char line[1 << 20];

	refuse(span_of(zero, sizeof(zero) - 1));
	assert_true(says(report.error[0].text, "/x.conf:2: expected text"));
	memset(line, 'a', sizeof(line));
	refuse(span_of(line, sizeof(line)));
	assert_int_equal(report.errors, 1);
	assert_true(says(report.error[0].text, "at most 256 KiB"));
	refuse(span_of(line, INI_LINE + 1));
	assert_true(says(report.error[0].text, "/x.conf:1: expected at most 2000 bytes"));
}

static void a_long_value_leaves_room_for_what_is_expected(void **state)
{
	char text[2000] = "[guard]\nmode = ";
	size_t length = strlen(text);

	memset(text + length, '\\', 1500);
	refuse(span_of(text, length + 1500));
	assert_true(says(report.error[0].text, "expected one of: observe act"));
}

static void a_value_that_no_sentence_could_hold_is_refused(void **state)
{
	char text[4000] = "[guard]\nmode = ";
	size_t length = strlen(text);

	memset(text + length, 'a', 1900);
	refuse(span_of(text, length + 1900));
	assert_int_equal(report.errors, 1);
	assert_true(says(report.error[0].text, "/x.conf:2: mode: expected at most 1800 bytes"));
}

static void what_cannot_be_read_is_said(void **state)
{
	const char *folder = TREE({ "etc/refault/guard.conf", NULL },
				  { "etc/refault/guard.conf.d/a.conf", NULL });

	assert_int_equal(config_read(folder, &config, &report), -EBADMSG);
	assert_int_equal(report.errors, 2);
	assert_true(says(report.error[0].text, "/etc/refault/guard.conf: Is a directory"));
	assert_true(says(report.error[1].text, "/etc/refault/guard.conf.d/a.conf: "));
	assert_int_equal(config_read(path_in(folder, "none"), &config, &report), -EBADMSG);
	assert_true(says(report.error[0].text, "No such file"));
}

/* Missing drop-ins are none, those that nobody may see are not. */
static void a_folder_that_cannot_be_read_is_said(void **state)
{
	const char *folder = TREE({ "etc/refault/guard.conf", "" });

	assert_int_equal(symlink("guard.conf.d", path_in(folder, "etc/refault/guard.conf.d")),
			 0);
	assert_int_equal(config_read(folder, &config, &report), -EBADMSG);
	assert_int_equal(report.errors, 1);
	assert_true(says(report.error[0].text, "/etc/refault/guard.conf.d: "));
	assert_true(says(report.error[0].text, "a folder that can be read"));
}

static void too_many_drop_ins_are_said(void **state)
{
	const char *folder = folder_new();

	for (int i = 0; i < 129; i++) {
		char name[64];

		snprintf(name, sizeof(name), "etc/refault/guard.conf.d/%d.conf", i);
		tree_add(folder, (const struct file[]){ { name, "[guard]\n" }, { 0 } });
	}
	assert_int_equal(config_read(folder, &config, &report), -EBADMSG);
	assert_int_equal(report.errors, 1);
	assert_true(says(report.error[0].text, "not more than 128"));
}

static void a_foreign_name_is_made_harmless(void **state)
{
	const char *folder =
		TREE({ "etc/refault/guard.conf.d/a\x1b[1m\n.conf", "[guard]\nmode = x\n" });

	assert_int_equal(config_read(folder, &config, &report), -EBADMSG);
	assert_null(strpbrk(report.error[0].text, "\x1b\n"));
	assert_true(says(report.error[0].text, "a\\x1b[1m\\x0a.conf:2: "));
}

static void what_contradicts_itself_is_warned_of(void **state)
{
	static const struct mistake mistakes[] = {
		{ "[guard]\nmode = act\n[protect]\nenabled = no\non-harm = no\n[ladder]\n"
		  "kill = no\nrelax = no\n",
		  "mode = act", "nothing is ever done" },
		{ "[protect]\nshare = 81%\n", "protect.share", "run out of memory" },
		{ "[protect]\nshare = 30%\n", "protect.cap", "above protect.share" },
		{ "[guard]\ninterval = 250ms\n[machine]\nfor = 200ms\n", "guard.interval",
		  "machine.for" },
		{ "[guard]\ninterval = 300ms\n", "guard.interval", "guard.calm-interval" },
		{ "[machine]\nfirst-answer = pause\nimminent = 0\n", "machine.first-answer",
		  "ever imminent" },
		{ "[policy a]\nunit = a\nkinds = prefer\n[ladder]\nkill = no\n", "/x.conf:1: a",
		  "nobody is given up" },
		{ "[policy a]\nunit = a\nhook = /x\n[ladder]\nhook = 0\n", "/x.conf:1: a",
		  "no hook has time" },
		{ "[policy a]\nunit = a\nkinds = never\nmin = 1M\n", "/x.conf:1: a",
		  "without kinds = protect" },
		{ "[policy a]\nexe = /bin/x\nkinds = prefer\n", "/x.conf:1: a", "never holds" },
		{ "[policy a]\nuid = 7\nkinds = protect\n", "/x.conf:1: a", "have no uid" },
		{ "[policy a]\ncomm = x\nkinds = never\n", "/x.conf:1: a", "anybody can" },
	};

	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		case_of(mistakes[i].text);
		assert_int_equal(
			config_parse("x.conf", span_cstr(mistakes[i].text), &config, &report),
			0);
		assert_int_equal(report.warnings, 1);
		assert_true(span_starts(span_cstr(report.warning[0].text), mistakes[i].place));
		assert_true(says(report.warning[0].text, mistakes[i].expected));
	}
}

static void what_is_useful_is_not_warned_of(void **state)
{
	static const char *const fine[] = {
		"[guard]\nmode = act\n[ladder]\nkill = no\n",
		"[policy a]\ncomm = x\nuid = 7\nkinds = never\n",
		"[policy a]\ncomm = x\nkinds = prefer\n",
		"[policy a]\nunit = x\nkinds = protect\nmin = 1M\nmax = 1M\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(fine); i++) {
		case_of(fine[i]);
		assert_int_equal(config_parse("x.conf", span_cstr(fine[i]), &config, &report),
				 0);
		assert_int_equal(report.warnings, 0);
	}
}

static void more_warnings_than_there_is_room_for_are_left_out(void **state)
{
	char buffer[2048];
	struct text text = text_on(buffer, sizeof(buffer));

	for (int i = 0; i < 12; i++)
		text_add(&text, "[policy %d]\ncomm = x\nkinds = never\n", i);
	assert_int_equal(config_parse("x.conf", span_cstr(buffer), &config, &report), 0);
	assert_int_equal(report.warnings, CONFIG_WARNINGS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_is_no_key_is_said_with_its_number),
		cmocka_unit_test(what_is_not_known_is_said_with_what_is),
		cmocka_unit_test(a_bad_value_is_said_with_its_key_and_range),
		cmocka_unit_test(a_bad_value_of_a_policy_is_said),
		cmocka_unit_test(a_hook_that_is_too_long_is_refused),
		cmocka_unit_test(a_policy_that_makes_no_sense_is_said),
		cmocka_unit_test(a_policy_without_anything_is_said),
		cmocka_unit_test(more_policies_than_there_is_room_for_are_refused),
		cmocka_unit_test(all_mistakes_of_a_file_are_said_in_their_order),
		cmocka_unit_test(all_lines_that_are_wrong_are_said_once),
		cmocka_unit_test(mistakes_of_all_files_are_said),
		cmocka_unit_test(the_first_twenty_mistakes_are_kept),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		cmocka_unit_test(a_long_value_leaves_room_for_what_is_expected),
		cmocka_unit_test(a_value_that_no_sentence_could_hold_is_refused),
		cmocka_unit_test(what_cannot_be_read_is_said),
		cmocka_unit_test(a_folder_that_cannot_be_read_is_said),
		cmocka_unit_test(too_many_drop_ins_are_said),
		cmocka_unit_test(a_foreign_name_is_made_harmless),
		cmocka_unit_test(what_contradicts_itself_is_warned_of),
		cmocka_unit_test(what_is_useful_is_not_warned_of),
		cmocka_unit_test(more_warnings_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
