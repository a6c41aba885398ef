#include "lab/figures/truth.h"

#include <math.h>

#include "lab/figures/ini.h"
#include "lab/figures/stats.h"

#define STALL_SHARE 0.1
#define DONE_SHARE 0.8
#define MIB 1048576.0
#define GAPS_MAX 64

static struct span declared(const struct series *series, const char *section, const char *key)
{
	struct span value = span_cstr("");

	ini_find(series->scenario, section, key, &value);
	return value;
}

static const struct group *sufferer_of(const struct series *series)
{
	struct span path = declared(series, "truth", "sufferer");

	for (size_t i = 0; i < series->groups; i++)
		if (!span_empty(path) && span_eq(path, series->group[i].path))
			return &series->group[i];
	return NULL;
}

/* A load says how it is a little after the frame it belongs to. */
static bool row_at(const struct series *series, const struct load *load, size_t frame,
		   size_t *out)
{
	uint64_t until_us = series->at_us[frame];

	if (frame + 1 < series->frames)
		until_us += (series->at_us[frame + 1] - until_us) / 2;
	return load_row(load, until_us, out);
}

static double slots_rise(const struct series *series, const struct load *load,
			 struct frame_range range, enum load_point point)
{
	size_t first;
	size_t last;

	if (range.first >= range.last || !row_at(series, load, range.first, &first) ||
	    !row_at(series, load, range.last, &last) || load->value[LOAD_DONE][first] <= 0)
		return (double)NAN;
	return load->value[point][last] - load->value[point][first];
}

static bool is_missed(const struct series *series, const struct group *sufferer,
		      struct frame_range second)
{
	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];

		if (load->group == sufferer &&
		    slots_rise(series, load, second, LOAD_DONE) <
			    DONE_SHARE * slots_rise(series, load, second, LOAD_DUE))
			return true;
	}
	return false;
}

static bool is_stalled(const struct series *series, const struct group *sufferer,
		       struct frame_range second)
{
	return series_rate(series, sufferer->value[G_MEM_SOME], second) +
		       series_rate(series, sufferer->value[G_IO_SOME], second) >
	       STALL_SHARE;
}

/* The last frame that is not after it. */
static size_t frame_at(const struct series *series, uint64_t at_us)
{
	size_t frame = 0;

	while (frame + 1 < series->frames && series->at_us[frame + 1] <= at_us)
		frame++;
	return frame;
}

/* The start of the phase that [truth] names, or of the last load in the measured part. */
static size_t declared_onset(const struct series *series, struct span phase)
{
	uint64_t at_us = series->measured_us;
	bool named = !span_empty(phase) && !span_eq(phase, "harm");

	for (size_t i = 0; i < series->marks; i++) {
		const struct mark *mark = &series->mark[i];

		if (named ? strcmp(mark->kind, "phase") == 0 && span_eq(phase, mark->text) :
			    strcmp(mark->kind, "start") == 0 && mark->at_us >= at_us)
			at_us = mark->at_us;
	}
	return frame_at(series, at_us);
}

size_t truth_onset(const struct series *series)
{
	const struct group *sufferer = sufferer_of(series);
	struct span phase = declared(series, "truth", "onset");
	struct frame_range second = series_frames(series, series->measured_us, UINT64_MAX);

	if (!sufferer || (!span_empty(phase) && !span_eq(phase, "harm")))
		return declared_onset(series, phase);
	for (second.last = second.first + 1; second.last < series->frames; second.last++) {
		second.first = second.last - 1;
		if (series_is_apart(series, second) && (is_missed(series, sufferer, second) ||
							is_stalled(series, sufferer, second)))
			return second.first;
	}
	return declared_onset(series, phase);
}

/* On one line, whatever blanks it has. */
static void write_span(FILE *file, const char *key, struct span value)
{
	const char *gap = "";
	struct span word;

	fprintf(file, "%s=", key);
	while (span_word(&value, &word)) {
		fprintf(file, "%s%.*s", gap, (int)span_len(word), word.at);
		gap = " ";
	}
	fputc('\n', file);
}

static void write_declared(const struct series *series, FILE *file)
{
	static const char *const keys[] = { "class",   "domain",	   "sufferer",
					    "culprit", "sufferer_process", "culprit_process" };
	struct span release = span_cstr("");

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		write_span(file, keys[i], declared(series, "truth", keys[i]));
	write_span(file, "id", declared(series, "scenario", "id"));
	ini_find(series->run, "run", "scenario", &release);
	write_span(file, "scenario", release);
	write_span(file, "note", declared(series, "scenario", "about"));
	release = span_cstr("");
	ini_find(series->run, "guest", "release", &release);
	write_span(file, "kernel", release);
}

