#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "model/recorder.h"
#include "model/sampler.h"
#include "model/source.h"

static struct recorder recorder_of(const char *path)
{
	struct recorder recorder;

	assert_int_equal(recorder_open(path, &recorder), 0);
	return recorder;
}

static void put(struct recorder *recorder, const char *path, const char *text)
{
	recorder->sink.put(&recorder->sink, path, span_cstr(text));
}

static const char *const SUFFIXES[] = { "folder", "a.tar", "a.tar.zst", "a.tar.gz",
					"a.tar.xz" };

static void what_is_put_can_be_replayed(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		const char *path = path_in(folder_new(), SUFFIXES[i]);
		struct recorder recorder = recorder_of(path);
		struct source source;
		struct span got;

		case_of(SUFFIXES[i]);
		for (int frame = 0; frame < 3; frame++) {
			recorder_next_frame(&recorder);
			put(&recorder, "proc/a", frame == 1 ? "one" : "");
			put(&recorder, "sys/deep/er/b", "text\n");
		}
		assert_int_equal(recorder_close(&recorder), 0);
		assert_int_equal(recorder.files, 6);
		assert_int_equal(recorder.bytes, 3 * 5 + 3);
		assert_int_equal(source_open(path, NULL, &source), 0);
		assert_int_equal(source.kind, i == 0 ? SOURCE_FRAMES : SOURCE_PACK);
		assert_int_equal(source.frames, 3);
		for (int frame = 0; frame < 3; frame++) {
			assert_int_equal(source_next(&source), 0);
			assert_int_equal(root_read(&source.root, "proc/a", any_buffer(), &got),
					 0);
			assert_span_equal(got, frame == 1 ? "one" : "");
			assert_int_equal(
				root_read(&source.root, "sys/deep/er/b", any_buffer(), &got),
				0);
			assert_span_equal(got, "text\n");
		}
		source_done(&source);
	}
}

static void frames_are_numbered_from_zero(void **state)
{
	const char *path = path_in(folder_new(), "folder");
	struct recorder recorder = recorder_of(path);
	struct root root;

	recorder_next_frame(&recorder);
	put(&recorder, "a", "");
	recorder_next_frame(&recorder);
	put(&recorder, "a", "");
	assert_int_equal(recorder_close(&recorder), 0);
	root = root_of(path);
	assert_true(root_exists(&root, "000000/a"));
	assert_true(root_exists(&root, "000001/a"));
	root_done(&root);
}

static void nothing_is_ever_overwritten(void **state)
{
	const char *tree = TREE({ "a.tar", "precious" }, { "a.tar.zst", "precious" },
				{ "file", "precious" }, { "folder", NULL }, { "b.tar", NULL });
	static const char *const names[] = { "a.tar", "a.tar.zst", "file", "folder", "b.tar" };
	struct root root = root_of(tree);
	struct span got;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct recorder recorder;

		case_of(names[i]);
		assert_int_equal(recorder_open(path_in(tree, names[i]), &recorder), -EEXIST);
	}
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(root_read(&root, names[i], any_buffer(), &got), 0);
		assert_span_equal(got, "precious");
	}
	root_done(&root);
}

static void a_link_that_leads_nowhere_is_not_followed(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		const char *folder = folder_new();
		struct recorder recorder;

		case_of(SUFFIXES[i]);
		assert_int_equal(symlink("elsewhere", path_in(folder, SUFFIXES[i])), 0);
		assert_int_equal(recorder_open(path_in(folder, SUFFIXES[i]), &recorder),
				 -EEXIST);
		assert_int_equal(access(path_in(folder, "elsewhere"), F_OK), -1);
	}
}

static void where_nothing_can_be_written_is_an_error(void **state)
{
	const char *tree = TREE({ "file", "" });
	struct recorder recorder;

	assert_int_equal(recorder_open(path_in(tree, "none/folder"), &recorder), -ENOENT);
	assert_int_equal(recorder_open(path_in(tree, "none/a.tar"), &recorder), -ENOENT);
	assert_int_equal(recorder_open(path_in(tree, "file/folder"), &recorder), -ENOTDIR);
}

