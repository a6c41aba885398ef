#include "lab/figures/stats.h"

#include <assert.h>
#include <math.h>

#define RESAMPLES 2000

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	if (isnan(a) || isnan(b))
		return !isnan(b) ? 1 : -!isnan(a);
	return (a > b) - (a < b);
}

void stats_sort(double *value, size_t count)
{
	if (count > 0)
		qsort(value, count, sizeof(*value), by_value);
}

double stats_quantile(const double *sorted, size_t count, double share)
{
	double place = share * ((double)count - 1);
	size_t below;

	if (count == 0)
		return (double)NAN;
	below = (size_t)place;
	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

double stats_median(double *value, size_t count)
{
	stats_sort(value, count);
	return stats_quantile(value, count, 0.5);
}

/* xorshift64*: the same numbers on every machine. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}

static double resampled_median(struct sample sample, uint64_t *state)
{
	double drawn[STATS_REPEATS_MAX];

	for (size_t i = 0; i < sample.count; i++)
		drawn[i] = sample.value[(random_next(state) >> 32) % sample.count];
	return stats_median(drawn, sample.count);
}

static double median_of(struct sample sample)
{
	double copy[STATS_REPEATS_MAX];

	for (size_t i = 0; i < sample.count; i++)
		copy[i] = sample.value[i];
	return stats_median(copy, sample.count);
}

/* Draws in which the base is 0 have no ratio: so many of them, and there is no interval. */
static size_t resample(struct sample arm, struct sample base, double *out)
{
	uint64_t state = 0x9e3779b97f4a7c15;
	size_t count = 0;

	for (size_t i = 0; i < RESAMPLES; i++) {
		double above = resampled_median(arm, &state);
		double below = resampled_median(base, &state);

		if (below > 0)
			out[count++] = above / below;
	}
	return count;
}

struct ratio stats_ratio(struct sample arm, struct sample base)
{
	struct ratio ratio = { (double)NAN, (double)NAN, (double)NAN, false, false };
	double drawn[RESAMPLES];
	double below;

	assert(arm.count <= STATS_REPEATS_MAX && base.count <= STATS_REPEATS_MAX);
	below = median_of(base);
	if (below > 0)
		ratio.value = median_of(arm) / below;
	if (isnan(ratio.value) || arm.count < STATS_REPEATS_MIN ||
	    base.count < STATS_REPEATS_MIN || resample(arm, base, drawn) < RESAMPLES)
		return ratio;
	stats_sort(drawn, RESAMPLES);
	ratio.low = stats_quantile(drawn, RESAMPLES, 0.025);
	ratio.high = stats_quantile(drawn, RESAMPLES, 0.975);
	ratio.has_interval = true;
	ratio.differs = ratio.low > 1 || ratio.high < 1;
	return ratio;
}

/* What ended at a time was still at risk when something else left at that time. */
static int by_time(const void *left, const void *right)
{
	const struct lasted *a = left;
	const struct lasted *b = right;

	if (a->time != b->time)
		return (a->time > b->time) - (a->time < b->time);
	return a->censored - b->censored;
}

struct lasted stats_median_lasted(struct lasted *value, size_t count)
{
	double surviving = 1;

	if (count == 0)
		return (struct lasted){ (double)NAN, false };
	qsort(value, count, sizeof(*value), by_time);
	for (size_t i = 0; i < count; i++) {
		if (!value[i].censored)
			surviving *= 1 - 1 / (double)(count - i);
		if (surviving <= 0.5 + 1e-9)
			return (struct lasted){ value[i].time, false };
	}
	return (struct lasted){ value[count - 1].time, true };
}
