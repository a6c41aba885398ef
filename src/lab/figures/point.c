#include "lab/figures/point.h"

#include <math.h>

/* The longest sum is of the zones that direct reclaim was for. */
#define PARTS_MAX 8

struct source_row {
	struct point_row row;
	size_t part[PARTS_MAX];
	size_t parts;
};

#define POINT(id, name_, kind_, dimension_, help_, ...)    \
	[id] = { .row = { .name = name_,                   \
			  .help = help_,                   \
			  .kind = kind_,                   \
			  .dimension = DIM_##dimension_ }, \
		 .part = { __VA_ARGS__ },                  \
		 .parts = ARRAY_LEN(((const size_t[]){ __VA_ARGS__ })) },
static const struct source_row MACHINE[] = {
#include "lab/figures/point.def"
};

#define POINT(id, name_, kind_, dimension_, help_, ...)    \
	[id] = { .row = { .name = name_,                   \
			  .help = help_,                   \
			  .kind = kind_,                   \
			  .dimension = DIM_##dimension_ }, \
		 .part = { __VA_ARGS__ },                  \
		 .parts = ARRAY_LEN(((const size_t[]){ __VA_ARGS__ })) },
static const struct source_row GROUP[] = {
#include "lab/figures/group_point.def"
};

static const struct point_row MADE[POINTS] = {
	[P_MIN] = { "min", "Watermark: below it, allocating tasks reclaim themselves", GAUGE,
		    DIM_BYTES },
	[P_LOW] = { "low", "Watermark: below it, kswapd is woken", GAUGE, DIM_BYTES },
	[P_HIGH] = { "high", "Watermark: up to it, kswapd works", GAUGE, DIM_BYTES },
	[P_SWAP_USED] = { "swap_used", "Swap in use", GAUGE, DIM_BYTES },
};

const struct point_row *point_row(enum machine_point point)
{
	return point < P_MIN ? &MACHINE[point].row : &MADE[point];
}

const struct point_row *group_point_row(enum group_point point)
{
	return &GROUP[point].row;
}

static double scaled(uint64_t value, enum unit unit, enum dimension dimension,
		     uint64_t page_bytes)
{
	if (dimension == DIM_SECONDS)
		return (double)value / SECOND_US;
	if (dimension == DIM_COUNT)
		return (double)value;
	if (unit == PAGES)
		return (double)value * (double)page_bytes;
	return (double)value * (unit == KIB ? 1024 : 1);
}

struct slots_of {
	const uint64_t *value;
	const uint8_t *state;
	const struct field *fields;
	uint64_t page_bytes;
};

/* The sum of the parts that this kernel has; NAN when it has none of them. */
static double sum_of(const struct source_row *source, const struct slots_of *slots)
{
	double sum = (double)NAN;

	for (size_t i = 0; i < source->parts; i++) {
		size_t id = source->part[i];
		double part;

		if (slots->state[id] == ABSENT)
			continue;
		if (slots->state[id] != OK)
			return (double)NAN;
		part = scaled(slots->value[id], slots->fields[id].unit, source->row.dimension,
			      slots->page_bytes);
		sum = isnan(sum) ? part : sum + part;
	}
	return sum;
}

static double watermark(const struct snapshot *snapshot, enum zone_field field)
{
	double sum = 0;

	if (snapshot->zones_state != OK || snapshot->zones->cut || snapshot->zones->zones == 0)
		return (double)NAN;
	for (size_t i = 0; i < snapshot->zones->zones; i++) {
		const struct zone *zone = &snapshot->zones->zone[i];

		if (zone->state[field] != OK)
			return (double)NAN;
		sum += (double)zone->value[field] * (double)snapshot->host.page_bytes;
	}
	return sum;
}

void points_of(const struct snapshot *snapshot, double out[POINTS])
{
	const struct slots_of slots = {
		.value = snapshot->value,
		.state = snapshot->state,
		.fields = catalogue_of(SCOPE_MACHINE)->fields,
		.page_bytes = snapshot->host.page_bytes,
	};

	for (size_t i = 0; i < ARRAY_LEN(MACHINE); i++)
		out[i] = sum_of(&MACHINE[i], &slots);
	out[P_MIN] = watermark(snapshot, ZONE_MIN);
	out[P_LOW] = watermark(snapshot, ZONE_LOW);
	out[P_HIGH] = watermark(snapshot, ZONE_HIGH);
	out[P_SWAP_USED] = out[P_SWAP_TOTAL] - out[P_SWAP_FREE];
}

void group_points_of(const struct snapshot *snapshot, const struct cgroup *cgroup,
		     double out[GROUP_POINTS])
{
	const struct slots_of slots = {
		.value = cgroup->value,
		.state = cgroup->state,
		.fields = catalogue_of(SCOPE_CGROUP)->fields,
		.page_bytes = snapshot->host.page_bytes,
	};

	for (size_t i = 0; i < ARRAY_LEN(GROUP); i++)
		out[i] = sum_of(&GROUP[i], &slots);
}
