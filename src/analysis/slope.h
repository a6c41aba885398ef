#pragma once
/*
 * Robust slopes of short series.
 */
#include "base/macro.h"

struct point {
	double at; /* seconds since boot */
	double value;
};

/* Longer series are cut to this. */
#define SLOPE_POINTS 24

/* The median of the slopes of all pairs (Theil-Sen): one outlier in four does not move it. */
double slope_of(const struct point *points, size_t count);

/* The share of steps that do not fall: 1 for a leak, near 0.5 for noise. */
double rising_of(const struct point *points, size_t count);
