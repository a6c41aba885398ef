#include "lab/figures/scores.h"

#include <math.h>

#include "lab/figures/board.h"
#include "lab/figures/grid.h"

/* So few arms stand beside each other, and the figures below each other. */
#define ARMS_BESIDE 4

static void print_cell(struct text *out, const struct line *line, enum figure_id id)
{
	const struct figure *figure = &line->summary->figure[id];
	const struct anchor *anchor = &line->arm->anchor[id];

	figure_text(out, id, figure);
	if (!anchor->text)
		return;
	text_add(out, " [");
	anchor_text(out, id, anchor);
	text_add(out, "]%s", anchor_is_near(anchor, figure) ? "" : " !");
}

static void print_ratio(struct text *out, const struct ratio *ratio)
{
	if (isnan(ratio->value)) {
		text_add(out, "-");
		return;
	}
	text_add(out, "%.2f", ratio->value);
	if (ratio->has_interval)
		text_add(out, " (%.2f to %.2f)%s", ratio->low, ratio->high,
			 ratio->differs ? "" : " =");
}

static void print_label(const struct board *board, const struct line *line, struct text *out)
{
	board_label(board, line, out);
	if (line->summary->noisy)
		text_add(out, " ~");
	if (line->summary->counted > 1)
		text_add(out, " x%zu", line->summary->counted);
}

enum content {
	CONTENT_FIGURES,
	CONTENT_RATIOS,
};

static void fill_cell(const struct board *board, const struct line *line, enum figure_id id,
		      enum content content, struct text *out)
{
	struct ratio ratio;

	if (content == CONTENT_FIGURES) {
		print_cell(out, line, id);
		return;
	}
	ratio = board_ratio(board, line, id);
	print_ratio(out, &ratio);
}

/* The base arm's ratios to itself say nothing. */
static bool is_shown(const struct line *line, enum content content)
{
	return content == CONTENT_FIGURES || line->base;
}

static void fill_line(const struct board *board, const struct line *line, enum content content,
		      struct grid *grid)
{
	size_t row = grid->rows++;
	struct text label = grid_cell(grid, row, 0);

	print_label(board, line, &label);
	for (size_t f = 0; f < board->scores->figures; f++) {
		struct text cell = grid_cell(grid, row, f + 1);

		fill_cell(board, line, board->scores->figure[f], content, &cell);
	}
}

static void fill(const struct board *board, enum content content, struct grid *grid)
{
	grid->rows = 1;
	for (size_t f = 0; f < board->scores->figures; f++) {
		struct text title = grid_cell(grid, 0, f + 1);

		text_add(&title, "%s", figure_row(board->scores->figure[f])->name);
	}
	for (size_t i = 0; i < board->lines; i++)
		if (is_shown(&board->line[i], content))
			fill_line(board, &board->line[i], content, grid);
}

static int print_grid(const struct board *board, enum content content, FILE *file)
{
	struct grid grid;
	int r = grid_init(&grid, board->lines + 1, board->scores->figures + 1);

	if (r < 0)
		return r;
	fill(board, content, &grid);
	grid.turned = board->lines <= ARMS_BESIDE;
	grid_print(&grid, file);
	grid_done(&grid);
	return 0;
}

static int print_ratios(const struct board *board, FILE *file)
{
	bool compared = false;

	for (size_t i = 0; i < board->lines; i++)
		compared |= board->line[i].base != NULL;
	if (!compared || !board->repeated)
		return 0;
	fprintf(file,
		"\nRatio to %s: medians, and the 95 %% interval of 2,000 resamples. \"=\": "
		"not\ndistinguishable, the interval holds 1.\n\n",
		board->base[0].arm);
	return print_grid(board, CONTENT_RATIOS, file);
}

static void print_shape(const struct board *board, const struct shape *shape, size_t kernel,
			FILE *file)
{
	struct shape_result result = board_judge(board, shape, board->kernel[kernel]);
	char line[512];
	struct text text = text_on(line, sizeof(line));

	text_add(&text, "  %-14s  ", shape_verdict_name(result.verdict));
	text_name(&text, span_cstr(shape->name));
	if (board->kernels > 1) {
		text_add(&text, " on ");
		text_name(&text, kernel_version(board->kernel[kernel]));
	}
	text_add(&text, ": ");
	text_name(&text, span_cstr(shape->text));
	/* A line for the claim, and one for the numbers where both do not fit. */
	text_add(&text,
		 text_width(line) + text_width(result.why) > GRID_WIDTH - 3 ?
			 "\n                  (%s)" :
			 " (%s)",
		 result.why);
	fprintf(file, "%s\n", line);
}

static void print_shapes(const struct board *board, FILE *file)
{
	if (board->scores->shapes == 0)
		return;
	fprintf(file, "\nShape:\n");
	for (size_t i = 0; i < board->scores->shapes; i++)
		for (size_t kernel = 0; kernel < board->kernels; kernel++)
			print_shape(board, &board->scores->shape[i], kernel, file);
}

static void print_counts(const struct board *board, FILE *file)
{
	fprintf(file, "\nRuns: %zu", board->scores->runs);
	for (size_t i = 0; i < OUTCOME_STATUSES; i++)
		if (board->status[i] > 0)
			fprintf(file, ", %zu %s", board->status[i],
				outcome_status_name((enum outcome_status)i));
	fputc('\n', file);
}

static void print_legend(const struct board *board, FILE *file)
{
	const struct scores *scores = board->scores;
	bool noisy = false;

	for (size_t i = 0; i < board->lines; i++)
		noisy |= board->line[i].summary->noisy;
	fputc('\n', file);
	for (size_t f = 0; f < scores->figures; f++)
		fprintf(file, "%-16s  %s\n", figure_row(scores->figure[f])->name,
			figure_row(scores->figure[f])->help);
	fputc('\n', file);
	if (scores->source)
		fprintf(file,
			"[ ]: %s. \"!\": ours and theirs are more than a factor of 3 apart.\n",
			scores->source);
	for (size_t i = 0; i < scores->arms; i++)
		if (scores->arm[i].source)
			fprintf(file, "     of %s: %s\n", scores->arm[i].name,
				scores->arm[i].source);
	if (noisy)
		fputs("\"~\": from runs on a host that was too busy; there are no others.\n",
		      file);
	if (board->repeated)
		fputs("\"x5\": the median of so many runs.\n", file);
	fputs(figures_definitions(), file);
}

int scores_print(const struct scores *scores, FILE *file)
{
	struct board board;
	int r = board_init(scores, &board);

	if (r < 0)
		return r;
	fprintf(file, "%s\n\n", scores->title);
	r = print_grid(&board, CONTENT_FIGURES, file);
	if (r == 0)
		r = print_ratios(&board, file);
	if (r == 0) {
		print_shapes(&board, file);
		print_counts(&board, file);
		print_legend(&board, file);
	}
	board_done(&board);
	return r;
}

int scores_failing(const struct scores *scores, size_t *out)
{
	struct board board;
	int r = board_init(scores, &board);

	*out = 0;
	if (r < 0)
		return r;
	for (size_t i = 0; i < scores->shapes; i++)
		for (size_t kernel = 0; kernel < board.kernels; kernel++)
			*out += board_judge(&board, &scores->shape[i], board.kernel[kernel])
					.verdict == SHAPE_FAILS;
	board_done(&board);
	return 0;
}