/* The paths may come from a captured tree that somebody sent. */
static void nothing_is_written_outside(void **state)
{
	static const char *const paths[] = { "../x", "a/../../x", "/x", "a//x", "./x", "" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		const char *folder = folder_new();
		struct recorder recorder = recorder_of(path_in(folder, "capture"));
		struct root root = root_of(folder);

		case_of(paths[i]);
		recorder_next_frame(&recorder);
		put(&recorder, paths[i], "evil");
		assert_false(root_exists(&root, "x"));
		assert_false(root_exists(&root, "capture/x"));
		assert_int_equal(recorder_close(&recorder), -EINVAL);
		root_done(&root);
	}
}

static void the_first_error_is_kept_and_ends_the_writing(void **state)
{
	static char path[9000];
	const char *folder = path_in(folder_new(), "folder");
	struct recorder recorder = recorder_of(folder);
	struct root root = root_of(folder);

	memset(path, 'x', sizeof(path) - 1);
	recorder_next_frame(&recorder);
	put(&recorder, "a/b", "");
	put(&recorder, "a/b/c", ""); /* a file is in the way */
	put(&recorder, path, "");
	put(&recorder, "late", "");
	assert_true(root_exists(&root, "000000/a/b"));
	assert_false(root_exists(&root, "000000/late"));
	assert_int_equal(recorder_close(&recorder), -ENOTDIR);
	root_done(&root);
}

static void a_path_that_is_too_long_is_an_error(void **state)
{
	static const size_t lengths[] = { 5000, 8185, 8186, 8192, 9000 };
	static char path[9001];

	for (size_t i = 0; i < 2 * ARRAY_LEN(lengths); i++) {
		/* an archive may have longer paths than the kernel, up to our own limit */
		bool archive = i >= ARRAY_LEN(lengths);
		size_t length = lengths[i % ARRAY_LEN(lengths)];
		struct recorder recorder =
			recorder_of(path_in(folder_new(), archive ? "a.tar" : "folder"));

		memset(path, 'x', sizeof(path));
		path[length] = '\0';
		recorder_next_frame(&recorder);
		put(&recorder, path, "");
		assert_int_equal(recorder_close(&recorder),
				 archive && length < 8185 ? 0 : -ENAMETOOLONG);
	}
}

/* As on a disk that is full. */
static void text_that_does_not_fit_is_an_error(void **state)
{
	static char text[300000];
	struct rlimit limit;
	struct rlimit small;

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = (char)('a' + i * i % 23);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 100000;
	for (size_t i = 0; i < 2; i++) {
		struct recorder recorder = recorder_of(path_in(folder_new(), SUFFIXES[i]));

		recorder_next_frame(&recorder);
		setrlimit(RLIMIT_FSIZE, &small);
		put(&recorder, "a", text);
		put(&recorder, "b", text);
		assert_int_equal(recorder_close(&recorder), -EFBIG);
		setrlimit(RLIMIT_FSIZE, &limit);
	}
}

