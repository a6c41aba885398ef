#pragma once
/*
 * One look of the guard: a new snapshot into the window, evidence over the last second and the
 * last seconds, verdict, plan. The loop, a replay and the tests all call this and nothing else.
 */
#include "analysis/window.h"
#include "policy/plan.h"

struct engine {
	struct window window;
	struct window last; /* its last second, shallow */
	struct arena arena; /* owned: of the evidence */
	struct evidence recent;
	struct evidence longer;
	struct verdict verdict; /* of longer */
	struct plan plan;
};

/* What the engine cannot see in a snapshot. */
struct engine_input {
	const struct guard_config *config;
	const struct service_list *services; /* may be NULL */
	const struct feedback *feedback;
	size_t feedback_count;
	const char *other_guard;  /* name; NULL none */
	bool other_guard_machine; /* it may kill machine-wide */
};

/* 0 or -ENOMEM. */
must_check int engine_init(struct engine *engine);
void engine_done(struct engine *engine);

/* Where the next snapshot is to be taken into. */
static inline struct arena *engine_arena(struct engine *engine)
{
	return window_arena(&engine->window);
}

/*
 * 0 or -ENOMEM. Until the next call the evidence, the verdict and the rankings in the plan stay
 * valid. Time is the snapshot's. In a container, and of the guard's own pid, the snapshot
 * tells.
 */
must_check int engine_next(struct engine *engine, const struct snapshot *snapshot,
			   const struct engine_input *input, struct plan_output *out);
