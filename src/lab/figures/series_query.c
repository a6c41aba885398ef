#include <math.h>

#include "lab/figures/ini.h"
#include "lab/figures/series.h"

const struct load *series_load(const struct series *series, struct span name)
{
	for (size_t i = 0; i < series->loads; i++)
		if (span_eq(name, series->load[i].name))
			return &series->load[i];
	return NULL;
}

const struct load *series_measured_load(const struct series *series, const char *key)
{
	struct span name;

	if (!ini_find(series->scenario, "measure", key, &name))
		return NULL;
	return series_load(series, name);
}

const struct group *series_guard_group(const struct series *series)
{
	struct span name;

	if (!ini_find(series->scenario, "measure", "guard_group", &name))
		return NULL;
	for (size_t i = 0; i < series->groups; i++)
		if (span_eq(name, series->group[i].name))
			return &series->group[i];
	return NULL;
}

bool load_is_started(const struct series *series, const struct load *load)
{
	for (size_t i = 0; i < series->marks; i++)
		if (strcmp(series->mark[i].kind, "start") == 0 &&
		    strcmp(series->mark[i].text, load->name) == 0)
			return true;
	return false;
}

bool load_row(const struct load *load, uint64_t at_us, size_t *out)
{
	size_t rows = 0;

	while (rows < load->rows && load->at_us[rows] <= at_us)
		rows++;
	if (rows == 0)
		return false;
	*out = rows - 1;
	return true;
}

struct frame_range series_frames(const struct series *series, uint64_t from_us, uint64_t to_us)
{
	struct frame_range frames = { .first = series->frames };

	for (size_t i = series->frames; i > 0; i--)
		if (series->at_us[i - 1] >= from_us)
			frames.first = i - 1;
	for (size_t i = 0; i < series->frames; i++)
		if (series->at_us[i] <= to_us)
			frames.last = i;
	return frames;
}

/* Shorter than any interval that a scenario may have. */
#define MOMENT_S 0.05

bool series_is_apart(const struct series *series, struct frame_range frames)
{
	return series->at[frames.last] - series->at[frames.first] >= MOMENT_S;
}

double series_rise(const double *value, struct frame_range frames)
{
	double last;

	if (frames.first >= frames.last)
		return (double)NAN;
	last = value[frames.first];
	for (size_t i = frames.first; i <= frames.last; i++) {
		if (value[i] < last)
			return (double)NAN;
		if (!isnan(value[i]))
			last = value[i];
	}
	return value[frames.last] - value[frames.first];
}

double series_rate(const struct series *series, const double *value, struct frame_range frames)
{
	double rise = series_rise(value, frames);

	/* NAN for too few frames, of which there is no length either. */
	if (isnan(rise))
		return rise;
	return rise / (series->at[frames.last] - series->at[frames.first]);
}
