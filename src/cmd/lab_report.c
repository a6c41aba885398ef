#include "cmd/lab_report.h"

#include <errno.h>
#include <math.h>

#include "analysis/judge.h"
#include "analysis/replay.h"
#include "cmd/lab.h"
#include "lab/figures/figures.h"
#include "lab/figures/ini.h"
#include "lab/figures/outcome.h"
#include "lab/figures/phase.h"
#include "lab/figures/scores.h"

#define RUNS_MAX 256
#define ARENA_SIZE ((size_t)1 << 30)
#define FACTS_MAX 32

/* What is shown of run.ini; the rest is for programs. */
static const struct {
	const char *section;
	const char *key;
	const char *name;
} FACTS[] = {
	{ "host", "cpu", "processor" },
	{ "host", "cores", "cores" },
	{ "host", "qemu", "QEMU" },
	{ "host", "load", "load of this host" },
	{ "host", "delay_percent", "guest waited for this host, %" },
	{ "guest", "mem_total_bytes", "memory of the guest, bytes" },
	{ "guest", "calibration_mib_s", "calibration, MiB/s" },
	{ "guest", "observer_frames", "frames" },
	{ "guest", "observer_missed", "frames missed" },
	{ "run", "seed", "seed" },
};

static const char *keep(struct arena *arena, struct span text)
{
	return arena_text(arena, text.at ? text.at : "", text.at ? span_len(text) : 0);
}

static const char *ini_text(const struct series *series, struct arena *arena,
			    const char *section, const char *key)
{
	struct span value = { 0 };

	ini_find(series->run, section, key, &value);
	return keep(arena, value);
}

static int fill_facts(const struct series *series, struct arena *arena, struct page_run *out)
{
	struct page_fact *fact = arena_alloc(arena, sizeof(*fact) * ARRAY_LEN(FACTS));

	if (!fact)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_LEN(FACTS); i++)
		fact[i] = (struct page_fact){
			FACTS[i].name,
			ini_text(series, arena, FACTS[i].section, FACTS[i].key),
		};
	out->fact = fact;
	out->facts = ARRAY_LEN(FACTS);
	return 0;
}

static int fill_events(const struct series *series, struct arena *arena, struct page_run *out)
{
	struct page_event *event = arena_alloc(arena, sizeof(*event) * (series->marks + 1));

	if (!event)
		return -ENOMEM;
	for (size_t i = 0; i < series->marks; i++)
		event[i] = (struct page_event){
			.at_s = ((double)series->mark[i].at_us - (double)series->measured_us) /
				SECOND_US,
			.kind = keep(arena, span_cstr(series->mark[i].kind)),
			.text = keep(arena, span_cstr(series->mark[i].text)),
		};
	out->event = event;
	out->events = series->marks;
	return 0;
}

static const char *as_text(struct arena *arena, enum figure_id id, const struct figure *figure)
{
	char buffer[128];
	struct text text = text_on(buffer, sizeof(buffer));

	figure_text(&text, id, figure);
	return keep(arena, span_of(buffer, text.used));
}

/* What was published, and whether ours is near; a range or a word stays as it was written. */
static void add_anchor(const struct series *series, struct arena *arena, enum figure_id id,
		       const struct figure *ours, struct page_figure *out)
{
	struct figure theirs = { 0 };
	struct anchor range = { 0 };
	struct span anchor;

	if (!ini_find(series->scenario, "anchors", figure_row(id)->name, &anchor))
		return;
	out->anchor = keep(arena, anchor);
	if (figure_parse(anchor, id, &theirs.value) < 0)
		return;
	out->anchor = as_text(arena, id, &theirs);
	range.low = theirs.value;
	range.high = theirs.value;
	out->mark = anchor_is_near(&range, ours) ? PAGE_HOLDS : PAGE_FAILS;
}

static int fill_figures(const struct series *series, struct arena *arena, struct page_run *out)
{
	static struct figure figures[FIGURES];
	enum figure_id shown[FIGURES];
	struct page_figure *list = arena_alloc(arena, sizeof(*list) * FIGURES);
	struct span names = { 0 };

	if (!list)
		return -ENOMEM;
	ini_find(series->scenario, "measure", "figures", &names);
	figures_compute(series, figures);
	out->figure = list;
	out->figures = figures_of_words(names, shown);
	for (size_t i = 0; i < out->figures; i++) {
		const struct figure_row *row = figure_row(shown[i]);

		list[i] = (struct page_figure){
			.name = row->name,
			.help = row->help,
			.value = as_text(arena, shown[i], &figures[shown[i]]),
		};
		add_anchor(series, arena, shown[i], &figures[shown[i]], &list[i]);
	}
	return 0;
}

static void fill_pressure(const struct series *series, struct page_run *out)
{
	struct phase phase = phase_of(series, series_measured_load(series, "leak"));

	out->pressure_from_s = NAN;
	out->pressure_to_s = NAN;
	if (!phase.present)
		return;
	out->pressure_from_s =
		((double)phase.from_us - (double)series->measured_us) / SECOND_US;
	out->pressure_to_s = ((double)phase.to_us - (double)series->measured_us) / SECOND_US;
}

static void verdict_words(const struct verdict *verdict, struct text *out)
{
	const struct class_row *row = class_row(verdict->class);

	text_add(out, "%s: %s.", row->word, row->title);
	if (verdict->sufferers > 0 && verdict->severity >= SEV_WARN) {
		text_add(out, " Suffers: ");
		text_name(out, span_cstr(judge_path(verdict, verdict->sufferer[0].member)));
		text_add(out, ".");
	}
	if (verdict->culprits > 0) {
		text_add(out, " Caused by: ");
		text_name(out, span_cstr(judge_path(verdict, verdict->culprit[0].member)));
		text_add(out, ".");
	}
}

