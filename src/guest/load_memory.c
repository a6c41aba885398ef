/*
 * Loads that take memory and keep it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "guest/file.h"
#include "guest/work.h"

/* So much at a time: small beside any machine, large beside the cost of a step. */
#define STEP ((size_t)64 << 10)

/* Past the cache, since a page that is waited for there can be given up by a signal. */
static void *read_for_ever(void *data)
{
	struct load *load = data;
	void *block = anon_reserve(load, PAGE);
	char path[256];
	int fd;

	span_copy(load->args.text[ARG_leak_stuck_on], path, sizeof(path));
	fd = file_open(path, O_RDONLY | O_DIRECT);
	if (fd < 0)
		load_fail(load, path, fd);
	sleep_for(arg(load, ARG_leak_stuck_after));
	while (pread(fd, block, PAGE, 0) == (ssize_t)PAGE)
		sleep_for(SECOND_US / 20);
	load_fail(load, path, -EIO);
}

static void leak_prepare(struct load *load)
{
	pthread_t thread;

	if (arg(load, ARG_leak_ignore_term))
		signal(SIGTERM, SIG_IGN);
	if (!span_empty(load->args.text[ARG_leak_stuck_on]) &&
	    pthread_create(&thread, NULL, read_for_ever, load) != 0)
		load_fail(load, "thread", -EAGAIN);
}

void load_leak(struct load *load)
{
	uint64_t leave = arg(load, ARG_leak_leave);
	uint64_t base = leave > 0 ? available_but(load, leave) : arg(load, ARG_leak_base);
	size_t most = MAX(arg(load, ARG_leak_most), (uint64_t)STEP);
	uint64_t wait_us = pace_us(STEP, arg(load, ARG_leak_rate));
	struct random random = random_init(load->seed);
	unsigned char *heap = anon_reserve_most(load, &most);
	struct code code;

	leak_prepare(load);
	code_init(load, arg(load, ARG_leak_code), &code);
	for (size_t size = 0; size + STEP <= most; size += STEP) {
		anon_fill(&random, heap + size, STEP, arg(load, ARG_leak_random));
		load->progress->size_bytes = size + STEP;
		if (size < base)
			continue;
		code_run(&code);
		if (wait_us == 0)
			break; /* a rate of 0: the base is all it takes */
		sleep_for(wait_us);
	}
	load_hold();
}

void load_saw(struct load *load)
{
	const size_t step = 4 * STEP;
	size_t base = arg(load, ARG_saw_base) / step * step;
	size_t peak = MAX(arg(load, ARG_saw_peak) / step * step, base + step);
	uint64_t wait_us = pace_us(step, arg(load, ARG_saw_rate));
	struct random random = random_init(load->seed);
	unsigned char *heap = anon_reserve(load, peak);

	anon_fill(&random, heap, base, 0);
	for (;;) {
		load->progress->due++;
		for (size_t size = base; size < peak; size += step) {
			anon_fill(&random, heap + size, step, 0);
			load->progress->size_bytes = size + step;
			sleep_for(wait_us);
		}
		anon_drop(load, heap + base, peak - base);
		load->progress->done++;
	}
}

/*
 * Reads one byte in each 2 MiB of a reservation. The page that is read is the kernel's one zero
 * page, the table that leads to it is new.
 */
void load_pagetable(struct load *load)
{
	size_t tables = arg(load, ARG_pagetable_most) / PAGE;
	uint64_t wait_us = pace_us(STEP, arg(load, ARG_pagetable_rate));
	unsigned char *heap = anon_reserve(load, tables * HUGE_PAGE);
	volatile unsigned char sink;

	if (madvise(heap, tables * HUGE_PAGE, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		load_fail(load, "madvise", -errno);
	for (size_t i = 0; i < tables; i++) {
		sink = *(volatile unsigned char *)(heap + i * HUGE_PAGE);
		if (i % (STEP / PAGE) != 0)
			continue;
		load->progress->size_bytes = i * PAGE;
		sleep_for(wait_us);
	}
	(void)sink;
	load_hold();
}

void load_hugetlb(struct load *load)
{
	size_t size = arg(load, ARG_hugetlb_size) / HUGE_PAGE * HUGE_PAGE;
	unsigned char *heap = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (heap == MAP_FAILED)
		load_fail(load, "huge pages", -errno);
	for (size_t at = 0; at < size; at += HUGE_PAGE) {
		heap[at] = 1;
		load->progress->size_bytes = at + HUGE_PAGE;
	}
	load_hold();
}

void load_mlock(struct load *load)
{
	size_t size = arg(load, ARG_mlock_size) / PAGE * PAGE;
	unsigned char *heap = anon_reserve(load, size);

	if (mlock(heap, size) < 0)
		load_fail(load, "mlock", -errno);
	load->progress->size_bytes = size;
	load_hold();
}

/* Every fourth page, beginning with that one, is given back. */
static void drop_pages(struct load *load, unsigned char *heap, size_t size, size_t first)
{
	for (size_t at = first * PAGE; at < size; at += 4 * PAGE)
		anon_drop(load, heap + at, PAGE);
}

/*
 * Compaction would put an end to fragments that nobody makes anew: the pages that were given
 * back are taken again, and their neighbours go.
 */
static _Noreturn void churn(struct load *load, struct random *random, unsigned char *heap,
			    size_t size)
{
	const size_t part = size / 16 / (4 * PAGE) * (4 * PAGE);

	for (size_t turn = 0;; turn++) {
		unsigned char *at = heap + turn % 16 * part;
		size_t hole = turn / 16 % 4;

		for (size_t page = hole * PAGE; page < part; page += 4 * PAGE)
			anon_fill(random, at + page, PAGE, 0);
		drop_pages(load, at, part, (hole + 1) % 4);
		sleep_for(arg(load, ARG_fragment_churn));
	}
}

void load_fragment(struct load *load)
{
	uint64_t leave = arg(load, ARG_fragment_leave);
	size_t size = (leave > 0 ? available_but(load, leave) : arg(load, ARG_fragment_size)) /
		      (4 * PAGE) * (4 * PAGE);
	struct random random = random_init(load->seed);
	unsigned char *heap = anon_reserve(load, MAX(size, 4 * PAGE));

	if (madvise(heap, size, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		load_fail(load, "madvise", -errno);
	anon_fill(&random, heap, size, 0);
	drop_pages(load, heap, size, 0);
	load->progress->size_bytes = size / 4 * 3;
	if (arg(load, ARG_fragment_churn) > 0)
		churn(load, &random, heap, size);
	load_hold();
}
