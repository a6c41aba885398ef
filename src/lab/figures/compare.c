#include "lab/figures/compare.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/grid.h"
#include "lab/figures/pairs.h"

/* The two runs' files, for as long as what differs in them is looked at. */
#define TEXTS_SIZE ((size_t)8 << 20)

/* What one pair is written to; exactly one of the two. */
struct paper {
	FILE *file;
	struct json *json;
};

static void print_arm(struct text *out, const struct arm_query *query)
{
	text_name(out, span_cstr(query->arm));
	text_add(out, " (");
	text_name(out, kernel_version(query->kernel));
	text_add(out, ")");
}

static void print_side(struct text *out, struct span value)
{
	if (span_empty(value))
		text_add(out, "-");
	else
		text_name(out, value);
}

static void print_differences(const struct differences *differences, FILE *file)
{
	if (differences->count == 0)
		fprintf(file, "Both were run in the same way.\n");
	for (size_t i = 0; i < differences->count; i++) {
		const struct difference *row = &differences->row[i];
		char line[512];
		struct text text = text_on(line, sizeof(line));

		text_name(&text, row->section);
		text_add(&text, ".");
		text_name(&text, row->key);
		text_add(&text, ": ");
		print_side(&text, row->a);
		text_add(&text, " -> ");
		print_side(&text, row->b);
		fprintf(file, "  differs  %s\n", line);
	}
	if (differences->cut)
		fprintf(file, "  differs  in more than these\n");
}

static void print_ratio(struct text *out, const struct ratio *ratio)
{
	if (isnan(ratio->value))
		return;
	text_add(out, "%.2f", ratio->value);
	if (ratio->has_interval)
		text_add(out, " (%.2f to %.2f)%s", ratio->low, ratio->high,
			 ratio->differs ? "" : " =");
}

static void fill(const struct compare *compare, const struct pair *pair,
		 const struct summary side[2], struct grid *grid)
{
	static const char *const titles[] = { "A", "B", "B / A" };

	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		struct text cell = grid_cell(grid, 0, i + 1);

		text_add(&cell, "%s", titles[i]);
	}
	for (size_t i = 0; i < compare->figures; i++) {
		enum figure_id id = compare->figure[i];
		struct ratio ratio = summary_ratio(&pair->b, &pair->a, id);
		struct text name = grid_cell(grid, i + 1, 0);
		struct text a = grid_cell(grid, i + 1, 1);
		struct text b = grid_cell(grid, i + 1, 2);
		struct text by = grid_cell(grid, i + 1, 3);

		text_add(&name, "%s", figure_row(id)->name);
		figure_text(&a, id, &side[0].figure[id]);
		figure_text(&b, id, &side[1].figure[id]);
		print_ratio(&by, &ratio);
	}
}

static int print_pair(const struct compare *compare, const struct pair *pair,
		      const struct differences *differences, FILE *file)
{
	struct summary side[2];
	char line[256];
	struct text text = text_on(line, sizeof(line));
	struct grid grid;
	int r = grid_init(&grid, compare->figures + 1, 4);

	if (r < 0)
		return r;
	summary_of(&pair->a, &side[0]);
	summary_of(&pair->b, &side[1]);
	text_add(&text, "A: ");
	print_arm(&text, &pair->a);
	text_add(&text, " x%zu   B: ", side[0].counted);
	print_arm(&text, &pair->b);
	text_add(&text, " x%zu", side[1].counted);
	fprintf(file, "%s\n", line);
	print_differences(differences, file);
	fputc('\n', file);
	fill(compare, pair, side, &grid);
	grid_print(&grid, file);
	fputc('\n', file);
	grid_done(&grid);
	return 0;
}

static void write_side(struct json *json, const char *name, const struct arm_query *query)
{
	json_open(json, name, '{');
	json_text(json, "arm", query->arm);
	json_text(json, "kernel", query->kernel);
	json_close(json, '}');
}

