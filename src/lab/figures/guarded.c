#include "lab/figures/guarded.h"

#include <math.h>

#include "lab/figures/ini.h"
#include "lab/figures/kills.h"

static void say_killed(const struct series *series, struct guarded *out)
{
	struct text text = text_on(out->killed, sizeof(out->killed));

	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];

		if (!load_is_killed(load))
			continue;
		text_add(&text, "%s%s (%s)", text.used > 0 ? ", " : "", load->name,
			 load_is_oom_killed(series, load) ? "kernel" : "guard");
	}
}

static void add_wrong(struct text *wrong, const char *what, const char *name)
{
	text_add(wrong, "%s", wrong->used > 0 ? "; " : "");
	text_name(wrong, span_cstr(name));
	text_add(wrong, " %s", what);
}

static void judge_kills(const struct series *series, struct text *wrong)
{
	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];
		bool is_wanted = kill_is_wanted(series, load);

		if (is_wanted != load_is_killed(load))
			add_wrong(wrong, is_wanted ? "was not killed" : "was killed",
				  load->name);
		else if (load->end == LOAD_EXITED && strcmp(load->kind, "program") == 0)
			add_wrong(wrong, "ended by itself", load->name);
	}
}

/* What the truth limits, by the key it does so with. */
static const struct {
	const char *key;
	enum figure_id figure;
	bool is_least;
	bool of_guard; /* the kernel's own kills come when nothing is left */
} LIMITS[] = {
	{ "kill_by", FIG_ACT, false, false }, { "pause", FIG_PAUSE, false, false },
	{ "ticks", FIG_SERVED, true, false }, { "unused", FIG_UNUSED, false, true },
	{ "back", FIG_BACK, false, false },
};

static void judge_limit(const struct series *series, size_t at, const struct figure *figure,
			struct text *wrong)
{
	enum figure_id id = LIMITS[at].figure;
	bool is_least = LIMITS[at].is_least;
	struct span value;
	double limit;

	if (!ini_find(series->scenario, "truth", LIMITS[at].key, &value) ||
	    figure_parse(value, id, &limit) < 0 || isnan(figure->value))
		return;
	/* What was still going on at the end is more than it says. */
	if (is_least ? figure->value >= limit : figure->value <= limit && !figure->censored)
		return;
	text_add(wrong, "%s%s is ", wrong->used > 0 ? "; " : "", figure_row(id)->name);
	figure_text(wrong, id, figure);
	text_add(wrong, ", expected %s ", is_least ? "at least" : "at most");
	figure_text(wrong, id, &(struct figure){ .value = limit });
}

static bool has_guard(const struct series *series)
{
	for (size_t i = 0; i < series->loads; i++)
		if (strcmp(series->load[i].kind, "program") == 0 &&
		    load_is_started(series, &series->load[i]))
			return true;
	return series_guard_group(series) != NULL;
}

void guarded_judge(const struct series *series, const struct figure figure[FIGURES],
		   struct guarded *out)
{
	struct text wrong = text_on(out->wrong, sizeof(out->wrong));
	struct span name;

	*out = (struct guarded){
		.is_declared = ini_find(series->scenario, "truth", "kill", &name),
		.has_guard = has_guard(series),
	};
	if (!out->is_declared)
		return;
	say_killed(series, out);
	judge_kills(series, &wrong);
	for (size_t i = 0; i < ARRAY_LEN(LIMITS); i++)
		if (!LIMITS[i].of_guard || figure[FIG_GUARD_KILLS].value > 0)
			judge_limit(series, i, &figure[LIMITS[i].figure], &wrong);
	out->is_right = wrong.used == 0;
}
