#include "analysis/window.h"

#include <errno.h>
#include <math.h>

#include "model/sampler.h"

/* 24 points half a minute apart reach back twelve minutes. */
#define STRIDE_S 30.0

/* The calm mapped set is forgotten by half in ten minutes: programs do shrink. */
#define CALM_HALF_LIFE_S 600.0

int window_init(struct window *window, uint64_t span_us)
{
	int r = 0;

	*window = (struct window){ .span_us = span_us };
	for (size_t i = 0; i < ARRAY_LEN(window->arena) && r == 0; i++)
		r = arena_init(&window->arena[i], SNAPSHOT_ARENA);
	for (size_t i = 0; i < ARRAY_LEN(window->tracks) && r == 0; i++)
		r = arena_init(&window->tracks[i], CGROUPS_MAX * sizeof(struct track));
	if (r < 0)
		window_done(window);
	return r;
}

void window_done(struct window *window)
{
	for (size_t i = 0; i < ARRAY_LEN(window->arena); i++)
		arena_done(&window->arena[i]);
	for (size_t i = 0; i < ARRAY_LEN(window->tracks); i++)
		arena_done(&window->tracks[i]);
}

/* Arenas move with their snapshots: frame i lives in arena i, the free one is the last. */
struct arena *window_arena(struct window *window)
{
	return &window->arena[WINDOW_FRAMES];
}

static void drop(struct window *window, size_t at)
{
	struct arena freed = window->arena[at];

	for (size_t i = at; i + 1 < window->frames; i++) {
		window->arena[i] = window->arena[i + 1];
		window->frame[i] = window->frame[i + 1];
	}
	window->arena[window->frames - 1] = freed;
	window->frames--;
}

static double at_s(const struct snapshot *snapshot)
{
	return (double)snapshot->host.at_us / SECOND_US;
}

static bool follows(const struct snapshot *before, const struct snapshot *now)
{
	return strcmp(before->host.boot_id, now->host.boot_id) == 0 && before->host.has_time &&
	       now->host.has_time && now->host.at_us > before->host.at_us;
}

/* The inner snapshot whose neighbours are closest: dropping it keeps the spacing even. */
static size_t least_missed(const struct window *window)
{
	size_t least = 1;
	uint64_t closest = UINT64_MAX;

	for (size_t i = 1; i + 1 < window->frames; i++) {
		uint64_t gap =
			window->frame[i + 1]->host.at_us - window->frame[i - 1]->host.at_us;

		if (gap < closest) {
			closest = gap;
			least = i;
		}
	}
	return least;
}

/* The oldest stays as long as the second would not reach back the whole span. */
static void make_room(struct window *window, uint64_t now_us)
{
	while (window->frames > 1 && window->frame[1]->host.at_us + window->span_us <= now_us)
		drop(window, 0);
	if (window->frames == WINDOW_FRAMES)
		drop(window, least_missed(window));
}

static double calm_of(const struct track *old, double mapped, double seconds)
{
	if (!old || isnan(old->calm_mapped))
		return mapped;
	return fmax(mapped, old->calm_mapped * exp2(-seconds / CALM_HALF_LIFE_S));
}

static double mapped_of(const struct cgroup *cgroup)
{
	return cgroup->state[CG_FILE_MAPPED] == OK ? (double)cgroup->value[CG_FILE_MAPPED] :
						     (double)NAN;
}

double cgroup_grown(const struct cgroup *cgroup)
{
	static const int swaps[] = { CG_SWAP_CURRENT, CG_SWAP_V1 };
	double sum;

	if (cgroup->state[CG_ANON] != OK)
		return (double)NAN;
	sum = (double)cgroup->value[CG_ANON];
	if (cgroup->state[CG_SHMEM] == OK)
		sum += (double)cgroup->value[CG_SHMEM];
	for (size_t i = 0; i < ARRAY_LEN(swaps); i++)
		if (cgroup->state[swaps[i]] == OK)
			sum += (double)cgroup->value[swaps[i]];
	return sum;
}