/* As people set it: the usual gap, to tenths of a second. */
static double interval_of(const struct series *series, struct frame_range window)
{
	double gap[GAPS_MAX];
	size_t gaps = 0;

	for (size_t i = window.first; i < window.last && gaps < GAPS_MAX; i++)
		gap[gaps++] = series->at[i + 1] - series->at[i];
	return gaps > 0 ? round(10 * stats_median(gap, gaps)) / 10 : 1;
}

static const struct {
	const char *name;
	enum group_point point;
} SHARES[] = {
	{ "memory_some", G_MEM_SOME },
	{ "io_some", G_IO_SOME },
	{ "cpu_some", G_CPU_SOME },
};

static const struct {
	const char *name;
	enum group_point point;
} RATES[] = {
	{ "refault_file", G_REFAULT_FILE },
	{ "refault_anon", G_REFAULT_ANON },
};

static void write_side(const struct series *series, const char *name, struct frame_range side,
		       FILE *file)
{
	const struct group *sufferer = sufferer_of(series);

	if (!sufferer || side.first >= side.last)
		return;
	for (size_t i = 0; i < ARRAY_LEN(SHARES); i++)
		fprintf(file, "%s_%s=%.0f%%\n", name, SHARES[i].name,
			100 * series_rate(series, sufferer->value[SHARES[i].point], side));
	for (size_t i = 0; i < ARRAY_LEN(RATES); i++)
		fprintf(file, "%s_%s_per_second=%.0f\n", name, RATES[i].name,
			series_rate(series, sufferer->value[RATES[i].point], side));
}

static void write_rate(const struct series *series, const struct load *load,
		       struct frame_range side, const char *when, FILE *file)
{
	double done = slots_rise(series, load, side, LOAD_DONE);

	if (isnan(done))
		fprintf(file, " - %s", when);
	else
		fprintf(file, " %.1f %s",
			done / (series->at[side.last] - series->at[side.first]), when);
}

static void write_slots(const struct series *series, struct frame_range before,
			struct frame_range after, FILE *file)
{
	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];
		size_t row;

		if (!row_at(series, load, after.last, &row) ||
		    load->value[LOAD_DONE][row] <= 0 || !load->group)
			continue;
		fprintf(file, "slots_per_second=%s", load->group->path);
		write_rate(series, load, before, "before,", file);
		write_rate(series, load, after, "after\n", file);
	}
}

static const struct {
	const char *format;
	enum machine_point point;
	double unit;
} MACHINE[] = {
	{ "machine_read_mib_per_second=%.1f\n", P_READ, MIB },
	{ "machine_swap_pages_per_second=in %.0f", P_SWPIN, 1 },
	{ " out %.0f\n", P_SWPOUT, 1 },
	{ "machine_allocstall_per_second=%.1f\n", P_ALLOCSTALL, 1 },
	{ "machine_compact_stall_per_second=%.1f\n", P_COMPACT_STALL, 1 },
	{ "machine_refault_file_per_second=%.0f\n", P_REFAULT_FILE, 1 },
};

static void write_machine(const struct series *series, struct frame_range window,
			  struct frame_range after, FILE *file)
{
	fprintf(file, "machine_available_mib=%.0f,%.0f\n",
		series->value[P_AVAILABLE][window.first] / MIB,
		series->value[P_AVAILABLE][window.last] / MIB);
	for (size_t i = 0; i < ARRAY_LEN(MACHINE); i++) {
		double rate = series_rate(series, series->value[MACHINE[i].point], after);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(file, MACHINE[i].format, rate / MACHINE[i].unit);
#pragma GCC diagnostic pop
	}
}

static void write_ends(const struct series *series, struct frame_range window, FILE *file)
{
	struct span delay;

	for (size_t i = 0; i < series->loads; i++) {
		const struct load *load = &series->load[i];

		if (load->end == LOAD_KILLED && load->ended_us >= series->at_us[window.first] &&
		    load->ended_us <= series->at_us[window.last])
			fprintf(file, "killed=%s\n", load->name);
	}
	if (ini_find(series->run, "host", "delay_percent", &delay))
		fprintf(file, "host_delay=%.*s%%\n", (int)span_len(delay), delay.at);
}

void truth_write(const struct series *series, struct frame_range window, size_t onset,
		 FILE *file)
{
	const struct frame_range before = { window.first, onset };
	const struct frame_range after = { onset, window.last };

	write_declared(series, file);
	fprintf(file, "frames=%zu\n", window.last - window.first + 1);
	fprintf(file, "interval_s=%g\n", interval_of(series, window));
	fprintf(file, "onset_frame=%zu\n", onset - window.first);
	write_side(series, "before", before, file);
	write_side(series, "after", after, file);
	write_slots(series, before, after, file);
	write_machine(series, window, after, file);
	write_ends(series, window, file);
}
