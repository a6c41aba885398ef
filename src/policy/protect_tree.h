#pragma once
/*
 * The arithmetic of one round of protection: who gets how much of what may be given, what each
 * ancestor needs for it, and which files are to be written, in which order.
 */
#include "analysis/evidence.h"
#include "policy/protect.h"

/* One entry of the list in the tree; parallel to protection.list. */
struct place {
	int32_t index;	/* in the snapshot; -1 it is not there */
	int32_t parent; /* place of the cgroup above it; -1 it is below the top */
	int32_t depth;
	uint64_t found;	 /* memory.min of others, "max" as far as it is used */
	uint64_t target; /* granted to it, as a unit */
	uint64_t below;	 /* what is protected in it, by us or by others */
	uint64_t given;	 /* by us in it */
	uint64_t limit;	 /* that may be given in it */
	bool is_limited;
};

struct tree {
	struct protection *state;
	const struct snapshot *now;
	struct place place[PROTECTED_MAX];
	uint16_t order[PROTECTED_MAX]; /* of the places that are there: the deepest first */
	size_t places;
	uint64_t used; /* of RAM, by all that is protected below the top */
};

/* Index of the cgroup with that id in the v2 hierarchy; -1 it is not there. */
int32_t tree_index(const struct snapshot *now, uint64_t id);

/* It has a memory.min that could be read; the top has none. */
bool tree_has_min(const struct cgroup *cgroup);

/* The list as it is now: where each is, and what others have protected. */
void tree_init(struct tree *tree, struct protection *state, const struct snapshot *now);

/* Of a limit of a cgroup that much may be protected in it. */
void tree_limit(struct tree *tree, uint64_t percent);

/*
 * As much as asked for, or less where there is not room for it: below bound of all RAM and
 * below the limits of its ancestors. *why_not is set when it is less.
 */
uint64_t tree_room(struct tree *tree, size_t at, uint64_t asked, const char **why_not);
void tree_give(struct tree *tree, size_t at, uint64_t bytes);

/* memory.min as it should be there: "max" stays. */
uint64_t tree_value(const struct tree *tree, size_t at);

/*
 * Raises, ancestors before what is in them; then what is to be lowered, the other way round.
 * Returns the number of writes; *cut when there are more than fit.
 */
size_t tree_writes(const struct tree *tree, struct min_write out[PROTECT_WRITES], bool *cut);
