#pragma once
/*
 * Who is protected, and how much each would need: the first half of a round of protection.
 */
#include "policy/protect.h"

/* All that a round works on. */
struct round {
	struct protection *state;
	const struct guard_config *config;
	const struct evidence *evidence;
	const struct snapshot *now;
	uint64_t at_us;
	double total; /* RAM; NAN unknown */
};

/* Who was asked for in a user's part comes after all others. */
#define PRIORITY_GIVEN INT32_MIN

struct protected *protected_find(struct protection *state, uint64_t id);

/* That of the cgroup, or a new one; NULL without room: what is not in the list is not touched.
 */
struct protected *protected_new(struct protection *state, const struct cgroup *cgroup);

/* Drops who is gone, and sees whose values somebody else has changed. */
void choice_forget(const struct round *round);

/* Chooses and measures all that are to be protected; nobody else is chosen after that. */
void choice_of_all(const struct round *round, const struct service_list *services);

/* row is that of choice_row(), or NULL. */
void choice_measure(const struct round *round, int32_t member, struct protected *entry,
		    const struct policy_row *row);
const struct policy_row *choice_row(const struct round *round, const struct cgroup *cgroup);
