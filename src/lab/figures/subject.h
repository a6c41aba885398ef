#pragma once
/*
 * What the figures of one run are computed from, found once. Private to figures*.c. The
 * measured part did begin.
 */
#include "lab/figures/figures.h"
#include "lab/figures/phase.h"

struct subject {
	const struct series *series;
	const struct load *service; /* each NULL when there is none */
	const struct load *leak;
	const struct load *prober;
	const struct load *guard;
	struct phase phase;
	uint64_t from_us; /* the pressure phase, or all of the measured part */
	uint64_t to_us;
	struct frame_range pressure; /* the frames in it */
	struct frame_range measured; /* those of the measured part */
};

#define FIGURE(id, name, ...) struct figure figure_##name(const struct subject *subject);
#include "lab/figures/figures.def"

static inline struct figure figure_is(double value)
{
	return (struct figure){ .value = value };
}

static inline struct figure figure_none(const char *why)
{
	return (struct figure){ .value = (double)__builtin_nan(""), .why = why };
}

/* From when it was due until it was done, or until its load or the run ended. */
double slot_delay(const struct slot *slot, uint64_t end_us);

/* It had passed before the load came to it. */
bool slot_is_passed(const struct slot *slot, uint64_t period_us);
bool slot_is_on_time(const struct slot *slot, uint64_t period_us);

/* The usual time from one slot of a load to the next; 0 unknown. */
uint64_t slots_period(const struct load *load);
