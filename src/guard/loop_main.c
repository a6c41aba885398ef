/*
 * refault-guard: the guard's loop, started by refault guard with the shared memory as
 * SHARED_FD. It tells nothing but by that memory and its exit status: 0 asked to end, 1 it
 * could not start.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>

#include "guard/start.h"

static volatile sig_atomic_t is_asked;

static void on_term(int signal)
{
	(void)signal;
	is_asked = 1;
}

/* ^C goes to the whole group of processes: the front says when it is the loop's turn. */
static void take_signals(void)
{
	struct sigaction term = { .sa_handler = on_term };

	sigaction(SIGTERM, &term, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static bool is_orphan(const struct shared *shared)
{
	return shared->front_pid != 0 && (uint32_t)getppid() != shared->front_pid;
}

static bool must_end(const struct shared *shared)
{
	return is_asked || atomic_load(&shared->must_end) || is_orphan(shared);
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

/* A signal ends it early. */
static void sleep_until(uint64_t us)
{
	const struct timespec until = {
		.tv_sec = (time_t)(us / SECOND_US),
		.tv_nsec = (long)(us % SECOND_US) * 1000,
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int start(struct loop *loop)
{
	int r;

	start_small();
	r = start_attach(loop);

	if (r == 0)
		r = root_open("/", &loop->root);
	if (r == 0)
		r = loop_init(loop);
	if (r < 0)
		return r;
	start_lock(loop);
	r = loop_ready(loop);
	if (r == 0)
		r = start_threads(loop);
	start_touch(loop);
	return r;
}

static void say_start(struct loop *loop)
{
	char text[160];

	snprintf(text, sizeof(text), "%s; memory %s (%llu KiB), %s priority",
		 loop->hand.dry ? "decides and touches nothing" : "acts",
		 loop->health.locked ? "locked" : "not locked",
		 (unsigned long long)loop->health.locked_bytes / 1024,
		 loop->health.realtime ? "real-time" : "high");
	loop_say(loop, RECORD_START, text);
}

/* What waits for the kernel has so long to be done with it. */
#define LAST_STEP_US (SECOND_US / 10)
#define LAST_STEPS 20

static void let_last_writes_end(struct loop *loop)
{
	for (int i = 0; i < LAST_STEPS && act_is_waiting(&loop->hand); i++)
		sleep_until(now_us() + LAST_STEP_US);
}

static void stop(struct loop *loop)
{
	loop_restore(loop);
	let_last_writes_end(loop);
	loop_say(loop, RECORD_STOP,
		 is_orphan(loop->shared) ? "its front has gone" : "it was asked to");
	publish_health(loop->shared, &loop->health);
}

int main(void)
{
	static struct loop loop;
	uint64_t due_us;

	take_signals();
	if (start(&loop) < 0)
		return 1;
	due_us = loop_tick(&loop, now_us());
	say_start(&loop);
	atomic_store(&loop.shared->ready, true);
	while (!must_end(loop.shared)) {
		sleep_until(due_us);
		due_us = loop_tick(&loop, now_us());
	}
	stop(&loop);
	return 0;
}
