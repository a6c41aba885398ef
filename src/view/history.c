#include "view/history.h"

struct moment moment_of(const struct evidence *evidence)
{
	const struct signals *machine = &evidence->machine;

	return (struct moment){
		.at = (double)evidence->pair.now->host.at_us / SECOND_US,
		.value = {
			[SERIES_LOSS] = evidence->domain[0].loss,
			[SERIES_REREAD] = reread_of(machine),
			[SERIES_AVAILABLE] = signal_of(machine, SIG_AVAILABLE),
		},
	};
}

void history_add(struct history *history, const struct moment *moment)
{
	history->moment[history->count++ % MOMENTS_MAX] = *moment;
}

/* fmin() and fmax() pass over NAN: known moments win. */
static double worse(enum series series, double left, double right)
{
	return series == SERIES_AVAILABLE ? fmin(left, right) : fmax(left, right);
}

static bool is_kept(const struct history *history, size_t number)
{
	return number < history->count && history->count - number <= MOMENTS_MAX;
}

static double worst_of(const struct history *history, enum series series,
		       const struct stretch *stretch, size_t column)
{
	size_t end = MIN((column + 1) * stretch->each, stretch->end);
	double worst = (double)NAN;

	for (size_t i = column * stretch->each; i < end; i++)
		if (is_kept(history, i))
			worst = worse(series, worst,
				      history->moment[i % MOMENTS_MAX].value[series]);
	return worst;
}

/* The first and the number of all columns that the stretch shows. */
static size_t columns_of(const struct stretch *stretch, size_t *first)
{
	size_t all = (stretch->end + stretch->each - 1) / stretch->each;
	size_t shown = MIN(all, stretch->columns);

	*first = all - shown;
	return shown;
}

size_t history_read(const struct history *history, enum series series,
		    const struct stretch *stretch, double *out)
{
	size_t first;
	size_t shown = columns_of(stretch, &first);

	for (size_t i = 0; i < shown; i++)
		out[i] = worst_of(history, series, stretch, first + i);
	return shown;
}

double history_span(const struct history *history, const struct stretch *stretch)
{
	size_t first;

	if (stretch->end == 0)
		return (double)NAN;
	columns_of(stretch, &first);
	first *= stretch->each;
	if (!is_kept(history, first) || !is_kept(history, stretch->end - 1))
		return (double)NAN;
	return history->moment[(stretch->end - 1) % MOMENTS_MAX].at -
	       history->moment[first % MOMENTS_MAX].at;
}

double history_newest(const struct history *history, enum series series, size_t end)
{
	if (end == 0 || !is_kept(history, end - 1))
		return (double)NAN;
	return history->moment[(end - 1) % MOMENTS_MAX].value[series];
}
