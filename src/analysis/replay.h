#pragma once
/*
 * A verdict at every frame of a recording, with the functions that judge live.
 */
#include "analysis/verdict.h"
#include "analysis/window.h"
#include "model/sampler.h"
#include "model/source.h"

struct replay {
	struct source source;
	struct sampler sampler;
	struct window window;
	struct arena arena;
	struct evidence evidence; /* of the last frame; the verdict points to it */
};

/* 0 or -errno as source_open() gives it. */
must_check int replay_open(const char *from, uint64_t window_us, struct replay *out);
void replay_done(struct replay *replay);

/* The next frame's verdict: 0, SOURCE_END or -errno. */
must_check int replay_next(struct replay *replay, struct verdict *out);

/* When the frame was taken, seconds of the machine's own clock. */
double replay_at(const struct replay *replay);

/*
 * How many frames there are up to the moment of the greatest harm: the most severe verdict, and
 * of these the one whose sufferer loses most. 0 or -errno; 1 at least.
 */
must_check int replay_worst(const char *from, uint64_t window_us, uint64_t *out_frames);
