#include "policy/rehearsal.h"

#include "policy/others.h"

int rehearsal_init(struct rehearsal *rehearsal)
{
	rehearsal->feedback_count = 0;
	return engine_init(&rehearsal->engine);
}

void rehearsal_done(struct rehearsal *rehearsal)
{
	engine_done(&rehearsal->engine);
}

/* Nothing was done, on purpose: that is what became of each action. */
static void answer(struct rehearsal *rehearsal, uint64_t at_us)
{
	rehearsal->feedback_count = 0;
	for (size_t i = 0; i < rehearsal->out.actions &&
			   rehearsal->feedback_count < ARRAY_LEN(rehearsal->feedback);
	     i++)
		rehearsal->feedback[rehearsal->feedback_count++] = (struct feedback){
			.decision = rehearsal->out.action[i].decision,
			.kind = rehearsal->out.action[i].kind,
			.outcome = OUTCOME_DRY,
			.at_us = at_us,
		};
}

int rehearsal_next(struct rehearsal *rehearsal, const struct guard_config *config,
		   const struct snapshot *snapshot)
{
	enum other_scope scope;
	struct engine_input input = {
		.config = config,
		.feedback = rehearsal->feedback,
		.feedback_count = rehearsal->feedback_count,
		.other_guard = other_guard_of(snapshot, &scope),
	};
	int r;

	input.other_guard_machine =
		other_guard_is_machine(input.other_guard, scope, OTHER_UNKNOWN);
	r = engine_next(&rehearsal->engine, snapshot, &input, &rehearsal->out);
	if (r == 0)
		answer(rehearsal, snapshot->host.at_us);
	return r;
}
