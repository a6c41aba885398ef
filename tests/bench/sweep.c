/*
 * What one look at all cgroups costs, beside a loop that only reads the same open files.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>

#include "bench.h"
#include "forest.h"
#include "model/sampler.h"

/* An odd number of pairs has a median; so many keep it still to a percent or two. */
#define PAIRS 101

/* Until files are open and memory is committed. */
#define WARM_UP 3

struct subject {
	struct root root;
	struct sampler sampler;
	struct arena arena;
	const struct snapshot *last;
};

static void subject_open(struct subject *out)
{
	int r = root_open("/", &out->root);

	if (r == 0)
		r = sampler_init(&out->sampler);
	if (r == 0)
		r = arena_init(&out->arena, SNAPSHOT_ARENA);
	if (r < 0)
		give_up("sampler", -r);
}

static void subject_close(struct subject *subject)
{
	sampler_done(&subject->sampler);
	arena_done(&subject->arena);
	root_done(&subject->root);
}

static void take(struct subject *subject)
{
	struct snapshot *snapshot;
	int r = sampler_take(&subject->sampler, &subject->root, SAMPLE_WITHOUT_TASKS,
			     &subject->arena, &snapshot);

	if (r < 0)
		give_up("sampler_take", -r);
	subject->last = snapshot;
}

static void warm_up(struct subject *subject)
{
	for (int i = 0; i < WARM_UP; i++)
		take(subject);
}

/*
 * The floor: nothing but the reads, of the very descriptors that the sampler keeps. Returns how
 * many there are.
 */
static size_t read_bare(const struct subject *subject)
{
	static char buffer[16384];
	const struct tracking *tracking = &subject->sampler.tracking[subject->sampler.current];
	size_t files = 0;

	for (size_t i = 0; i < tracking->count; i++)
		for (size_t j = 0; j < CGROUP_SLOTS; j++) {
			int fd = tracking->list[i].files.slot[j];

			if (fd < 0)
				continue;
			/* Cgroups of others may go at any time. */
			if (pread(fd, buffer, sizeof(buffer), 0) < 0 && errno != ENODEV)
				give_up("pread", errno);
			files++;
		}
	return files;
}

struct cost {
	double sweep_us;
	double bare_us;
	double ratio;
	double files; /* kept open */
};

static struct cost cost_of(struct subject *subject)
{
	double sweeps[PAIRS];
	double bares[PAIRS];
	double ratios[PAIRS];

	size_t files;

	warm_up(subject);
	files = read_bare(subject);
	for (size_t i = 0; i < PAIRS; i++) {
		double start = cpu_us();
		double middle;

		take(subject);
		middle = cpu_us();
		read_bare(subject);
		bares[i] = cpu_us() - middle;
		sweeps[i] = middle - start;
		ratios[i] = sweeps[i] / bares[i];
	}
	return (struct cost){ median_of(sweeps, PAIRS), median_of(bares, PAIRS),
			      median_of(ratios, PAIRS), (double)files };
}

static void put_sweep(const char *name, const struct cost *cost)
{
	figure_beside(name, cost->sweep_us / 1000, "ms", "floor pread", cost->bare_us / 1000);
}

static void put_allocations(struct subject *subject)
{
	uint64_t before;

	warm_up(subject);
	before = allocations;
	take(subject);
	figure_goal("sweep.allocations", (double)(allocations - before), "calls", 0);
}

/* Resident memory of this process. */
static double resident_kib(void)
{
	char text[64];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text));
	struct span rest = span_of(text, n > 0 ? (size_t)n : 0);
	struct span word;
	uint64_t pages = 0;

	fd_done(&fd);
	if (!span_word(&rest, &word) || !span_word(&rest, &word) || span_u64(word, &pages) < 0)
		return (double)NAN;
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024;
}

/* A sweep in which one cgroup is new and one is gone, so that all have to be looked for again.
 */
static void put_churn(struct subject *subject, struct forest *forest)
{
	double sweeps[PAIRS];

	for (size_t i = 0; i < PAIRS; i++) {
		double start;

		if (forest_replace(forest, i) < 0)
			give_up("rmdir", errno);
		start = cpu_us();
		take(subject);
		sweeps[i] = cpu_us() - start;
	}
	figure_plain("sweep.churn.1000", median_of(sweeps, PAIRS) / 1000, "ms");
}

