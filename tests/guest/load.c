/*
 * The loads that a guest runs: one static program, one load per row of the table at the end.
 *
 *	load NAME [key=value]...
 *
 * Every load knows two keys: report=FILE, where it says how it fares, and node=N, which binds
 * its memory to one NUMA node. A load with a job that is due in fixed slots ("service",
 * "sweep", "thp") reports the slots it did, so the harm done to it is measured from outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
#define KIB ((size_t)1024)
#define MIB (KIB * KIB)
#define HUGE_PAGE (2 * MIB)
#define SECOND_US ((uint64_t)1000000)

/*
 * Code that can really be evicted and read back: one function per page of the program file.
 * Called in a shuffled order, because a walk in order would be hidden by readahead.
 */
#ifndef CODE_PAGES
#define CODE_PAGES 6144
#endif
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#if defined(__x86_64__)
#define ADD_ONE "lea 1(%rdi), %rax\n ret\n"
#elif defined(__aarch64__)
#define ADD_ONE "add x0, x0, #1\n ret\n"
#endif
/* clang-format off */
__asm__(".pushsection .text.pages, \"ax\", @progbits\n"
	".p2align 12\n"
	".globl code_pages\n"
	"code_pages:\n"
	".rept " TEXT(CODE_PAGES) "\n"
	ADD_ONE
	".p2align 12\n"
	".endr\n"
	".popsection\n");
/* clang-format on */
extern const char code_pages[];

struct args {
	int count;
	char **words;
};

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static const char *arg_text(const struct args *args, const char *key, const char *otherwise)
{
	size_t length = strlen(key);

	for (int i = 0; i < args->count; i++) {
		if (strncmp(args->words[i], key, length) == 0 && args->words[i][length] == '=')
			return args->words[i] + length + 1;
	}
	return otherwise;
}

static uint64_t arg_number(const struct args *args, const char *key, uint64_t otherwise)
{
	const char *text = arg_text(args, key, NULL);
	uint64_t number = 0;

	if (text == NULL)
		return otherwise;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number * 10 + (uint64_t)(*text - '0');
	return number;
}

static uint64_t clock_us(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) != 0)
		die("clock_gettime");
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t now_us(void)
{
	return clock_us(CLOCK_MONOTONIC);
}

