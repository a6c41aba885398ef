#pragma once
/*
 * Whom to kill: by what it would give back, weighted by growth, inside one domain. Pure.
 */
#include "analysis/evidence.h"
#include "policy/config.h"

enum exempt {
	EXEMPT_NOT,
	EXEMPT_SELF,	/* the guard, its ancestors, its cgroup */
	EXEMPT_INIT,	/* pid 1 */
	EXEMPT_ADJ,	/* oom_score_adj -1000 */
	EXEMPT_OMIT,	/* user.oomd_omit, by an owner who may */
	EXEMPT_POLICY,	/* a policy row says never */
	EXEMPT_STUCK,	/* was killed and did not die */
	EXEMPT_EMPTY,	/* would give nothing back */
	EXEMPT_UNKNOWN, /* nothing is known of its memory */
	EXEMPTS,
};
const char *exempt_words(enum exempt exempt);

/* Who is to be killed: a process, or all of a cgroup. */
struct candidate {
	int32_t member; /* index; the top where there are no cgroups */
	uint64_t cgroup_id;
	const struct task *task; /* NULL: the whole cgroup */
	double gain;		 /* bytes that it would give back */
	double growth; /* bytes per second, the largest of the horizons that is confirmed */
	double growth_share; /* of all growth in the domain, 0 to 1 */
	double score;
	int32_t rank; /* 2 expendable, 1 prefer, 0 normal, -1 protected or oomd_avoid */
	enum exempt exempt;
	bool whole; /* the cgroup dies as one */
	const char
		*whole_why; /* memory.oom.group, policy, many small processes, again … NULL */
};

#define CANDIDATES_MAX 8

/* Whom the plan has tried already. */
struct tried {
	uint64_t cgroup_id;
	uint32_t pid; /* 0: the cgroup as a whole */
	uint64_t start_ticks;
	bool stuck; /* it did not die */
	uint64_t at_us;
};
#define TRIED_MAX 32

struct victim_query {
	const struct evidence *evidence;
	const struct domain *domain;
	const struct guard_config *config;
	const uint64_t *rows; /* policy_rows_of_cgroup() of each member; NULL: not known yet */
	const struct tried *tried;
	size_t tried_count;
	uint32_t self_pid;   /* of the guard; its ancestors are found in the snapshot */
	int32_t self_member; /* the cgroup it is in; -1 unknown */
	double needed;	     /* bytes that would end the shortage */
};

struct ranking {
	struct candidate list[CANDIDATES_MAX]; /* best first; exempt ones behind all others */
	size_t count;
	double needed;
	bool best_is_enough;
};

/* Ranks whoever is in the domain. list[0] is the victim unless it is exempt. */
void victim_rank(const struct victim_query *query, struct ranking *out);
