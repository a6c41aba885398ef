#include "cmd/lab_judge.h"

#include <errno.h>
#include <math.h>

#include "analysis/judge.h"
#include "analysis/replay.h"
#include "lab/figures/series.h"
#include "lab/figures/truth.h"
#include "lab/scenario/set.h"

static void copy(const char *from, char *to, size_t size)
{
	span_copy(span_cstr(from), to, size);
}

static struct truth truth_of(const struct scenario_truth *truth)
{
	struct truth out = { 0 };

	copy(truth->class, out.class, sizeof(out.class));
	copy(truth->domain, out.domain, sizeof(out.domain));
	copy(truth->sufferer, out.sufferer, sizeof(out.sufferer));
	copy(truth->culprit, out.culprit, sizeof(out.culprit));
	copy(truth->sufferer_process, out.sufferer_process, sizeof(out.sufferer_process));
	copy(truth->culprit_process, out.culprit_process, sizeof(out.culprit_process));
	return out;
}

static void judge_at_deadline(const struct verdict *verdict, const struct truth *truth,
			      struct judged *out)
{
	struct mismatch wrong[MISMATCHES_MAX];
	struct text text = text_on(out->wrong, sizeof(out->wrong));

	out->is_judged = true;
	out->said = verdict->class;
	out->mismatches = judge_verdict(verdict, truth, wrong);
	for (size_t i = 0; i < out->mismatches; i++) {
		text_add(&text, "%s%s is ", i ? "; " : "", wrong[i].what);
		text_name(&text, span_cstr(wrong[i].got));
		text_add(&text, ", expected %s", wrong[i].want);
	}
}

/* When to judge, in seconds of the guest's clock. */
struct times {
	double measured;
	double onset;
	double deadline;
};

/* Half a frame of grace: frames are not taken on the second. */
#define GRACE_S 0.5

static void judge_frame(const struct verdict *verdict, double at, const struct truth *truth,
			const struct times *times, struct judged *out)
{
	bool is_right = strcmp(class_row(verdict->class)->name, truth->class) == 0;

	if (at < times->measured)
		return; /* a cold start is no part of the experiment */
	if (is_right && at >= times->onset && isnan(out->right_after_s))
		out->right_after_s = at - times->onset;
	if (judge_false_alarm(verdict, truth, at + 1 < times->onset)) {
		if (out->false_alarms++ == 0)
			out->alarm = verdict->class;
	}
	if (!out->is_judged && at >= times->deadline - GRACE_S)
		judge_at_deadline(verdict, truth, out);
}

static int judge_frames(const char *directory, const struct truth *truth,
			const struct times *times, struct judged *out)
{
	struct replay replay;
	struct verdict verdict;
	int r = replay_open(directory, JUDGE_WINDOW_US, &replay);

	if (r < 0)
		return r;
	while ((r = replay_next(&replay, &verdict)) == 0)
		judge_frame(&verdict, replay_at(&replay), truth, times, out);
	replay_done(&replay);
	return r == SOURCE_END ? 0 : r;
}

static int find_times(const char *directory, const struct scenario_truth *truth,
		      struct times *out, struct lab_error *error)
{
	struct series series;
	int r = series_open(directory, &series, error);

	if (r == 0 && series.frames > 0) {
		out->measured = (double)series.measured_us / SECOND_US;
		out->onset = fmax((double)series.at_us[truth_onset(&series)] / SECOND_US,
				  out->measured);
		out->deadline = out->onset + (double)truth->deadline_us / SECOND_US;
	}
	series_done(&series);
	return r;
}

static int judge_scenario(const char *directory, const struct scenario *scenario,
			  struct judged *out, struct lab_error *error)
{
	const struct scenario_truth *declared = &scenario->truth;
	struct truth truth = truth_of(declared);
	struct times times = { 0 };
	int r;

	*out = (struct judged){
		.truth = class_find(span_cstr(declared->class)),
		.right_after_s = NAN,
	};
	if (out->truth == CLASSES)
		return 0;
	r = find_times(directory, declared, &times, error);
	return r == 0 ? judge_frames(directory, &truth, &times, out) : r;
}

int judge_run(const char *directory, struct judged *out, struct lab_error *error)
{
	const struct scenario_choice choice = { 0 };
	struct scenario_set set;
	char path[1200];
	int r;

	if (snprintf(path, sizeof(path), "%s/scenario.ini", directory) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	r = scenario_set_open(path, &choice, &set, error);
	if (r < 0)
		return r;
	r = judge_scenario(directory, &set.arm[0], out, error);
	scenario_set_done(&set);
	return r;
}

int judge_guard(const char *directory, const struct figure *figure, struct guarded *out,
		struct lab_error *error)
{
	struct series series;
	int r = series_open(directory, &series, error);

	*out = (struct guarded){ 0 };
	if (r == 0)
		guarded_judge(&series, figure, out);
	series_done(&series);
	return r;
}

bool judged_right(const struct judged *judged)
{
	return judged->is_judged && judged->mismatches == 0 && judged->false_alarms == 0;
}
