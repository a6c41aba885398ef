#include "run.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/outcome.h"
#include "lab/figures/summary.h"

static void a_run_that_is_done_has_figures_and_a_name(void **state)
{
	struct lab_error error;
	struct outcome outcome;

	assert_int_equal(outcome_read(RUN_OF({ 0 }), &outcome, &error), 0);
	assert_string_equal(outcome.scenario, "leak");
	assert_string_equal(outcome.arm, "plain");
	assert_string_equal(outcome.accelerator, "tcg");
	assert_string_equal(outcome.kernel, "6.12.117+deb13-cloud-amd64");
	assert_int_equal(outcome.repeat, 1);
	assert_true(outcome.figure[FIG_REREAD].value > 0);
}

static void a_run_that_did_not_end_well_has_none_and_needs_no_frames(void **state)
{
	static const char *const statuses[] = { "lost", "skipped", "stopped", "timeout",
						"error" };

	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		char ini[64];
		struct lab_error error;
		struct outcome outcome;

		snprintf(ini, sizeof(ini), "[run]\nstatus=%s\nreason=because\n", statuses[i]);
		assert_int_equal(outcome_read(TREE({ "run.ini", ini }), &outcome, &error), 0);
		assert_string_equal(outcome_status_name(outcome.status), statuses[i]);
		assert_string_equal(outcome.reason, "because");
		assert_true(isnan(outcome.figure[FIG_REREAD].value));
		assert_string_equal(outcome.figure[FIG_REREAD].why, statuses[i]);
	}
}

static void a_run_ini_without_a_status_is_refused(void **state)
{
	static const char *const inis[] = { "", "[run]\nstatus=fine\n", "[run]\narm=a\n",
					    "[run]\nstatus=done\nrepeat=x\n" };
	struct lab_error error;
	struct outcome outcome;

	for (size_t i = 0; i < ARRAY_LEN(inis); i++) {
		case_of(inis[i]);
		assert_int_equal(outcome_read(TREE({ "run.ini", inis[i] }), &outcome, &error),
				 -EBADMSG);
		assert_non_null(strstr(error.text, "expected in [run] a status"));
	}
	assert_int_equal(outcome_read(TREE({ "x", "" }), &outcome, &error), -ENOENT);
	assert_non_null(strstr(error.text, "run.ini: No such file"));
	/* done, and yet nothing is there */
	assert_true(outcome_read(TREE({ "run.ini", "[run]\nstatus=done\n" }), &outcome,
				 &error) < 0);
	assert_non_null(strstr(error.text, "scenario.ini"));
}

static void a_folder_of_runs_is_read_by_name_and_the_rest_passed_over(void **state)
{
	const char *set = TREE({ "b/run.ini", "[run]\nstatus=lost\narm=b\n" },
			       { "a/run.ini", "[run]\nstatus=skipped\narm=a\n" },
			       { ".c/run.ini", "[run]\nstatus=lost\n" }, { "plan.ini", "" },
			       { "d/notes", "" });
	struct lab_error error;
	struct outcomes outcomes;

	assert_int_equal(outcomes_read(set, &outcomes, &error), 0);
	assert_int_equal(outcomes.count, 2);
	assert_string_equal(outcomes.run[0].arm, "a");
	assert_string_equal(outcomes.run[1].arm, "b");
	outcomes_done(&outcomes);
	assert_int_equal(outcomes_read(path_in(set, "b"), &outcomes, &error), 0);
	assert_int_equal(outcomes.count, 1);
	outcomes_done(&outcomes);
}

static void a_folder_without_runs_is_refused(void **state)
{
	struct lab_error error;
	struct outcomes outcomes;

	assert_int_equal(outcomes_read(TREE({ "x", "" }), &outcomes, &error), -ENODATA);
	assert_non_null(strstr(error.text, "expected a run, or a folder of runs"));
	outcomes_done(&outcomes);
	assert_int_equal(outcomes_read("/nowhere/at/all", &outcomes, &error), -ENOENT);
	outcomes_done(&outcomes);
	assert_int_equal(outcomes_read(TREE({ "a/run.ini", "" }), &outcomes, &error), -EBADMSG);
	outcomes_done(&outcomes);
}

static void a_version_is_two_numbers(void **state)
{
	assert_span_equal(kernel_version("6.12.117+deb13-cloud-amd64"), "6.12");
	assert_span_equal(kernel_version("7.2-rc1"), "7.2");
	assert_span_equal(kernel_version(""), "");
}

/* Runs of arm "a" on kernel "k"; NAN phases have a reason. */
static struct summary summary(const struct outcome *run, size_t count)
{
	struct summary out;

