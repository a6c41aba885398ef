/*
 * Whole sweeps of arrays of growing, then of shrinking size: where the speed falls off a cliff
 * memory has ended. One slot is one sweep, its value is the size of the array.
 */
#include "guest/work.h"

struct stairs {
	unsigned char *array;
	uint32_t *order;
	size_t filled; /* pages */
	bool writes;
	struct random random;
	uint64_t random_percent;
};

/* Pages that were never touched are no working set: they come before the first sweep. */
static void fill_to(struct stairs *stairs, size_t pages)
{
	if (pages <= stairs->filled)
		return;
	anon_fill(&stairs->random, stairs->array + stairs->filled * PAGE,
		  (pages - stairs->filled) * PAGE, stairs->random_percent);
	stairs->filled = pages;
}

static void drop_to(struct load *load, struct stairs *stairs, size_t pages)
{
	if (pages >= stairs->filled)
		return;
	anon_drop(load, stairs->array + pages * PAGE, (stairs->filled - pages) * PAGE);
	stairs->filled = pages;
}

/* The order is of the largest size; of a smaller one those pages are taken that it has. */
static void touch_all(const struct stairs *stairs, size_t most)
{
	volatile unsigned char sink;

	for (size_t i = 0; i < most; i++) {
		unsigned char *at;

		if (stairs->order[i] >= stairs->filled)
			continue;
		at = stairs->array + stairs->order[i] * PAGE;
		if (stairs->writes)
			++*at;
		else
			sink = *at;
	}
	(void)sink;
}

static void sweep_once(struct load *load, const struct stairs *stairs, size_t most)
{
	uint64_t faults = thread_faults();
	struct event event = { .kind = SLOT_SIZE,
			       .due_us = now_us(),
			       .value = stairs->filled * PAGE };

	event.begun_us = event.due_us;
	load->progress->due++;
	touch_all(stairs, most);
	event.done_us = now_us();
	event.faults = thread_faults() - faults;
	progress_add(load->progress, &event);
	load->progress->done++;
	load->progress->longest_us =
		MAX(load->progress->longest_us, event.done_us - event.begun_us);
}

static void stay_at(struct load *load, struct stairs *stairs, size_t pages, size_t most)
{
	uint64_t limit = now_us() + arg(load, ARG_staircase_most_time);

	drop_to(load, stairs, pages);
	fill_to(stairs, pages);
	load->progress->size_bytes = pages * PAGE;
	load->progress->extra++;
	for (uint64_t i = 0; i < arg(load, ARG_staircase_sweeps); i++) {
		sweep_once(load, stairs, most);
		if (now_us() >= limit)
			break;
	}
}

void load_staircase(struct load *load)
{
	size_t from = MAX(arg(load, ARG_staircase_from) / PAGE, (uint64_t)1);
	size_t to = MAX(arg(load, ARG_staircase_to) / PAGE, from);
	size_t step = MAX(arg(load, ARG_staircase_step) / PAGE, (uint64_t)1);
	struct stairs stairs = { .random = random_init(load->seed) };
	size_t pages;

	stairs.writes = arg(load, ARG_staircase_write);
	stairs.random_percent = arg(load, ARG_staircase_random);
	stairs.order = order_new(load, to, arg(load, ARG_staircase_order) == ORDER_RANDOM);
	stairs.array = anon_reserve(load, to * PAGE);
	for (pages = from; pages <= to; pages += step)
		stay_at(load, &stairs, pages, to);
	for (pages -= step; arg(load, ARG_staircase_down) && pages >= from + step;) {
		pages -= step;
		stay_at(load, &stairs, pages, to);
	}
}
