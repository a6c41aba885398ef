#pragma once
/*
 * The single steps of the ladder, and what all of them ask. For ladder*.c and plan.c only.
 */
#include "policy/ladder.h"

static inline const struct guard_options *options_of(const struct look *look)
{
	return &look->input->config->options;
}

/* How long ago; for ever when it never was. */
static inline uint64_t since(const struct look *look, uint64_t at_us)
{
	return at_us == 0 ? UINT64_MAX : look->input->at_us - at_us;
}

/* Nothing is done now, and this is why. */
static inline void stop(struct look *look, enum because because)
{
	look->harm.because = because;
}

/* What comes from now on is another decision, with an id of its own. */
void decide(struct look *look);

/* The step is taken now. */
void take_step(struct look *look, enum rung rung);

/* An action of the decision on that cgroup; NULL when there is no room. */
struct action *act_on(struct look *look, enum action_kind kind, uint64_t cgroup_id);

/* Ranks who is in the domain, into state->ranking. */
void rank(struct look *look);

/* The first who may be killed and whose end would be enough; NULL for none. */
const struct candidate *victim_of(const struct look *look);

/* Each true when the step was taken now. */
bool protect_step(struct look *look);
bool hook_step(struct look *look);
bool relax_step(struct look *look);
bool freeze_step(struct look *look);

/* True while a hook runs and has time left. */
bool hook_runs(struct look *look);

/* Who is frozen goes on after a moment, be it only to die. */
void thaw_when_due(struct look *look);

/* memory.high as it was found. */
void restore_high(struct plan *plan, const struct plan_input *input, struct domain_state *state,
		  struct plan_output *out);

/*
 * Why nobody is killed here although there is harm; BECAUSE_NONE when somebody may be.
 */
enum because forbidden(const struct look *look);

/* Tells the best candidate to end; says so when there is nobody whose end would be enough. */
void strike_first(struct look *look);

/* Somebody has been told to die: nobody else is until that is over. */
void await_death(struct look *look);
void forget_old_kills(struct look *look);
