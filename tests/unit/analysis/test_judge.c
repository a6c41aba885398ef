#include "test.h"

#include "analysis/judge.h"
#include "analysis/replay.h"
#include "services.h"

#include <errno.h>

static const struct truth LEAK = {
	.class = "file-refault",
	.domain = "machine",
	.sufferer = "a",
	.culprit = "b",
};

/* A suffers and b grows, in a verdict of that class and severity. */
static struct verdict *leak_verdict(enum verdict_class class, enum severity severity)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, SECONDS);
	struct verdict *verdict;

	loses(now, 1, 50);
	grows(now, 2, CG_ANON, 50);
	verdict = parties_in(EVIDENCE(before, now), class, severity);
	verdict->class = class;
	verdict->severity = severity;
	return verdict;
}

static void a_truth_is_lines_of_which_unknown_ones_are_skipped(void **state)
{
	struct truth truth;

	assert_true(truth_parse(span_cstr("note=x\nclass = file-refault \nno line\n"
					  "domain=machine\nsufferer=a/b\nculprit=c\n"
					  "onset_frame=7\n"),
				&truth));
	assert_string_equal(truth.class, "file-refault");
	assert_string_equal(truth.domain, "machine");
	assert_string_equal(truth.sufferer, "a/b");
	assert_string_equal(truth.culprit, "c");
	assert_string_equal(truth.culprit_process, "");
	assert_int_equal(truth.onset_frame, 7);
}

static void a_truth_without_a_class_is_none(void **state)
{
	struct truth truth;

	assert_false(truth_parse(span_cstr("domain=machine\nonset_frame=x\n"), &truth));
	assert_int_equal(truth.onset_frame, 0);
}

static void what_is_right_has_no_mismatch(void **state)
{
	struct mismatch wrong[MISMATCHES_MAX];
	const struct verdict *verdict = leak_verdict(CLASS_FILE_REFAULT, SEV_HARM);

	assert_int_equal(judge_verdict(verdict, &LEAK, wrong), 0);
}

static void of_a_wrong_class_nothing_else_is_asked(void **state)
{
	struct mismatch wrong[MISMATCHES_MAX];
	const struct verdict *verdict = leak_verdict(CLASS_SWAP_THRASH, SEV_HARM);
	struct truth truth = LEAK;

	span_copy(span_cstr("c"), truth.culprit, sizeof(truth.culprit));
	assert_int_equal(judge_verdict(verdict, &truth, wrong), 1);
	assert_string_equal(wrong[0].what, "class");
	assert_string_equal(wrong[0].got, "swap-thrash");
	assert_string_equal(wrong[0].want, "file-refault");
}

static void each_wrong_name_is_a_mismatch(void **state)
{
	const struct verdict *verdict = leak_verdict(CLASS_FILE_REFAULT, SEV_HARM);
	static const struct {
		const char *what;
		size_t offset;
	} cases[] = {
		{ "domain", offsetof(struct truth, domain) },
		{ "sufferer", offsetof(struct truth, sufferer) },
		{ "culprit", offsetof(struct truth, culprit) },
		{ "suffering process", offsetof(struct truth, sufferer_process) },
		{ "culprit process", offsetof(struct truth, culprit_process) },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mismatch wrong[MISMATCHES_MAX];
		struct truth truth = LEAK;

		case_of(cases[i].what);
		span_copy(span_cstr("other"), (char *)&truth + cases[i].offset, 32);
		assert_int_equal(judge_verdict(verdict, &truth, wrong), 1);
		assert_string_equal(wrong[0].what, cases[i].what);
		assert_string_equal(wrong[0].want, "other");
	}
}

