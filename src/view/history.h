#pragma once
/*
 * The last two hours at a sample a second: a few numbers of each verdict, for the plots.
 */
#include "analysis/evidence.h"

enum series {
	SERIES_LOSS,	  /* the worst share of time lost in a cgroup, 0 to 1 */
	SERIES_REREAD,	  /* of the machine, bytes per second */
	SERIES_AVAILABLE, /* bytes */
	SERIES,
};

struct moment {
	double at;	      /* seconds since boot */
	double value[SERIES]; /* NAN unknown */
};

#define MOMENTS_MAX 7200

struct history {
	struct moment moment[MOMENTS_MAX]; /* a ring: number i is at i % MOMENTS_MAX */
	size_t count;			   /* of all that were ever added */
};

struct moment moment_of(const struct evidence *evidence);
void history_add(struct history *history, const struct moment *moment);

/* What part of it a plot shows: each column stands for some moments, the newest is number end
 * - 1. */
struct stretch {
	size_t end;
	size_t each; /* moments in one column */
	size_t columns;
};

/*
 * One number a column, oldest first: the worst of its moments, NAN where none is known. Returns
 * how many there are, at most stretch->columns. A moment stays in its column until that is
 * full.
 */
size_t history_read(const struct history *history, enum series series,
		    const struct stretch *stretch, double *out);

/* The value of number end - 1; NAN when there is none. */
double history_newest(const struct history *history, enum series series, size_t end);

/* The time that these columns reach back, in seconds; NAN when it is not known. */
double history_span(const struct history *history, const struct stretch *stretch);