	summary_of(&(struct arm_query){ { run, count }, "a", "k" }, &out);
	return out;
}

#define PHASE_IS(phase, cut) .figure[FIG_PHASE] = { .value = phase, .censored = cut }
#define RUN_IS(how, ...)                                                        \
	{                                                                       \
		.arm = "a", .kernel = "k", .status = OUTCOME_##how, __VA_ARGS__ \
	}

static void a_summary_is_the_median_of_what_counts(void **state)
{
	const struct outcome run[] = {
		RUN_IS(DONE, PHASE_IS(5, false)),
		RUN_IS(DONE, PHASE_IS(1, false)),
		RUN_IS(DONE, PHASE_IS(2, false)),
		RUN_IS(NOISY, PHASE_IS(99, false)),
		RUN_IS(LOST, PHASE_IS((double)NAN, false)),
		{ .arm = "b", .kernel = "k", PHASE_IS(99, false) },
		{ .arm = "a", .kernel = "l", PHASE_IS(99, false) },
	};
	struct summary got = summary(run, ARRAY_LEN(run));

	assert_int_equal(got.counted, 3);
	assert_false(got.noisy);
	assert_near(got.figure[FIG_PHASE].value, 2, 0);
	assert_int_equal(got.known[FIG_PHASE], 3);
}

static void noisy_runs_count_where_there_are_no_others(void **state)
{
	const struct outcome run[] = { RUN_IS(NOISY, PHASE_IS(4, false)) };
	struct summary got = summary(run, 1);

	assert_int_equal(got.counted, 1);
	assert_true(got.noisy);
	assert_near(got.figure[FIG_PHASE].value, 4, 0);
}

static void a_lost_run_says_that_it_was_lost_whatever_its_kernel(void **state)
{
	const struct outcome run[] = { { .arm = "a",
					 .status = OUTCOME_LOST,
					 .figure[FIG_PHASE] = { (double)NAN, false,
								"lost" } } };
	struct summary got = summary(run, 1);

	assert_int_equal(got.counted, 0);
	assert_false(got.noisy);
	assert_string_equal(got.figure[FIG_PHASE].why, "lost");
}

static void what_most_runs_do_not_have_the_arm_does_not_have(void **state)
{
	const struct outcome run[] = {
		RUN_IS(DONE, PHASE_IS(5, false)),
		RUN_IS(DONE, .figure[FIG_PHASE] = { (double)NAN, false, "no pressure" }),
		RUN_IS(DONE, .figure[FIG_PHASE] = { (double)NAN, false, "no pressure" }),
	};
	struct summary got = summary(run, 3);

	assert_true(isnan(got.figure[FIG_PHASE].value));
	assert_string_equal(got.figure[FIG_PHASE].why, "no pressure");
	assert_near(summary(run, 2).figure[FIG_PHASE].value, 5, 0);
}

static void a_run_that_ended_first_counts_as_longer_and_gives_no_ratio(void **state)
{
	const struct outcome run[] = {
		RUN_IS(DONE, PHASE_IS(150, true)), RUN_IS(DONE, PHASE_IS(60, false)),
		RUN_IS(DONE, PHASE_IS(150, true)), RUN_IS(DONE, PHASE_IS(50, false)),
		RUN_IS(DONE, PHASE_IS(90, false)),
	};
	const struct arm_query all = { { run, 5 }, "a", "k" };
	struct summary got = summary(run, 5);

	assert_near(got.figure[FIG_PHASE].value, 90, 0);
	assert_false(got.figure[FIG_PHASE].censored);
	assert_true(summary(run, 3).figure[FIG_PHASE].censored);
	assert_true(isnan(summary_ratio(&all, &all, FIG_PHASE).value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_is_done_has_figures_and_a_name),
		cmocka_unit_test(a_run_that_did_not_end_well_has_none_and_needs_no_frames),
		cmocka_unit_test(a_run_ini_without_a_status_is_refused),
		cmocka_unit_test(a_folder_of_runs_is_read_by_name_and_the_rest_passed_over),
		cmocka_unit_test(a_folder_without_runs_is_refused),
		cmocka_unit_test(a_version_is_two_numbers),
		cmocka_unit_test(a_summary_is_the_median_of_what_counts),
		cmocka_unit_test(noisy_runs_count_where_there_are_no_others),
		cmocka_unit_test(a_lost_run_says_that_it_was_lost_whatever_its_kernel),
		cmocka_unit_test(what_most_runs_do_not_have_the_arm_does_not_have),
		cmocka_unit_test(a_run_that_ended_first_counts_as_longer_and_gives_no_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
