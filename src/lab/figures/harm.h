#pragma once
/*
 * When a service was first harmed, and when it was well again, from its slots alone. Ten slots
 * in a row are harm when half of them or more were not done on time: half a second of a service
 * with ten jobs a second.
 */
#include "lab/figures/series.h"

/* When the first slot of the first such ten was due that was not on time. False: never. */
bool harm_begin(const struct series *series, const struct load *service, uint64_t *at_us);

/*
 * From when on nine of ten slots were done for good, at or after the harm. False: not until the
 * end.
 */
bool harm_end(const struct series *series, const struct load *service, uint64_t *at_us);
