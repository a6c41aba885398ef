#include "guard/loop.h"

/* One round of the window's arenas, and one more. */
#define ROUNDS (WINDOW_FRAMES + 2)

/* Room for more cgroups and processes than there are yet: written once, so that it is there. */
#define SPARE_GROUPS 64
#define SPARE_TASKS 256
#define SPARE_BYTES ((size_t)64 << 10)

/* The longest files: zoneinfo, and /proc/PID/status of many threads. */
#define SPARE_FILE ((size_t)256 << 10)

static void touch_lists(struct sampler *sampler)
{
	struct kept_tasks *kept = &sampler->kept;

	for (size_t i = 0; i < ARRAY_LEN(sampler->tracking); i++) {
		struct tracking *tracking = &sampler->tracking[i];
		size_t count = MIN(SPARE_GROUPS, CGROUPS_MAX - tracking->count);

		memset(&tracking->list[tracking->count], 0, count * sizeof(*tracking->list));
		memset(&tracking->by_path[tracking->count], 0,
		       count * sizeof(*tracking->by_path));
	}
	memset(&kept->list[kept->count], 0,
	       MIN(SPARE_TASKS, TASKS_MAX - kept->count) * sizeof(*kept->list));
	memset(sampler->file.at, 0, MIN(SPARE_FILE, sampler->file.size));
}

/* What is in an arena stays: only what is free behind it is written. */
static void touch_arena(struct arena *arena)
{
	size_t used = arena->used;
	void *spare = arena_raw(arena, SPARE_BYTES);

	if (spare)
		memset(spare, 0, SPARE_BYTES);
	arena->used = used;
}

static void touch_engine(struct engine *engine)
{
	for (size_t i = 0; i < ARRAY_LEN(engine->window.arena); i++)
		touch_arena(&engine->window.arena[i]);
	for (size_t i = 0; i < ARRAY_LEN(engine->window.tracks); i++)
		touch_arena(&engine->window.tracks[i]);
	touch_arena(&engine->arena);
}

/* What was seen so close together is no evidence. */
static void forget(struct engine *engine)
{
	engine->window.frames = 0;
	engine->window.track_count = 0;
	plan_init(&engine->plan);
}

static int look(struct loop *loop)
{
	const struct engine_input input = { .config = &loop->config };
	struct snapshot *snapshot;
	int r = sampler_take(&loop->sampler, &loop->root, SAMPLE_ALL,
			     engine_arena(&loop->engine), &snapshot);

	if (r < 0)
		return r;
	gate_follow(&loop->gate, &loop->sampler, snapshot);
	return engine_next(&loop->engine, snapshot, &input, &loop->output);
}

int loop_ready(struct loop *loop)
{
	struct gate_reading reading;

	config_defaults(&loop->config);
	for (int i = 0; i < ROUNDS; i++) {
		int r = look(loop);

		if (r < 0)
			return r;
	}
	gate_read(&loop->gate, &loop->root, 1, &reading);
	touch_lists(&loop->sampler);
	touch_engine(&loop->engine);
	forget(&loop->engine);
	return 0;
}
