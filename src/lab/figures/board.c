#include "lab/figures/board.h"

#include <errno.h>
#include <math.h>

static bool is_counted(const struct outcome *run)
{
	return run->status == OUTCOME_DONE || run->status == OUTCOME_NOISY;
}

static void add_kernel(struct board *out, const char *kernel)
{
	for (size_t i = 0; i < out->kernels; i++)
		if (strcmp(out->kernel[i], kernel) == 0)
			return;
	if (out->kernels < KERNELS_MAX)
		out->kernel[out->kernels++] = kernel;
}

/* Where nothing ran to its end there is one kernel without a name. */
static void find_kernels(struct board *out)
{
	for (size_t i = 0; i < out->scores->runs; i++) {
		const struct outcome *run = &out->scores->run[i];

		out->status[run->status]++;
		if (is_counted(run))
			add_kernel(out, run->kernel);
	}
	if (out->kernels == 0)
		add_kernel(out, "");
}

static const struct arm *base_of(const struct scores *scores)
{
	for (size_t i = 0; i < scores->arms; i++)
		if (scores->arm[i].base)
			return &scores->arm[i];
	return NULL;
}

static void add_line(struct board *out, const struct arm *arm, size_t kernel)
{
	const struct runs runs = { out->scores->run, out->scores->runs };
	const struct arm_query query = { runs, arm->name, out->kernel[kernel] };
	const struct arm *base = base_of(out->scores);
	struct summary *summary = &out->summary[out->lines];

	summary_of(&query, summary);
	if (base)
		out->base[kernel] = (struct arm_query){ runs, base->name, out->kernel[kernel] };
	out->repeated |= summary->counted >= STATS_REPEATS_MIN;
	out->line[out->lines++] = (struct line){
		.arm = arm,
		.summary = summary,
		.base = base && base != arm ? &out->base[kernel] : NULL,
	};
}

int board_init(const struct scores *scores, struct board *out)
{
	*out = (struct board){ .scores = scores };
	find_kernels(out);
	out->line = calloc(scores->arms * out->kernels + 1, sizeof(*out->line));
	out->summary = calloc(scores->arms * out->kernels + 1, sizeof(*out->summary));
	out->base = calloc(out->kernels, sizeof(*out->base));
	if (!out->line || !out->summary || !out->base) {
		board_done(out);
		return -ENOMEM;
	}
	for (size_t arm = 0; arm < scores->arms; arm++)
		for (size_t kernel = 0; kernel < out->kernels; kernel++)
			add_line(out, &scores->arm[arm], kernel);
	return 0;
}

void board_done(struct board *board)
{
	free(board->line);
	free(board->summary);
	free(board->base);
	*board = (struct board){ 0 };
}

const struct figure *board_figure(const struct board *board, const struct shape_side *side,
				  const char *kernel)
{
	for (size_t i = 0; i < board->lines; i++)
		if (strcmp(board->line[i].arm->name, side->arm) == 0 &&
		    strcmp(board->summary[i].kernel, kernel) == 0)
			return &board->summary[i].figure[side->figure];
	return NULL;
}

struct shape_result board_judge(const struct board *board, const struct shape *shape,
				const char *kernel)
{
	return shape_judge(shape, board_figure(board, &shape->left, kernel),
			   board_figure(board, &shape->right, kernel));
}

struct ratio board_ratio(const struct board *board, const struct line *line,
			 enum figure_id figure)
{
	const struct arm_query query = {
		.runs = { board->scores->run, board->scores->runs },
		.arm = line->summary->arm,
		.kernel = line->summary->kernel,
	};

	if (!line->base)
		return (struct ratio){ .value = (double)NAN };
	return summary_ratio(&query, line->base, figure);
}

void board_label(const struct board *board, const struct line *line, struct text *out)
{
	text_name(out, span_cstr(line->arm->name));
	if (board->kernels < 2)
		return;
	text_add(out, " (");
	text_name(out, kernel_version(line->summary->kernel));
	text_add(out, ")");
}
