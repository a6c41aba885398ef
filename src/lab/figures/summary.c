#include "lab/figures/summary.h"

#include <math.h>

/* A run that was lost early does not say which kernel it had. */
static bool is_of(const struct outcome *run, const struct arm_query *query)
{
	return strcmp(run->arm, query->arm) == 0 &&
	       (!*run->kernel || strcmp(run->kernel, query->kernel) == 0);
}

static size_t count_status(const struct arm_query *query, enum outcome_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < query->runs.count; i++)
		count += is_of(&query->runs.run[i], query) &&
			 query->runs.run[i].status == status;
	return count;
}

/* The runs that count: those that are done, or else the noisy ones. */
static enum outcome_status counted_status(const struct arm_query *query)
{
	return count_status(query, OUTCOME_DONE) > 0 ? OUTCOME_DONE : OUTCOME_NOISY;
}

struct values {
	struct lasted value[STATS_REPEATS_MAX];
	size_t count;
	bool censored;
	const char *why; /* of a run that has none */
};

static struct values values_of(const struct arm_query *query, enum figure_id id)
{
	enum outcome_status status = counted_status(query);
	struct values values = { 0 };

	for (size_t i = 0; i < query->runs.count && values.count < STATS_REPEATS_MAX; i++) {
		const struct figure *figure = &query->runs.run[i].figure[id];

		if (!is_of(&query->runs.run[i], query))
			continue;
		if (query->runs.run[i].status != status || isnan(figure->value)) {
			values.why = figure->why ? figure->why : values.why;
			continue;
		}
		values.value[values.count++] =
			(struct lasted){ figure->value, figure->censored };
		values.censored |= figure->censored;
	}
	return values;
}

static size_t plain(const struct values *values, double *out)
{
	for (size_t i = 0; i < values->count; i++)
		out[i] = values->value[i].time;
	return values->count;
}

static struct figure middle(struct values *values, size_t counted)
{
	double value[STATS_REPEATS_MAX];
	struct lasted lasted;

	/* What most runs do not have is not what the arm is like. */
	if (values->count == 0 || values->count * 2 < counted)
		return (struct figure){ .value = (double)NAN, .why = values->why };
	if (!values->censored)
		return (struct figure){ .value = stats_median(value, plain(values, value)) };
	lasted = stats_median_lasted(values->value, values->count);
	return (struct figure){ .value = lasted.time, .censored = lasted.censored };
}

void summary_of(const struct arm_query *query, struct summary *out)
{
	enum outcome_status status = counted_status(query);

	*out = (struct summary){ .counted = count_status(query, status) };
	out->noisy = status == OUTCOME_NOISY && out->counted > 0;
	span_copy(span_cstr(query->arm), out->arm, sizeof(out->arm));
	span_copy(span_cstr(query->kernel), out->kernel, sizeof(out->kernel));
	for (size_t i = 0; i < FIGURES; i++) {
		struct values values = values_of(query, (enum figure_id)i);

		out->known[i] = values.count;
		out->figure[i] = middle(&values, out->counted);
	}
}

struct ratio summary_ratio(const struct arm_query *arm, const struct arm_query *base,
			   enum figure_id figure)
{
	struct values above = values_of(arm, figure);
	struct values below = values_of(base, figure);
	double left[STATS_REPEATS_MAX];
	double right[STATS_REPEATS_MAX];

	if (above.censored || below.censored)
		above.count = 0;
	return stats_ratio((struct sample){ left, plain(&above, left) },
			   (struct sample){ right, plain(&below, right) });
}