/* What is small is written when the archive is closed. */
static void an_archive_that_cannot_be_ended_is_an_error(void **state)
{
	struct recorder recorder = recorder_of(path_in(folder_new(), "a.tar"));
	struct rlimit limit;
	struct rlimit small;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 100;
	recorder_next_frame(&recorder);
	put(&recorder, "a", "text");
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(recorder_close(&recorder), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void nothing_stays_open(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		struct recorder recorder;
		int unused = dup(STDIN_FILENO);
		int again;

		close(unused);
		recorder = recorder_of(path_in(folder_new(), SUFFIXES[i]));
		recorder_next_frame(&recorder);
		put(&recorder, "a/b", "text");
		assert_int_equal(recorder_close(&recorder), 0);
		again = dup(STDIN_FILENO);
		close(again);
		assert_int_equal(again, unused);
	}
}

static void a_name_shorter_than_a_suffix_is_a_folder(void **state)
{
	static const char *const names[] = { "x", ".tar", "tar" };

	assert_int_equal(chdir(folder_new()), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct recorder recorder = recorder_of(names[i]);

		assert_null(recorder.archive);
		assert_int_equal(recorder_close(&recorder), 0);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Every file of it is read by a sample. */
static const struct file READ[] = {
	{ "_host.ini", "at_us=5\nwall_us=6\npage_size=4096\ncpus=2\n" },
	{ "proc/vmstat", "pswpin 7\nunknown 5\n" },
	{ "proc/meminfo", "MemTotal: 8 kB\n" },
	{ "proc/pressure/memory", "some avg10=0.00 total=9\n" },
	{ "proc/pressure/io.errno", "EOPNOTSUPP" },
	{ "proc/zoneinfo", "Node 0, zone DMA\n" },
	{ "proc/buddyinfo", "Node 0, zone DMA 1 2\n" },
	{ "proc/swaps", "Filename Type\n" },
	{ "proc/diskstats", "" },
	{ "proc/sys/kernel/osrelease", "6.12.57-amd64\n" },
	{ "proc/sys/kernel/hostname", "web\n" },
	{ "proc/sys/vm/swappiness", "60\n" },
	{ "proc/self/mountinfo", "28 25 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
				 "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n" },
	{ "sys/fs/cgroup/cgroup.controllers", "cpu\n" },
	{ "sys/fs/cgroup/_id", "1\n" },
	{ "sys/fs/cgroup/cgroup.stat", "nr_descendants 1\n" },
	{ "sys/fs/cgroup/a/_id", "2\n" },
	{ "sys/fs/cgroup/a/_marks", "owner=7\noomd_omit=1\n" },
	{ "sys/fs/cgroup/a/memory.pressure", "some avg10=0.00 total=9\n" },
	{ "sys/fs/cgroup/a/io.stat", "8:0 rbytes=1\n" },
	{ "m/_id", "3\n" },
	{ "m/b/_id", "4\n" },
	{ "m/b/memory.stat", "total_rss 5\n" },
	{ "m/b/memory.limit_in_bytes", "9223372036854771712\n" },
	{ "m/b/memory.failcnt.errno", "EACCES" },
	{ "proc/10/stat", "10 (a) b) S 1 1 1 0 -1 0 10 0 12 0 14 15 0 0 20 0 1 0 100 0 24\n" },
	{ "proc/10/status", "RssAnon:\t4 kB\n" },
	{ "proc/10/oom_score_adj", "0\n" },
	{ "proc/10/cgroup", "4:memory:/b\n0::/a\n" },
	{ "proc/11/stat.errno", "EPERM" },
	{ "sys/devices/virtual/block/zram0/mm_stat", "1 2 3 4 5 6 7 8 9\n" },
	{ "sys/devices/virtual/block/zram0/disksize", "4096\n" },
	{ 0 },
};

/* Of these nothing is kept: there are hundreds of kernel threads. */
static const struct file UNKEPT[] = {
	{ "proc/3/stat", "3 (k) I 2 0 0 0 -1 2097152 0 0 0 0 0 0 0 0 0 0 1 0 54 0 0\n" },
	{ "proc/3/status", "Name:\tk\n" },
	{ "proc/cmdline", "quiet\n" },
	{ 0 },
};

/* The snapshots of a tree and of its capture, taken by one sampler each. */
struct taken {
	struct sampler sampler;
	struct arena arena;
	struct snapshot *snapshot;
};

static void take_from(struct source *source, struct taken *out)
{
	assert_int_equal(sampler_init(&out->sampler), 0);
	assert_int_equal(arena_init(&out->arena, SNAPSHOT_ARENA), 0);
	assert_int_equal(source_next(source), 0);
	assert_int_equal(sampler_take(&out->sampler, &source->root, SAMPLE_ALL, &out->arena,
				      &out->snapshot),
			 0);
}

static void taken_done(struct taken *taken)
{
	sampler_done(&taken->sampler);
	arena_done(&taken->arena);
}

static void expect_same(const struct snapshot *one, const struct snapshot *other)
{
	assert_memory_equal(&one->host, &other->host, sizeof(one->host));
	assert_memory_equal(one->value, other->value, sizeof(one->value));
	assert_memory_equal(one->state, other->state, sizeof(one->state));
	assert_memory_equal(one->zones, other->zones, sizeof(*one->zones));
	assert_memory_equal(one->devices, other->devices, sizeof(*one->devices));
	assert_int_equal(one->cgroup_count, other->cgroup_count);
	for (size_t i = 0; i < one->cgroup_count; i++) {
		const struct cgroup *cgroup = &one->cgroups[i];
		const struct cgroup *same = &other->cgroups[i];

		assert_int_equal(cgroup->id, same->id);
		assert_string_equal(cgroup->path, same->path);
		assert_int_equal(cgroup->pressure, same->pressure);
		assert_memory_equal(cgroup->value, same->value, sizeof(cgroup->value));
		assert_memory_equal(cgroup->state, same->state, sizeof(cgroup->state));
	}
	assert_int_equal(one->task_count, other->task_count);
	assert_memory_equal(one->tasks, other->tasks, one->task_count * sizeof(*one->tasks));
	assert_int_equal(one->tasks_denied, other->tasks_denied);
}

/* One file of the capture each, the same bytes: nothing is kept twice, nothing is left out. */
static void expect_equal(const char *capture)
{
	struct root root = root_of(path_in(capture, "000000"));
	struct span got;

	for (const struct file *file = READ; file->path; file++) {
		case_of(file->path);
		assert_int_equal(root_read(&root, file->path, any_buffer(), &got), 0);
		assert_span_equal(got, file->text);
	}
	root_done(&root);
}

static void a_capture_of_a_tree_equals_the_tree(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		const char *path = path_in(folder_new(), SUFFIXES[i]);
		struct recorder recorder = recorder_of(path);
		const char *tree;
		struct source source;
		struct source replay;
		static struct taken first;
		static struct taken second;

		case_of(SUFFIXES[i]);
		recorder_next_frame(&recorder);
		tree = tree_new(READ);
		tree_add(tree, UNKEPT);
		assert_int_equal(source_open(tree, NULL, &source), 0);
		source.root.tee = &recorder.sink;
		take_from(&source, &first);
		assert_int_equal(recorder_close(&recorder), 0);
		assert_int_equal(recorder.files, ARRAY_LEN(READ) - 1);
		if (i == 0)
			expect_equal(path);
		assert_int_equal(source_open(path, NULL, &replay), 0);
		take_from(&replay, &second);
		assert_int_equal(first.snapshot->cgroup_count, 4);
		assert_int_equal(first.snapshot->task_count, 1);
		expect_same(first.snapshot, second.snapshot);
		taken_done(&first);
		taken_done(&second);
		source_done(&source);
		source_done(&replay);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_can_be_replayed),
		cmocka_unit_test(frames_are_numbered_from_zero),
		cmocka_unit_test(nothing_is_ever_overwritten),
		cmocka_unit_test(a_link_that_leads_nowhere_is_not_followed),
		cmocka_unit_test(where_nothing_can_be_written_is_an_error),
		cmocka_unit_test(nothing_is_written_outside),
		cmocka_unit_test(the_first_error_is_kept_and_ends_the_writing),
		cmocka_unit_test(a_path_that_is_too_long_is_an_error),
		cmocka_unit_test(text_that_does_not_fit_is_an_error),
		cmocka_unit_test(an_archive_that_cannot_be_ended_is_an_error),
		cmocka_unit_test(nothing_stays_open),
		cmocka_unit_test(a_name_shorter_than_a_suffix_is_a_folder),
		cmocka_unit_test(a_capture_of_a_tree_equals_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
