/*
 * What the guard's loop costs while all is calm, beside so many cgroups: its share of a CPU,
 * and what it keeps locked. It is dry: it looks and touches nothing.
 */
#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench.h"
#include "forest.h"
#include "guard/publish.h"

#define SECONDS 20
#define SETTLE 2

static struct shared *shared_new(int *fd)
{
	struct shared *shared;

	*fd = memfd_create("refault-guard", 0);
	if (*fd < 0 || ftruncate(*fd, sizeof(*shared)) < 0)
		give_up("memfd", errno);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (shared == MAP_FAILED)
		give_up("mmap", errno);
	shared->magic = SHARED_MAGIC;
	shared->size = sizeof(*shared);
	shared->dry = true;
	config_defaults(&shared->config[0]);
	return shared;
}

static pid_t start(const char *program, int fd)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (dup2(fd, SHARED_FD) == SHARED_FD &&
	    dup2(eventfd(0, EFD_NONBLOCK), SHARED_WAKE_FD) == SHARED_WAKE_FD)
		execl(program, program, (char *)NULL);
	_exit(127);
}

static double cpu_of(pid_t pid)
{
	struct timespec now = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &now) < 0)
		give_up("refault-guard", ESRCH);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void await(const struct shared *shared)
{
	for (int i = 0; i < 200 && !atomic_load(&shared->ready); i++)
		usleep(50000);
	if (!atomic_load(&shared->ready))
		give_up("refault-guard does not begin", ETIMEDOUT);
	sleep(SETTLE);
}

struct cost {
	double share;  /* percent of a CPU */
	double sample; /* CPU for a full sample with all that comes of it, ms: at most */
	double locked; /* MiB */
	double tick;   /* ms, the longest */
};

static struct cost measure(const char *program)
{
	static struct shared_status before;
	static struct shared_status after;
	int fd;
	struct shared *shared = shared_new(&fd);
	pid_t child = start(program, fd);
	struct cost cost;
	double cpu;

	await(shared);
	cpu = cpu_of(child);
	if (!status_copy(shared, &before))
		give_up("status", EAGAIN);
	sleep(SECONDS);
	cpu = cpu_of(child) - cpu;
	atomic_store(&shared->must_end, true);
	waitpid(child, NULL, 0);
	if (!status_copy(shared, &after))
		give_up("status", EAGAIN);
	cost.share = cpu / (SECONDS * 1e6) * 100;
	cost.sample = cpu / 1000 / (double)MAX(after.health.samples - before.health.samples, 1);
	cost.locked = (double)after.health.locked_bytes / (1 << 20);
	cost.tick = (double)after.health.loop_us_max / 1000;
	munmap(shared, sizeof(*shared));
	close(fd);
	return cost;
}

static void put(size_t count, const struct cost *cost, double share_goal)
{
	char name[40];

	snprintf(name, sizeof(name), "guard.share.%zu", count);
	figure_goal(name, cost->share, "% of CPU", share_goal);
	snprintf(name, sizeof(name), "guard.sample.%zu", count);
	figure_plain(name, cost->sample, "ms");
	snprintf(name, sizeof(name), "guard.tick.%zu", count);
	figure_plain(name, cost->tick, "ms");
	snprintf(name, sizeof(name), "guard.locked.%zu", count);
	if (count <= 100)
		figure_goal(name, cost->locked, "MiB", 8);
	else
		figure_plain(name, cost->locked, "MiB");
}

void bench_guard(const struct setup *setup)
{
	struct mounts mounts = mounts_here();
	struct forest forest;
	struct cost cost;

	if (!setup->guard || forest_open(mounts.v2, &forest) < 0) {
		figure_skip("guard.share", "no cgroups can be made, or no loop was named");
		return;
	}
	if (forest_grow(&forest, 100) == 0) {
		cost = measure(setup->guard);
		put(100, &cost, 0.5);
	}
	if (forest_grow(&forest, 1000) == 0) {
		cost = measure(setup->guard);
		put(1000, &cost, 2);
	}
	forest_close(&forest);
}
