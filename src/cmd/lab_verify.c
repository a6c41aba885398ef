#include <errno.h>
#include <math.h>

#include "base/json.h"
#include "cmd/lab_job.h"
#include "cmd/lab_judge.h"
#include "lab/figures/outcome.h"
#include "lab/scenario/shipped.h"
#include "view/matrix.h"

enum worth {
	RIGHT,
	WRONG,
	CONTROL, /* no guard ran where one is asked for: it shows what the guard is good for */
	NOT_MEASURED, /* lost, skipped …, or wrong on a host that was too busy */
	WORTHS,
};

static const char *const WORTH_NAMES[WORTHS] = {
	[RIGHT] = "right",
	[WRONG] = "wrong",
	[CONTROL] = "control",
	[NOT_MEASURED] = "not measured",
};

/* A run held against what its scenario declares: a verdict, a guard's deed, or both. */
struct held {
	struct judged judged;
	struct guarded guarded;
	enum worth worth;
};

struct tallied {
	struct matrix matrix;
	size_t count[WORTHS];
	size_t classes; /* runs whose truth is a verdict */
	double slowest_s;
	struct json *json; /* NULL: for people */
};

static bool has_class(const struct held *held)
{
	return held->judged.truth != CLASSES;
}

static bool is_right(const struct held *held)
{
	return (!has_class(held) || judged_right(&held->judged)) &&
	       (!held->guarded.is_declared || held->guarded.is_right);
}

/* What is right on a busy host is right; what is wrong there may be the host's doing. */
static enum worth worth_of(const struct outcome *outcome, const struct held *held)
{
	if (outcome->status != OUTCOME_DONE && outcome->status != OUTCOME_NOISY)
		return NOT_MEASURED;
	if (!has_class(held) && !held->guarded.is_declared)
		return NOT_MEASURED;
	if (!has_class(held) && !held->guarded.has_guard)
		return CONTROL;
	if (is_right(held))
		return RIGHT;
	return outcome->status == OUTCOME_DONE ? WRONG : NOT_MEASURED;
}

static void say_class(const struct judged *judged)
{
	fputs(judged->is_judged ? class_row(judged->said)->name : "ended too early", stdout);
	if (!isnan(judged->right_after_s))
		printf(", right after %.1f s", judged->right_after_s);
	if (judged->mismatches > 0)
		printf("; %s", judged->wrong);
	if (judged->false_alarms > 0)
		printf("; %zu false alarms, the first %s", judged->false_alarms,
		       class_row(judged->alarm)->name);
}

static void say_guard(const struct guarded *guarded)
{
	printf("killed: %s", *guarded->killed ? guarded->killed : "nobody");
	if (!guarded->is_right)
		printf("; %s", guarded->wrong);
}

static void say_run(const char *name, const struct outcome *outcome, const struct held *held)
{
	printf("%-36s %-12s ", name, WORTH_NAMES[held->worth]);
	if (outcome->status != OUTCOME_DONE)
		printf("(%s) ", outcome_status_name(outcome->status));
	if (outcome->status != OUTCOME_DONE && outcome->status != OUTCOME_NOISY) {
		printf("%s\n", outcome->reason);
		return;
	}
	if (has_class(held))
		say_class(&held->judged);
	else if (!held->guarded.is_declared)
		fputs("has no truth", stdout);
	if (held->guarded.is_declared)
		say_guard(&held->guarded);
	putchar('\n');
}

static void class_json(const struct judged *judged, struct json *json)
{
	json_text(json, "truth", class_row(judged->truth)->name);
	if (judged->is_judged)
		json_text(json, "said", class_row(judged->said)->name);
	json_double(json, "right_after_s", judged->right_after_s);
	json_text(json, "wrong", judged->wrong);
	json_u64(json, "false_alarms", judged->false_alarms);
}

static void guard_json(const struct outcome *outcome, const struct guarded *guarded,
		       struct json *json)
{
	json_bool(json, "has_guard", guarded->has_guard);
	json_bool(json, "guard_right", guarded->is_right);
	json_text(json, "killed", guarded->killed);
	json_text(json, "guard_wrong", guarded->wrong);
	json_open(json, "figures", '{');
	for (enum figure_id id = 0; id < FIGURES; id++)
		json_double(json, figure_row(id)->name, outcome->figure[id].value);
	json_close(json, '}');
}

static void run_json(const char *name, const struct outcome *outcome, const struct held *held,
		     struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "run", name);
	json_text(json, "scenario", outcome->scenario);
	json_text(json, "arm", outcome->arm);
	json_text(json, "kernel", outcome->kernel);
	json_text(json, "status", outcome_status_name(outcome->status));
	json_text(json, "worth", WORTH_NAMES[held->worth]);
	if (has_class(held))
		class_json(&held->judged, json);
	if (held->guarded.is_declared)
		guard_json(outcome, &held->guarded, json);
	json_close(json, '}');
}

