/*
 * What an audit costs: CPU time of refault check beside that of `ps aux` on the same machine,
 * with two thousand processes that sleep; and of a tree with 300 units in as many cgroups.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SLEEPERS 2000
#define UNITS 300
#define RUNS 5

static double cpu_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e6 +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* CPU time of a program and its words, in microseconds; its output goes nowhere. */
static double cost_of(const char *const *words)
{
	pid_t child = fork();
	struct rusage usage;
	int status;

	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(127);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		give_up(words[0], errno);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		give_up(words[0], EIO);
	return cpu_of(&usage);
}

/* They end with this process too, should it be killed: the pipe is their only reason to stay.
 */
static size_t start_sleepers(pid_t *pid, int end[2])
{
	size_t count = 0;

	if (pipe2(end, O_CLOEXEC) < 0)
		give_up("pipe2", errno);
	while (count < SLEEPERS && (pid[count] = fork()) >= 0) {
		char byte;

		if (pid[count] == 0) {
			close(end[1]);
			_exit(read(end[0], &byte, 1) < 0);
		}
		count++;
	}
	return count;
}

static void end_sleepers(const pid_t *pid, size_t count, const int end[2])
{
	close(end[0]);
	close(end[1]);
	for (size_t i = 0; i < count; i++)
		while (waitpid(pid[i], NULL, 0) < 0 && errno == EINTR)
			;
}

/* Medians of both, in turn. */
static void beside_ps(const struct setup *setup, const char *name, const char *const *words)
{
	static const char *const ps[] = { "ps", "aux", NULL };
	double ours[RUNS];
	double theirs[RUNS];

	for (size_t i = 0; i < RUNS; i++) {
		ours[i] = cost_of(words);
		theirs[i] = cost_of(ps);
	}
	figure_beside(name, median_of(ours, RUNS) / 1000, "ms", "ps aux",
		      median_of(theirs, RUNS) / 1000);
	figure_goal("check, CPU time of ps aux",
		    median_of(ours, RUNS) / median_of(theirs, RUNS), "times", 1);
}

static void put(const char *folder, const char *path, const char *text)
{
	char full[600];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", folder, path);
	for (char *slash = full + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(full, 0755) < 0 && errno != EEXIST)
			give_up(full, errno);
		*slash = '/';
	}
	file = fopen(full, "we");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		give_up(full, errno);
}

static void make_unit(const char *tree, size_t i)
{
	char path[256];

	snprintf(path, sizeof(path), "usr/lib/systemd/system/u%zu.service", i);
	put(tree, path, "[Service]\nExecStart=/bin/true\nMemoryMax=1G\n");
	snprintf(path, sizeof(path), "sys/fs/cgroup/system.slice/u%zu.service/memory.current",
		 i);
	put(tree, path, "209715200\n");
	snprintf(path, sizeof(path), "sys/fs/cgroup/system.slice/u%zu.service/memory.max", i);
	put(tree, path, "1073741824\n");
	snprintf(path, sizeof(path), "sys/fs/cgroup/system.slice/u%zu.service/memory.stat", i);
	put(tree, path, "anon 104857600\nfile 104857600\n");
}

static void of_units(const struct setup *setup)
{
	char tree[300];
	const char *const words[] = { setup->program, "check", "--root", tree, NULL };
	double ours[RUNS];

	snprintf(tree, sizeof(tree), "%s/units", setup->folder);
	if (mkdir(tree, 0755) < 0 && errno != EEXIST)
		give_up(tree, errno);
	put(tree, "proc/meminfo", "MemTotal: 4013812 kB\n");
	put(tree, "proc/vmstat", "oom_kill 0\n");
	put(tree, "proc/swaps", "Filename Type Size Used Priority\n");
	put(tree, "proc/self/mountinfo",
	    "27 1 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	put(tree, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	for (size_t i = 0; i < UNITS; i++)
		make_unit(tree, i);
	for (size_t i = 0; i < RUNS; i++)
		ours[i] = cost_of(words);
	figure_plain("check of a tree with 300 units", median_of(ours, RUNS) / 1000, "ms");
}

void bench_check(const struct setup *setup)
{
	static pid_t pid[SLEEPERS];
	const char *const words[] = { setup->program, "check", NULL };
	int end[2];
	size_t count = start_sleepers(pid, end);

	if (count < SLEEPERS)
		figure_skip("check beside ps aux", "so many processes are not allowed");
	else
		beside_ps(setup, "check with 2,000 processes", words);
	end_sleepers(pid, count, end);
	of_units(setup);
}