/* The worst that refault diagnose would have said in the measured part. */
static const char *worst_verdict(const char *directory, const struct series *series,
				 struct arena *arena)
{
	char buffer[1024] = "";
	struct text text;
	struct verdict verdict;
	struct replay replay;
	int worst = -1;

	if (replay_open(directory, JUDGE_WINDOW_US, &replay) < 0)
		return "";
	while (replay_next(&replay, &verdict) == 0) {
		if (replay_at(&replay) * SECOND_US < (double)series->measured_us ||
		    (int)verdict.severity <= worst)
			continue;
		worst = (int)verdict.severity;
		text = text_on(buffer, sizeof(buffer));
		verdict_words(&verdict, &text);
	}
	replay_done(&replay);
	return keep(arena, span_cstr(buffer));
}

static const char *title_of(const struct outcome *outcome, struct arena *arena)
{
	char buffer[256];
	struct text text = text_on(buffer, sizeof(buffer));

	/* A scenario without arms has one that is called base. */
	if (strcmp(outcome->arm, "base") != 0)
		text_name(&text, span_cstr(outcome->arm));
	else
		text_name(&text, span_cstr(outcome->scenario));
	text_add(&text, ", run %llu on %.*s", (unsigned long long)outcome->repeat,
		 (int)span_len(kernel_version(outcome->kernel)),
		 kernel_version(outcome->kernel).at);
	return keep(arena, span_of(buffer, text.used));
}

static const char *command_of(const struct outcome *outcome, struct arena *arena)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "refault lab run ");
	text_name(&text, span_cstr(outcome->directory));
	text_add(&text, "/scenario.ini");
	return keep(arena, span_of(buffer, text.used));
}

static int fill_courses(const struct outcome *outcome, struct arena *arena,
			struct page_run *out, struct lab_error *error)
{
	struct series series;
	int r = series_open(outcome->directory, &series, error);

	if (r < 0) {
		series_done(&series);
		return r;
	}
	out->begun = ini_text(&series, arena, "run", "begun");
	out->config = keep(arena, series.scenario);
	out->verdict = worst_verdict(outcome->directory, &series, arena);
	fill_pressure(&series, out);
	r = fill_facts(&series, arena, out);
	if (r == 0)
		r = fill_events(&series, arena, out);
	if (r == 0)
		r = fill_figures(&series, arena, out);
	if (r == 0)
		r = courses_fill(&series, arena, out);
	series_done(&series);
	return r;
}

/* A run without a result has its reason and its events, and no courses. */
static int fill_run(const struct outcome *outcome, struct arena *arena, struct page_run *out,
		    struct lab_error *error)
{
	int r;

	*out = (struct page_run){
		.title = title_of(outcome, arena),
		.scenario = keep(arena, span_cstr(outcome->scenario)),
		.arm = keep(arena, span_cstr(outcome->arm)),
		.kernel = keep(arena, span_cstr(outcome->kernel)),
		.accelerator = keep(arena, span_cstr(outcome->accelerator)),
		.status = outcome_status_name(outcome->status),
		.reason = keep(arena, span_cstr(outcome->reason)),
		.command = command_of(outcome, arena),
		.verdict = "",
		.begun = "",
		.config = "",
		.pressure_from_s = NAN,
		.pressure_to_s = NAN,
	};
	r = fill_courses(outcome, arena, out, error);
	return outcome->status == OUTCOME_DONE || outcome->status == OUTCOME_NOISY ? r : 0;
}

struct gathered {
	struct arena arena;
	struct page_run run[RUNS_MAX];
	size_t runs;
};

static int gather_folder(const char *folder, struct gathered *all, struct lab_error *error)
{
	struct outcomes outcomes;
	int r = outcomes_read(folder, &outcomes, error);

	for (size_t i = 0; r == 0 && i < outcomes.count; i++) {
		if (all->runs == RUNS_MAX)
			r = lab_refuse(error, -E2BIG, "more than %d runs on one page",
				       RUNS_MAX);
		else
			r = fill_run(&outcomes.run[i], &all->arena, &all->run[all->runs],
				     error);
		all->runs += r == 0;
	}
	outcomes_done(&outcomes);
	return r;
}

static int write_page(const struct lab_options *options, const struct gathered *all)
{
	const struct page page = {
		.title = all->run[0].scenario,
		.note = figures_definitions(),
		.run = all->run,
		.runs = all->runs,
	};
	FILE *file = fopen(options->output, "we");
	int r = file ? page_write(file, &page, page_template()) : -errno;

	if (file && fclose(file) != 0 && r == 0)
		r = -errno;
	if (r == 0)
		return EXIT_FINE;
	if (r == -ENOTSUP)
		cmd_error("this build has no page: it was made without npm (-Dreport)");
	else
		cmd_error("%s: cannot be written: %s", options->output, strerror(-r));
	return EXIT_NOT_MEASURED;
}

int action_report(const struct lab_options *options)
{
	struct gathered *all = xalloc(1, sizeof(*all));
	struct lab_error error = { 0 };
	int status = EXIT_USAGE;
	int r;

	if (options->operands == 0 || !options->output) {
		cmd_error("lab report: expected RUN… and --output PAGE.html");
		free(all);
		return status;
	}
	r = arena_init(&all->arena, ARENA_SIZE);
	for (size_t i = 0; r == 0 && i < options->operands; i++) {
		r = gather_folder(options->operand[i], all, &error);
		if (r < 0)
			status = lab_not_measured(options->operand[i], r, &error);
	}
	if (r == 0)
		status = write_page(options, all);
	arena_done(&all->arena);
	free(all);
	return status;
}
