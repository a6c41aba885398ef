#pragma once
/*
 * The repeats of one arm on one kernel, as one number for each figure.
 */
#include "lab/figures/outcome.h"
#include "lab/figures/stats.h"

struct runs {
	const struct outcome *run;
	size_t count;
};

struct summary {
	char arm[96];
	char kernel[96];
	size_t counted; /* runs that the numbers are from */
	bool noisy;	/* they are noisy ones: there was nothing better */
	struct figure figure[FIGURES];
	size_t known[FIGURES]; /* runs that have it */
};

/* Which runs of which set. */
struct arm_query {
	struct runs runs;
	const char *arm;
	const char *kernel;
};
void summary_of(const struct arm_query *query, struct summary *out);

/* The ratio to another arm; without a value where a run ended first on either side. */
struct ratio summary_ratio(const struct arm_query *arm, const struct arm_query *base,
			   enum figure_id figure);
