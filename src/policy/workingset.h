#pragma once
/*
 * How much memory a cgroup really uses: what memory.min must hold so that nothing is evicted
 * which is read again at once. Too little does not help (60 MiB for a hot set of 88 MiB still
 * froze).
 */
#include "analysis/evidence.h"

/* What is remembered of one cgroup; fixed size, all 0 in the beginning. */
struct workingset {
	double hot_file;      /* slow maximum of hot file pages, bytes */
	double feedback;      /* pages that came back soon after eviction, added to it, bytes */
	double feedback_anon; /* the same from swap */
	double refaulted;     /* the counters at the last measurement, bytes; NAN unknown */
	double refaulted_anon;
	double at_s; /* of the last measurement; 0 never */
};

struct workingset_size {
	double bytes; /* all of it; NAN unknown */
	double anon;  /* its parts: what is anonymous, shared memory with it */
	double hot_file;
	double kernel;
	double locked;	 /* out of reach of reclaim and in none of the others */
	const char *how; /* of the hot file pages, or what is unknown */
};

/*
 * One more measurement of the member; pure but for *state. Where swap can be used only active
 * anonymous memory counts. While the machine or its limit is short hot file only rises.
 */
struct workingset_size workingset_of(const struct evidence *evidence, size_t member,
				     struct workingset *state);

/* The evidence calls it a leak: it grows, steadily and until now. */
bool member_grows(const struct evidence *evidence, size_t member);
