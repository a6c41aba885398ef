/*
 * Takes anonymous memory in chunks from several threads, holds it, gives it back. One slot is
 * one chunk; what it took longer than its pace is what the kernel made the thread wait.
 */
#include <pthread.h>

#include "guest/work.h"

#define BURST_THREADS 16

struct burst {
	struct load *load;
	unsigned char *heap;
	size_t size;
	size_t chunk;
	uint64_t rate; /* of this thread */
	uint64_t random_percent;
	struct random random;
};

static void count(struct progress *progress, const struct event *event)
{
	uint64_t took_us = event->done_us - event->due_us;
	uint64_t longest = __atomic_load_n(&progress->longest_us, __ATOMIC_RELAXED);

	progress_add(progress, event);
	__atomic_fetch_add(&progress->due, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&progress->done, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&progress->size_bytes, event->value, __ATOMIC_RELAXED);
	while (took_us > longest &&
	       !__atomic_compare_exchange_n(&progress->longest_us, &longest, took_us, true,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static void *take(void *data)
{
	struct burst *burst = data;
	uint64_t due_us = now_us();

	for (size_t at = 0; at < burst->size; at += burst->chunk) {
		struct event event = { .kind = SLOT_SLOT,
				       .value = MIN(burst->chunk, burst->size - at) };
		uint64_t faults = thread_faults();

		if (burst->rate > 0)
			sleep_until(due_us);
		event.begun_us = now_us();
		event.due_us = burst->rate > 0 ? due_us : event.begun_us;
		anon_fill(&burst->random, burst->heap + at, event.value, burst->random_percent);
		event.done_us = now_us();
		event.faults = thread_faults() - faults;
		count(burst->load->progress, &event);
		due_us += pace_us(event.value, burst->rate);
	}
	return NULL;
}

static void take_all(struct load *load, struct burst *burst, size_t threads)
{
	pthread_t thread[BURST_THREADS] = { 0 };

	for (size_t i = 1; i < threads; i++)
		if (pthread_create(&thread[i], NULL, take, &burst[i]) != 0)
			load_fail(load, "thread", -EAGAIN);
	take(&burst[0]);
	for (size_t i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
}

static size_t prepare(struct load *load, struct burst *burst)
{
	size_t threads =
		MIN(MAX(arg(load, ARG_burst_threads), (uint64_t)1), (uint64_t)BURST_THREADS);
	size_t each = MAX(arg(load, ARG_burst_size) / threads / PAGE * PAGE, PAGE);
	unsigned char *heap = anon_reserve(load, each * threads);

	for (size_t i = 0; i < threads; i++)
		burst[i] = (struct burst){
			.load = load,
			.heap = heap + i * each,
			.size = each,
			.chunk = MAX(arg(load, ARG_burst_chunk) / PAGE * PAGE, PAGE),
			.rate = arg(load, ARG_burst_rate) / threads,
			.random_percent = arg(load, ARG_burst_random),
			.random = random_init(load->seed + i),
		};
	return threads;
}

void load_burst(struct load *load)
{
	static struct burst burst[BURST_THREADS];
	uint64_t times = arg(load, ARG_burst_times);
	size_t threads = prepare(load, burst);

	for (uint64_t i = 1;; i++) {
		take_all(load, burst, threads);
		load->progress->extra = i;
		if (i == times)
			load_hold();
		sleep_for(arg(load, ARG_burst_pause));
		for (size_t j = 0; j < threads; j++)
			anon_drop(load, burst[j].heap, burst[j].size);
		load->progress->size_bytes = 0;
	}
}
