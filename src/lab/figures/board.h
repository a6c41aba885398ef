#pragma once
/*
 * What a table of scores shows, computed once: a line for each arm on each kernel. Private to
 * scores*.c.
 */
#include "lab/figures/scores.h"
#include "lab/figures/summary.h"

struct line {
	const struct arm *arm;
	const struct summary *summary;
	const struct arm_query *base; /* the arm that it is compared with; NULL none */
};

#define KERNELS_MAX 16

struct board {
	const struct scores *scores;
	struct line *line;	 /* owned */
	struct summary *summary; /* owned; one for each line */
	struct arm_query *base;	 /* owned; one for each kernel */
	const char *kernel[KERNELS_MAX];
	size_t kernels;
	size_t lines;
	size_t status[OUTCOME_STATUSES]; /* runs of each */
	bool repeated;			 /* some arm has repeats enough for an interval */
};

must_check int board_init(const struct scores *scores, struct board *out);
void board_done(struct board *board);

/* The summary of that arm on that kernel; NULL when no run of it counts. */
const struct figure *board_figure(const struct board *board, const struct shape_side *side,
				  const char *kernel);

struct shape_result board_judge(const struct board *board, const struct shape *shape,
				const char *kernel);

struct ratio board_ratio(const struct board *board, const struct line *line,
			 enum figure_id figure);

/* "swap", or "swap (6.12)" where there are several kernels. */
void board_label(const struct board *board, const struct line *line, struct text *out);

/* "5.0 s to 7.0 s", "none" */
void anchor_text(struct text *out, enum figure_id id, const struct anchor *anchor);
