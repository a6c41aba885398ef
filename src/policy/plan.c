#include "policy/plan.h"

#include <errno.h>

#include "policy/steps.h"

/* A forecast is said again after so long. */
#define FORECAST_US (300ull * SECOND_US)

/* What would be full within an hour is worth a record, */
#define FORECAST_S 3600.0

/* and when it is not within minutes only what has lasted: programs grow when they start. */
#define FORECAST_SOON_S 300.0
#define FORECAST_LASTS_US (15ull * SECOND_US)

/* A domain that was not at its limit for so long has its state forgotten. */
#define FORGET_US (120ull * SECOND_US)

static const char *const RUNGS[] = {
	[RUNG_WATCH] = "watch", [RUNG_PROTECT] = "protect", [RUNG_HOOK] = "hook",
	[RUNG_RELAX] = "relax", [RUNG_FREEZE] = "freeze",   [RUNG_TERM] = "term",
	[RUNG_KILL] = "kill",	[RUNG_REST] = "rest",
};

const char *rung_name(enum rung rung)
{
	return RUNGS[rung];
}

void plan_init(struct plan *plan)
{
	*plan = (struct plan){ 0 };
}

/* It ends by itself, within seconds. */
static bool is_awaited(const struct domain_state *state)
{
	return state->victim.cgroup_id != 0 || state->victim.pid != 0 ||
	       state->frozen_id != 0 || state->rung == RUNG_HOOK;
}

/* Nothing in it is under way, and it was not at its limit for long. */
static bool is_idle(const struct domain_state *state, uint64_t at_us)
{
	return !is_awaited(state) && state->high_set == 0 &&
	       at_us - state->seen_us >= FORGET_US;
}

static size_t places_of(const struct plan *plan, uint64_t part)
{
	size_t places = 0;

	for (size_t i = 1; i < PLAN_DOMAINS; i++)
		places += plan->domain[i].used && plan->domain[i].part == part;
	return places;
}

/* What it lost before it left its limit counts no more. */
static double loss_of(const struct plan *plan, const struct domain_state *state)
{
	return state->seen_us < plan->looked_us ? 0 : state->loss;
}

/*
 * Where all places are taken: that of whoever loses least, among those of a part of the tree
 * that has more of them; of another part, or of one's own, only if it loses less than here. So
 * many cgroups that somebody keeps at their limits, and lets suffer, hide nobody else.
 */
static struct domain_state *weakest_of(struct plan *plan, uint64_t part, double loss)
{
	size_t mine = places_of(plan, part);
	struct domain_state *weakest = NULL;
	size_t most = 0;

	for (size_t i = 1; i < PLAN_DOMAINS; i++) {
		struct domain_state *state = &plan->domain[i];
		size_t theirs = places_of(plan, state->part);
		bool is_more = theirs > mine + 1;

		if (is_awaited(state) ||
		    (!is_more && (theirs < mine || !(loss_of(plan, state) < loss))))
			continue;
		if (weakest &&
		    (theirs < most ||
		     (theirs == most && loss_of(plan, state) >= loss_of(plan, weakest))))
			continue;
		weakest = state;
		most = theirs;
	}
	return weakest;
}

/* NULL when there is none; what was raised there is taken back first. */
static struct domain_state *make_place(struct plan *plan, const struct plan_input *input,
				       const struct domain *domain, struct plan_output *out)
{
	uint64_t part = cgroup_part(input->longer->pair.now, domain->cgroup);
	struct domain_state *found = NULL;

	for (size_t i = 1; i < PLAN_DOMAINS && !found; i++)
		if (!plan->domain[i].used || is_idle(&plan->domain[i], input->at_us))
			found = &plan->domain[i];
	if (!found)
		found = weakest_of(plan, part, zero_if_nan(domain->loss));
	if (!found || (found->high_set > 0 && out->actions == PLAN_ACTIONS))
		return NULL;
	if (found->high_set > 0)
		restore_high(plan, input, found, out);
	*found = (struct domain_state){ .part = part };
	return found;
}

