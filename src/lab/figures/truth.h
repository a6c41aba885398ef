#pragma once
/*
 * What happened while a recording ran, in the words of tests/fixtures/rec: what the scenario
 * declares, and what its cgroups, loads and counters say before and after the onset.
 */
#include "lab/figures/series.h"

/*
 * The frame before the first second of the measured part in which the sufferer stalled for more
 * than a tenth of the time or did less than 80 % of its slots; where nobody is said to suffer,
 * or [truth] names a phase, the frame in which that, the last load of the measured part, or
 * that part itself was started.
 */
size_t truth_onset(const struct series *series);

/* window holds onset. */
void truth_write(const struct series *series, struct frame_range window, size_t onset,
		 FILE *file);