/* Who would suffer of what harms nobody is not asked, and of mere information nothing is. */
static void what_is_asked_depends_on_the_severity(void **state)
{
	struct mismatch wrong[MISMATCHES_MAX];
	struct truth truth = LEAK;

	span_copy(span_cstr("other"), truth.sufferer, sizeof(truth.sufferer));
	assert_int_equal(
		judge_verdict(leak_verdict(CLASS_FILE_REFAULT, SEV_NOTE), &truth, wrong), 0);
	span_copy(span_cstr("other"), truth.culprit, sizeof(truth.culprit));
	assert_int_equal(
		judge_verdict(leak_verdict(CLASS_FILE_REFAULT, SEV_NOTE), &truth, wrong), 1);
	assert_int_equal(
		judge_verdict(leak_verdict(CLASS_FILE_REFAULT, SEV_INFO), &truth, wrong), 0);
}

static void an_alarm_is_false_before_the_onset_and_where_all_is_well(void **state)
{
	static const struct {
		enum verdict_class class;
		enum severity severity;
		const char *truth;
		bool early;
		bool is_false;
	} cases[] = {
		{ CLASS_FILE_REFAULT, SEV_HARM, "healthy", false, true },
		{ CLASS_FILE_REFAULT, SEV_HARM, "first-read", false, true },
		{ CLASS_FILE_REFAULT, SEV_HARM, "swap-thrash", false, false },
		{ CLASS_FILE_REFAULT, SEV_HARM, "swap-thrash", true, true },
		{ CLASS_FILE_REFAULT, SEV_HARM, "file-refault", true, false },
		{ CLASS_FILE_REFAULT, SEV_NOTE, "healthy", true, false },
		{ CLASS_UNKNOWN, SEV_WARN, "healthy", true, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct truth truth = { 0 };
		const struct verdict *verdict = leak_verdict(cases[i].class, cases[i].severity);

		case_of(cases[i].truth);
		span_copy(span_cstr(cases[i].truth), truth.class, sizeof(truth.class));
		assert_int_equal(judge_false_alarm(verdict, &truth, cases[i].early),
				 cases[i].is_false);
	}
}

static void a_recording_has_a_verdict_at_every_frame(void **state)
{
	struct replay replay;
	struct verdict verdict;
	double last = 0;
	int frames = 0;

	assert_int_equal(
		replay_open(RECORDINGS "/leak-captured-6.12.tar.zst", JUDGE_WINDOW_US, &replay),
		0);
	for (; replay_next(&replay, &verdict) == 0; frames++) {
		assert_true(replay_at(&replay) > last);
		last = replay_at(&replay);
	}
	assert_int_equal(frames, 16);
	assert_string_equal(class_row(verdict.class)->name, "file-refault");
	replay_done(&replay);
}

/* The leak of that recording is at its worst near the end, and calm at first. */
static void the_worst_moment_is_where_most_is_lost(void **state)
{
	uint64_t frames = 0;

	assert_int_equal(replay_worst(RECORDINGS "/leak-captured-6.12.tar.zst", JUDGE_WINDOW_US,
				      &frames),
			 0);
	assert_in_range(frames, 6, 16);
	assert_int_equal(
		replay_worst(RECORDINGS "/idle-6.12.tar.zst", JUDGE_WINDOW_US, &frames), 0);
	assert_int_equal(frames, 1);
	assert_int_equal(replay_worst(RECORDINGS "/none", JUDGE_WINDOW_US, &frames), -ENOENT);
}

static void what_is_no_recording_is_not_replayed(void **state)
{
	struct replay replay;

	assert_int_equal(replay_open(RECORDINGS "/none", JUDGE_WINDOW_US, &replay), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_truth_is_lines_of_which_unknown_ones_are_skipped),
		cmocka_unit_test(a_truth_without_a_class_is_none),
		cmocka_unit_test(what_is_right_has_no_mismatch),
		cmocka_unit_test(of_a_wrong_class_nothing_else_is_asked),
		cmocka_unit_test(each_wrong_name_is_a_mismatch),
		cmocka_unit_test(what_is_asked_depends_on_the_severity),
		cmocka_unit_test(an_alarm_is_false_before_the_onset_and_where_all_is_well),
		cmocka_unit_test(a_recording_has_a_verdict_at_every_frame),
		cmocka_unit_test(the_worst_moment_is_where_most_is_lost),
		cmocka_unit_test(what_is_no_recording_is_not_replayed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