/* The first place is the machine's; NULL when it has none. */
static struct domain_state *state_of(struct plan *plan, const struct plan_input *input,
				     const struct domain *domain)
{
	uint64_t id = domain_id(input->longer, domain);

	if (domain->cgroup < 0)
		return &plan->domain[0];
	for (size_t i = 1; i < PLAN_DOMAINS; i++)
		if (plan->domain[i].used && plan->domain[i].id == id)
			return &plan->domain[i];
	return NULL;
}

/* Who comes later may take the place of who loses less. */
static void take_place(struct plan *plan, const struct plan_input *input,
		       const struct domain *domain, struct plan_output *out)
{
	struct domain_state *found = state_of(plan, input, domain);

	if (!found)
		found = make_place(plan, input, domain, out);
	if (!found)
		return;
	found->used = true;
	found->id = domain_id(input->longer, domain);
	found->kind = domain->kind;
	found->seen_us = input->at_us;
	found->loss = zero_if_nan(domain->loss);
	span_copy(span_cstr(domain->cgroup < 0 ?
				    "machine" :
				    input->longer->pair.now->cgroups[domain->cgroup].path),
		  found->path, sizeof(found->path));
}

/* Whatever must be looked at closely: something is near, or a step is under way. */
static bool is_alert(const struct look *look)
{
	const struct domain_state *state = look->state;

	return look->harm.near || look->harm.early || look->harm.act ||
	       state->victim.cgroup_id != 0 || state->frozen_id != 0 || state->high_set != 0 ||
	       state->rung == RUNG_HOOK || look->harm.left_s < 10;
}

static void look_at(struct plan *plan, const struct plan_input *input,
		    const struct domain *domain, struct plan_output *out)
{
	struct look look = { .plan = plan, .input = input, .domain = domain, .out = out };

	look.state = state_of(plan, input, domain);
	if (!look.state)
		return;
	look.harm = harm_of(input, domain);
	ladder_next(&look);
	if (is_alert(&look))
		out->pace = PACE_ALERT;
}

/* Domains that are not at their limit now may still have something to take back. */
static void leave_others(struct plan *plan, const struct plan_input *input,
			 struct plan_output *out)
{
	for (size_t i = 1; i < PLAN_DOMAINS; i++) {
		struct domain_state *state = &plan->domain[i];

		if (state->used && state->seen_us != input->at_us)
			ladder_leave(plan, input, state, out);
	}
}

/* In a dry run a value that was said before is not said again, unless it is another one. */
static bool is_said(struct plan *plan, const struct min_write *write)
{
	for (size_t i = 0; i < plan->said_count; i++) {
		struct min_write *said = &plan->said[i];

		if (said->id != write->id)
			continue;
		if ((double)write->to < 1.2 * (double)said->to &&
		    (double)write->to > 0.8 * (double)said->to)
			return true;
		*said = *write;
		return false;
	}
	if (plan->said_count < PROTECTED_MAX)
		plan->said[plan->said_count++] = *write;
	return false;
}

static void say_write(struct look *look, const struct min_write *write, uint64_t decision)
{
	struct guard_record *record =
		look->state ? record_of(look, RECORD_PROTECT) :
			      record_plain(look->input, look->out, RECORD_PROTECT);

	if (!record)
		return;
	record->id = decision;
	record->value_from = write->from;
	record->value_to = write->to;
	span_copy(span_cstr(look->input->longer->pair.now->cgroups[write->member].path),
		  record->sufferer, sizeof(record->sufferer));
}

void plan_protect(struct look *look, const struct min_write *write, size_t count)
{
	struct plan *plan = look->plan;
	bool is_dry = look->input->config->options.mode == MODE_OBSERVE;

	for (size_t i = 0; i < count; i++) {
		struct action *action;

		if (is_dry && is_said(plan, &write[i]))
			continue;
		action = action_of(look->input, look->out,
				   (struct action_target){ ACTION_MIN, ++plan->next_decision,
							   write[i].id });
		if (!action)
			return;
		action->value = write[i].to;
		action->write = write[i];
		say_write(look, &write[i], action->decision);
		if (!is_dry && plan->pending_count < PLAN_ACTIONS)
			plan->pending[plan->pending_count++] =
				(struct min_pending){ action->decision, write[i] };
	}
}

