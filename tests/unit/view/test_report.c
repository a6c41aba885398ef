#include "test.h"

#include "analysis/made.h"
#include "base/text.h"
#include "frozen.h"

static bool has(const char *text, const char *part)
{
	if (memmem(text, strlen(text), part, strlen(part)))
		return true;
	print_error("without \"%s\":\n%s\n", part, text);
	return false;
}

static bool has_not(const char *text, const char *part)
{
	if (!memmem(text, strlen(text), part, strlen(part)))
		return true;
	print_error("with \"%s\":\n%s\n", part, text);
	return false;
}

static void a_freeze_says_who_suffers_who_causes_it_and_what_to_do(void **state)
{
	const char *text = printed(verdict_frozen(&FROZEN), 0, false);

	assert_true(has(text,
			"\nFREEZE: Running code and hot files are thrown out and read back\n"));
	assert_true(has(text, "  where      the machine\n"));
	assert_true(has(text,
			"  suffers    system.slice/api.service  loses 50 to 90 % of its time, "
			"re-reads 30.0 MiB/s: its 30.0 MiB of files every 1.0 s, mapped files "
			"shrank from 59.8 MiB to 30.0 MiB, process api (240)\n"));
	assert_true(has(text,
			"  caused by  system.slice/worker.service  anonymous 390 MiB, growing "
			"2.0 MiB/s, cannot be swapped (no swap), process worker (251)\n"));
	assert_true(has(text,
			"  killed     the kernel's OOM killer took 1 process in these 5 s\n"));
	assert_true(has(text, "  next       kernel OOM kill in "));
	assert_true(has(text, ": systemctl restart worker.service  frees about 390 MiB\n"));
	assert_true(has(text, "memory.min of at least 75.8 MiB on system.slice/api.service"));
	assert_true(has(text, "  evidence   refault.file 30.0 MiB/s"));
}

static void who_is_calm_gets_his_headroom(void **state)
{
	const char *text = printed(verdict_calm(), 0, false);

	assert_true(has(
		text,
		"\nOK: No memory pressure. 40.0 MiB available of 512 MiB; nothing grows\n"));
	assert_true(has_not(text, "suffers"));
	assert_true(has_not(text, "where"));
}

static void growth_that_is_unknown_is_not_called_none(void **state)
{
	struct verdict verdict = *verdict_calm();
	struct domain domain = *verdict.domain;

	domain.grow_rate = (double)NAN;
	verdict.domain = &domain;
	assert_true(has(printed(&verdict, 0, false), " of 512 MiB; who grows is unknown\n"));
}

static void what_is_missing_is_listed_with_its_reason(void **state)
{
	const char *text = printed(verdict_blind(), 0, false);

	assert_true(has(text, "\nUNKNOWN: "));
	assert_true(has(text, "  cannot tell "));
	assert_true(has(text, "file-refault (refault.file)"));
	assert_true(
		has(text, "  not seen   machine-pressure (absent), cgroup-memory (absent)"));
	assert_true(has(text, "processes (denied)"));
	assert_true(has(text, "; see refault explain NAME\n"));
	assert_true(has(text, "  sure?      low: "));
}

/* The headline is that nothing can be told; the remark is not lost. */
static void a_remark_below_an_unknown_headline_is_told_too(void **state)
{
	struct verdict verdict = *verdict_frozen(&FROZEN);

	verdict.class = CLASS_UNKNOWN;
	verdict.severity = SEV_WARN;
	verdict.finding[0].class = CLASS_LOCKED;
	verdict.findings = 1;
	assert_true(has(printed(&verdict, 0, false), "  also       locked in the machine: "));
	verdict.class = CLASS_LOCKED;
	assert_true(has_not(printed(&verdict, 0, false), "  also "));
}

static void nobody_is_accused_without_harm(void **state)
{
	struct verdict verdict = *verdict_frozen(&FROZEN);
	const char *text;

	verdict.severity = SEV_NOTE;
	verdict.class = CLASS_ANON_GROWTH;
	text = printed(&verdict, 0, false);
	assert_true(has(text, "  grows      system.slice/worker.service"));
	assert_true(has_not(text, "caused by"));
	assert_true(has_not(text, "systemctl restart"));
}

/* Outside of services there is only the process to end. */
static void without_a_unit_the_process_is_named(void **state)
{
	struct frozen names = FROZEN;
	const char *text;

	names.worker = "user.slice/session";
	text = printed(verdict_frozen(&names), 0, false);
	assert_true(has(text, ": kill 251  frees about 390 MiB\n"));
	assert_true(has_not(text, "systemctl"));
}

/* Restarting the service would end both. */
static void where_both_are_in_one_cgroup_the_process_is_to_end(void **state)
{
	struct verdict verdict = *verdict_frozen(&FROZEN);
	const char *text;

	verdict.sufferer[0].member = verdict.culprit[0].member;
	text = printed(&verdict, 0, false);
	assert_true(has(text, ": kill 251  frees about 390 MiB\n"));
	assert_true(has_not(text, "systemctl"));
	assert_true(has_not(text, "memory.min of at least"));
	verdict.sufferer[0].task = verdict.culprit[0].task;
	assert_true(has(printed(&verdict, 0, false), "systemctl restart worker.service"));
}

/* A service that is too large for its limit is not helped by a restart. */
static void where_ending_it_does_not_help_nothing_is_to_end(void **state)
{
	struct verdict verdict = *verdict_frozen(&FROZEN);

	verdict.class = CLASS_MAX_LOOP;
	assert_true(has_not(printed(&verdict, 0, false), "systemctl"));
	assert_true(has_not(printed(&verdict, 0, false), "kill 251"));
}

static bool is_blank(char c)
{
	return c == ' ';
}

