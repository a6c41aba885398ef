#include "analysis/slope.h"

#include <math.h>

/* In place, few: insertion sort of at most PAIRS_MAX slopes. */
#define PAIRS_MAX (SLOPE_POINTS * (SLOPE_POINTS - 1) / 2)

static void insert(double *sorted, size_t count, double value)
{
	size_t at = count;

	while (at > 0 && sorted[at - 1] > value) {
		sorted[at] = sorted[at - 1];
		at--;
	}
	sorted[at] = value;
}

double slope_of(const struct point *points, size_t count)
{
	double slopes[PAIRS_MAX];
	size_t pairs = 0;

	count = MIN(count, (size_t)SLOPE_POINTS);
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			if (points[j].at > points[i].at) {
				double rise = points[j].value - points[i].value;

				insert(slopes, pairs, rise / (points[j].at - points[i].at));
				pairs++;
			}
	if (pairs == 0)
		return (double)NAN;
	return pairs % 2 ? slopes[pairs / 2] : (slopes[pairs / 2 - 1] + slopes[pairs / 2]) / 2;
}

double rising_of(const struct point *points, size_t count)
{
	size_t rising = 0;

	if (count < 2)
		return 0;
	for (size_t i = 1; i < count; i++)
		rising += points[i].value >= points[i - 1].value;
	return (double)rising / (double)(count - 1);
}
