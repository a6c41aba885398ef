/*
 * A runtime with a garbage collector, without the language: workers use and allocate heap, the
 * collector stops them all, walks metadata that nothing else touches, and lets them go on. When
 * that metadata was swapped out, everybody waits for the disk.
 *
 * Slots: "pause" is one stop of the world (faults are those inside it), "step" the allocation
 * of 511 KiB for a spike, "wait" what a worker lost to a pause.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "guest/work.h"

#define WORKERS_MAX 16

/* The message whose cost the original experiment measured. */
#define STEP_BYTES ((size_t)511 << 10)

/* A worker looks for a stop this often, as a runtime does at its safe points. */
#define WORKER_PAGES 64
#define WORKER_REST_US 2000

struct collector {
	struct load *load;
	pthread_mutex_t lock;
	pthread_cond_t stopped; /* one more worker stands still */
	pthread_cond_t resumed;
	bool must_stop;
	size_t workers;
	uint64_t begun; /* of them, so that each has numbers of its own */
	size_t standing;
	unsigned char *metadata;
	size_t metadata_bytes;
	unsigned char *base;
	size_t base_bytes;
};

static void add_event(struct progress *progress, struct event event)
{
	event.begun_us = event.begun_us ? event.begun_us : event.due_us;
	event.done_us = now_us();
	progress_add(progress, &event);
}

/* A safe point: here a worker stands still while the world is stopped. */
static void safe_point(struct collector *collector)
{
	uint64_t due_us = now_us();

	pthread_mutex_lock(&collector->lock);
	if (collector->must_stop) {
		collector->standing++;
		pthread_cond_signal(&collector->stopped);
		while (collector->must_stop)
			pthread_cond_wait(&collector->resumed, &collector->lock);
		collector->standing--;
		add_event(collector->load->progress,
			  (struct event){ .kind = SLOT_WAIT, .due_us = due_us });
	}
	pthread_mutex_unlock(&collector->lock);
}

static void *work(void *data)
{
	struct collector *collector = data;
	uint64_t number = __atomic_fetch_add(&collector->begun, 1, __ATOMIC_RELAXED);
	struct random random = random_init(collector->load->seed + 2 + number);
	size_t pages = collector->base_bytes / PAGE;

	for (;;) {
		for (size_t i = 0; i < WORKER_PAGES && pages > 0; i++)
			collector->base[random_next(&random) % pages * PAGE]++;
		safe_point(collector);
		sleep_for(WORKER_REST_US);
	}
	return NULL;
}

static void stop_world(struct collector *collector)
{
	pthread_mutex_lock(&collector->lock);
	collector->must_stop = true;
	while (collector->standing < collector->workers)
		pthread_cond_wait(&collector->stopped, &collector->lock);
	pthread_mutex_unlock(&collector->lock);
}

static void resume_world(struct collector *collector)
{
	pthread_mutex_lock(&collector->lock);
	collector->must_stop = false;
	pthread_cond_broadcast(&collector->resumed);
	pthread_mutex_unlock(&collector->lock);
}

static void walk(const struct collector *collector)
{
	for (size_t at = 0; at < collector->metadata_bytes; at += PAGE)
		collector->metadata[at]++;
}

/* The pause begins when all stand still, as a runtime counts it. */
static void collect(struct collector *collector, uint64_t due_us)
{
	struct progress *progress = collector->load->progress;
	struct event event = { .kind = SLOT_PAUSE, .due_us = due_us };
	uint64_t faults;
	uint64_t pause_us;

	progress->due++;
	stop_world(collector);
	event.begun_us = now_us();
	faults = thread_faults();
	walk(collector);
	event.faults = thread_faults() - faults;
	pause_us = now_us() - event.begun_us;
	add_event(progress, event);
	resume_world(collector);
	progress->done++;
	progress->longest_us = MAX(progress->longest_us, pause_us);
}

static void *collect_always(void *data)
{
	struct collector *collector = data;
	uint64_t period_us = MAX(arg(collector->load, ARG_collector_collect), SECOND_US / 100);

	for (uint64_t due_us = now_us() + period_us;; due_us += period_us) {
		sleep_until(due_us);
		collect(collector, due_us);
	}
	return NULL;
}

/* The spike grows at its rate in messages, each of them measured. */
static void grow(struct load *load, unsigned char *spike, size_t size, struct random *random)
{
	uint64_t wait_us = pace_us(STEP_BYTES, arg(load, ARG_collector_rate));
	uint64_t due_us = now_us();

	for (size_t at = 0; at < size; at += STEP_BYTES) {
		struct event event = { .kind = SLOT_STEP,
				       .due_us = due_us,
				       .value = MIN(STEP_BYTES, size - at) };
		uint64_t faults = thread_faults();

		sleep_until(due_us);
		event.begun_us = now_us();
		anon_fill(random, spike + at, event.value / PAGE * PAGE,
			  arg(load, ARG_collector_random));
		event.faults = thread_faults() - faults;
		add_event(load->progress, event);
		load->progress->size_bytes = at + event.value;
		due_us += wait_us;
	}
}

static _Noreturn void spike_always(struct load *load)
{
	size_t size = MAX(arg(load, ARG_collector_spike) / PAGE * PAGE, PAGE);
	unsigned char *spike = anon_reserve(load, size);
	struct random random = random_init(load->seed + 1);
	uint64_t due_us = now_us();

	for (;;) {
		sleep_until(due_us);
		grow(load, spike, size, &random);
		load->progress->extra++;
		sleep_for(arg(load, ARG_collector_hold));
		anon_drop(load, spike, size);
		load->progress->size_bytes = 0;
		due_us = MAX(due_us + arg(load, ARG_collector_period), now_us());
	}
}

static void prepare(struct load *load, struct collector *collector)
{
	struct random random = random_init(load->seed);
	uint64_t percent = arg(load, ARG_collector_random);

	collector->load = load;
	pthread_mutex_init(&collector->lock, NULL);
	pthread_cond_init(&collector->stopped, NULL);
	pthread_cond_init(&collector->resumed, NULL);
	collector->workers = MIN(arg(load, ARG_collector_threads), (uint64_t)WORKERS_MAX);
	collector->metadata_bytes = arg(load, ARG_collector_metadata) / PAGE * PAGE;
	collector->metadata = anon_reserve(load, MAX(collector->metadata_bytes, PAGE));
	collector->base_bytes = arg(load, ARG_collector_base) / PAGE * PAGE;
	collector->base = anon_reserve(load, MAX(collector->base_bytes, PAGE));
	anon_fill(&random, collector->metadata, collector->metadata_bytes, percent);
	anon_fill(&random, collector->base, collector->base_bytes, percent);
	if (arg(load, ARG_collector_locked) &&
	    mlock(collector->metadata, collector->metadata_bytes) < 0)
		load_fail(load, "mlock", -errno);
}

void load_collector(struct load *load)
{
	static struct collector collector;
	pthread_t thread;

	prepare(load, &collector);
	for (size_t i = 0; i < collector.workers; i++)
		if (pthread_create(&thread, NULL, work, &collector) != 0)
			load_fail(load, "thread", -EAGAIN);
	if (pthread_create(&thread, NULL, collect_always, &collector) != 0)
		load_fail(load, "thread", -EAGAIN);
	spike_always(load);
}