static void point_add(struct track *track, double at, double value)
{
	if (isnan(value))
		return;
	if (track->points > 0 && at - track->grown[track->points - 1].at < STRIDE_S)
		return;
	if (track->points == TRACK_POINTS) {
		memmove(track->grown, track->grown + 1,
			sizeof(track->grown) - sizeof(*track->grown));
		track->points--;
	}
	track->grown[track->points++] = (struct point){ at, value };
}

static struct track track_next(const struct track *old, const struct cgroup *cgroup, double at,
			       double seconds)
{
	struct track track = { 0 };

	if (old)
		track = *old;
	track.id = cgroup->id;
	track.hierarchy = cgroup->hierarchy;
	track.calm_mapped = calm_of(old, mapped_of(cgroup), seconds);
	track.peak = old ? fmax(old->peak, cgroup_grown(cgroup)) : cgroup_grown(cgroup);
	point_add(&track, at, cgroup_grown(cgroup));
	return track;
}

static bool is_before(const struct track *track, const struct cgroup *cgroup)
{
	if (track->hierarchy != cgroup->hierarchy)
		return track->hierarchy < cgroup->hierarchy;
	return track->id < cgroup->id;
}

/* Both are sorted alike: one merge carries the memory over to the new list. */
static int update_tracks(struct window *window, const struct snapshot *now, double seconds)
{
	struct arena *arena = &window->tracks[!window->current];
	struct track *track;
	size_t old = 0;

	arena_reset(arena);
	track = arena_raw(arena, now->cgroup_count * sizeof(*track));
	if (!track)
		return -ENOMEM;
	for (size_t i = 0; i < now->cgroup_count; i++) {
		const struct cgroup *cgroup = &now->cgroups[i];
		const struct track *match = NULL;

		while (old < window->track_count && is_before(&window->track[old], cgroup))
			old++;
		if (old < window->track_count && window->track[old].id == cgroup->id &&
		    window->track[old].hierarchy == cgroup->hierarchy)
			match = &window->track[old];
		track[i] = track_next(match, cgroup, at_s(now), seconds);
	}
	window->track = track;
	window->track_count = now->cgroup_count;
	window->current = !window->current;
	return 0;
}

static void measure_gap(struct window *window)
{
	window->gap_s = (double)NAN;
	for (size_t i = 1; i < window->frames; i++)
		window->gap_s = fmax(window->gap_s,
				     at_s(window->frame[i]) - at_s(window->frame[i - 1]));
}

int window_push(struct window *window, const struct snapshot *snapshot)
{
	struct arena taken = window->arena[WINDOW_FRAMES];
	double seconds = 0;
	int r;

	if (window->frames > 0 && !follows(window_newest(window), snapshot)) {
		window->frames = 0;
		window->track_count = 0;
	}
	if (window->frames > 0)
		seconds = at_s(snapshot) - at_s(window_newest(window));
	make_room(window, snapshot->host.at_us);
	r = update_tracks(window, snapshot, seconds);
	if (r < 0)
		return r;
	window->arena[WINDOW_FRAMES] = window->arena[window->frames];
	window->arena[window->frames] = taken;
	window->frame[window->frames++] = snapshot;
	measure_gap(window);
	return 0;
}

/* As make_room() would have it for that span. */
struct window window_last(const struct window *window, uint64_t span_us)
{
	struct window last = *window;
	uint64_t now_us = window_newest(window)->host.at_us;
	size_t first = 0;

	while (first + 1 < window->frames &&
	       window->frame[first + 1]->host.at_us + span_us <= now_us)
		first++;
	last.span_us = span_us;
	last.frames = window->frames - first;
	for (size_t i = 0; i < last.frames; i++)
		last.frame[i] = window->frame[first + i];
	measure_gap(&last);
	return last;
}
