#pragma once
/*
 * The thread that watches: at fixed moments it takes what `refault capture` would take and puts
 * it on the results disk. It must work while everything else in the guest does not: it is
 * locked in memory, real-time, and allocates nothing once it runs.
 */
#include <pthread.h>

#include "model/sampler.h"

/* More than a guest's few cgroups and processes ever need; only what is used is locked. */
#define OBSERVER_ARENA ((size_t)16 << 20)

/* What one observation may take on the results disk. */
#define FRAME_MAX ((size_t)1 << 20)

struct guest;

struct observer {
	struct sink sink; /* first: the observer is the sink */
	struct guest *guest;
	pthread_t thread;
	bool is_running;
	bool must_end; /* read by the thread */
	uint64_t interval_us;
	struct root root;
	struct sampler sampler;
	struct arena arena;
	int live;	      /* owned: ttyS1, or -1 */
	uint64_t live_at_us;  /* of the last line */
	uint64_t frame_bytes; /* of the frame that is being taken */
	unsigned int frames;  /* complete ones */
	uint64_t missed;
	uint64_t max_late_us;
	uint64_t cut_files; /* left out of frames that grew too large */
	uint64_t locked_bytes;
	uint64_t faults; /* pages that the thread had to be given after its start */
	bool is_dry;	 /* what is read now is only to touch the memory that it needs */
};

/* 0, -EBUSY when it runs already, or -errno. */
must_check int observer_start(struct observer *observer, struct guest *guest,
			      uint64_t interval_us);

/* Takes a last observation, and ends. */
void observer_stop(struct observer *observer);
