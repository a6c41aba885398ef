#include "run.h"

#include <math.h>

#include "lab/figures/board.h"
#include "lab/figures/grid.h"
#include "lab/figures/scores.h"

#define ARMS 6
#define REPEATS 3

static const enum figure_id COLUMNS[] = { FIG_PHASE, FIG_TICKS, FIG_REREAD };
static struct arm arm[ARMS];
static struct outcome run[ARMS * REPEATS];
static struct shape shape[3];

/* Arm n holds for 10 n seconds, with a little spread, and does 100/n % of its ticks. */
static struct scores make(size_t arms, size_t repeats)
{
	static const char *const names[ARMS] = {
		"alone", "swap", "zram", "high", "min", "low"
	};
	static const char *const texts[] = { "alone.phase < swap.phase", "alone.ticks < 50",
					     "alone.phase < lost.phase" };
	struct lab_error error;

	memset(run, 0, sizeof(run));
	for (size_t i = 0; i < arms; i++) {
		arm[i] = (struct arm){ .name = names[i], .base = i == 0 };
		for (size_t r = 0; r < repeats; r++) {
			struct outcome *one = &run[i * repeats + r];

			snprintf(one->arm, sizeof(one->arm), "%s", names[i]);
			snprintf(one->kernel, sizeof(one->kernel), "6.12.117");
			one->figure[FIG_PHASE].value = 10.0 * (double)(i + 1) + (double)r;
			one->figure[FIG_TICKS].value = 100.0 / (double)(i + 1);
			one->figure[FIG_REREAD].value = 1e9;
		}
	}
	arm[0].anchor[FIG_PHASE] = (struct anchor){ "13", 13, 13 };
	arm[1].source = "own measurement";
	arm[1].anchor[FIG_PHASE] = (struct anchor){ "500-600", 500, 600 };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_int_equal(
			shape_parse(span_cstr("s"), span_cstr(texts[i]), &shape[i], &error), 0);
	return (struct scores){
		.title = "A leak",
		.source = "article A, E2",
		.arm = arm,
		.arms = arms,
		.figure = COLUMNS,
		.figures = ARRAY_LEN(COLUMNS),
		.shape = shape,
		.shapes = ARRAY_LEN(shape),
		.run = run,
		.runs = arms * repeats,
	};
}

static char text[1 << 16];

static const char *printed(const struct scores *scores)
{
	FILE *file = fmemopen(text, sizeof(text), "w");

	assert_int_equal(scores_print(scores, file), 0);
	fclose(file);
	return text;
}

static void expect(const char *all, const char *part)
{
	case_of(part);
	if (!strstr(all, part))
		fail_msg("not in:\n%s", all);
}

static void ours_stands_beside_theirs_and_what_differs_is_marked(void **state)
{
	const struct scores scores = make(2, 1);
	const char *got = printed(&scores);

	expect(got, "A leak\n");
	expect(got, "10.0 s [13.0 s]");
	expect(got, "20.0 s [500 s to 600 s] !");
	expect(got, "article A, E2");
	expect(got, "     of swap: own measurement\n");
	expect(got, "Pressure phase: from the first second");
	expect(got, "Runs: 2, 2 done\n");
	assert_null(strstr(got, "[13.0 s] !"));
	assert_null(strstr(got, "Ratio"));
}

static void each_shape_says_whether_it_holds(void **state)
{
	const struct scores scores = make(2, 1);
	const char *got = printed(&scores);

	expect(got, "  holds           s: alone.phase < swap.phase (10.0 s, 20.0 s)\n");
	expect(got, "  does not hold   s: alone.ticks < 50 (100 %, 50 %)\n");
	expect(got, "  cannot be told  s: alone.phase < lost.phase (lost.phase: no run)\n");
}

static void no_line_is_longer_than_a_hundred_columns(void **state)
{
	static enum figure_id all[FIGURES];
	struct scores scores = make(ARMS, REPEATS);
	struct span rest;
	struct span line;

	for (size_t i = 0; i < FIGURES; i++)
		all[i] = (enum figure_id)i;
	scores.figure = all;
	scores.figures = FIGURES;
	rest = span_cstr(printed(&scores));
	while (span_line(&rest, &line)) {
		case_of("");
		if (span_len(line) > GRID_WIDTH + 2)
			fail_msg("%.*s", (int)span_len(line), line.at);
	}
}

static void few_arms_stand_beside_each_other_and_many_below(void **state)
{
	struct scores scores = make(2, 1);

	expect(printed(&scores), "\nphase ");
	scores = make(ARMS, 1);
	expect(printed(&scores), "\nlow ");
}

static void repeats_give_ratios_to_the_base_arm(void **state)
{
	const struct scores scores = make(2, REPEATS);
	const char *got = printed(&scores);

	expect(got, "Ratio to alone");
	expect(got, "1.91 (1.67 to 2.20)");
	expect(got, "1.00 (1.00 to 1.00) =");
	expect(got, "alone x3");
	assert_null(strstr(strstr(got, "Ratio to alone"), "alone x3"));
}