static void sleep_until(uint64_t at_us)
{
	const struct timespec at = {
		.tv_sec = (time_t)(at_us / SECOND_US),
		.tv_nsec = (long)(at_us % SECOND_US) * 1000,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static void sleep_for(uint64_t us)
{
	sleep_until(now_us() + us);
}

static _Noreturn void hold(void)
{
	for (;;)
		pause();
}

/* xorshift64*: good enough to be incompressible and to shuffle with. */
static uint64_t random_next(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1d;
}

/* One line that is written in place, so that saying how one fares allocates nothing. */
struct report {
	int fd;
};

static void report_open(const struct args *args, struct report *out)
{
	const char *path = arg_text(args, "report", NULL);

	out->fd = path ? open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644) : -1;
	if (path && out->fd < 0)
		die(path);
}

struct progress {
	uint64_t due;  /* slots that have begun, or rounds */
	uint64_t done; /* slots done */
	uint64_t late; /* of these, the ones that ended after their slot */
	uint64_t longest_ms;
	uint64_t size_bytes; /* what the load holds, or has read or written */
};

static void report_write(const struct report *report, const struct progress *progress)
{
	char line[96];
	int length;

	if (report->fd < 0)
		return;
	length = snprintf(line, sizeof(line), "%10ju %10ju %10ju %10ju %10ju\n",
			  (uintmax_t)progress->due, (uintmax_t)progress->done,
			  (uintmax_t)progress->late, (uintmax_t)progress->longest_ms,
			  (uintmax_t)progress->size_bytes / KIB);
	if (pwrite(report->fd, line, (size_t)length, 0) != length)
		die("report");
}

static void report_size(const struct report *report, uint64_t bytes)
{
	report_write(report, &(struct progress){ .size_bytes = bytes });
}

/* A job that is due once per slot. A slot that has passed is lost; nobody does it later. */
struct ticker {
	struct report report;
	uint64_t start_us;
	uint64_t period_us;
	uint64_t slot;
	struct progress progress;
};

static void ticker_init(const struct args *args, struct ticker *out)
{
	*out = (struct ticker){
		.start_us = now_us(),
		.period_us = arg_number(args, "period", 100) * 1000,
	};
	report_open(args, &out->report);
}

static uint64_t ticker_due_us(const struct ticker *ticker)
{
	return ticker->start_us + ticker->slot * ticker->period_us;
}

static void ticker_wait(struct ticker *ticker)
{
	uint64_t now = now_us();
	uint64_t due = ticker_due_us(ticker);

	if (now < due)
		sleep_until(due);
	else
		ticker->slot += (now - due) / ticker->period_us;
}

static void ticker_done(struct ticker *ticker)
{
	uint64_t took_us = now_us() - ticker_due_us(ticker);
	struct progress *progress = &ticker->progress;

	progress->done++;
	progress->due = ++ticker->slot;
	if (took_us > ticker->period_us)
		progress->late++;
	if (took_us / 1000 > progress->longest_ms)
		progress->longest_ms = took_us / 1000;
	report_write(&ticker->report, progress);
}

/* The numbers 0 to count-1, shuffled. */
static uint32_t *order_new(size_t count)
{
	uint32_t *order = malloc((count + 1) * sizeof(*order));

	if (order == NULL)
		die("order");
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	for (size_t i = count; i > 1; i--) {
		size_t other = random_next() % i;
		uint32_t kept = order[i - 1];

		order[i - 1] = order[other];
		order[other] = kept;
	}
	return order;
}

struct code {
	size_t pages;
	uint32_t *order;
};

static void code_init(uint64_t mib, struct code *out)
{
	out->pages = mib * MIB / PAGE;
	if (out->pages > CODE_PAGES)
		out->pages = CODE_PAGES;
	out->order = order_new(out->pages);
}

static void code_run(const struct code *code)
{
	long sum = 0;

	for (size_t i = 0; i < code->pages; i++) {
		const char *page = code_pages + code->order[i] * PAGE;
		long (*function)(long);

		memcpy(&function, &page, sizeof(function));
		sum = function(sum);
	}
}

enum access {
	ACCESS_RANDOM,	   /* mapped, in a shuffled order */
	ACCESS_SEQUENTIAL, /* mapped, in order */
	ACCESS_READ,	   /* not mapped: read(2) */
};

struct file {
	enum access access;
	int fd;
	size_t pages;
	const unsigned char *map;
	uint32_t *order;
};

static enum access access_of(const struct args *args)
{
	const char *name = arg_text(args, "access", "random");

	if (strcmp(name, "read") == 0)
		return ACCESS_READ;
	if (strcmp(name, "sequential") == 0)
		return ACCESS_SEQUENTIAL;
	return ACCESS_RANDOM;
}

/* A path of NULL is an empty file: touching it does nothing. */
static void file_open(const char *path, enum access access, struct file *out)
{
	struct stat stat;
	void *map;

	*out = (struct file){ .access = access, .fd = -1 };
	if (path == NULL)
		return;
	out->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (out->fd < 0 || fstat(out->fd, &stat) != 0)
		die(path);
	out->pages = (size_t)stat.st_size / PAGE;
	if (access == ACCESS_READ)
		return;
	map = mmap(NULL, out->pages * PAGE, PROT_READ, MAP_SHARED, out->fd, 0);
	if (map == MAP_FAILED)
		die("mmap");
	out->map = map;
	out->order = order_new(access == ACCESS_RANDOM ? out->pages : 0);
}

static void file_read_all(const struct file *file)
{
	static char buffer[64 * 1024];
	off_t at = 0;
	ssize_t got;

	do {
		got = pread(file->fd, buffer, sizeof(buffer), at);
		at += got;
	} while (got > 0);
}

static void file_touch(const struct file *file)
{
	volatile unsigned char sink;

	if (file->access == ACCESS_READ)
		file_read_all(file);
	for (size_t i = 0; file->map && i < file->pages; i++) {
		size_t page = file->access == ACCESS_RANDOM ? file->order[i] : i;

		sink = file->map[page * PAGE];
	}
	(void)sink;
}

/* Reserved, not allocated: memory comes with the first touch. */
static unsigned char *anon_reserve(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

enum fill {
	FILL_TOUCH,  /* one word per page, the rest zero: compresses to almost nothing */
	FILL_RANDOM, /* does not compress */
};

static enum fill fill_of(const struct args *args)
{
	return strcmp(arg_text(args, "fill", "touch"), "random") == 0 ? FILL_RANDOM :
									FILL_TOUCH;
}

static void fill_bytes(unsigned char *at, size_t bytes, enum fill fill)
{
	size_t stride = fill == FILL_RANDOM ? sizeof(uint64_t) : PAGE;

	for (size_t done = 0; done < bytes; done += stride)
		*(uint64_t *)(void *)(at + done) = random_next();
}

static void burn_cpu(uint64_t us)
{
	uint64_t end = clock_us(CLOCK_THREAD_CPUTIME_ID) + us;

	while (clock_us(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Every slot all of the code, and all of the hot file once a second. */
static void run_service(const struct args *args)
{
	uint64_t anon_bytes = arg_number(args, "anon", 0) * MIB;
	uint64_t work_us = arg_number(args, "work", 0) * 1000;
	struct ticker ticker;
	struct code code;
	struct file hot;
	uint64_t file_due_us = 0;

	code_init(arg_number(args, "code", 24), &code);
	file_open(arg_text(args, "file", NULL), access_of(args), &hot);
	if (anon_bytes > 0)
		fill_bytes(anon_reserve(anon_bytes), anon_bytes, fill_of(args));
	ticker_init(args, &ticker);
	for (;;) {
		ticker_wait(&ticker);
		code_run(&code);
		if (now_us() >= file_due_us) {
			file_due_us = now_us() + SECOND_US;
			file_touch(&hot);
		}
		burn_cpu(work_us);
		ticker_done(&ticker);
	}
}

/* Takes a base quickly, then grows at a steady rate and runs some of its own code each step. */
static void run_leak(const struct args *args)
{
	const size_t step = 64 * KIB;
	size_t base = arg_number(args, "base", 0) * MIB;
	size_t most = arg_number(args, "most", MIB) * MIB;
	uint64_t rate_kib = arg_number(args, "rate", 1024);
	enum fill fill = fill_of(args);
	unsigned char *heap = anon_reserve(most);
	struct report report;
	struct code code;

	report_open(args, &report);
	code_init(arg_number(args, "code", 8), &code);
	for (size_t size = 0; size + step <= most; size += step) {
		fill_bytes(heap + size, step, fill);
		report_size(&report, size);
		if (size < base)
			continue;
		code_run(&code);
		sleep_for(SECOND_US * (step / KIB) / rate_kib);
	}
	hold();
}

/* Every slot some pages of an array, picked at random: a working set of anonymous memory. */
static void run_sweep(const struct args *args)
{
	size_t size = arg_number(args, "size", 64) * MIB;
	size_t part_pages = arg_number(args, "part", 1024) * KIB / PAGE;
	unsigned char *array = anon_reserve(size);
	struct ticker ticker;

	fill_bytes(array, size, fill_of(args));
	ticker_init(args, &ticker);
	for (;;) {
		ticker_wait(&ticker);
		for (size_t i = 0; i < part_pages; i++)
			array[random_next() % (size / PAGE) * PAGE]++;
		ticker_done(&ticker);
	}
}

static void run_loopfile(const struct args *args)
{
	struct report report;
	struct file file;

	report_open(args, &report);
	file_open(arg_text(args, "file", NULL), access_of(args), &file);
	for (uint64_t rounds = 1;; rounds++) {
		file_touch(&file);
		report_write(&report, &(struct progress){ .due = rounds });
	}
}

/* Reads a file once from beginning to end, as a backup does. */
static void run_stream(const struct args *args)
{
	static char buffer[256 * 1024];
	uint64_t rate_kib = arg_number(args, "rate", 0);
	struct report report;
	struct file file;
	off_t at = 0;
	ssize_t got;

	report_open(args, &report);
	file_open(arg_text(args, "file", NULL), ACCESS_READ, &file);
	do {
		got = pread(file.fd, buffer, sizeof(buffer), at);
		at += got;
		report_size(&report, (uint64_t)at);
		if (rate_kib > 0)
			sleep_for(SECOND_US * (sizeof(buffer) / KIB) / rate_kib);
	} while (got > 0);
	hold();
}

/* Takes much anonymous memory as fast as it can, holds it, gives it back. */
static void run_burst(const struct args *args)
{
	size_t size = arg_number(args, "size", 128) * MIB;
	uint64_t pause_us = arg_number(args, "pause", 1000) * 1000;
	uint64_t times = arg_number(args, "times", UINT64_MAX);
	unsigned char *heap = anon_reserve(size);
	struct report report;

	report_open(args, &report);
	for (uint64_t i = 1; i <= times; i++) {
		fill_bytes(heap, size, FILL_TOUCH);
		report_write(&report, &(struct progress){ .due = i, .size_bytes = size });
		sleep_for(pause_us);
		if (i < times && madvise(heap, size, MADV_DONTNEED) != 0)
			die("madvise");
	}
	hold();
}

/* A garbage collector's saw-tooth: grows from base to peak, drops back, begins again. */
static void run_saw(const struct args *args)
{
	const size_t step = 256 * KIB;
	size_t base = arg_number(args, "base", 32) * MIB;
	size_t peak = arg_number(args, "peak", 96) * MIB;
	uint64_t rate_kib = arg_number(args, "rate", 16384);
	unsigned char *heap = anon_reserve(peak);
	struct report report;

	report_open(args, &report);
	fill_bytes(heap, base, FILL_TOUCH);
	for (;;) {
		for (size_t size = base; size < peak; size += step) {
			fill_bytes(heap + size, step, FILL_TOUCH);
			report_size(&report, size);
			sleep_for(SECOND_US * (step / KIB) / rate_kib);
		}
		if (madvise(heap + base, peak - base, MADV_DONTNEED) != 0)
			die("madvise");
	}
}

/* Appends to a file at a steady rate and keeps it: memory, if the file lies in a tmpfs. */
static void run_tmpfs(const struct args *args)
{
	static char buffer[64 * 1024];
	const char *path = arg_text(args, "file", "/dev/shm/spool");
	uint64_t rate_kib = arg_number(args, "rate", 4096);
	size_t most = arg_number(args, "most", MIB) * MIB;
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	struct report report;

	report_open(args, &report);
	if (fd < 0)
		die(path);
	fill_bytes((unsigned char *)buffer, sizeof(buffer), FILL_RANDOM);
	for (size_t size = 0; size < most; size += sizeof(buffer)) {
		if (write(fd, buffer, sizeof(buffer)) < 0)
			die(path);
		report_size(&report, size);
		sleep_for(SECOND_US * (sizeof(buffer) / KIB) / rate_kib);
	}
	hold();
}

/* Looks for names that do not exist: each leaves a negative dentry behind. */
static void run_dentry(const struct args *args)
{
	const char *dir = arg_text(args, "dir", "/data");
	uint64_t per_second = arg_number(args, "rate", 20000);
	struct report report;
	char path[256];

	report_open(args, &report);
	for (uint64_t i = 0;; i++) {
		snprintf(path, sizeof(path), "%s/no-such-file-of-this-name-%ju", dir,
			 (uintmax_t)i);
		if (access(path, F_OK) == 0)
			die("access");
		if (i % (per_second / 100) == 0) {
			report_write(&report, &(struct progress){ .due = i });
			sleep_for(SECOND_US / 100);
		}
	}
}

/*
 * Page tables and nothing else: reads one byte in each 2 MiB of a reservation. The page read is
 * the kernel's one zero page, the table that leads to it is new.
 */
static void run_pagetable(const struct args *args)
{
	const uint64_t step_kib = 64;
	size_t tables = arg_number(args, "most", 256) * MIB / PAGE;
	uint64_t rate_kib = arg_number(args, "rate", 4096);
	unsigned char *heap = anon_reserve(tables * HUGE_PAGE);
	volatile unsigned char sink;
	struct report report;

	report_open(args, &report);
	if (madvise(heap, tables * HUGE_PAGE, MADV_NOHUGEPAGE) != 0)
		die("madvise");
	for (size_t i = 0; i < tables; i++) {
		sink = *(volatile unsigned char *)(heap + i * HUGE_PAGE);
		if (i % (step_kib * KIB / PAGE) != 0)
			continue;
		report_size(&report, i * PAGE);
		sleep_for(SECOND_US * step_kib / rate_kib);
	}
	(void)sink;
	hold();
}

static void run_mlock(const struct args *args)
{
	size_t size = arg_number(args, "size", 64) * MIB;
	unsigned char *heap = anon_reserve(size);
	struct report report;

	report_open(args, &report);
	if (mlock(heap, size) != 0)
		die("mlock");
	report_size(&report, size);
	hold();
}

static void run_hugetlb(const struct args *args)
{
	size_t size = arg_number(args, "size", 64) * MIB;
	unsigned char *heap = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	struct report report;

	report_open(args, &report);
	if (heap == MAP_FAILED)
		die("mmap");
	fill_bytes(heap, size, FILL_TOUCH);
	report_size(&report, size);
	hold();
}

/* Leaves free memory in single pages: takes much and gives every fourth page back. */
static void run_fragment(const struct args *args)
{
	size_t size = arg_number(args, "size", 128) * MIB;
	unsigned char *heap = anon_reserve(size);
	struct report report;

	report_open(args, &report);
	if (madvise(heap, size, MADV_NOHUGEPAGE) != 0)
		die("madvise");
	fill_bytes(heap, size, FILL_TOUCH);
	for (size_t at = 0; at < size; at += 4 * PAGE) {
		if (madvise(heap + at, PAGE, MADV_DONTNEED) != 0)
			die("madvise");
	}
	report_size(&report, size / 4 * 3);
	hold();
}

/*
 * Every slot a fresh buffer of huge pages. One touch for each is enough to demand it; where the
 * kernel has none, that touch costs a single small page, so failing does not fill memory.
 */
static void run_thp(const struct args *args)
{
	size_t size = arg_number(args, "size", 16) * MIB;
	unsigned char *heap = anon_reserve(size + HUGE_PAGE);
	struct ticker ticker;

	heap += -(uintptr_t)heap % HUGE_PAGE;
	ticker_init(args, &ticker);
	for (;;) {
		ticker_wait(&ticker);
		if (madvise(heap, size, MADV_DONTNEED) != 0)
			die("madvise");
		for (size_t at = 0; at < size; at += HUGE_PAGE)
			heap[at] = 1;
		ticker_done(&ticker);
	}
}

/* Writes a file over and over as fast as the disk takes it. */
static void run_dirty(const struct args *args)
{
	static char buffer[1024 * 1024];
	const char *path = arg_text(args, "file", "/scratch/out");
	off_t size = (off_t)(arg_number(args, "size", 256) * MIB);
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	struct report report;
	uint64_t written = 0;

	report_open(args, &report);
	if (fd < 0)
		die(path);
	for (;;) {
		ssize_t wrote = pwrite(fd, buffer, sizeof(buffer), (off_t)written % size);

		if (wrote < 0)
			die(path);
		written += (uint64_t)wrote;
		report_size(&report, written);
	}
}

static void run_cpuburn(const struct args *args)
{
	uint64_t share = arg_number(args, "percent", 100);

	for (;;) {
		burn_cpu(share * 1000);
		if (share < 100)
			sleep_for((100 - share) * 1000);
	}
}

static void run_idle(const struct args *args)
{
	struct report report;

	report_open(args, &report);
	hold();
}

struct load {
	const char *name;
	const char *help;
	void (*run)(const struct args *args);
};

static const struct load loads[] = {
	{ "service", "code=MIB file=PATH access= anon=MIB work=MS period=MS", run_service },
	{ "leak", "base=MIB rate=KIB/S code=MIB fill=touch|random most=MIB", run_leak },
	{ "sweep", "size=MIB part=KIB fill= period=MS", run_sweep },
	{ "loopfile", "file=PATH access=random|sequential|read", run_loopfile },
	{ "stream", "file=PATH rate=KIB/S", run_stream },
	{ "burst", "size=MIB pause=MS times=N", run_burst },
	{ "saw", "base=MIB peak=MIB rate=KIB/S", run_saw },
	{ "tmpfs", "file=PATH rate=KIB/S most=MIB", run_tmpfs },
	{ "dentry", "dir=PATH rate=N/S", run_dentry },
	{ "pagetable", "rate=KIB/S most=MIB", run_pagetable },
	{ "mlock", "size=MIB", run_mlock },
	{ "hugetlb", "size=MIB", run_hugetlb },
	{ "fragment", "size=MIB", run_fragment },
	{ "thp", "size=MIB period=MS", run_thp },
	{ "dirty", "file=PATH size=MIB", run_dirty },
	{ "cpuburn", "percent=N", run_cpuburn },
	{ "idle", "", run_idle },
};

#define LOADS (sizeof(loads) / sizeof(loads[0]))

static void bind_memory(const struct args *args)
{
	uint64_t node = arg_number(args, "node", UINT64_MAX);
	unsigned long mask;

	if (node == UINT64_MAX)
		return;
	mask = 1UL << node;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, &mask, sizeof(mask) * 8) != 0)
		die("set_mempolicy");
}

static int usage(void)
{
	for (size_t i = 0; i < LOADS; i++)
		fprintf(stderr, "%-10s %s\n", loads[i].name, loads[i].help);
	return 2;
}

int main(int argc, char **argv)
{
	const struct args args = { .count = argc - 2, .words = argv + 2 };

	for (size_t i = 0; argc >= 2 && i < LOADS; i++) {
		if (strcmp(argv[1], loads[i].name) == 0) {
			bind_memory(&args);
			loads[i].run(&args);
			return 0;
		}
	}
	return usage();
}
