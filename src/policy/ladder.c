#include "policy/ladder.h"

#include "policy/steps.h"

/* So near its limit a cgroup is at it. */
#define FILLED 0.97

/* The room that memory.high was given is used up, and it waits again: so it grows. */
static bool has_filled_up(const struct look *look)
{
	const struct domain_state *state = look->state;
	const struct plan_input *input = look->input;
	const struct domain *now = domain_like(input->recent, look->domain, input->longer);
	double most = (double)options_of(look)->limit_loss / 100;

	return state->rung == RUNG_RELAX && now &&
	       since(look, state->step_us) >= 2 * options_of(look)->settle_us &&
	       signal_of(now->signals, SIG_USAGE) >= FILLED * (double)state->high_set &&
	       harm_is_lost(input->recent, look->harm.culprit, most);
}

/* The effect of a step that kills nobody takes a time; none is owed to who will fill memory. */
static bool is_settling(const struct look *look)
{
	const struct domain_state *state = look->state;
	uint64_t settle_us = options_of(look)->settle_us;

	if (state->step_us == 0 || state->rung == RUNG_WATCH || has_filled_up(look))
		return false;
	if (state->rung == RUNG_PROTECT && state->kind == LIMIT_RAM)
		return false;
	/* The evidence of a limit reaches further back than the step. */
	if (state->kind != LIMIT_RAM)
		settle_us = MAX(settle_us, options_of(look)->limit_for_us);
	return since(look, state->step_us) < settle_us;
}

/* There is harm: the next step that has not been taken. */
static void climb(struct look *look)
{
	enum because why_not;

	if (is_settling(look)) {
		stop(look, BECAUSE_SETTLING);
		return;
	}
	if (look->harm.early && protect_step(look) && look->state->kind != LIMIT_RAM)
		return;
	if (!look->input->in_container && relax_step(look))
		return;
	why_not = forbidden(look);
	if (why_not != BECAUSE_NONE) {
		stop(look, why_not);
		return;
	}
	if (hook_step(look) || freeze_step(look))
		return;
	strike_first(look);
}

static void end_episode(struct domain_state *state)
{
	state->began_us = state->step_us = 0;
	state->rung = RUNG_WATCH;
	state->decision = 0;
	state->near_missed = state->nobody_said = state->acted = false;
	state->protected = state->relaxed = state->frozen_once = false;
	state->hooked = 0;
}

/* The old memory.high comes back after a time of calm. */
static void calm_down(struct look *look)
{
	struct domain_state *state = look->state;

	if (state->calm_us == 0)
		state->calm_us = look->input->at_us;
	if (state->high_set > 0 && since(look, state->high_us) >= RELAXED_US)
		restore_high(look->plan, look->input, state, look->out);
	if (since(look, state->calm_us) >= CALM_US && state->began_us > 0)
		end_episode(state);
}

/* Once an episode: it came near, and this is why nothing is done. */
static void near_miss(struct look *look)
{
	struct domain_state *state = look->state;

	state->calm_us = 0;
	if (state->began_us == 0)
		state->began_us = look->input->at_us;
	if (state->acted || state->near_missed || since(look, state->began_us) < SECOND_US)
		return;
	state->near_missed = true;
	decide(look);
	record_of(look, RECORD_NEAR_MISS);
}

void ladder_next(struct look *look)
{
	struct domain_state *state = look->state;

	forget_old_kills(look);
	rank(look);
	thaw_when_due(look);
	if (look->harm.near || look->harm.early)
		state->calm_us = 0;
	if (state->victim.cgroup_id != 0 || state->victim.pid != 0)
		await_death(look);
	else if (state->rung == RUNG_REST || hook_runs(look))
		stop(look, BECAUSE_SETTLING);
	else if (look->harm.act || has_filled_up(look))
		climb(look);
	else if (look->harm.early && !is_settling(look))
		protect_step(look);
	if (look->harm.near)
		near_miss(look);
	else if (!look->harm.early)
		calm_down(look);
	state->because = look->harm.because;
}

void ladder_leave(struct plan *plan, const struct plan_input *input, struct domain_state *state,
		  struct plan_output *out)
{
	const struct action_target thaw = { ACTION_FREEZE, state->decision, state->frozen_id };

	if (state->frozen_id != 0 && action_of(input, out, thaw))
		state->frozen_id = 0;
	if (state->high_set > 0 && input->at_us - state->high_us >= RELAXED_US)
		restore_high(plan, input, state, out);
}
