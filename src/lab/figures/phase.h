#pragma once
/*
 * The pressure phase: the time in which a run's harm is counted. Defined here and nowhere else.
 */
#include "lab/figures/series.h"

struct phase {
	bool present;
	uint64_t from_us;
	uint64_t to_us;
	bool killed;	 /* it ended because the leak was killed */
	const char *why; /* there is none */
};

#define PHASE_REFAULTS_PER_SECOND 200

#define PHASE_DEFINITION                                                                  \
	"Pressure phase: from the first second of the measured part with more than 200\n" \
	"refaults/s of the machine (file and anonymous) until the leak ends, or the run " \
	"does.\n"

/* leak may be NULL. */
struct phase phase_of(const struct series *series, const struct load *leak);

/* Refaults of the machine a second, file and anonymous, between two frames; NAN unknown. */
double refault_rate(const struct series *series, struct frame_range frames);
