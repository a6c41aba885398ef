#pragma once
/*
 * The steps of one domain, from protecting who suffers to killing who causes it: each only when
 * the one before has not helped. Part of plan.
 */
#include "policy/harm.h"

/* One look at one domain. */
struct look {
	struct plan *plan;
	const struct plan_input *input;
	const struct domain *domain; /* of input->longer */
	struct domain_state *state;
	struct harm harm;
	struct plan_output *out;
};

/* Decides about the domain and adds actions and records. */
void ladder_next(struct look *look);

/* The domain is at its limit no more: what is under way is brought to its end. */
void ladder_leave(struct plan *plan, const struct plan_input *input, struct domain_state *state,
		  struct plan_output *out);

/* A record of the kind with all that is known of the look; NULL when there is no room. */
struct guard_record *record_of(struct look *look, enum record_kind kind);

/* One without a domain. */
struct guard_record *record_plain(const struct plan_input *input, struct plan_output *out,
				  enum record_kind kind);

/* Room for an action of the decision on that cgroup; NULL when there is none. */
struct action_target {
	enum action_kind kind;
	uint64_t decision;
	uint64_t cgroup_id;
};
struct action *action_of(const struct plan_input *input, struct plan_output *out,
			 struct action_target target);

/* The outcome of that action of the decision; NULL when there is none in this input. */
const struct feedback *feedback_of(const struct plan_input *input, uint64_t decision,
				   enum action_kind kind);

/* Hands the writes to the hand, or in a dry run only says them; a record for each. */
void plan_protect(struct look *look, const struct min_write *write, size_t count);
