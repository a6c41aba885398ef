#pragma once
/*
 * Sorting in place without allocating: qsort(3) of glibc before 2.37 calls malloc for large
 * arrays, which the sampling loop must not.
 */
#include "base/macro.h"

struct sort_key {
	uint64_t major;
	uint64_t minor;
	uint32_t index; /* what the key belongs to */
};

/* Ascending by major, then minor. Heapsort: no allocation, no recursion, n log n always. */
void sort_keys(struct sort_key *keys, size_t count);

/* The first key at or after (major, minor): count when there is none. */
size_t sort_find(const struct sort_key *keys, size_t count, uint64_t major, uint64_t minor);
