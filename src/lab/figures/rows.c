#include "lab/figures/rows.h"

#include <errno.h>
#include <math.h>

struct reader {
	const char *file;
	size_t line;
	struct span rest;
	struct lab_error *error;
};

static int expected(const struct reader *reader, const char *what)
{
	return lab_refuse(reader->error, -EBADMSG, "%s:%zu: expected %s", reader->file,
			  reader->line, what);
}

static bool next_line(struct reader *reader, struct span *line)
{
	while (span_line(&reader->rest, line)) {
		reader->line++;
		if (!span_empty(span_trim(*line)))
			return true;
	}
	return false;
}

static size_t lines_of(struct span text)
{
	size_t lines = 0;
	struct span line;

	while (span_line(&text, &line))
		lines++;
	return lines;
}

/* So many numbers, one word each. */
static bool numbers(struct span *line, uint64_t *out, size_t count)
{
	struct span word;

	for (size_t i = 0; i < count; i++)
		if (!span_word(line, &word) || span_u64(word, &out[i]) < 0)
			return false;
	return true;
}

static int no_room(struct lab_error *error, const char *file)
{
	return lab_refuse(error, -ENOMEM, "%s: there is no room for so much", file);
}

/* marks.tsv: AT_US, KIND, TEXT */
static bool mark_parse(struct span line, struct arena *arena, struct mark *out)
{
	struct span at;
	struct span kind;

	if (!span_cut(&line, '\t', &at) || !span_cut(&line, '\t', &kind) ||
	    span_u64(at, &out->at_us) < 0 || span_empty(kind))
		return false;
	out->kind = arena_text(arena, kind.at, span_len(kind));
	out->text = arena_text(arena, line.at, span_len(line));
	return out->kind && out->text;
}

int marks_parse(struct span text, struct series *out, struct lab_error *error)
{
	struct reader reader = { "marks.tsv", 0, text, error };
	size_t room = lines_of(text);
	struct span line;

	if (room > MARKS_MAX)
		return lab_refuse(error, -EFBIG, "marks.tsv: more than %d lines", MARKS_MAX);
	out->mark = arena_alloc(&out->arena, (room + 1) * sizeof(*out->mark));
	if (!out->mark)
		return no_room(error, "marks.tsv");
	while (next_line(&reader, &line)) {
		struct mark *mark = &out->mark[out->marks];

		if (reader.line == 1 && span_starts(line, "AT_US"))
			continue;
		if (!mark_parse(line, &out->arena, mark))
			return expected(&reader,
					"a time in microseconds, a kind and a text, with "
					"tabs between them");
		if (out->marks > 0 && mark->at_us < mark[-1].at_us)
			return expected(&reader, "a time not before that of the line above");
		out->marks++;
	}
	return 0;
}

/* loads.tsv: FRAME AT_US NAME STATE DUE DONE LATE LONGEST_US SIZE_BYTES EXTRA */
struct load_line {
	uint64_t frame_at[2];
	struct span name;
	uint64_t number[LOAD_POINTS];
};

static bool load_line_parse(struct span line, struct load_line *out)
{
	struct span state;

	return numbers(&line, out->frame_at, 2) && span_word(&line, &out->name) &&
	       span_word(&line, &state) && numbers(&line, out->number, LOAD_POINTS);
}

static struct load *load_named(struct series *series, struct span name)
{
	return (struct load *)series_load(series, name);
}

/* Room for the rows of each load, of which there are as many as lines that name it. */
static int count_rows(struct span text, struct series *series, struct lab_error *error)
{
	struct reader reader = { "loads.tsv", 0, text, error };
	size_t counts[LOADS_MAX] = { 0 };
	struct load_line row;
	struct span line;

	while (next_line(&reader, &line)) {
		const struct load *load;

		if (reader.line == 1 && span_starts(line, "FRAME"))
			continue;
		if (!load_line_parse(line, &row))
			return expected(&reader,
					"FRAME AT_US NAME STATE DUE DONE LATE LONGEST_US "
					"SIZE_BYTES, all but NAME and STATE whole numbers");
		load = series_load(series, row.name);
		if (!load)
			return expected(&reader,
					"the name of a load that scenario.ini declares");
		counts[load - series->load]++;
	}
	for (size_t i = 0; i < series->loads; i++) {
		struct load *load = &series->load[i];

		load->at_us = arena_raw(&series->arena, counts[i] * sizeof(*load->at_us));
		for (size_t p = 0; p < LOAD_POINTS; p++)
			load->value[p] = arena_raw(&series->arena, counts[i] * sizeof(double));
		if (!load->at_us || !load->value[LOAD_POINTS - 1])
			return no_room(error, "loads.tsv");
	}
	return 0;
}

static void load_row_add(struct load *load, const struct load_line *row)
{
	size_t n = load->rows++;

	load->at_us[n] = row->frame_at[1];
	for (size_t p = 0; p < LOAD_POINTS; p++)
		load->value[p][n] = (double)row->number[p];
	load->value[LOAD_LONGEST][n] /= SECOND_US;
}

int loads_parse(struct span text, struct series *out, struct lab_error *error)
{
	struct reader reader = { "loads.tsv", 0, text, error };
	struct span line;
	int r = count_rows(text, out, error);

	if (r < 0)
		return r;
	while (next_line(&reader, &line)) {
		struct load_line row;
		struct load *load;

		if (!load_line_parse(line, &row))
			continue; /* the title: all others were looked at */
		load = load_named(out, row.name);
		if (load->rows > 0 && row.frame_at[1] < load->at_us[load->rows - 1])
			return expected(&reader,
					"a time not before that of the load's last row");
		load_row_add(load, &row);
	}
	return 0;
}

/* slots/NAME.tsv: KIND DUE_US BEGUN_US DONE_US VALUE FAULTS */
static const char *const KINDS[SLOT_KINDS] = { "slot", "size", "pause", "step", "wait" };

static bool slot_parse(struct span line, struct slot *out)
{
	uint64_t number[5];
	struct span word;

	if (!span_word(&line, &word) || !numbers(&line, number, ARRAY_LEN(number)))
		return false;
	*out = (struct slot){
		SLOT_KINDS, number[0], number[1], number[2], number[3], number[4]
	};
	for (size_t i = 0; i < SLOT_KINDS; i++)
		if (span_eq(word, KINDS[i]))
			out->kind = (enum slot_kind)i;
	return out->kind != SLOT_KINDS && (out->done_us == 0 || out->begun_us <= out->done_us);
}

int slots_parse(struct span text, struct series *series, struct load *out,
		struct lab_error *error)
{
	char file[96];
	struct reader reader = { file, 0, text, error };
	size_t room = lines_of(text);
	struct span line;

	snprintf(file, sizeof(file), "slots/%.80s.tsv", out->name);
	if (room > SLOTS_MAX)
		return lab_refuse(error, -EFBIG, "%s: more than %d lines", file, SLOTS_MAX);
	out->slot = arena_raw(&series->arena, room * sizeof(*out->slot));
	if (!out->slot)
		return no_room(error, file);
	while (next_line(&reader, &line)) {
		if (reader.line == 1 && span_starts(line, "KIND"))
			continue;
		if (!slot_parse(line, &out->slot[out->slots]))
			return expected(&reader,
					"KIND DUE_US BEGUN_US DONE_US VALUE FAULTS: a kind of "
					"slot and five whole numbers, none done before it has "
					"begun");
		out->slots++;
	}
	out->has_slots = true;
	return 0;
}
