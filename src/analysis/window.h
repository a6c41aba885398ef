#pragma once
/*
 * The last seconds as snapshots, and what is remembered of each cgroup for longer: its calm
 * mapped set and its size over minutes. Fixed memory: nothing is allocated while it runs.
 */
#include "analysis/slope.h"
#include "base/mem.h"
#include "model/snapshot.h"

/* Enough for a robust slope; more snapshots than that are thinned out evenly. */
#define WINDOW_FRAMES 12

#define TRACK_POINTS 24

/* What is remembered of one cgroup; parallel to the newest snapshot's cgroups. */
struct track {
	uint64_t id;
	enum hierarchy hierarchy;
	double calm_mapped; /* slow maximum of the mapped set, bytes; NAN unknown */
	double peak;	    /* the most that grown has been, NAN unknown */
	size_t points;
	struct point grown[TRACK_POINTS]; /* anon + shmem + swap, at most one each STRIDE */
};

struct window {
	struct arena arena[WINDOW_FRAMES + 1];	     /* owned; one is always free */
	const struct snapshot *frame[WINDOW_FRAMES]; /* oldest first */
	size_t frames;
	uint64_t span_us;
	struct arena tracks[2]; /* owned */
	int current;
	struct track *track; /* in tracks[current]; one a cgroup of the newest snapshot */
	size_t track_count;
	double gap_s; /* the longest time between two neighbours; NAN of one snapshot */
};

/* span is how far back the oldest snapshot should reach. 0 or -ENOMEM. */
must_check int window_init(struct window *window, uint64_t span_us);
void window_done(struct window *window);

/* An arena to take the next snapshot into. */
struct arena *window_arena(struct window *window);

/*
 * The snapshot taken into window_arena() becomes the newest. When the machine was restarted, or
 * time did not go forward, everything before is forgotten. -ENOMEM when there is no room.
 */
must_check int window_push(struct window *window, const struct snapshot *snapshot);

static inline const struct snapshot *window_oldest(const struct window *window)
{
	return window->frames > 1 ? window->frame[0] : NULL;
}

static inline const struct snapshot *window_newest(const struct window *window)
{
	return window->frame[window->frames - 1];
}

/*
 * The same window as far back as span, or as it goes: a shallow copy that is valid until the
 * next snapshot is pushed, and is never ended.
 */
struct window window_last(const struct window *window, uint64_t span_us);

/* anon + shmem + swap of a cgroup in bytes; NAN when unknown. What a leak fills. */
double cgroup_grown(const struct cgroup *cgroup);
