#include "guard/loop.h"

/* All that can be protected, and once more for what failed. */
#define ROUNDS (PROTECTED_MAX / PROTECT_WRITES + 1)

static int write_min(struct loop *loop, const struct snapshot *now, const struct min_write *min)
{
	struct feedback feedback[FEEDBACK_MAX];
	const struct action action = {
		.kind = ACTION_MIN,
		.member = min->member,
		.cgroup_id = min->id,
		.write = *min,
	};
	size_t count;

	act_do(&loop->hand, &action, sampler_directory(&loop->sampler, HIERARCHY_V2, min->id),
	       now->host.at_us);
	count = act_collect(&loop->hand, now->host.at_us, feedback);
	for (size_t i = 0; i < count; i++)
		if (feedback[i].kind == ACTION_MIN && feedback[i].cgroup_id == min->id)
			return feedback[i].outcome == OUTCOME_FAILED ? -feedback[i].error : 0;
	return 0;
}

static void restore_protection(struct loop *loop, const struct snapshot *now)
{
	struct protection *protection = &loop->engine.plan.protection;
	struct min_write writes[PROTECT_WRITES];

	for (int round = 0; round < ROUNDS; round++) {
		size_t count = protect_restore(protection, now, writes);

		for (size_t i = 0; i < count; i++)
			protect_done(protection, &writes[i], write_min(loop, now, &writes[i]));
		if (count == 0)
			return;
	}
}

static void set_value(struct loop *loop, enum action_kind kind, uint64_t id, uint64_t value)
{
	const struct action action = {
		.kind = kind,
		.member = -1,
		.cgroup_id = id,
		.value = value,
	};

	act_do(&loop->hand, &action, sampler_directory(&loop->sampler, HIERARCHY_V2, id), 0);
}

/* Somebody else's value is left alone. */
static bool still_stands(const struct snapshot *now, const struct domain_state *state)
{
	const struct cgroup *cgroup = snapshot_cgroup(
		now, &(struct cgroup){ .id = state->id, .hierarchy = HIERARCHY_V2 });

	return cgroup && cgroup->value[CG_HIGH] == state->high_set &&
	       (cgroup->state[CG_HIGH] == OK || cgroup->state[CG_HIGH] == UNLIMITED);
}

static void restore_domain(struct loop *loop, const struct snapshot *now,
			   struct domain_state *state)
{
	if (state->frozen_id) {
		set_value(loop, ACTION_FREEZE, state->frozen_id, 0);
		state->frozen_id = 0;
	}
	if (state->high_found && still_stands(now, state)) {
		set_value(loop, ACTION_HIGH, state->id, state->high_found);
		state->high_found = 0;
	}
}

/* By a new look, since what was written last is not in the old one. */
void loop_restore(struct loop *loop)
{
	struct snapshot *now;

	if (sampler_take(&loop->sampler, &loop->root, SAMPLE_KEEP_TASKS,
			 engine_arena(&loop->engine), &now) < 0)
		return;
	for (size_t i = 0; i < PLAN_DOMAINS; i++)
		if (loop->engine.plan.domain[i].used)
			restore_domain(loop, now, &loop->engine.plan.domain[i]);
	restore_protection(loop, now);
}
