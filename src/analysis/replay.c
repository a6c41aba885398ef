#include "analysis/replay.h"

#include <math.h>

#include "analysis/gather.h"

static int init(struct replay *replay, uint64_t window_us)
{
	int r = sampler_init(&replay->sampler);

	if (r == 0)
		r = window_init(&replay->window, window_us);
	if (r == 0)
		r = arena_init(&replay->arena, SNAPSHOT_ARENA);
	return r;
}

int replay_open(const char *from, uint64_t window_us, struct replay *out)
{
	int r;

	*out = (struct replay){ 0 };
	r = source_open(from, NULL, &out->source);
	if (r < 0)
		return r;
	r = init(out, window_us);
	if (r < 0)
		replay_done(out);
	return r;
}

void replay_done(struct replay *replay)
{
	arena_done(&replay->arena);
	window_done(&replay->window);
	sampler_done(&replay->sampler);
	source_done(&replay->source);
}

int replay_next(struct replay *replay, struct verdict *out)
{
	struct snapshot *snapshot;
	int r = source_next(&replay->source);

	if (r != 0)
		return r;
	r = sampler_take(&replay->sampler, &replay->source.root, SAMPLE_ALL,
			 window_arena(&replay->window), &snapshot);
	if (r == 0)
		r = window_push(&replay->window, snapshot);
	if (r < 0)
		return r;
	arena_reset(&replay->arena);
	r = evidence_of(&replay->window, NULL, &replay->arena, &replay->evidence);
	if (r == 0)
		verdict_of(&replay->evidence, out);
	return r;
}

double replay_at(const struct replay *replay)
{
	return (double)replay->evidence.pair.now->host.at_us / SECOND_US;
}

/* Severity first; among equals what the first sufferer loses, between what is sure and what may
 * be. */
static double harm(const struct verdict *verdict)
{
	const struct loss *loss;
	double lost = 0;

	if (verdict->sufferers > 0) {
		loss = &verdict->evidence->members[verdict->sufferer[0].member].loss;
		lost = (loss->lower + loss->upper) / 2;
	}
	return (double)verdict->severity + (isnan(lost) ? 0 : fmin(lost, 0.99));
}

int replay_worst(const char *from, uint64_t window_us, uint64_t *out_frames)
{
	struct replay replay;
	struct verdict verdict;
	double worst = -1;
	uint64_t frame = 0;
	int r = replay_open(from, window_us, &replay);

	if (r < 0)
		return r;
	while ((r = replay_next(&replay, &verdict)) == 0) {
		frame++;
		if (harm(&verdict) <= worst)
			continue;
		worst = harm(&verdict);
		*out_frames = frame;
	}
	replay_done(&replay);
	return r == SOURCE_END ? 0 : r;
}
