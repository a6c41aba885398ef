#include "policy/rehearsal.h"

int rehearsal_open(const char *from, const char *root, struct rehearsal *out)
{
	int r = source_open(from, root, &out->source);

	if (r < 0)
		return r;
	out->feedback_count = 0;
	r = sampler_init(&out->sampler);
	if (r < 0) {
		source_done(&out->source);
		return r;
	}
	r = engine_init(&out->engine);
	if (r < 0) {
		sampler_done(&out->sampler);
		source_done(&out->source);
	}
	return r;
}

void rehearsal_done(struct rehearsal *rehearsal)
{
	engine_done(&rehearsal->engine);
	sampler_done(&rehearsal->sampler);
	source_done(&rehearsal->source);
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

int rehearsal_next(struct rehearsal *rehearsal, const struct guard_config *config)
{
	const struct engine_input input = {
		.config = config,
		.feedback = rehearsal->feedback,
		.feedback_count = rehearsal->feedback_count,
	};
	struct snapshot *snapshot;
	int r = source_next(&rehearsal->source);

	if (r != 0)
		return r;
	r = sampler_take(&rehearsal->sampler, &rehearsal->source.root, SAMPLE_ALL,
			 engine_arena(&rehearsal->engine), &snapshot);
	if (r == 0)
		r = engine_next(&rehearsal->engine, snapshot, &input, &rehearsal->out);
	if (r == 0)
		answer(rehearsal, snapshot->host.at_us);
	return r;
}
