/*
 * Loads that are about processes and processors.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "guest/spawn.h"
#include "guest/work.h"

void load_idle(struct load *load)
{
	(void)load;
	load_hold();
}

/* pid 1 runs a foreign program itself; this is only reached without it. */
void load_program(struct load *load)
{
	load_fail(load, "program", -ENOEXEC);
}

static void *burn_share(void *data)
{
	const struct load *load = data;
	uint64_t share = arg(load, ARG_cpuburn_share);

	for (;;) {
		burn_us(share * 1000);
		if (share < 100)
			sleep_for((100 - share) * 1000);
	}
	return NULL;
}

void load_cpuburn(struct load *load)
{
	for (uint64_t i = 1; i < arg(load, ARG_cpuburn_threads); i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, burn_share, load) != 0)
			load_fail(load, "thread", -EAGAIN);
	}
	burn_share(load);
}

/* Does not come back in the child. */
static void start_one(struct load *load, size_t size)
{
	uint64_t life_us = arg(load, ARG_forkbomb_life);
	pid_t pid = fork();

	if (pid == 0) {
		struct random random = random_init((uint64_t)getpid());

		anon_fill(&random, anon_reserve(load, size), size, 0);
		if (life_us == 0)
			load_hold();
		sleep_for(life_us);
		_exit(0);
	}
	load->progress->due++;
	if (pid < 0) {
		load->progress->late++; /* refused: pids.max, or no memory */
		return;
	}
	load->progress->done++;
	load->progress->size_bytes += size;
}

void load_forkbomb(struct load *load)
{
	size_t size = MAX(arg(load, ARG_forkbomb_size) / PAGE * PAGE, PAGE);
	uint64_t rate = MAX(arg(load, ARG_forkbomb_rate), (uint64_t)1);
	bool is_endless = arg(load, ARG_forkbomb_life) > 0;

	signal(SIGCHLD, SIG_IGN); /* nobody waits for them */
	for (uint64_t i = 0; is_endless || i < arg(load, ARG_forkbomb_most); i++) {
		start_one(load, size);
		sleep_for(SECOND_US / rate);
	}
	load_hold();
}

#define NO_PROGRAM 127

static int become(void *data)
{
	char *path = data;
	char *const words[] = { path, NULL };
	char *const environment[] = { NULL };

	execve(path, words, environment);
	return NO_PROGRAM;
}

static void probe(struct load *load, void *data)
{
	int status = 0;
	pid_t pid = spawn(become, data);

	if (pid < 0)
		return;
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
		load_fail(load, data, -ENOEXEC);
}

void load_prober(struct load *load)
{
	static char path[256];

	span_copy(load->args.text[ARG_prober_exec], path, sizeof(path));
	ticks_run(load, arg(load, ARG_prober_period), probe, path);
}