static void at_thousand(const char *mount)
{
	struct forest forest;
	struct subject subject = { 0 };
	struct cost cost;
	double before = resident_kib();

	if (forest_open(mount, &forest) < 0 || forest_grow(&forest, 1000) < 0) {
		figure_skip("sweep.ratio.1000", "no cgroups can be made");
		return;
	}
	subject_open(&subject);
	warm_up(&subject);
	figure_beside("sweep.memory.1000",
		      (resident_kib() - before) / (double)subject.last->cgroup_count,
		      "KiB/cgroup", "process KiB", resident_kib());
	cost = cost_of(&subject);
	figure_goal("sweep.ratio.1000", cost.ratio, "of pread", 1.25);
	put_sweep("sweep.time.1000", &cost);
	put_allocations(&subject);
	put_churn(&subject, &forest);
	subject_close(&subject);
	forest_close(&forest);
}

static struct cost cost_at(struct forest *forest, size_t count)
{
	struct subject subject = { 0 };
	struct cost cost;
	int r = forest_grow(forest, count);

	if (r < 0)
		give_up("mkdir", -r);
	subject_open(&subject);
	cost = cost_of(&subject);
	subject_close(&subject);
	return cost;
}

/* So few that the machine's own files would outweigh them: what they add is compared. */
static void at_two_hundred_of_v1(const char *mount)
{
	struct forest forest;
	struct cost none;
	struct cost all;

	if (forest_open(mount, &forest) < 0) {
		figure_skip("sweep.ratio.v1.200", "no cgroups of v1 can be made");
		return;
	}
	none = cost_at(&forest, 0);
	all = cost_at(&forest, 200);
	figure_goal("sweep.ratio.v1.200",
		    (all.sweep_us - none.sweep_us) / (all.bare_us - none.bare_us), "of pread",
		    1.25);
	put_sweep("sweep.time.v1.200", &all);
	put_sweep("sweep.time.0", &none);
	forest_close(&forest);
}

/* What each cgroup adds. */
static struct cost cost_each(struct forest *forest, size_t count, const struct cost *none)
{
	struct cost cost = cost_at(forest, count);

	cost.sweep_us = (cost.sweep_us - none->sweep_us) / (double)count;
	cost.bare_us = (cost.bare_us - none->bare_us) / (double)count;
	cost.files = (cost.files - none->files) / (double)count;
	cost.ratio = cost.sweep_us / cost.bare_us;
	return cost;
}

/* Beyond the limit the sampler opens files for a moment, which costs more. */
static bool may_open(double files)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && files < 0.95 * (double)limit.rlim_cur;
}

/*
 * The cost of a cgroup must not depend on how many there are, but for what the kernel's own
 * reads cost more when nothing of them is in the caches any longer.
 */
static void growth(const char *mount)
{
	static const size_t steps[] = { 100, 1000, 2500, 5000 };
	struct forest forest;
	struct cost none;
	struct cost first = { 0 };
	struct cost last = { 0 };

	if (forest_open(mount, &forest) < 0) {
		figure_skip("sweep.growth", "no cgroups can be made");
		return;
	}
	none = cost_at(&forest, 0);
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		char name[32];

		snprintf(name, sizeof(name), "sweep.each.%zu", steps[i]);
		if (!may_open((double)steps[i] * first.files)) {
			figure_skip(name, "more files than may be open");
			break;
		}
		last = cost_each(&forest, steps[i], &none);
		figure_beside(name, last.sweep_us, "us/cgroup", "floor pread", last.bare_us);
		if (i == 0)
			first = last;
	}
	figure_goal("sweep.growth", last.ratio / first.ratio, "of linear", 1.25);
	forest_close(&forest);
}

void bench_sweep(const struct setup *setup)
{
	struct mounts mounts = mounts_here();

	(void)setup;
	at_thousand(mounts.v2);
	at_two_hundred_of_v1(mounts.v1_memory);
	growth(mounts.v2);
}
