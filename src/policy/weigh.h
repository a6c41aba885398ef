#pragma once
/*
 * What a death would give back and who grows, at every horizon. Part of policy/victim.
 */
#include "policy/victim.h"

enum horizon {
	HORIZON_RECENT, /* about two seconds */
	HORIZON_WINDOW,
	HORIZON_LONG, /* minutes */
	HORIZONS,
};

/* All growth in the domain, bytes per second. */
struct scales {
	double total[HORIZONS];
	bool takes_waves; /* nobody else grows: those who were larger before count after all */
};
void scales_of(const struct victim_query *query, struct scales *out);

/* How fast somebody grows, and which part of all growth that is. */
struct pull {
	double growth;
	double share; /* 0 to 1 */
};

/* The cgroup that the process's memory is accounted to; -1 unknown. */
int32_t member_of(const struct task *task);

/* It waits to be reaped, and has given everything back. */
bool is_dead(const struct task *task);

/* True when its processes are all that is known, or the top, whose numbers are of all. */
bool is_bare(const struct victim_query *query, int32_t member);

/* True when the process may be looked at in this domain at all. */
bool is_inside(const struct victim_query *query, const struct task *task);

/* anon + swap, and shared memory that no other process of the cgroup maps. NAN unknown. */
double task_gain(const struct victim_query *query, const struct task *task);

/* Bytes per second since the oldest snapshot; 0 for what shrinks, and where it is unknown. */
double task_pull(const struct victim_query *query, const struct task *task);

/* anon + swap, and as much of shared memory as mapped: what nobody maps stays. NAN unknown. */
double member_gain(const struct victim_query *query, int32_t member, double mapped);

struct pull pull_of_member(const struct victim_query *query, const struct scales *scales,
			   int32_t member);
struct pull pull_of_task(const struct victim_query *query, const struct scales *scales,
			 const struct task *task);

/* The part of a cgroup's memory that memory.min does not protect, 0 to 1. */
double unprotected_share(const struct victim_query *query, int32_t member);

/* What counts: bytes, and who makes the shortage rather than who is large. */
double score_of(double bytes, double share);
