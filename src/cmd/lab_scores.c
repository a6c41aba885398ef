#include <math.h>

#include "cmd/lab_header.h"
#include "cmd/lab_job.h"
#include "lab/figures/scores.h"

static void fill_arm(const struct scenario *scenario, const char *source, struct arm *out)
{
	*out = (struct arm){ .name = scenario->arm, .base = scenario->base };
	if (scenario->anchors > 0 && scenario->anchor_source[0] &&
	    strcmp(scenario->anchor_source, source) != 0)
		out->source = scenario->anchor_source;
	for (size_t i = 0; i < scenario->anchors; i++) {
		const struct scenario_anchor *anchor = &scenario->anchor[i];
		enum figure_id id = figure_find(span_cstr(anchor->figure));

		if (id < FIGURES)
			out->anchor[id] = (struct anchor){
				.text = anchor->text,
				.low = anchor->low,
				.high = anchor->high,
			};
	}
}

static bool is_run(const struct outcomes *outcomes, const struct scenario *scenario)
{
	for (size_t i = 0; i < outcomes->count; i++)
		if (strcmp(outcomes->run[i].scenario, scenario->name) == 0 &&
		    strcmp(outcomes->run[i].arm, scenario->arm) == 0)
			return true;
	return false;
}

/* One set's table; the arrays are as large as the set needs. */
struct sheet {
	struct scores scores;
	struct arm *arm;     /* owned */
	struct shape *shape; /* owned */
	struct outcome *run; /* owned */
	enum figure_id figure[FIGURES];
};

static void add_shapes(const struct scenario_set *set, const struct outcomes *outcomes,
		       struct sheet *sheet)
{
	for (size_t i = 0; i < set->shapes; i++) {
		const struct scenario_shape *shape = &set->shape[i];
		struct lab_error error;

		if (!is_run(outcomes, shape->left) ||
		    (shape->right && !is_run(outcomes, shape->right)))
			continue;
		if (shape_parse(span_cstr(shape->name), span_cstr(shape->text),
				&sheet->shape[sheet->scores.shapes], &error) == 0)
			sheet->scores.shapes++;
	}
}

static void fill_sheet(const struct scenario_set *set, const struct outcomes *outcomes,
		       struct sheet *sheet)
{
	struct scores *scores = &sheet->scores;

	*sheet = (struct sheet){
		.arm = xalloc(set->arms + 1, sizeof(*sheet->arm)),
		.shape = xalloc(set->shapes + 1, sizeof(*sheet->shape)),
		.run = xalloc(outcomes->count + 1, sizeof(*sheet->run)),
	};
	for (size_t i = 0; i < set->arms; i++)
		if (is_run(outcomes, &set->arm[i]))
			fill_arm(&set->arm[i], set->arm[0].source, &sheet->arm[scores->arms++]);
	for (size_t i = 0; i < outcomes->count; i++)
		if (strcmp(outcomes->run[i].scenario, set->name) == 0)
			sheet->run[scores->runs++] = outcomes->run[i];
	add_shapes(set, outcomes, sheet);
	scores->title = set->arm[0].title;
	scores->source = set->arm[0].source[0] ? set->arm[0].source : NULL;
	scores->arm = sheet->arm;
	scores->shape = sheet->shape;
	scores->run = sheet->run;
	scores->figure = sheet->figure;
	scores->figures =
		figures_of_words(span_cstr(set->arm[0].measure.figures), sheet->figure);
}

static void sheet_done(struct sheet *sheet)
{
	free(sheet->arm);
	free(sheet->shape);
	free(sheet->run);
}

struct sets {
	const struct scenario_set *set;
	size_t count;
};

static int show_sets(struct sets sets, const struct outcomes *outcomes, bool as_json,
		     size_t *failing)
{
	struct json json = json_on(stdout, true);
	int r = 0;

	if (as_json)
		json_open(&json, NULL, '{');
	else
		header_print(outcomes, stdout);
	for (size_t i = 0; i < sets.count && r == 0; i++) {
		const struct scenario_set *set = &sets.set[i];
		struct sheet sheet;
		size_t failed = 0;

		if (set->arms == 0)
			continue;
		fill_sheet(set, outcomes, &sheet);
		r = as_json ? scores_json(&sheet.scores, &json, set->name) :
			      scores_print(&sheet.scores, stdout);
		if (r == 0)
			r = scores_failing(&sheet.scores, &failed);
		*failing += failed;
		sheet_done(&sheet);
	}
	if (as_json)
		json_close(&json, '}');
	return r;
}

/* What could not be measured comes first, then what does not hold. */
static int status_of(const struct lab_plan *plan, size_t failing)
{
	for (size_t i = 0; i < plan->jobs; i++) {
		enum job_status status = plan->job[i].result.status;

		if (!plan->job[i].is_run || (status != JOB_DONE && status != JOB_SKIPPED))
			return EXIT_NOT_MEASURED;
	}
	return failing > 0 ? EXIT_FINDINGS : EXIT_FINE;
}

int plan_show(const struct lab_plan *plan, bool json)
{
	struct lab_error error = { 0 };
	struct outcomes outcomes;
	size_t failing = 0;
	int r = outcomes_read(plan->folder, &outcomes, &error);

	if (r == 0)
		r = show_sets((struct sets){ plan->set, plan->sets }, &outcomes, json,
			      &failing);
	outcomes_done(&outcomes);
	if (r == 0) {
		if (!json)
			printf("\nKept in %s\n", plan->folder);
		return status_of(plan, failing);
	}
	return lab_not_measured(plan->folder, r, &error);
}

/* The scenarios that these runs are of: 0, or an exit status after one sentence. */
static int open_sets(const struct outcomes *outcomes, struct scenario_set *out, size_t *count)
{
	const struct scenario_choice choice = { 0 };

	for (size_t i = 0; i < outcomes->count && *count < SETS_MAX; i++) {
		const char *name = outcomes->run[i].scenario;
		struct lab_error error = { "" };
		size_t known = 0;
		int r;

		while (known < *count && strcmp(out[known].name, name) != 0)
			known++;
		if (known < *count)
			continue;
		r = scenario_set_open(name, &choice, &out[*count], &error);
		if (r < 0)
			return lab_not_measured(name, r, &error);
		(*count)++;
	}
	return 0;
}

static int show_folder(const char *folder, bool json, size_t *failing)
{
	struct scenario_set *set = xalloc(SETS_MAX, sizeof(*set));
	struct lab_error error = { "" };
	struct outcomes outcomes;
	size_t count = 0;
	int r = outcomes_read(folder, &outcomes, &error);
	int status =
		r < 0 ? lab_not_measured(folder, r, &error) : open_sets(&outcomes, set, &count);

	if (status == 0)
		r = show_sets((struct sets){ set, count }, &outcomes, json, failing);
	if (status == 0 && r < 0)
		status = lab_not_measured(folder, r, &error);
	for (size_t i = 0; i < count; i++)
		scenario_set_done(&set[i]);
	outcomes_done(&outcomes);
	free(set);
	return status;
}

int action_table(const struct lab_options *options)
{
	size_t failing = 0;
	int status;

	if (options->operands != 1) {
		cmd_error("lab table: expected a run, or a folder of runs");
		return EXIT_USAGE;
	}
	status = show_folder(options->operand[0], options->json, &failing);
	return status == 0 && failing > 0 ? EXIT_FINDINGS : status;
}
