/*
 * What a whole run of the program costs: on a recording and a captured tree of a thousand
 * cgroups, and live beside the time it samples.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "bench.h"
#include "forest.h"
#include "model/recorder.h"
#include "model/source.h"

#define CGROUPS 1000
#define FRAMES 2
#define END "000002" /* the first frame that is not copied */
#define RUNS 7

/* The cgroup of the recording that is multiplied, and where its copies go. */
#define MODEL "sys/fs/cgroup/system.slice/api.service/"
#define COPIES "sys/fs/cgroup/many.slice/"

static const char *const FORMS[] = { "tree", "pack.tar" };

static void copy_path(size_t copy, const char *file, char *out, size_t size)
{
	snprintf(out, size, COPIES "c%04zu/%s", copy, file);
}

static void put_copies(struct sink *sink, const char *file, struct span bytes)
{
	char path[512];
	char id[32];

	for (size_t i = 0; i < CGROUPS; i++) {
		copy_path(i, file, path, sizeof(path));
		if (strcmp(file, "_id") == 0) {
			snprintf(id, sizeof(id), "%zu\n", 100000 + i);
			bytes = span_cstr(id);
		}
		sink->put(sink, path, bytes);
	}
}

/* Calls for every file of a frame, with its path in the frame. */
static void put_frame(const struct source *source, struct recorder *recorder)
{
	const struct pack_file *files = (const void *)source->pack.index.base;
	size_t skip = strlen(source->prefix);

	recorder_next_frame(recorder);
	for (size_t i = 0; i < source->pack.count; i++) {
		const char *path = files[i].path;

		if (strncmp(path, source->prefix, skip) != 0)
			continue;
		recorder->sink.put(&recorder->sink, path + skip, files[i].bytes);
		if (strncmp(path + skip, MODEL, sizeof(MODEL) - 1) == 0)
			put_copies(&recorder->sink, path + skip + sizeof(MODEL) - 1,
				   files[i].bytes);
	}
	put_copies(&recorder->sink, "_id", (struct span){ 0 });
	recorder->sink.put(&recorder->sink, COPIES "_id", span_cstr("99999\n"));
}

static void write_copy(const struct setup *setup, const char *path)
{
	struct source source;
	struct recorder recorder;
	int r = source_open(setup->recording, "/", &source);

	if (r == 0)
		r = recorder_open(path, &recorder);
	if (r < 0)
		give_up(path, -r);
	for (int i = 0; i < FRAMES && source_next(&source) == 0; i++)
		put_frame(&source, &recorder);
	r = recorder_close(&recorder);
	source_done(&source);
	if (r < 0)
		give_up(path, -r);
}

static double milliseconds(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e3 +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e3;
}

/* CPU time of a command whose output nobody reads. */
static double run_ms(const char *const *words)
{
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		give_up(words[0], errno);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		give_up(words[0], EINVAL);
	return milliseconds(&usage);
}

static double median_ms(const char *const *words)
{
	double runs[RUNS];

	for (size_t i = 0; i < RUNS; i++)
		runs[i] = run_ms(words);
	return median_of(runs, RUNS);
}

/* The floor: open, read and close every file, by paths that are known beforehand. */
static double bare_ms(const struct setup *setup, const char *tree)
{
	static char buffer[1 << 20];
	struct source source;
	const struct pack_file *files;
	double start;
	int top = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (top < 0 || source_open(setup->recording, "/", &source) < 0)
		give_up(tree, errno);
	files = (const void *)source.pack.index.base;
	start = cpu_us();
	for (size_t i = 0; i < source.pack.count; i++) {
		const char *file = strstr(files[i].path, MODEL);
		size_t copies =
			file && strncmp(files[i].path, END, sizeof(END) - 1) < 0 ? CGROUPS : 0;
		char path[512];

		for (size_t j = 0; j < copies; j++) {
			int fd;
			int n = snprintf(path, sizeof(path), "%.7s", files[i].path);

			copy_path(j, file + sizeof(MODEL) - 1, path + n,
				  sizeof(path) - (size_t)n);
			fd = openat(top, path, O_RDONLY | O_CLOEXEC);
			if (fd >= 0 && read(fd, buffer, sizeof(buffer)) < 0)
				give_up(path, errno);
			fd_done(&fd);
		}
	}
	start = cpu_us() - start;
	source_done(&source);
	close(top);
	return start / 1e3;
}

static void replay_one(const struct setup *setup, size_t form)
{
	char path[512];
	char name[64];
	const char *words[] = { setup->program, "diagnose", "--json", "--from", path, NULL };
	const char *cat[] = { "find", path, "-type", "f", "-exec", "cat", "{}", "+", NULL };
	const char *tar[] = { "tar", "-xOf", path, NULL };
	bool is_tree = form == 0;

	snprintf(path, sizeof(path), "%.400s/%s", setup->folder, FORMS[form]);
	write_copy(setup, path);
	snprintf(name, sizeof(name), "replay.%s.1000", is_tree ? "tree" : "tar");
	figure_beside(name, median_ms(words), "ms", is_tree ? "peer cat" : "peer tar",
		      median_ms(is_tree ? cat : tar));
	if (is_tree)
		figure_plain("replay.tree.floor", bare_ms(setup, path), "ms");
}

static void live(const struct setup *setup)
{
	struct forest forest;
	const char *words[] = {
		setup->program, "diagnose", "--json", "--duration", "2s", NULL
	};
	double cost;

	if (forest_open(mounts_here().v2, &forest) < 0 || forest_grow(&forest, CGROUPS) < 0) {
		figure_skip("diagnose.live.1000", "no cgroups can be made");
		return;
	}
	cost = run_ms(words);
	forest_close(&forest);
	figure_beside("diagnose.live.1000", cost, "ms CPU", "window ms", 2000);
}

void bench_replay(const struct setup *setup)
{
	for (size_t i = 0; i < ARRAY_LEN(FORMS); i++)
		replay_one(setup, i);
	live(setup);
}
