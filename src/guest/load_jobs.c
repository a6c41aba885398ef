/*
 * Loads of many short processes: a build, and cgroups that come and go.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "guest/file.h"
#include "guest/work.h"

#define READ_PIECE ((size_t)256 << 10)
/* Sources and headers of one job. */
#define READ_MOST ((size_t)4 << 20)

/* A part of the file, another one for each job. */
static void read_part(struct load *load, struct random *random)
{
	static char piece[READ_PIECE];
	char path[256];
	auto_fd fd = -1;
	struct stat st;
	uint64_t from;

	span_copy(load->args.text[ARG_compile_file], path, sizeof(path));
	if (*path == '\0')
		return;
	fd = file_open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	from = random_next(random) % MAX((uint64_t)st.st_size, (uint64_t)1);
	for (size_t done = 0; done < READ_MOST; done += sizeof(piece))
		if (pread(fd, piece, sizeof(piece), (off_t)(from + done)) <= 0)
			return;
}

/* One job, which grows by and by and then ends. */
static void compile_one(struct load *load, uint64_t seed)
{
	struct random random = random_init(seed);
	size_t least = arg(load, ARG_compile_least) / MIB;
	size_t most = MAX(arg(load, ARG_compile_most) / MIB, least);
	size_t steps = MAX(least + random_next(&random) % (most - least + 1), (size_t)1);
	unsigned char *heap = anon_reserve(load, steps * MIB);

	read_part(load, &random);
	for (size_t i = 0; i < steps; i++) {
		anon_fill(&random, heap + i * MIB, MIB, arg(load, ARG_compile_random));
		burn_us(arg(load, ARG_compile_work) / steps);
	}
	_exit(0);
}

/* How one ended: a job that was killed is one that a build would have lost. */
static void take_one(struct load *load)
{
	int status;

	if (waitpid(-1, &status, 0) < 0)
		return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		load->progress->done++;
	else
		load->progress->late++;
}

void load_compile(struct load *load)
{
	uint64_t running = 0;

	for (uint64_t number = 1;; number++) {
		pid_t pid;

		if (running == MAX(arg(load, ARG_compile_jobs), (uint64_t)1)) {
			take_one(load);
			running--;
		}
		pid = fork();
		if (pid == 0)
			compile_one(load, load->seed * 1000003 + number);
		load->progress->due++;
		if (pid > 0)
			running++;
		else
			load->progress->late++;
	}
}

#define TOP "/sys/fs/cgroup"
#define ROOM 512

/* "0::/churn.slice/own.service" to the folder of churn.slice. */
static void parent_folder(struct load *load, char out[static ROOM])
{
	char text[ROOM];
	struct span bytes;
	struct span path;
	struct span name;
	int r = file_read("/proc/self/cgroup", (struct buffer){ text, sizeof(text) }, &bytes);

	if (r < 0 || !span_starts(bytes, "0::/"))
		load_fail(load, "/proc/self/cgroup", r < 0 ? r : -ENOENT);
	path = span_trim((struct span){ bytes.at + 3, bytes.end });
	if (!span_rsplit(path, '/', &path, &name))
		load_fail(load, "cgroup", -EINVAL);
	snprintf(out, ROOM, TOP "%.*s", (int)MIN(span_len(path), (size_t)ROOM / 2), path.at);
}

/* A process that goes into the new cgroup, takes a little and ends. */
static pid_t churn_start(struct load *load, const char *folder)
{
	size_t size = MAX(arg(load, ARG_churn_size) / PAGE * PAGE, PAGE);
	char path[ROOM + 32];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	snprintf(path, sizeof(path), "%.*s/cgroup.procs", ROOM, folder);
	if (file_write(path, span_cstr("0")) < 0)
		_exit(1);
	anon_fill(&(struct random){ 1 }, anon_reserve(load, size), size, 0);
	_exit(0);
}

/* A cgroup is empty a moment after its last process was waited for. */
static bool remove_soon(const char *folder)
{
	for (int i = 0; i < 100; i++) {
		if (rmdir(folder) == 0)
			return true;
		sleep_for(1000);
	}
	return false;
}

static bool churn_one(struct load *load, const char *folder)
{
	int status = 1;
	pid_t pid;

	if (mkdir(folder, 0755) < 0)
		return false;
	pid = churn_start(load, folder);
	if (pid > 0 && waitpid(pid, &status, 0) < 0)
		status = 1;
	return remove_soon(folder) && pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void load_churn(struct load *load)
{
	const uint64_t period_us = SECOND_US / MAX(arg(load, ARG_churn_rate), (uint64_t)1);
	uint64_t due_us = now_us();
	char parent[ROOM];
	char folder[ROOM + 32];

	parent_folder(load, parent);
	for (uint64_t number = 0;; number++) {
		snprintf(folder, sizeof(folder), "%s/churn-%ju.service", parent,
			 (uintmax_t)number);
		load->progress->due++;
		if (churn_one(load, folder))
			load->progress->done++;
		else
			load->progress->late++;
		due_us += period_us;
		if (due_us > now_us())
			sleep_until(due_us);
	}
}
