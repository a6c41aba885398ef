/*
 * Stands in for refault guard: starts the loop, dry, and tells what it has said of itself.
 *
 * usage: guard_host SECONDS [fast] [tape] COMMAND... (the loop, or a program that starts it)
 *
 * fast: it looks at the gate as often as it may; tape: it is asked for frames.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "guard/publish.h"

static struct shared *shared_new(void)
{
	int fd = memfd_create("refault-guard", 0);
	struct shared *shared;

	if (fd < 0 || ftruncate(fd, sizeof(*shared)) < 0)
		return NULL;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED || dup2(fd, SHARED_FD) < 0 ||
	    dup2(eventfd(0, EFD_NONBLOCK), SHARED_WAKE_FD) < 0)
		return NULL;
	shared->magic = SHARED_MAGIC;
	shared->size = sizeof(*shared);
	shared->dry = true;
	config_defaults(&shared->config[0]);
	return shared;
}

static pid_t start(char **words)
{
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		execv(words[0], words);
		_exit(127);
	}
	return child;
}

static void await(const struct shared *shared, uint64_t seconds)
{
	for (int i = 0; i < 100 && !atomic_load(&shared->ready); i++)
		usleep(100000);
	sleep((unsigned int)seconds);
}

static void tell(struct shared *shared)
{
	static struct shared_status status;
	const struct shared_health *health = &status.health;

	if (!status_copy(shared, &status))
		return;
	printf("ticks %llu\nsamples %llu\ndropped %llu\ntape_dropped %llu\nlate_us %llu\n"
	       "tick_us %llu\nlocked_kib %llu\nlocked %d\nrealtime %d\nmembers %u\n",
	       (unsigned long long)health->ticks, (unsigned long long)health->samples,
	       (unsigned long long)health->dropped, (unsigned long long)health->tape_dropped,
	       (unsigned long long)health->late_us_max, (unsigned long long)health->loop_us_max,
	       (unsigned long long)health->locked_bytes / 1024, health->locked,
	       health->realtime, status.members);
	for (uint64_t i = 0; i < atomic_load(&shared->records); i++) {
		struct guard_record record;

		if (record_copy(shared, i, &record))
			printf("record %d %s\n", (int)record.kind, record.text);
	}
}

/* Words in front of the command; returns how many. */
static int take_words(struct shared *shared, char **words)
{
	int count = 0;

	for (; words[count]; count++) {
		if (strcmp(words[count], "fast") == 0)
			shared->config[0].options.calm_interval_us = 50000;
		else if (strcmp(words[count], "tape") == 0)
			atomic_store(&shared->tape_wanted, true);
		else
			break;
	}
	return count;
}

static long cpu_of_children(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_CHILDREN, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int main(int argc, char **argv)
{
	struct shared *shared = argc > 2 ? shared_new() : NULL;
	uint64_t seconds;
	int status = 0;
	pid_t child;

	if (!shared || span_u64(span_cstr(argv[1]), &seconds) < 0)
		return 2;
	child = start(argv + 2 + take_words(shared, argv + 2));
	await(shared, seconds);
	atomic_store(&shared->must_end, true);
	waitpid(child, &status, 0);
	tell(shared);
	printf("cpu_us %ld\n", cpu_of_children());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
