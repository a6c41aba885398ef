#include <math.h>

#include "lab/figures/board.h"

static const char *const UNITS[] = {
	[FIGURE_SECONDS] = "s",	  [FIGURE_PERCENT] = "percent",
	[FIGURE_BYTES] = "bytes", [FIGURE_BYTES_PER_SECOND] = "bytes/s",
	[FIGURE_COUNT] = "count", [FIGURE_PER_SECOND] = "1/s",
	[FIGURE_TIMES] = "ratio",
};

static const char *const BETTER[] = {
	[BETTER_MORE] = "more",
	[BETTER_LESS] = "less",
	[BETTER_NEITHER] = "neither",
};

static void write_ratio(struct json *json, const struct ratio *ratio)
{
	if (isnan(ratio->value))
		return;
	json_open(json, "ratio_to_base", '{');
	json_double(json, "value", ratio->value);
	if (ratio->has_interval) {
		json_double(json, "low", ratio->low);
		json_double(json, "high", ratio->high);
		json_bool(json, "distinguishable", ratio->differs);
	}
	json_close(json, '}');
}

/* An end that is open, and both of "none", are null. */
static void write_anchor(const struct anchor *anchor, const struct figure *figure,
			 struct json *json)
{
	if (!anchor->text)
		return;
	json_open(json, "article", '{');
	json_text(json, "text", anchor->text);
	json_double(json, "low", anchor->low);
	json_double(json, "high", anchor->high);
	json_bool(json, "near", anchor_is_near(anchor, figure));
	json_close(json, '}');
}

static void write_figure(const struct board *board, const struct line *line, enum figure_id id,
			 struct json *json)
{
	const struct figure *figure = &line->summary->figure[id];
	const struct anchor *anchor = &line->arm->anchor[id];
	struct ratio ratio = board_ratio(board, line, id);

	json_open(json, figure_row(id)->name, '{');
	json_double(json, "value", figure->value);
	json_bool(json, "censored", figure->censored);
	json_u64(json, "runs", line->summary->known[id]);
	if (isnan(figure->value) && figure->why)
		json_text(json, "why", figure->why);
	write_anchor(anchor, figure, json);
	write_ratio(json, &ratio);
	json_close(json, '}');
}

static void write_arm(const struct board *board, const struct line *line, struct json *json)
{
	json_open(json, NULL, '{');
	json_text(json, "arm", line->arm->name);
	json_text(json, "kernel", line->summary->kernel);
	json_bool(json, "base", line->arm->base);
	json_u64(json, "runs", line->summary->counted);
	json_bool(json, "noisy", line->summary->noisy);
	json_open(json, "figures", '{');
	for (size_t i = 0; i < board->scores->figures; i++)
		write_figure(board, line, board->scores->figure[i], json);
	json_close(json, '}');
	json_close(json, '}');
}

static void write_shape(const struct board *board, const struct shape *shape,
			const char *kernel, struct json *json)
{
	static const char *const verdicts[] = {
		[SHAPE_HOLDS] = "holds",
		[SHAPE_FAILS] = "fails",
		[SHAPE_UNKNOWN] = "unknown",
	};
	struct shape_result result = board_judge(board, shape, kernel);

	json_open(json, NULL, '{');
	json_text(json, "name", shape->name);
	json_text(json, "claim", shape->text);
	json_text(json, "kernel", kernel);
	json_text(json, "verdict", verdicts[result.verdict]);
	json_text(json, "why", result.why);
	json_close(json, '}');
}

static void write_columns(const struct scores *scores, struct json *json)
{
	json_open(json, "figures", '{');
	for (size_t i = 0; i < scores->figures; i++) {
		const struct figure_row *row = figure_row(scores->figure[i]);

		json_open(json, row->name, '{');
		json_text(json, "unit", UNITS[row->unit]);
		json_text(json, "better", BETTER[row->better]);
		json_text(json, "help", row->help);
		json_close(json, '}');
	}
	json_close(json, '}');
}

static void write_counts(const struct board *board, struct json *json)
{
	json_open(json, "runs", '{');
	for (size_t i = 0; i < OUTCOME_STATUSES; i++)
		json_u64(json, outcome_status_name((enum outcome_status)i), board->status[i]);
	json_close(json, '}');
}

int scores_json(const struct scores *scores, struct json *json, const char *name)
{
	struct board board;
	int r = board_init(scores, &board);

	if (r < 0)
		return r;
	json_open(json, name, '{');
	json_text(json, "title", scores->title);
	if (scores->source)
		json_text(json, "source", scores->source);
	write_counts(&board, json);
	write_columns(scores, json);
	json_open(json, "arms", '[');
	for (size_t i = 0; i < board.lines; i++)
		write_arm(&board, &board.line[i], json);
	json_close(json, ']');
	json_open(json, "shapes", '[');
	for (size_t i = 0; i < scores->shapes; i++)
		for (size_t k = 0; k < board.kernels; k++)
			write_shape(&board, &scores->shape[i], board.kernel[k], json);
	json_close(json, ']');
	json_text(json, "definitions", figures_definitions());
	json_close(json, '}');
	board_done(&board);
	return 0;
}
