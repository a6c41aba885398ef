#include "guest/work.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "guest/disks.h"
#include "guest/file.h"

struct random random_init(uint64_t seed)
{
	/* Never 0, which would stay 0; seeds that differ by one must not give alike numbers. */
	return (struct random){ (seed + 1) * 0x9e3779b97f4a7c15 | 1 };
}

uint64_t random_next(struct random *random)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return random->state * 0x2545f4914f6cdd1d;
}

uint32_t *order_new(struct load *load, size_t count, bool is_shuffled)
{
	uint32_t *order = malloc((count + 1) * sizeof(*order));
	struct random random = random_init(load->seed);

	if (!order)
		load_fail(load, "order", -ENOMEM);
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	for (size_t i = count; is_shuffled && i > 1; i--) {
		size_t other = random_next(&random) % i;
		uint32_t kept = order[i - 1];

		order[i - 1] = order[other];
		order[other] = kept;
	}
	return order;
}

static void *map_file(struct load *load, const char *path, int fd, size_t bytes, int how)
{
	void *map = mmap(NULL, bytes, PROT_READ | how, how ? MAP_PRIVATE : MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		load_fail(load, path, -errno);
	return map;
}

static int open_sized(struct load *load, const char *path, uint64_t *bytes)
{
	int fd = file_open(path, O_RDONLY);
	int r = fd < 0 ? fd : disk_size(path, bytes);

	if (r < 0)
		load_fail(load, path, r);
	return fd;
}

void code_init(struct load *load, uint64_t bytes, struct code *out)
{
	char path[sizeof(load->program) + 16];
	uint64_t size;
	int fd;

	*out = (struct code){ 0 };
	if (bytes < PAGE)
		return;
	snprintf(path, sizeof(path), "/data/code/%s", load->program);
	fd = open_sized(load, path, &size);
	out->pages = MIN(bytes, size) / PAGE;
	if (out->pages == 0)
		load_fail(load, path, -ENODATA);
	out->map = map_file(load, path, fd, out->pages * PAGE, PROT_EXEC);
	out->order = order_new(load, out->pages, true);
	close(fd);
}

void code_run(const struct code *code)
{
	long sum = 0;

	for (size_t i = 0; i < code->pages; i++) {
		const unsigned char *page = code->map + code->order[i] * PAGE;
		long (*function)(long);

		memcpy(&function, &page, sizeof(function));
		sum = function(sum);
	}
}

void work_file_open(struct load *load, struct span path, uint64_t access, struct work_file *out)
{
	char name[256];
	uint64_t size;

	*out = (struct work_file){ .access = (enum access_word)access, .fd = -1 };
	if (span_empty(path))
		return;
	span_copy(path, name, sizeof(name));
	out->fd = open_sized(load, name, &size);
	out->pages = size / PAGE;
	if (out->pages == 0)
		load_fail(load, name, -ENODATA);
	if (out->access == ACCESS_READ)
		return;
	out->map = map_file(load, name, out->fd, out->pages * PAGE, 0);
	out->order = order_new(load, out->pages, out->access == ACCESS_RANDOM);
}

static void read_all(const struct work_file *file)
{
	static char buffer[64 * 1024];
	off_t at = 0;
	ssize_t got;

	do {
		got = pread(file->fd, buffer, sizeof(buffer), at);
		at += got;
	} while (got > 0);
}

void work_file_use(const struct work_file *file)
{
	volatile unsigned char sink;

	if (file->access == ACCESS_READ && file->pages > 0)
		read_all(file);
	for (size_t i = 0; file->map && i < file->pages; i++)
		sink = file->map[file->order[i] * PAGE];
	(void)sink;
}

static unsigned char *reserve(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

unsigned char *anon_reserve(struct load *load, size_t bytes)
{
	unsigned char *at = reserve(bytes);

	if (!at)
		load_fail(load, "mmap", -errno);
	return at;
}

/* With vm.overcommit_memory=2 no more than the commit limit can be reserved. */
unsigned char *anon_reserve_most(struct load *load, size_t *bytes)
{
	unsigned char *at = reserve(*bytes);

	while (!at && *bytes > MIB) {
		*bytes /= 2;
		at = reserve(*bytes);
	}
	if (!at)
		load_fail(load, "mmap", -errno);
	return at;
}

void anon_fill(struct random *random, unsigned char *at, size_t bytes, uint64_t percent)
{
	for (size_t done = 0; done < bytes; done += PAGE) {
		bool is_full = percent > 0 && random_next(random) % 100 < percent;
		size_t words = is_full ? PAGE / sizeof(uint64_t) : 1;
		uint64_t *page = (uint64_t *)(void *)(at + done);

		for (size_t i = 0; i < words; i++)
			page[i] = random_next(random);
	}
}

void anon_drop(struct load *load, unsigned char *at, size_t bytes)
{
	if (madvise(at, bytes, MADV_DONTNEED) < 0)
		load_fail(load, "madvise", -errno);
}

uint64_t available_but(const struct load *load, uint64_t leave_bytes)
{
	char path[64];
	uint64_t available;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%llu/meminfo",
		 (unsigned long long)load->node);
	available = load->is_bound ? meminfo_bytes(path, "MemFree") :
				     meminfo_bytes("/proc/meminfo", "MemAvailable");
	return available > leave_bytes ? (available - leave_bytes) / PAGE * PAGE : 0;
}

void burn_us(uint64_t us)
{
	uint64_t end = clock_us(CLOCK_THREAD_CPUTIME_ID) + us;

	while (us > 0 && clock_us(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

uint64_t thread_faults(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_majflt;
}

_Noreturn void ticks_run(struct load *load, uint64_t period_us,
			 void (*job)(struct load *load, void *data), void *data)
{
	ticks_start(load->progress, now_us(), MAX(period_us, (uint64_t)1000));
	for (;;) {
		uint64_t faults;
		uint64_t begun;

		sleep_until(ticks_pass(load->progress, now_us()));
		begun = now_us();
		faults = thread_faults();
		job(load, data);
		ticks_done(load->progress, begun, now_us(), thread_faults() - faults);
	}
}
