/*
 * Loads with a job in every slot: what they lose is the harm that a scenario measures.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "guest/work.h"

struct service {
	struct code code;
	struct work_file file;
	uint64_t file_due_us;
	uint64_t file_period_us;
	uint64_t work_us;
	unsigned char *anon;
	size_t anon_bytes;
	unsigned char *heap; /* its own leak */
	size_t heap_bytes;
	size_t heap_most; /* never more than this by one step */
	uint64_t leak_at_us;
	uint64_t leak_base;
	uint64_t leak_rate;
	uint64_t leak_random;
	struct random random;
};

/* The leak follows the clock: what is due since it began is taken at once in every slot. */
static void grow(struct load *load, struct service *service)
{
	uint64_t now = now_us();
	size_t due;

	if (service->leak_rate == 0 || now < service->leak_at_us)
		return;
	due = service->leak_base + (size_t)((double)(now - service->leak_at_us) /
					    (double)SECOND_US * (double)service->leak_rate);
	due = MIN(due / PAGE * PAGE, service->heap_most);
	if (due <= service->heap_bytes)
		return;
	anon_fill(&service->random, service->heap + service->heap_bytes,
		  due - service->heap_bytes, service->leak_random);
	service->heap_bytes = due;
	load->progress->size_bytes = due;
}

static void use_anon(const struct service *service)
{
	for (size_t at = 0; at < service->anon_bytes; at += PAGE)
		service->anon[at]++;
}

static void serve(struct load *load, void *data)
{
	struct service *service = data;

	code_run(&service->code);
	if (now_us() >= service->file_due_us) {
		service->file_due_us = now_us() + service->file_period_us;
		work_file_use(&service->file);
	}
	use_anon(service);
	burn_us(service->work_us);
	grow(load, service);
}

static void prepare_leak(struct load *load, struct service *service)
{
	service->leak_rate = arg(load, ARG_service_leak);
	service->leak_base = arg(load, ARG_service_leak_base);
	service->leak_at_us = now_us() + arg(load, ARG_service_leak_after);
	service->leak_random = arg(load, ARG_service_random);
	service->heap_most = (size_t)1 << 40;
	if (service->leak_rate > 0)
		service->heap = anon_reserve_most(load, &service->heap_most);
}

/*
 * Everything it uses is read in and stays: only its growth, which is not there yet, does not. A
 * file that is read is mapped for this alone.
 */
static void lock_all(struct load *load, const struct work_file *file)
{
	size_t bytes = file->pages * PAGE;

	if (bytes > 0 && !file->map &&
	    mmap(NULL, bytes, PROT_READ, MAP_SHARED, file->fd, 0) == MAP_FAILED)
		load_fail(load, "mmap", -errno);
	if (mlockall(MCL_CURRENT) < 0)
		load_fail(load, "mlockall", -errno);
}

void load_service(struct load *load)
{
	static struct service service;

	service.random = random_init(load->seed);
	service.work_us = arg(load, ARG_service_work);
	service.file_period_us = arg(load, ARG_service_file_period);
	code_init(load, arg(load, ARG_service_code), &service.code);
	work_file_open(load, load->args.text[ARG_service_file], arg(load, ARG_service_access),
		       &service.file);
	service.anon_bytes = arg(load, ARG_service_anon) / PAGE * PAGE;
	if (service.anon_bytes > 0) {
		service.anon = anon_reserve(load, service.anon_bytes);
		anon_fill(&service.random, service.anon, service.anon_bytes,
			  arg(load, ARG_service_random));
	}
	if (arg(load, ARG_service_locked))
		lock_all(load, &service.file);
	prepare_leak(load, &service);
	ticks_run(load, arg(load, ARG_service_period), serve, &service);
}

struct sweep {
	unsigned char *array;
	size_t pages;
	size_t part;
	size_t at;
	bool is_random;
	bool writes;
	struct random random;
};

static void sweep_part(struct load *load, void *data)
{
	struct sweep *sweep = data;
	volatile unsigned char sink;

	(void)load;
	for (size_t i = 0; i < sweep->part; i++) {
		size_t page = sweep->is_random ? random_next(&sweep->random) : sweep->at++;
		unsigned char *at = sweep->array + page % sweep->pages * PAGE;

		if (sweep->writes)
			++*at;
		else
			sink = *at;
	}
	(void)sink;
}

void load_sweep(struct load *load)
{
	static struct sweep sweep;

	sweep.random = random_init(load->seed);
	sweep.pages = MAX(arg(load, ARG_sweep_size) / PAGE, (uint64_t)1);
	sweep.part = arg(load, ARG_sweep_part) / PAGE;
	if (sweep.part == 0)
		sweep.part = sweep.pages;
	sweep.is_random = arg(load, ARG_sweep_order) == ORDER_RANDOM;
	sweep.writes = arg(load, ARG_sweep_write);
	sweep.array = anon_reserve(load, sweep.pages * PAGE);
	anon_fill(&sweep.random, sweep.array, sweep.pages * PAGE, arg(load, ARG_sweep_random));
	load->progress->size_bytes = sweep.pages * PAGE;
	ticks_run(load, arg(load, ARG_sweep_period), sweep_part, &sweep);
}

/* One thread's share of the huge pages of a slot. */
struct share {
	unsigned char *heap;
	size_t bytes;
};

/*
 * One touch is enough to demand a huge page; where the kernel has none, that touch costs a
 * single small page, so failing does not fill memory.
 */
static void *demand(void *data)
{
	const struct share *share = data;

	for (size_t at = 0; at < share->bytes; at += HUGE_PAGE)
		share->heap[at] = 1;
	return NULL;
}

#define THREADS_MAX 16

struct thp {
	struct share share[THREADS_MAX];
	size_t threads;
};

static void demand_all(struct load *load, void *data)
{
	struct thp *thp = data;
	pthread_t thread[THREADS_MAX] = { 0 };

	for (size_t i = 0; i < thp->threads; i++)
		anon_drop(load, thp->share[i].heap, thp->share[i].bytes);
	for (size_t i = 1; i < thp->threads; i++)
		if (pthread_create(&thread[i], NULL, demand, &thp->share[i]) != 0)
			load_fail(load, "thread", -EAGAIN);
	demand(&thp->share[0]);
	for (size_t i = 1; i < thp->threads; i++)
		pthread_join(thread[i], NULL);
}

void load_thp(struct load *load)
{
	static struct thp thp;
	size_t size = MAX(arg(load, ARG_thp_size), HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
	unsigned char *heap = anon_reserve(load, size + HUGE_PAGE);
	size_t each;

	heap += -(uintptr_t)heap % HUGE_PAGE;
	thp.threads = MIN(MAX(arg(load, ARG_thp_threads), (uint64_t)1), (uint64_t)THREADS_MAX);
	each = MAX(size / HUGE_PAGE / thp.threads, (size_t)1) * HUGE_PAGE;
	for (size_t i = 0; i < thp.threads; i++)
		thp.share[i] = (struct share){ heap + i * each, each };
	load->progress->size_bytes = size;
	ticks_run(load, arg(load, ARG_thp_period), demand_all, &thp);
}