/* The hand writes at once, so the next input has the outcome of every write. */
static void settle_writes(struct plan *plan, const struct plan_input *input)
{
	for (size_t i = 0; i < plan->pending_count; i++) {
		const struct min_pending *pending = &plan->pending[i];
		const struct feedback *feedback =
			feedback_of(input, pending->decision, ACTION_MIN);
		int r = feedback && feedback->outcome == OUTCOME_DONE ? 0 :
			feedback && feedback->error		      ? -feedback->error :
									-ECANCELED;

		protect_done(&plan->protection, &pending->write, r);
	}
	plan->pending_count = 0;
}

static void protect_calmly(struct plan *plan, const struct plan_input *input,
			   struct plan_output *out)
{
	struct look look = { .plan = plan, .input = input, .out = out };
	struct min_write write[PROTECT_WRITES];
	size_t count;

	if (!input->config->options.protect_enabled || input->in_container)
		return;
	count = protect_next(&plan->protection, input->config, input->services, input->longer,
			     write);
	plan_protect(&look, write, count);
}

static void say_other_guard(struct plan *plan, const struct plan_input *input,
			    struct plan_output *out)
{
	struct guard_record *record;

	if (!input->other_guard) {
		plan->said_other_guard = false;
		return;
	}
	if (plan->said_other_guard)
		return;
	plan->said_other_guard = true;
	record = record_plain(input, out, RECORD_OTHER_GUARD);
	if (record)
		span_copy(span_cstr(input->other_guard), record->text, sizeof(record->text));
}

static bool is_foreseen(const struct verdict *verdict)
{
	enum next next = verdict->forecast.next;

	return next != NEXT_NOTHING && next != NEXT_UNKNOWN &&
	       verdict->forecast.high_s <= FORECAST_S && verdict->culprits > 0;
}

/* Long before anything else: it is said, and nobody is killed for it. */
static void say_forecast(struct plan *plan, const struct plan_input *input,
			 struct plan_output *out)
{
	const struct forecast *forecast = &input->verdict->forecast;
	const struct verdict *verdict = input->verdict;
	struct guard_record *record;

	if (!is_foreseen(verdict)) {
		plan->forecast_since_us = 0;
		return;
	}
	if (plan->forecast_since_us == 0)
		plan->forecast_since_us = input->at_us;
	if (plan->forecast_us > 0 && input->at_us - plan->forecast_us < FORECAST_US)
		return;
	if (!(forecast->high_s <= FORECAST_SOON_S) &&
	    input->at_us - plan->forecast_since_us < FORECAST_LASTS_US)
		return;
	plan->forecast_us = input->at_us;
	record = record_plain(input, out, RECORD_FORECAST);
	if (!record)
		return;
	record->left_s = forecast->high_s;
	record->growth = input->longer->members[verdict->culprit[0].member].growth.rate;
	span_copy(span_cstr(input->longer->pair.now->cgroups[verdict->culprit[0].member].path),
		  record->culprit, sizeof(record->culprit));
}

void plan_next(struct plan *plan, const struct plan_input *input, struct plan_output *out)
{
	/* The records are large and only the first so many are used. */
	out->actions = out->records = 0;
	out->pace = PACE_CALM;
	if (plan->started_us == 0)
		plan->started_us = input->at_us;
	settle_writes(plan, input);
	say_other_guard(plan, input, out);
	for (size_t i = 0; i < input->longer->domains; i++)
		take_place(plan, input, &input->longer->domain[i], out);
	for (size_t i = 0; i < input->longer->domains; i++)
		look_at(plan, input, &input->longer->domain[i], out);
	leave_others(plan, input, out);
	protect_calmly(plan, input, out);
	say_forecast(plan, input, out);
	plan->looked_us = input->at_us;
}
