#include "test.h"

#include "count_memory.h"

#include "model/sampler.h"
#include "model/source.h"

#define TICKS 1000

struct bench {
	struct sampler sampler;
	struct arena arenas[2];
	size_t ticks;
	size_t cgroups; /* seen in all ticks together */
};

static void bench_init(struct bench *bench)
{
	*bench = (struct bench){ 0 };
	memory_calls_reset();
	assert_int_equal(sampler_init(&bench->sampler), 0);
	for (size_t i = 0; i < ARRAY_LEN(bench->arenas); i++)
		assert_int_equal(arena_init(&bench->arenas[i], SNAPSHOT_ARENA), 0);
}

static void bench_done(struct bench *bench)
{
	sampler_done(&bench->sampler);
	for (size_t i = 0; i < ARRAY_LEN(bench->arenas); i++)
		arena_done(&bench->arenas[i]);
}

static void tick(struct bench *bench, const struct root *root)
{
	struct snapshot *snapshot;

	assert_int_equal(sampler_take(&bench->sampler, root, SAMPLE_ALL,
				      &bench->arenas[bench->ticks++ % 2], &snapshot),
			 0);
	bench->cgroups += snapshot->cgroup_count;
}

#define MOUNTS                                           \
	"35 31 0:32 / /m rw - cgroup cgroup rw,memory\n" \
	"41 31 0:38 / /u rw - cgroup2 cgroup2 rw\n"
#define STAT " (x) S 1 1 1 0 -1 0 10 0 12 0 14 15 0 0 20 0 1 0 100 0 24\n"
#define MEMORY_STAT "total_rss 1\ntotal_cache 2\n"

/* Cgroups and processes come and go, one vanishes while it is read, one is made anew. */
static const struct file FRAMES[] = {
	{ "0/proc/self/mountinfo", MOUNTS },
	{ "0/proc/vmstat", "pswpin 1\n" },
	{ "0/proc/7/stat", "7" STAT },
	{ "0/proc/7/cgroup", "4:memory:/a\n0::/a\n" },
	{ "0/m/a/memory.stat", MEMORY_STAT },
	{ "0/u/a/memory.pressure", "some avg10=0.00 total=1\n" },
	{ "0/u/a/_id", "5\n" },
	{ "0/u/a/_marks", "owner=0\noomd_avoid=1\n" },
	{ "1/proc/self/mountinfo", MOUNTS },
	{ "1/proc/vmstat", "pswpin 2\n" },
	{ "1/proc/7/stat", "7" STAT },
	{ "1/proc/8/stat", "8" STAT },
	{ "1/proc/8/status", "RssAnon:\t4 kB\n" },
	{ "1/m/a/memory.stat", MEMORY_STAT },
	{ "1/m/b/c/d/memory.stat", MEMORY_STAT },
	{ "1/m/e/memory.stat.errno", "ENODEV\n" },
	{ "1/u/a/_id", "6\n" },
	{ "1/u/f/g/io.stat", "8:0 rbytes=1\n" },
	{ "2/proc/vmstat", "garbled\n" },
	{ "2/proc/9/stat", "9 (x" },
	{ 0 },
};

static void next(struct source *source)
{
	int r = source_next(source);

	if (r == SOURCE_END) {
		source->next = 0;
		r = source_next(source);
	}
	assert_int_equal(r, 0);
}

static void replay(const char *path)
{
	static struct bench bench;
	struct source source;

	bench_init(&bench);
	assert_int_equal(source_open(path, NULL, &source), 0);
	for (int i = 0; i < 2; i++) {
		next(&source);
		tick(&bench, &source.root);
	}
	assert_true(memory_calls() > 0); /* it does count */
	memory_calls_reset();
	for (int i = 0; i < TICKS; i++) {
		next(&source);
		tick(&bench, &source.root);
	}
	assert_int_equal(memory_calls(), 0);
	assert_int_equal(bench.sampler.ticks, TICKS + 2);
	assert_true(bench.cgroups > TICKS * 3);
	source_done(&source);
	bench_done(&bench);
}

static void a_thousand_ticks_on_folders_of_frames_allocate_nothing(void **state)
{
	replay(tree_new(FRAMES));
}

static void a_thousand_ticks_on_a_recording_allocate_nothing(void **state)
{
	replay(archive_new(".tar.zst", FRAMES));
}

/* A folder of plain files stands in for a live machine on which a cgroup comes and goes. */
static void a_thousand_live_ticks_allocate_nothing(void **state)
{
	static const struct file more[] = {
		{ "u/cgroup.stat", "nr_descendants 1\n" },
		{ "u/new/x", "" },
		{ 0 },
	};
	static const struct file less[] = { { "u/cgroup.stat", "nr_descendants 0\n" }, { 0 } };
	const char *tree = TREE({ "proc/self/mountinfo", MOUNTS }, { "u/cgroup.stat", "" },
				{ "m/a/memory.stat", MEMORY_STAT });
	const char *file = path_in(tree, "u/new/x");
	const char *folder = path_in(tree, "u/new");
	struct root root = root_of(tree);
	static struct bench bench;

	root.kind = ROOT_LIVE;
	bench_init(&bench);
	for (int i = 0; i < TICKS + 2; i++) {
		tree_add(tree, i % 2 ? less : more);
		if (i % 2) {
			remove(file);
			remove(folder);
		}
		if (i == 2)
			memory_calls_reset();
		tick(&bench, &root);
	}
	assert_int_equal(memory_calls(), 0);
	assert_int_equal(bench.cgroups, (TICKS + 2) / 2 * (3 + 4));
	root_done(&root);
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_ticks_on_folders_of_frames_allocate_nothing),
		cmocka_unit_test(a_thousand_ticks_on_a_recording_allocate_nothing),
		cmocka_unit_test(a_thousand_live_ticks_allocate_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