static size_t words_in(const char *line, size_t length)
{
	size_t words = 0;

	for (size_t i = 0; i < length; i++)
		words += !is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]));
	return words;
}

static size_t width_of(const char *line, size_t length)
{
	char copy[4096];

	assert_true(length < sizeof(copy));
	memcpy(copy, line, length);
	copy[length] = '\0';
	return text_width(copy);
}

/* A line that had to hold a word that is too long has nothing else but its label. */
static void expect_width(const char *text, size_t width)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (width_of(text, length) > width && words_in(text, length) > 2) {
			print_error("longer than %zu columns: %.*s\n", width, (int)length,
				    text);
			fail();
		}
		text += length + (text[length] == '\n');
	}
}

static void no_line_is_longer_than_the_paper_unless_its_word_is(void **state)
{
	static const size_t widths[] = { 40, 80, 200 };

	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		expect_width(printed(verdict_frozen(&FROZEN), widths[i], false), widths[i]);
		expect_width(printed(verdict_calm(), widths[i], false), widths[i]);
		expect_width(printed(verdict_blind(), widths[i], false), widths[i]);
	}
}

/* Without the breaks the text is the same. */
static void unwrap(const char *text, char *out)
{
	size_t used = 0;

	for (; *text; text++) {
		bool blank = is_blank(*text) || *text == '\n';

		if (!blank || (used > 0 && out[used - 1] != ' '))
			out[used++] = blank ? ' ' : *text;
	}
	out[used] = '\0';
}

static void nothing_is_lost_when_lines_are_broken(void **state)
{
	static const size_t widths[] = { 1, 40, 80, 200 };
	static char whole[16384];
	static char broken[16384];

	unwrap(printed(verdict_frozen(&FROZEN), 0, false), whole);
	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		unwrap(printed(verdict_frozen(&FROZEN), widths[i], false), broken);
		assert_string_equal(broken, whole);
	}
}

/* Rows hang below their text, the heading below its word. */
static void what_follows_hangs_below_the_text(void **state)
{
	const char *text = printed(verdict_frozen(&FROZEN), 40, false);
	size_t hanging = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");
		size_t indent = strspn(text, " ");

		assert_true(length == 0 || indent == 0 || indent == 2 || indent == 13);
		hanging += indent == 13;
		text += length + (text[length] == '\n');
	}
	assert_true(hanging > 10);
}

static void colour_is_used_only_where_it_is_wanted(void **state)
{
	assert_true(has_not(printed(verdict_frozen(&FROZEN), 80, false), "\033"));
	assert_true(
		has(printed(verdict_frozen(&FROZEN), 80, true), "\033[1;31mFREEZE\033[0m: "));
	assert_true(has(printed(verdict_calm(), 80, true), "\033[32mOK\033[0m: "));
}

static void colour_takes_no_columns(void **state)
{
	static char plain[16384];
	const char *colored;
	size_t used = 0;

	snprintf(plain, sizeof(plain), "%s", printed(verdict_frozen(&FROZEN), 60, false));
	colored = printed(verdict_frozen(&FROZEN), 60, true);
	for (; *colored; colored++) {
		if (*colored == '\033') {
			colored = strchr(colored, 'm');
			continue;
		}
		assert_int_equal(*colored, plain[used++]);
	}
	assert_int_equal(plain[used], '\0');
}

static void hostile_names_are_escaped(void **state)
{
	static const struct frozen hostile = {
		.api = "system.slice/api\033]0;gone\007.service",
		.worker = "system.slice/w\nFREEZE: not real\n.service",
		.api_process = "a\033[2J",
		.worker_process = "w\r\xc2\x9b",
	};
	const char *text = printed(verdict_frozen(&hostile), 0, false);

	for (const char *at = text; *at; at++)
		assert_true((unsigned char)*at >= 0x20 || *at == '\n');
	assert_true(has(text, "api\\x1b]0;gone\\x07.service"));
	assert_true(has(text, "systemctl restart w\\x0aFREEZE: not real\\x0a.service"));
	assert_true(has(text, "process a\\x1b[2J (240)"));
	assert_true(has(text, "process w\\x0d\\xc2\\x9b (251)"));
	assert_true(has_not(text, "\nFREEZE: not real"));
}

static void a_path_of_any_length_is_cut_and_not_overrun(void **state)
{
	static char path[4096];
	struct frozen names = FROZEN;

	memset(path, 'x', sizeof(path) - 1);
	names.api = path;
	assert_true(strlen(printed(verdict_frozen(&names), 80, false)) > 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_freeze_says_who_suffers_who_causes_it_and_what_to_do),
		cmocka_unit_test(who_is_calm_gets_his_headroom),
		cmocka_unit_test(growth_that_is_unknown_is_not_called_none),
		cmocka_unit_test(what_is_missing_is_listed_with_its_reason),
		cmocka_unit_test(a_remark_below_an_unknown_headline_is_told_too),
		cmocka_unit_test(nobody_is_accused_without_harm),
		cmocka_unit_test(without_a_unit_the_process_is_named),
		cmocka_unit_test(where_both_are_in_one_cgroup_the_process_is_to_end),
		cmocka_unit_test(where_ending_it_does_not_help_nothing_is_to_end),
		cmocka_unit_test(no_line_is_longer_than_the_paper_unless_its_word_is),
		cmocka_unit_test(nothing_is_lost_when_lines_are_broken),
		cmocka_unit_test(what_follows_hangs_below_the_text),
		cmocka_unit_test(colour_is_used_only_where_it_is_wanted),
		cmocka_unit_test(colour_takes_no_columns),
		cmocka_unit_test(hostile_names_are_escaped),
		cmocka_unit_test(a_path_of_any_length_is_cut_and_not_overrun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