static void write_differences(const struct differences *differences, struct json *json)
{
	json_open(json, "differences", '[');
	for (size_t i = 0; i < differences->count; i++) {
		json_open(json, NULL, '{');
		json_span(json, "section", differences->row[i].section);
		json_span(json, "key", differences->row[i].key);
		json_span(json, "a", differences->row[i].a);
		json_span(json, "b", differences->row[i].b);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_figure(const struct pair *pair, const struct summary side[2],
			 enum figure_id id, struct json *json)
{
	struct ratio ratio = summary_ratio(&pair->b, &pair->a, id);

	json_open(json, figure_row(id)->name, '{');
	json_double(json, "a", side[0].figure[id].value);
	json_bool(json, "a_censored", side[0].figure[id].censored);
	json_double(json, "b", side[1].figure[id].value);
	json_bool(json, "b_censored", side[1].figure[id].censored);
	json_double(json, "ratio", ratio.value);
	json_double(json, "low", ratio.low);
	json_double(json, "high", ratio.high);
	if (ratio.has_interval)
		json_bool(json, "distinguishable", ratio.differs);
	json_close(json, '}');
}

static void write_pair(const struct compare *compare, const struct pair *pair,
		       const struct differences *differences, struct json *json)
{
	struct summary side[2];

	summary_of(&pair->a, &side[0]);
	summary_of(&pair->b, &side[1]);
	json_open(json, NULL, '{');
	write_side(json, "a", &pair->a);
	write_side(json, "b", &pair->b);
	write_differences(differences, json);
	json_open(json, "figures", '{');
	for (size_t i = 0; i < compare->figures; i++)
		write_figure(pair, side, compare->figure[i], json);
	json_close(json, '}');
	json_close(json, '}');
}

static int write_one(const struct compare *compare, const struct pair *pair,
		     const struct paper *paper, struct lab_error *error)
{
	struct ini_texts a;
	struct ini_texts b;
	struct differences differences;
	struct arena arena;
	int r = arena_init(&arena, TEXTS_SIZE);

	if (r == 0)
		r = ini_texts_read(pair->a_directory, &arena, &a, error);
	if (r == 0)
		r = ini_texts_read(pair->b_directory, &arena, &b, error);
	if (r == 0) {
		differences_of(&a, &b, &differences);
		if (paper->json)
			write_pair(compare, pair, &differences, paper->json);
		else
			r = print_pair(compare, pair, &differences, paper->file);
	}
	arena_done(&arena);
	return r;
}

static int write_all(const struct compare *compare, const struct pairs *pairs,
		     const struct paper *paper, struct lab_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < pairs->count; i++)
		r = write_one(compare, &pairs->pair[i], paper, error);
	return r;
}

int compare_print(const struct compare *compare, FILE *file, struct lab_error *error)
{
	struct pairs *pairs = calloc(1, sizeof(*pairs));
	const struct paper paper = { .file = file };
	int r;

	if (!pairs)
		return lab_refuse(error, -ENOMEM, "there is no memory to compare runs");
	r = pairs_init(compare, pairs, error);
	if (r == 0)
		r = write_all(compare, pairs, &paper, error);
	if (r == 0)
		fputs(figures_definitions(), file);
	pairs_done(pairs);
	free(pairs);
	return r;
}

int compare_json(const struct compare *compare, struct json *json, struct lab_error *error)
{
	struct pairs *pairs = calloc(1, sizeof(*pairs));
	const struct paper paper = { .json = json };
	int r;

	if (!pairs)
		return lab_refuse(error, -ENOMEM, "there is no memory to compare runs");
	r = pairs_init(compare, pairs, error);
	if (r == 0) {
		json_open(json, NULL, '{');
		json_open(json, "pairs", '[');
		r = write_all(compare, pairs, &paper, error);
		json_close(json, ']');
		json_text(json, "definitions", figures_definitions());
		json_close(json, '}');
	}
	pairs_done(pairs);
	free(pairs);
	return r;
}
