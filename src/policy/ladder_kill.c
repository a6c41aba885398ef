#include <errno.h>

#include "policy/steps.h"

/*
 * A kill that frees less than two seconds' growth ends nothing: at least this share of the
 * limit, and not more than that one, since what grows so fast stops with its death.
 */
#define NEEDED_S 2.0
#define NEEDED_LEAST 0.02
#define NEEDED_MOST 0.05

/*
 * What others than the sufferer say: why nobody is killed here although there is harm;
 * BECAUSE_NONE when somebody may be.
 */
enum because forbidden(const struct look *look)
{
	const struct plan_input *input = look->input;
	const struct guard_options *options = options_of(look);

	if (input->in_container)
		return BECAUSE_CONTAINER;
	if (look->state->storm)
		return BECAUSE_STORM;
	if (!options->kill)
		return BECAUSE_KILL_OFF;
	if (input->at_us - look->plan->started_us < options->warm_up_us)
		return BECAUSE_WARM_UP;
	if (input->other_guard && options->on_other_guard == OTHER_YIELD &&
	    (look->state->kind != LIMIT_RAM || input->other_guard_machine))
		return BECAUSE_OTHER_GUARD;
	return BECAUSE_NONE;
}

void forget_old_kills(struct look *look)
{
	struct domain_state *state = look->state;
	size_t kept = 0;

	for (size_t i = 0; i < state->kills; i++)
		if (since(look, state->kill_us[i]) < options_of(look)->storm_us)
			state->kill_us[kept++] = state->kill_us[i];
	state->kills = kept;
	if (state->kills == 0)
		state->storm = false;
}

static void count_kill(struct look *look)
{
	struct domain_state *state = look->state;

	if (state->kills == PLAN_KILLS) {
		memmove(state->kill_us, state->kill_us + 1,
			(PLAN_KILLS - 1) * sizeof(*state->kill_us));
		state->kills--;
	}
	state->kill_us[state->kills++] = look->input->at_us;
	if (state->kills <= options_of(look)->storm_kills || state->storm)
		return;
	state->storm = true;
	record_of(look, RECORD_STORM);
}

static void remember(struct plan *plan, const struct tried *tried)
{
	if (plan->tried_count == TRIED_MAX) {
		memmove(plan->tried, plan->tried + 1, (TRIED_MAX - 1) * sizeof(*plan->tried));
		plan->tried_count--;
	}
	plan->tried[plan->tried_count++] = *tried;
}

void rank(struct look *look)
{
	double limit = zero_if_nan(look->domain->limit);
	const struct victim_query query = {
		.evidence = look->input->longer,
		.domain = look->domain,
		.config = look->input->config,
		.rows = look->input->rows,
		.tried = look->plan->tried,
		.tried_count = look->plan->tried_count,
		.self_pid = look->input->self_pid,
		.self_member = -1,
		.needed = fmin(fmax(NEEDED_S * look->harm.rate, NEEDED_LEAST * limit),
			       NEEDED_MOST * limit),
	};

	victim_rank(&query, &look->state->ranking);
}

/* The first who may be killed and whose end would be enough; NULL for none. */
const struct candidate *victim_of(const struct look *look)
{
	const struct ranking *ranking = &look->state->ranking;

	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].exempt == EXEMPT_NOT &&
		    ranking->list[i].gain >= ranking->needed)
			return &ranking->list[i];
	return NULL;
}

static void strike(struct look *look, enum action_kind kind)
{
	struct domain_state *state = look->state;
	bool is_term = kind == ACTION_TERM;
	struct action *action;

	take_step(look, is_term ? RUNG_TERM : RUNG_KILL);
	record_of(look, is_term ? RECORD_TERM : RECORD_KILL);
	action = act_on(look, kind, state->victim.cgroup_id);
	if (!action)
		return;
	action->pid = state->victim.pid;
	action->start_ticks = state->victim.start_ticks;
}

void strike_first(struct look *look)
{
	const struct candidate *victim = victim_of(look);
	struct domain_state *state = look->state;

	if (!victim) {
		stop(look,
		     state->ranking.count > 0 && state->ranking.list[0].exempt == EXEMPT_NOT ?
			     BECAUSE_NOT_ENOUGH :
			     BECAUSE_NO_CANDIDATE);
		if (!state->nobody_said)
			record_of(look, RECORD_NOBODY);
		state->nobody_said = true;
		return;
	}
	decide(look);
	state->victim = (struct tried){
		.cgroup_id = victim->cgroup_id,
		.pid = victim->task ? victim->task->pid : 0,
		.start_ticks = victim->task ? victim->task->start_ticks : 0,
		.at_us = look->input->at_us,
	};
	state->victim_gain = victim->gain;
	state->victim_us = look->input->at_us;
	count_kill(look);
	strike(look, options_of(look)->term_us > 0 ? ACTION_TERM : ACTION_KILL);
}

/* The step before is awaited, measured, and said. */
static void effect(struct look *look, double freed)
{
	struct guard_record *record = record_of(look, RECORD_EFFECT);

	if (!record)
		return;
	record->freed = freed;
	record->effect_us = (double)since(look, look->state->victim_us);
}

static void rest(struct look *look)
{
	look->state->rung = RUNG_REST;
	look->state->victim = (struct tried){ 0 };
}

static void victim_gone(struct look *look)
{
	struct domain_state *state = look->state;

	remember(look->plan, &state->victim);
	effect(look, state->victim_gain);
	state->victim = (struct tried){ 0 };
	state->step_us = look->input->at_us;
}

static void victim_stuck(struct look *look)
{
	struct domain_state *state = look->state;

	state->victim.stuck = true;
	remember(look->plan, &state->victim);
	record_of(look, RECORD_STUCK);
	state->victim = (struct tried){ 0 };
}

/* Was told to die, and then killed, so long ago that it will not. */
static bool is_overdue(const struct look *look)
{
	return look->state->rung == RUNG_KILL &&
	       since(look, look->state->victim_us) >=
		       options_of(look)->term_us + options_of(look)->dying_us;
}

void await_death(struct look *look)
{
	struct domain_state *state = look->state;
	bool is_term = state->rung == RUNG_TERM;
	const struct feedback *feedback =
		feedback_of(look->input, state->decision, is_term ? ACTION_TERM : ACTION_KILL);

	stop(look, BECAUSE_SETTLING);
	if (feedback && feedback->outcome == OUTCOME_DRY)
		rest(look);
	else if (feedback && (feedback->outcome == OUTCOME_DONE || feedback->error == ESRCH))
		victim_gone(look);
	else if ((feedback && feedback->outcome == OUTCOME_FAILED) || is_overdue(look))
		victim_stuck(look);
	else if (is_term && since(look, state->victim_us) >= options_of(look)->term_us)
		strike(look, ACTION_KILL);
}
