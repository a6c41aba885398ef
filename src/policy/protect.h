#pragma once
/*
 * Which cgroups get how much memory.min, with their ancestors: measured, bounded, remembered.
 * Pure: it says what should be written; policy/act writes.
 */
#include "policy/config.h"
#include "policy/workingset.h"

#define PROTECTED_MAX 256
#define PROTECT_WRITES 32

/* What is known of a cgroup that has or had a value of ours: units and their ancestors. */
struct protected
{
	uint64_t id; /* kernfs id; 0 is a free place */
	char path[256];
	bool is_ancestor;   /* its value is the sum of what is protected below it */
	bool is_asked;	    /* by plan, as a step of the ladder: also without a policy */
	bool is_given;	    /* asked for, in a part of the tree that was given to a user */
	uint64_t found;	    /* memory.min before us */
	uint64_t set;	    /* what we wrote last; 0 nothing */
	uint64_t wanted;    /* measured working set with margin, floor and cap */
	uint64_t effective; /* in force by the snapshot: what stands in it, after the ancestors
			     */
	uint64_t raised_at_us; /* when it was needed last: it is lowered only long after */
	uint64_t said;	       /* a dry run said so: it is not said again; 0 nothing */
	int32_t priority;      /* who comes first where there is not room for all */
	bool is_chosen;	       /* it is to be protected; else only as an ancestor, or no more */
	int32_t error;	       /* -errno of the last write; 0 */
	struct workingset working;
	struct workingset_size size;
	const char *why_not; /* not or not fully protected: "grows", "over the share of RAM" …
				NULL */
};

struct protection {
	struct protected list[PROTECTED_MAX];
	uint64_t next_us;  /* when to measure again */
	bool is_supported; /* some cgroup has memory.min */
	uint64_t bound;	   /* all of it may be this */
};

struct min_write {
	int32_t member; /* index into the snapshot's cgroups */
	uint64_t id;
	uint64_t from;
	uint64_t to; /* bytes for memory.min */
};

/* Ids of cgroups that are services by other means than a policy row: sockets, unit types. */
struct service_list {
	uint64_t id[PROTECTED_MAX];
	uint32_t count;
};

/*
 * Measures when it is due and says what to write, ancestors before units when raising. A value
 * that somebody else set is never lowered, and where a file does not hold what we wrote last it
 * is somebody else's from then on. The time is that of the newest snapshot. Returns the number
 * of writes.
 */
size_t protect_next(struct protection *state, const struct guard_config *config,
		    const struct service_list *services, const struct evidence *evidence,
		    struct min_write out[PROTECT_WRITES]);

/*
 * Whoever has a part of the tree can make a crowd suffer in it, and could have all of it
 * protected: so many have a place at the first step of the ladder, and none that lies so deep
 * that its ancestors would take the places.
 */
#define PROTECTED_GIVEN 32
#define PROTECTED_DEPTH 16
bool protect_has_place(const struct protection *state, const struct snapshot *now,
		       int32_t member);

/* The first step of the ladder: that member too, from now on. */
size_t protect_member(struct protection *state, const struct guard_config *config,
		      const struct evidence *evidence, int32_t member,
		      struct min_write out[PROTECT_WRITES]);

/* The values that were found, units before ancestors; only where ours still stands. */
size_t protect_restore(struct protection *state, const struct snapshot *now,
		       struct min_write out[PROTECT_WRITES]);

/*
 * A write was done, or failed with -errno: state remembers it. A dry run says -ECANCELED: then
 * the same is not said again.
 */
void protect_done(struct protection *state, const struct min_write *write, int r);

/*
 * memory.min that is in force for a cgroup, by the kernel's own rule (mm/page_counter.c) but
 * for what memory_recursiveprot lends it of an ancestor's rest. Bytes; 0 where nothing is
 * known.
 */
uint64_t protect_effective(const struct snapshot *now, int32_t index);
