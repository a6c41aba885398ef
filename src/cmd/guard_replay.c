#include <errno.h>

#include "cmd/guard_front.h"
#include "policy/engine.h"
#include "policy/others.h"

/* The live guard's engine over a recording; only the hand differs: it does nothing. */
struct replayed {
	struct session session;
	struct engine engine;
	struct guard_config config;
	struct feedback feedback[FEEDBACK_MAX];
	size_t feedback_count;
	struct says says;
	struct plan_output output;
};

static void answer_dry(struct replayed *replayed, uint64_t at_us)
{
	const struct plan_output *output = &replayed->output;

	replayed->feedback_count = 0;
	for (size_t i = 0; i < output->actions && i < FEEDBACK_MAX; i++)
		replayed->feedback[replayed->feedback_count++] = (struct feedback){
			.decision = output->action[i].decision,
			.kind = output->action[i].kind,
			.outcome = OUTCOME_DRY,
			.at_us = at_us,
		};
}

static int look(struct replayed *replayed)
{
	struct snapshot *snapshot;
	struct engine_input input = {
		.config = &replayed->config,
		.feedback = replayed->feedback,
		.feedback_count = replayed->feedback_count,
	};
	enum other_scope scope;
	int r = session_next(&replayed->session, SAMPLE_ALL, engine_arena(&replayed->engine),
			     &snapshot);

	if (r != 0)
		return r;
	input.other_guard = other_guard_of(snapshot, &scope);
	input.other_guard_machine =
		other_guard_is_machine(input.other_guard, scope, OTHER_UNKNOWN);
	r = engine_next(&replayed->engine, snapshot, &input, &replayed->output);
	if (r < 0)
		return out_of_memory();
	for (size_t i = 0; i < replayed->output.records; i++) {
		replayed->output.record[i].dry = true;
		says_record(&replayed->says, &replayed->output.record[i]);
	}
	answer_dry(replayed, snapshot->host.at_us);
	return 0;
}

static int replay(struct replayed *replayed, const struct guard_arguments *arguments)
{
	struct common common = COMMON_DEFAULTS;
	int r;

	common.from = arguments->from ? arguments->from : arguments->root;
	r = session_open(&common, &replayed->session);
	if (r != 0)
		return r;
	if (engine_init(&replayed->engine) < 0) {
		session_close(&replayed->session);
		return out_of_memory();
	}
	do
		r = look(replayed);
	while (r == 0);
	engine_done(&replayed->engine);
	session_close(&replayed->session);
	return r == SESSION_END ? EXIT_FINE : r;
}

int guard_replay(const struct guard_arguments *arguments)
{
	struct replayed *replayed = xalloc(1, sizeof(*replayed));
	char buffer[512];
	struct text complaint = text_on(buffer, sizeof(buffer));
	int status;

	if (!guard_config_load(arguments, &replayed->config, &complaint)) {
		cmd_error("%s", buffer);
		free(replayed);
		return EXIT_USAGE;
	}
	says_init(&replayed->says, arguments->json);
	status = replay(replayed, arguments);
	says_done(&replayed->says);
	free(replayed);
	return status;
}
