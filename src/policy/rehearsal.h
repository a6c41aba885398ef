#pragma once
/*
 * The guard over recorded frames: what it would have decided at each. The same engine, with a
 * hand that does nothing.
 */
#include "policy/engine.h"

struct rehearsal {
	struct engine engine;
	struct plan_output out; /* of the last frame */
	struct feedback feedback[FEEDBACK_MAX];
	size_t feedback_count;
};

/* 0 or -ENOMEM. */
must_check int rehearsal_init(struct rehearsal *rehearsal);
void rehearsal_done(struct rehearsal *rehearsal);

/* Where the next snapshot is to be taken into. */
static inline struct arena *rehearsal_arena(struct rehearsal *rehearsal)
{
	return engine_arena(&rehearsal->engine);
}

/* What is decided for that snapshot is in out: 0 or -ENOMEM. */
must_check int rehearsal_next(struct rehearsal *rehearsal, const struct guard_config *config,
			      const struct snapshot *snapshot);
