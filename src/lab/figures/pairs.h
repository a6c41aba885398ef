#pragma once
/*
 * Which runs of two sets are compared with each other. Private to compare*.c.
 */
#include "lab/figures/compare.h"
#include "lab/figures/difference.h"
#include "lab/figures/summary.h"

#define PAIRS_MAX 256

/* An arm on a kernel, on either side. */
struct pair {
	struct arm_query a;
	struct arm_query b;
	const char *a_directory; /* of the first of its runs */
	const char *b_directory;
};

struct pairs {
	struct outcomes a; /* owned */
	struct outcomes b; /* owned */
	struct pair pair[PAIRS_MAX];
	size_t count;
};

/* Refuses as compare.h says; pairs_done() in any case. */
must_check int pairs_init(const struct compare *compare, struct pairs *out,
			  struct lab_error *error);
void pairs_done(struct pairs *pairs);
