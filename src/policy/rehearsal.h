#pragma once
/*
 * The guard over recorded frames: what it would have decided at each. The same engine, with a
 * hand that does nothing.
 */
#include "model/sampler.h"
#include "model/source.h"
#include "policy/engine.h"

struct rehearsal {
	struct source source;
	struct sampler sampler;
	struct engine engine;
	struct plan_output out; /* of the last frame */
	struct feedback feedback[FEEDBACK_MAX];
	size_t feedback_count;
};

/* 0 or -errno as source_open() gives it. */
must_check int rehearsal_open(const char *from, const char *root, struct rehearsal *out);
void rehearsal_done(struct rehearsal *rehearsal);

/* The next frame: 0, SOURCE_END or -errno. */
must_check int rehearsal_next(struct rehearsal *rehearsal, const struct guard_config *config);
