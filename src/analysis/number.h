#pragma once
/*
 * A derived number: a value, or the reason why there is none. An unknown one is NAN, so that no
 * comparison with it is ever true; rules ask for what they need and answer "unknown" without
 * it.
 */
#include <math.h>

#include "kernel/field.h"

enum why {
	WHY_KNOWN,
	WHY_ABSENT,
	WHY_DENIED,
	WHY_DISABLED,
	WHY_GARBLED,
	WHY_UNLIMITED, /* a limit that is not set */
	WHY_RESET,     /* the counter went back */
	WHY_BASELINE,  /* seen for the first time: there is no rate yet */
	WHY_NO_TIME,   /* the samples are not some time apart */
	WHY_NOT_APPLICABLE,
};
const char *why_name(enum why why);

struct number {
	double value;
	enum why why;
};

struct number number_known(double value);
struct number number_unknown(enum why why);

/* One number as it was read. */
struct reading {
	uint64_t value;
	enum state state;
};

static inline struct reading reading_of(const uint64_t *value, const uint8_t *state, size_t id)
{
	return (struct reading){ value[id], (enum state)state[id] };
}

/* A gauge or setting as it stands. */
struct number number_level(struct reading now, double scale);

/* A counter's growth per second between two samples that are seconds apart. */
struct number number_rate(struct reading before, struct reading now, double seconds,
			  double scale);

/* Unknown when either is. */
struct number number_sum(struct number left, struct number right);