static void two_kernels_are_two_lines_and_two_judgements(void **state)
{
	const struct scores scores = make(2, 2);
	const char *got;

	for (size_t i = 1; i < 4; i += 2)
		snprintf(run[i].kernel, sizeof(run[i].kernel), "7.2.13");
	got = printed(&scores);
	expect(got, "alone (6.12)");
	expect(got, "alone (7.2)");
	expect(got, "s on 7.2: alone.phase < swap.phase (11.0 s, 21.0 s)");
}

static void lost_noisy_and_skipped_runs_are_counted(void **state)
{
	const struct scores scores = make(3, 1);
	const char *got;

	run[0].status = OUTCOME_NOISY;
	run[1].status = OUTCOME_LOST;
	run[1].figure[FIG_PHASE] = (struct figure){ (double)NAN, false, "lost" };
	run[1].kernel[0] = '\0';
	run[2].status = OUTCOME_SKIPPED;
	got = printed(&scores);
	expect(got, "Runs: 3, 1 noisy, 1 lost, 1 skipped\n");
	expect(got, "alone ~");
	expect(got, "lost [500 s to 600 s]");
	expect(got, "too busy");
}

static void without_any_run_there_is_a_table_all_the_same(void **state)
{
	struct scores scores = make(2, 1);

	scores.runs = 0;
	expect(printed(&scores), "Runs: 0\n");
	scores.arms = 0;
	expect(printed(&scores), "Runs: 0\n");
}

static void an_anchor_is_a_number_a_range_or_nothing(void **state)
{
	static const struct {
		struct anchor anchor;
		const char *text;
		struct figure ours;
		bool near;
	} cases[] = {
		{ { "13", 13, 13 }, "13.0 s", { 39, false, NULL }, true },
		{ { "13", 13, 13 }, "13.0 s", { 40, false, NULL }, false },
		{ { "13", 13, 13 }, "13.0 s", { 4, false, NULL }, false },
		{ { "13", 13, 13 }, "13.0 s", { 4, true, NULL }, true },
		{ { "13", 13, 13 }, "13.0 s", { 40, true, NULL }, false },
		{ { "13", 13, 13 }, "13.0 s", { (double)NAN, false, "lost" }, true },
		{ { "5-7", 5, 7 }, "5.0 s to 7.0 s", { 20, false, NULL }, true },
		{ { "5-7", 5, 7 }, "5.0 s to 7.0 s", { 22, false, NULL }, false },
		{ { "< 5", -INFINITY, 5 }, "< 5.0 s", { 0, false, NULL }, true },
		{ { "> 5", 5, INFINITY }, "5.0 s or more", { 9e9, false, NULL }, true },
		{ { "none", (double)NAN, (double)NAN }, "none", { 3, false, NULL }, false },
		{ { "none", (double)NAN, (double)NAN },
		  "none",
		  { (double)NAN, false, NULL },
		  true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char buffer[64];
		struct text out = text_on(buffer, sizeof(buffer));

		case_of(cases[i].text);
		anchor_text(&out, FIG_PHASE, &cases[i].anchor);
		assert_string_equal(buffer, cases[i].text);
		assert_int_equal(anchor_is_near(&cases[i].anchor, &cases[i].ours),
				 cases[i].near);
	}
}

static void json_says_the_same(void **state)
{
	struct scores scores = make(2, REPEATS);
	FILE *file = fmemopen(text, sizeof(text), "w");
	struct json json = json_on(file, false);

	run[0].figure[FIG_TICKS] = (struct figure){ (double)NAN, false, "no slots" };
	run[1].figure[FIG_TICKS] = run[2].figure[FIG_TICKS] = run[0].figure[FIG_TICKS];
	assert_int_equal(scores_json(&scores, &json, NULL), 0);
	fclose(file);
	expect(text, "\"source\":\"article A, E2\"");
	expect(text, "\"runs\":{\"done\":6,\"noisy\":0,\"lost\":0,");
	expect(text, "\"phase\":{\"unit\":\"s\",\"better\":\"less\"");
	expect(text, "\"arm\":\"swap\",\"kernel\":\"6.12.117\",\"base\":false,\"runs\":3");
	expect(text,
	       "\"phase\":{\"value\":21,\"censored\":false,\"runs\":3,\"article\":{\"text\":"
	       "\"500-600\",\"low\":500,\"high\":600,\"near\":false},\"ratio_to_base\":{");
	expect(text,
	       "\"ticks\":{\"value\":null,\"censored\":false,\"runs\":0,\"why\":\"no slots\"");
	expect(text, "\"verdict\":\"unknown\"");
	expect(text, "\"definitions\":\"Pressure phase");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ours_stands_beside_theirs_and_what_differs_is_marked),
		cmocka_unit_test(each_shape_says_whether_it_holds),
		cmocka_unit_test(no_line_is_longer_than_a_hundred_columns),
		cmocka_unit_test(few_arms_stand_beside_each_other_and_many_below),
		cmocka_unit_test(repeats_give_ratios_to_the_base_arm),
		cmocka_unit_test(two_kernels_are_two_lines_and_two_judgements),
		cmocka_unit_test(lost_noisy_and_skipped_runs_are_counted),
		cmocka_unit_test(without_any_run_there_is_a_table_all_the_same),
		cmocka_unit_test(an_anchor_is_a_number_a_range_or_nothing),
		cmocka_unit_test(json_says_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
