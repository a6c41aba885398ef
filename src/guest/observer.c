#include "guest/observer.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>

#include "guest/file.h"
#include "guest/guest.h"
#include "guest/live.h"
#include "guest/moment.h"

/* linux/prctl.h, since Linux 5.6. */
#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif

static void put(struct sink *sink, const char *path, struct span bytes)
{
	struct observer *observer = (struct observer *)sink;
	char full[512];

	if (observer->is_dry)
		return;
	if (observer->frame_bytes + span_len(bytes) > FRAME_MAX ||
	    snprintf(full, sizeof(full), "frames/%06u/%s", observer->frames, path) >=
		    (int)sizeof(full)) {
		observer->cut_files++;
		return;
	}
	observer->frame_bytes += span_len(bytes);
	stream_put(&observer->guest->stream, full, bytes);
}

static void put_loads(struct observer *observer, uint64_t at_us)
{
	char path[32];
	char lines[CHILDREN * 160];
	struct text text = text_on(lines, sizeof(lines));

	guest_print_loads(observer->guest, at_us, &text);
	snprintf(path, sizeof(path), "loads/%06u", observer->frames);
	if (!observer->is_dry)
		stream_put(&observer->guest->stream, path, span_of(lines, text.used));
}

/* An observation is not to the microsecond: this early is still a second later. */
#define LIVE_EARLY_US (SECOND_US / 20)

static void put_live(struct observer *observer, const struct snapshot *snapshot, uint64_t at_us)
{
	char line[LIVE_LINE];
	struct text text = text_on(line, sizeof(line));

	if (observer->is_dry || at_us + LIVE_EARLY_US < observer->live_at_us + SECOND_US)
		return;
	observer->live_at_us = at_us;
	live_print(observer->guest, snapshot, at_us, &text);
	if (observer->live >= 0 && write(observer->live, line, text.used) < 0)
		return; /* nobody reads it: the line is lost, the frames have it all */
}

/* One observation. The file of the loads comes last: where it is, the frame is complete. */
static void observe(struct observer *observer)
{
	struct snapshot *snapshot;
	uint64_t at_us = now_us();
	int r;

	observer->frame_bytes = 0;
	r = sampler_take(&observer->sampler, &observer->root, SAMPLE_ALL, &observer->arena,
			 &snapshot);
	put_loads(observer, at_us);
	if (r == 0)
		put_live(observer, snapshot, at_us);
	if (observer->is_dry || stream_flush(&observer->guest->stream) < 0)
		return;
	observer->frames++;
}

/* Moments that have passed are counted and not made up for. */
static uint64_t next_moment(struct observer *observer, uint64_t due_us)
{
	uint64_t now = now_us();
	uint64_t late_us = now > due_us ? now - due_us : 0;
	uint64_t passed = late_us / observer->interval_us;

	if (passed > 0) {
		char count[24];

		observer->missed += passed;
		snprintf(count, sizeof(count), "%ju", (uintmax_t)observer->missed);
		stream_mark(&observer->guest->stream, "missed", count);
	}
	return due_us + passed * observer->interval_us;
}

static uint64_t own_faults(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)(usage.ru_minflt + usage.ru_majflt);
}

static void *watch(void *data)
{
	struct observer *observer = data;
	uint64_t due_us = now_us();
	uint64_t before = own_faults();

	while (!__atomic_load_n(&observer->must_end, __ATOMIC_ACQUIRE)) {
		sleep_until(due_us);
		observer->max_late_us = MAX(observer->max_late_us, now_us() - due_us);
		observe(observer);
		due_us = next_moment(observer, due_us + observer->interval_us);
	}
	observer->faults = own_faults() - before;
	return NULL;
}

/* Room for more cgroups than there are yet: it is written once, so that it is there. */
#define SPARE_GROUPS 64

static void touch_lists(struct sampler *sampler)
{
	for (size_t i = 0; i < ARRAY_LEN(sampler->tracking); i++) {
		struct tracking *tracking = &sampler->tracking[i];

		memset(&tracking->list[tracking->count], 0,
		       SPARE_GROUPS * sizeof(*tracking->list));
		memset(&tracking->by_path[tracking->count], 0,
		       SPARE_GROUPS * sizeof(*tracking->by_path));
	}
	memset(&sampler->walked[sampler->tracking[0].count], 0,
	       SPARE_GROUPS * sizeof(*sampler->walked));
}

/* The snapshot of a guest, and the longest file of it (memory of the kernel's own lists). */
#define SPARE_BYTES ((size_t)256 << 10)

static void touch_all(struct observer *observer)
{
	observer->is_dry = true;
	observe(observer);
	observe(observer);
	touch_lists(&observer->sampler);
	memset(observer->sampler.file.at, 0, SPARE_BYTES);
	if (arena_alloc(&observer->arena, SPARE_BYTES))
		arena_reset(&observer->arena);
	observer->is_dry = false;
}

static void *watch_locked(void *data)
{
	/* Its own reads and writes must not wait for what reclaim writes. */
	prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
	return watch(data);
}

static int start_thread(struct observer *observer)
{
	const struct sched_param priority = { .sched_priority = 10 };
	pthread_attr_t how;
	int r;

	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, (size_t)256 << 10);
	pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&how, SCHED_FIFO);
	pthread_attr_setschedparam(&how, &priority);
	r = -pthread_create(&observer->thread, &how, watch_locked, observer);
	pthread_attr_destroy(&how);
	observer->is_running = r == 0;
	return r;
}

static int open_live(void)
{
	int fd = file_open("/dev/ttyS1", O_WRONLY | O_NONBLOCK);
	struct termios how;

	if (fd < 0 || tcgetattr(fd, &how) < 0)
		return fd;
	cfmakeraw(&how);
	tcsetattr(fd, TCSANOW, &how);
	return fd;
}

int observer_start(struct observer *observer, struct guest *guest, uint64_t interval_us)
{
	int r;

	if (observer->is_running)
		return -EBUSY;
	*observer = (struct observer){
		.sink = { put },
		.guest = guest,
		.interval_us = interval_us,
		.live = open_live(),
	};
	r = root_open("/", &observer->root);
	if (r == 0)
		r = sampler_init(&observer->sampler);
	if (r == 0)
		r = arena_init(&observer->arena, OBSERVER_ARENA);
	if (r < 0)
		return r;
	observer->root.tee = &observer->sink;
	touch_all(observer);
	return start_thread(observer);
}

void observer_stop(struct observer *observer)
{
	if (!observer->is_running)
		return;
	__atomic_store_n(&observer->must_end, true, __ATOMIC_RELEASE);
	pthread_join(observer->thread, NULL);
	observer->is_running = false;
	observe(observer);
	observer->locked_bytes = meminfo_bytes("/proc/self/smaps_rollup", "Locked");
}
