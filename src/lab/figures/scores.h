#pragma once
/*
 * The table of a set of runs: each arm's figures beside those that an article published, which
 * shapes hold, and how many runs were lost.
 */
#include "base/json.h"
#include "lab/figures/outcome.h"
#include "lab/figures/shape.h"

/*
 * What was published: a number or a range, infinite where it is open; both NAN where the
 * article has none of it ("none"). text is as the scenario has it; NULL: nothing was published.
 */
struct anchor {
	const char *text;
	double low;
	double high;
};

/* Ours is within a factor of SHAPE_FACTOR of theirs, or nothing can be said. */
bool anchor_is_near(const struct anchor *anchor, const struct figure *ours);

/* An arm of the scenario, in the order of the table. */
struct arm {
	const char *name;
	bool base; /* others are compared with it */
	struct anchor anchor[FIGURES];
	const char *source; /* of its anchors, where it is another one; NULL */
};

/* What is shown; all of it is borrowed, and filled from a scenario by the caller. */
struct scores {
	const char *title;
	const char *source; /* of the anchors: "article A, E2"; NULL without */
	const struct arm *arm;
	size_t arms;
	const enum figure_id *figure; /* the columns */
	size_t figures;
	const struct shape *shape;
	size_t shapes;
	const struct outcome *run;
	size_t runs;
};

/* 0 or -ENOMEM. */
must_check int scores_print(const struct scores *scores, FILE *file);

/* How many shapes do not hold, on all kernels together. 0 or -ENOMEM. */
must_check int scores_failing(const struct scores *scores, size_t *out);

/* One object, as a member of that name or at the top (NULL). 0 or -ENOMEM. */
must_check int scores_json(const struct scores *scores, struct json *json, const char *name);
