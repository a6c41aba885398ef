#include "test.h"

#include <sys/wait.h>

#include "analysis/made.h"
#include "frozen.h"

static bool has(const char *text, const char *part)
{
	if (memmem(text, strlen(text), part, strlen(part)))
		return true;
	print_error("without %s:\n%s\n", part, text);
	return false;
}

static void a_freeze_is_told_with_all_its_numbers(void **state)
{
	const char *text = printed_json(verdict_frozen(&FROZEN), false);

	assert_true(has(text, "{\"schema\":\"refault.verdict/1\","));
	assert_true(has(text, "\"class\":\"file-refault\",\"severity\":\"harm\""));
	assert_true(has(text, "\"domain\":{\"kind\":\"machine\",\"cgroup\":null,\"limit_"
			      "bytes\":5.36871e+08}"));
	assert_true(has(
		text,
		"\"sufferers\":[{\"cgroup\":\"system.slice/api.service\",\"lost_lower\":0.5,"
		"\"lost_upper\":0.9,"));
	assert_true(has(text, "\"culprits\":[{\"cgroup\":\"system.slice/worker.service\""));
	assert_true(has(text, "\"pid\":251,\"name\":\"worker\""));
	assert_true(has(text, "\"oom_kills\":1,"));
	assert_true(has(text,
			"{\"signal\":\"refault.file\",\"cgroup\":null,\"value\":3.14573e+07,"
			"\"unit\":\"bytes/s\",\"state\":\"known\"}"));
}

static void what_is_unknown_is_null_and_never_a_number(void **state)
{
	const char *text = printed_json(verdict_blind(), false);

	assert_true(has(text, "\"memory_bytes\":null"));
	assert_true(has(text, "\"available_bytes\":null"));
	assert_true(has(text, "\"oom_kills\":null"));
	assert_true(has(text, "\"low_s\":null,\"high_s\":null"));
	assert_true(has(text, "\"charged\":null"));
	assert_null(memmem(text, strlen(text), "nan", 3));
	assert_null(memmem(text, strlen(text), "inf,", 4));
}

static const char *json_of(const struct snapshot *now)
{
	static struct verdict verdict;

	verdict_of(EVIDENCE(now), &verdict);
	return printed_json(&verdict, false);
}

static void one_sample_without_a_clock_has_no_times(void **state)
{
	struct snapshot *now = snapshot_new();
	const char *text;

	cgroup(now, "", 1, -1);
	text = json_of(now);
	assert_true(has(text, "\"cpus\":2,"));
	assert_true(has(text, "\"at_s\":100,\"sampled_s\":null,\"gap_s\":null,"));
	now->host.has_time = false;
	now->host.at_us = 0;
	now->host.cpus = 0;
	text = json_of(now);
	assert_true(has(text, "\"cpus\":null,"));
	assert_true(has(text, "\"at_s\":null,"));
}

static void what_is_missing_is_listed(void **state)
{
	const char *text = printed_json(verdict_blind(), false);

	assert_true(has(text, "{\"class\":\"file-refault\",\"needs\":\"refault.file\"}"));
	assert_true(has(text, "{\"capability\":\"processes\",\"state\":\"denied\"}"));
}

/* Is it JSON? jq knows; without it the test says so and is skipped. */
static int jq_reads(const char *text, const char *filter)
{
	char command[256];
	FILE *pipe;

	snprintf(command, sizeof(command), "jq -e '%s' >/dev/null", filter);
	pipe = popen(command, "we");
	assert_non_null(pipe);
	fputs(text, pipe);
	return WEXITSTATUS(pclose(pipe));
}

static void it_is_json_that_jq_reads(void **state)
{
	static const struct frozen hostile = {
		.api = "system.slice/\"api\\\033\xff.service",
		.worker = "system.slice/w\n\t\xe2\x80\xae.service",
		.api_process = "a\"",
		.worker_process = "\xc0\x80",
	};

	if (jq_reads("{}", ".") == 127)
		skip();
	for (int pretty = 0; pretty < 2; pretty++) {
		assert_int_equal(jq_reads(printed_json(verdict_frozen(&FROZEN), pretty),
					  ".class == \"file-refault\""),
				 0);
		assert_int_equal(jq_reads(printed_json(verdict_frozen(&hostile), pretty),
					  ".sufferers | length == 1"),
				 0);
		assert_int_equal(jq_reads(printed_json(verdict_blind(), pretty),
					  ".host.memory_bytes == null"),
				 0);
		assert_int_equal(
			jq_reads(printed_json(verdict_calm(), pretty), ".findings == []"), 0);
	}
}

/* One verdict, one line, so that a log can be read line by line. */
static void unless_it_is_pretty_it_is_one_line(void **state)
{
	const char *text = printed_json(verdict_frozen(&FROZEN), false);

	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_true(has(printed_json(verdict_frozen(&FROZEN), true),
			"\n  \"class\": \"file-refault\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_freeze_is_told_with_all_its_numbers),
		cmocka_unit_test(what_is_unknown_is_null_and_never_a_number),
		cmocka_unit_test(one_sample_without_a_clock_has_no_times),
		cmocka_unit_test(what_is_missing_is_listed),
		cmocka_unit_test(it_is_json_that_jq_reads),
		cmocka_unit_test(unless_it_is_pretty_it_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
