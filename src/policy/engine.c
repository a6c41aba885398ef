#include "policy/engine.h"

#include <errno.h>

#include "analysis/gather.h"

/* As far back as the analysis is proven to look; docs/VERDICTS.md. */
#define LONGER_US (5 * SECOND_US)

/* Evidence of two spans of 65536 cgroups; touched only as far as it is used. */
#define EVIDENCE_ARENA ((size_t)512 << 20)

int engine_init(struct engine *engine)
{
	int r = window_init(&engine->window, LONGER_US);

	if (r < 0)
		return r;
	plan_init(&engine->plan);
	r = arena_init(&engine->arena, EVIDENCE_ARENA);
	if (r < 0)
		window_done(&engine->window);
	return r;
}

void engine_done(struct engine *engine)
{
	arena_done(&engine->arena);
	window_done(&engine->window);
}

static int gather(struct engine *engine, const struct guard_options *options)
{
	int r;

	arena_reset(&engine->arena);
	engine->last = window_last(&engine->window, options->machine_for_us);
	engine->window.span_us = MAX(options->limit_for_us, LONGER_US);
	r = evidence_of(&engine->last, NULL, &engine->arena, &engine->recent);
	if (r == 0)
		r = evidence_of(&engine->window, NULL, &engine->arena, &engine->longer);
	return r;
}

/* Whoever ranks processes asks for these again and again, and there may be many cgroups. */
static int match_rows(struct engine *engine, const struct snapshot *snapshot,
		      const struct guard_config *config, const uint64_t **out)
{
	uint64_t *rows = arena_raw(&engine->arena, snapshot->cgroup_count * sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < snapshot->cgroup_count; i++)
		rows[i] = policy_rows_of_cgroup(config, snapshot->cgroups[i].path);
	*out = rows;
	return 0;
}

int engine_next(struct engine *engine, const struct snapshot *snapshot,
		const struct engine_input *input, struct plan_output *out)
{
	struct plan_input plan_input;
	const uint64_t *rows = NULL;
	int r = window_push(&engine->window, snapshot);

	if (r == 0)
		r = gather(engine, &input->config->options);
	if (r == 0)
		r = match_rows(engine, snapshot, input->config, &rows);
	if (r < 0)
		return r;
	verdict_of(&engine->longer, &engine->verdict);
	plan_input = (struct plan_input){
		.config = input->config,
		.rows = rows,
		.recent = &engine->recent,
		.longer = &engine->longer,
		.verdict = &engine->verdict,
		.services = input->services,
		.feedback = input->feedback,
		.feedback_count = input->feedback_count,
		.self_pid = snapshot->host.self_pid,
		.in_container = snapshot->host.container[0] != '\0',
		.other_guard = input->other_guard,
		.other_guard_machine = input->other_guard_machine,
		.at_us = snapshot->host.at_us,
	};
	plan_next(&engine->plan, &plan_input, out);
	return 0;
}
