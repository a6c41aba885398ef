#pragma once
/*
 * Small samples, honestly: medians, quantiles, an interval of a ratio, and times that were
 * still running when the run ended.
 */
#include "base/macro.h"

/* Ascending; NAN comes last. */
void stats_sort(double *value, size_t count);

/*
 * Between the two nearest of sorted values, as most programs do it (type 7 of Hyndman and Fan,
 * 1996); NAN for none.
 */
double stats_quantile(const double *sorted, size_t count, double share);

/* Of values in any order; they are sorted. */
double stats_median(double *value, size_t count);

/* Fewer repeats than this say nothing about how much they differ. */
#define STATS_REPEATS_MIN 3
#define STATS_REPEATS_MAX 256

/* The median of an arm divided by that of the base arm. */
struct ratio {
	double value; /* NAN when a median is not known or the base's is 0 */
	double low;   /* of the 95 % interval; NAN without one */
	double high;
	bool has_interval; /* there were repeats enough on both sides */
	bool differs;	   /* the interval leaves 1 out */
};

/*
 * The interval is by bootstrap: both sides are drawn again 2,000 times, from a fixed seed, so
 * that the same runs give the same answer. A sample holds no NAN and at most STATS_REPEATS_MAX.
 */
struct sample {
	const double *value;
	size_t count;
};
struct ratio stats_ratio(struct sample arm, struct sample base);

/* How long something lasted; censored when the run ended before it did. */
struct lasted {
	double time;
	bool censored;
};

/*
 * The median by Kaplan and Meier (1958): the first time by which at least half have ended. It
 * is censored, and the longest time seen, when that never happened; NAN for none. Sorts.
 */
struct lasted stats_median_lasted(struct lasted *value, size_t count);