static void count_run(const struct held *held, struct tallied *tallied)
{
	const struct judged *judged = &held->judged;

	tallied->count[held->worth]++;
	if (has_class(held) && judged->is_judged && held->worth != NOT_MEASURED)
		tallied->matrix.count[judged->truth][judged->said]++;
	tallied->classes += has_class(held);
	if (held->worth == RIGHT && judged->right_after_s > tallied->slowest_s)
		tallied->slowest_s = judged->right_after_s;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int hold(const struct outcome *outcome, struct held *held, struct lab_error *error)
{
	int r;

	if (outcome->status != OUTCOME_DONE && outcome->status != OUTCOME_NOISY)
		return 0;
	r = judge_run(outcome->directory, &held->judged, error);
	return r < 0 ? r :
		       judge_guard(outcome->directory, outcome->figure, &held->guarded, error);
}

static void judge_outcome(const struct outcome *outcome, struct tallied *tallied)
{
	const char *name = base_name(outcome->directory);
	struct held held = { .judged = { .truth = CLASSES, .right_after_s = NAN } };
	struct lab_error error = { "" };
	int r = hold(outcome, &held, &error);

	if (r < 0)
		lab_not_measured(name, r, &error);
	held.worth = r < 0 ? NOT_MEASURED : worth_of(outcome, &held);
	if (tallied->json)
		run_json(name, outcome, &held, tallied->json);
	else
		say_run(name, outcome, &held);
	count_run(&held, tallied);
}

static int judge_folder(const char *folder, struct tallied *tallied)
{
	struct outcomes outcomes;
	struct lab_error error = { "" };
	int r = outcomes_read(folder, &outcomes, &error);

	for (size_t i = 0; r == 0 && i < outcomes.count; i++)
		judge_outcome(&outcomes.run[i], tallied);
	outcomes_done(&outcomes);
	return r < 0 ? lab_not_measured(folder, r, &error) : 0;
}

static void sum_up_classes(const struct tallied *tallied)
{
	if (tallied->classes == 0)
		return;
	matrix_print(&tallied->matrix, stdout);
	putchar('\n');
	if (tallied->count[RIGHT] > 0)
		printf("The slowest right class came %.1f s after its onset.\n",
		       tallied->slowest_s);
}

static void sum_up(const struct tallied *tallied)
{
	size_t runs = 0;

	for (enum worth worth = 0; worth < WORTHS; worth++)
		runs += tallied->count[worth];
	if (runs == 0)
		return; /* nothing could be read; it was said why */
	putchar('\n');
	sum_up_classes(tallied);
	printf("%zu right, %zu wrong, %zu not measured", tallied->count[RIGHT],
	       tallied->count[WRONG], tallied->count[NOT_MEASURED]);
	if (tallied->count[CONTROL] > 0)
		printf(", %zu without a guard", tallied->count[CONTROL]);
	putchar('\n');
}

static int judge_folders(const char *const *folder, size_t count, bool as_json)
{
	struct tallied *tallied = xalloc(1, sizeof(*tallied));
	struct json json = json_on(stdout, true);
	int status = 0;

	if (as_json) {
		tallied->json = &json;
		json_open(&json, NULL, '[');
	}
	for (size_t i = 0; i < count; i++) {
		int r = judge_folder(folder[i], tallied);

		status = MAX(status, r);
	}
	if (as_json)
		json_close(&json, ']');
	else
		sum_up(tallied);
	if (status == 0 && tallied->count[WRONG] > 0)
		status = EXIT_FINDINGS;
	if (status == 0 && tallied->count[NOT_MEASURED] > 0)
		status = EXIT_NOT_MEASURED;
	free(tallied);
	return status;
}

int action_judge(const struct lab_options *options)
{
	if (options->operands == 0) {
		cmd_error("lab judge: expected runs, or folders of runs");
		return EXIT_USAGE;
	}
	return judge_folders(options->operand, options->operands, options->json);
}

/* Names live as long as the list that they come from. */
static int find_names(const char *tag, struct shipped *shipped, struct lab_options *options)
{
	struct lab_error error = { "" };
	int r = shipped_open(NULL, shipped, &error);

	if (r < 0)
		return lab_not_measured("the scenarios", r, &error);
	for (size_t i = 0; i < shipped->rows && options->operands < SETS_MAX; i++)
		if (words_have(shipped->row[i].tags, tag))
			options->operand[options->operands++] = shipped->row[i].name;
	return 0;
}

static int verify(const struct lab_options *options, struct lab_plan *plan)
{
	const char *folder = plan->folder;
	int r = plan_open(options, options->operand, options->operands, plan);
	int judged;

	if (r == 0)
		r = plan_run(plan);
	if (!plan->is_made || !plan->job[0].is_run)
		return r;
	judged = judge_folders(&folder, 1, options->json);
	return r == 0 ? judged : r;
}

int action_verify(const struct lab_options *options)
{
	struct lab_options chosen = *options;
	struct lab_plan *plan = xalloc(1, sizeof(*plan));
	struct shipped shipped = { 0 };
	int r = 0;

	/* The small form of a verdict's scenario is the scenario: --quick takes fewer of them.
	 */
	chosen.quick = false;
	if (options->operands == 0)
		r = find_names(options->quick ? "quick" : "verify", &shipped, &chosen);
	if (r == 0)
		r = verify(&chosen, plan);
	plan_done(plan);
	shipped_done(&shipped);
	free(plan);
	return r;
}
