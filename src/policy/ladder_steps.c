#include <errno.h>

#include "policy/exempt.h"
#include "policy/steps.h"

/* So much growth a second at memory.high is that of a throttled task, not of a leak. */
#define THROTTLED_RATE (256.0 * 1024)

/* Of what the machine has available, so much may go to a memory.high that is raised. */
#define RELAX_ROOM 0.25

/* And of what is left to memory.max, where the kernel would kill. */
#define RELAX_TO_MAX 0.5

void take_step(struct look *look, enum rung rung)
{
	struct domain_state *state = look->state;

	state->rung = rung;
	state->step_us = look->input->at_us;
	state->acted = true;
	if (state->decision == 0)
		state->decision = ++look->plan->next_decision;
}

/* A new decision: what comes from now on has an id of its own. */
void decide(struct look *look)
{
	look->state->decision = ++look->plan->next_decision;
}

struct action *act_on(struct look *look, enum action_kind kind, uint64_t cgroup_id)
{
	return action_of(look->input, look->out,
			 (struct action_target){ kind, look->state->decision, cgroup_id });
}

/* Who would be killed is not protected from it, whatever it suffers. */
static bool is_victim(const struct look *look, int32_t member)
{
	const struct candidate *victim = victim_of(look);

	return victim && victim->member == member;
}

bool protect_step(struct look *look)
{
	struct min_write write[PROTECT_WRITES];
	struct domain_state *state = look->state;
	size_t count;

	if (state->protected || !options_of(look)->protect_on_harm || look->harm.sufferer < 0 ||
	    look->input->in_container || is_victim(look, look->harm.sufferer) ||
	    !protect_has_place(&look->plan->protection, look->input->longer->pair.now,
			       look->harm.sufferer))
		return false;
	state->protected = true;
	count = protect_member(&look->plan->protection, look->input->config,
			       look->input->longer, look->harm.sufferer, write);
	if (count == 0)
		return false;
	take_step(look, RUNG_PROTECT);
	plan_protect(look, write, count);
	return true;
}

bool hook_step(struct look *look)
{
	const struct guard_config *config = look->input->config;
	const struct candidate *victim = victim_of(look);
	const struct policy_row *row;
	struct policy_subject subject;
	struct action *action;

	if (!victim || look->state->hooked > 0)
		return false;
	subject = subject_of(&look->input->longer->pair.now->cgroups[victim->member],
			     victim->task);
	row = policy_find(config, POLICY_HOOK, &subject);
	if (!row)
		return false;
	decide(look);
	look->state->hooked = 1 + (uint32_t)(row - config->row);
	take_step(look, RUNG_HOOK);
	record_of(look, RECORD_HOOK);
	action = act_on(look, ACTION_HOOK, victim->cgroup_id);
	if (!action)
		return true;
	action->hook = (uint32_t)(row - config->row);
	action->pid = victim->task ? victim->task->pid : 0;
	return true;
}

/* True while a hook runs and has time left. */
bool hook_runs(struct look *look)
{
	struct domain_state *state = look->state;
	const struct feedback *feedback;
	struct guard_record *record;

	if (state->rung != RUNG_HOOK)
		return false;
	feedback = feedback_of(look->input, state->decision, ACTION_HOOK);
	if ((!feedback || feedback->outcome == OUTCOME_PENDING) &&
	    since(look, state->step_us) < options_of(look)->hook_us)
		return true;
	record = record_of(look, RECORD_HOOK_DONE);
	if (record)
		record->error = feedback ? feedback->error : ETIMEDOUT;
	state->rung = RUNG_WATCH;
	return false;
}

static double room_to_relax(const struct look *look)
{
	double high = look->domain->limit;
	double max = signal_of(look->domain->signals, SIG_LIMIT_MAX);
	double more = (double)options_of(look)->relax_most / 100 * high;

	more = fmin(more, RELAX_ROOM * signal_of(&look->input->recent->machine, SIG_AVAILABLE));
	return isnan(max) ? more : fmin(more, RELAX_TO_MAX * (max - high));
}

bool relax_step(struct look *look)
{
	const struct domain *domain = look->domain;
	struct domain_state *state = look->state;
	double high = domain->limit;
	double more = room_to_relax(look);
	struct guard_record *record;
	struct action *action;

	if (state->kind != LIMIT_HIGH || !options_of(look)->relax || state->relaxed ||
	    look->harm.rate > THROTTLED_RATE || !(more > 0))
		return false;
	decide(look);
	take_step(look, RUNG_RELAX);
	state->relaxed = true;
	state->high_found = (uint64_t)high;
	state->high_set = (uint64_t)(high + more);
	state->high_us = look->input->at_us;
	record = record_of(look, RECORD_RELAX);
	if (record) {
		record->value_from = state->high_found;
		record->value_to = state->high_set;
	}
	action = act_on(look, ACTION_HIGH, state->id);
	if (!action)
		return true;
	action->value = state->high_set;
	action->write.from = state->high_found;
	return true;
}

static void freeze(struct look *look, uint64_t value)
{
	struct domain_state *state = look->state;
	struct action *action = act_on(look, ACTION_FREEZE, state->frozen_id);

	record_of(look, value ? RECORD_FREEZE : RECORD_THAW);
	if (action)
		action->value = value;
}

static bool wants_freeze(const struct look *look)
{
	return options_of(look)->freeze || (look->harm.because == BECAUSE_IMMINENT &&
					    options_of(look)->first_answer == ANSWER_PAUSE);
}

bool freeze_step(struct look *look)
{
	const struct candidate *victim = victim_of(look);
	struct domain_state *state = look->state;

	/* A cgroup that holds the sufferer too would freeze both. */
	if (!victim || !wants_freeze(look) || state->frozen_once ||
	    state->id == victim->cgroup_id || victim->member == look->harm.sufferer)
		return false;
	decide(look);
	state->frozen_once = true;
	state->frozen_id = victim->cgroup_id;
	state->frozen_us = look->input->at_us;
	take_step(look, RUNG_FREEZE);
	freeze(look, 1);
	return true;
}

/* Goes on after a moment, be it only to die. */
void thaw_when_due(struct look *look)
{
	struct domain_state *state = look->state;

	if (state->frozen_id == 0 ||
	    since(look, state->frozen_us) < options_of(look)->settle_us)
		return;
	freeze(look, 0);
	state->frozen_id = 0;
}

void restore_high(struct plan *plan, const struct plan_input *input, struct domain_state *state,
		  struct plan_output *out)
{
	struct action *action;
	struct guard_record *record;

	record = record_plain(input, out, RECORD_RESTORE);
	if (record) {
		record->id = ++plan->next_decision;
		span_copy(span_cstr(state->path), record->domain, sizeof(record->domain));
		record->value_from = state->high_set;
		record->value_to = state->high_found;
	}
	action = action_of(
		input, out,
		(struct action_target){ ACTION_HIGH, plan->next_decision, state->id });
	if (action) {
		action->value = state->high_found;
		action->write.from = state->high_set;
	}
	state->high_found = state->high_set = 0;
}
