#include "analysis/gather.h"
#include "cmd/watch.h"

/* A signal that ends the program was caught. */
static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

/*
 * Signals are let through only while the next tick is waited for, so that none comes between a
 * look at the flag and the wait. What is ignored stays so: nohup(1) means it.
 */
static void catch_signals(struct watch *watch)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction action = { .sa_handler = stop };
	struct sigaction before;
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		sigaddset(&blocked, ends[i]);
		if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	}
	sigaddset(&blocked, SIGWINCH);
	sigprocmask(SIG_BLOCK, &blocked, &watch->mask);
	signal(SIGPIPE, SIG_IGN);
}

int watch_open(const struct watch_options *options, struct watch *out)
{
	int r;

	*out = (struct watch){ .options = options };
	r = session_open(&options->common, &out->session);
	if (r != 0)
		return r;
	if (window_init(&out->window, options->duration_us) < 0) {
		session_close(&out->session);
		return out_of_memory();
	}
	if (arena_init(&out->arena, SNAPSHOT_ARENA) < 0) {
		window_done(&out->window);
		session_close(&out->session);
		return out_of_memory();
	}
	catch_signals(out);
	return 0;
}

void watch_close(struct watch *watch)
{
	arena_done(&watch->arena);
	window_done(&watch->window);
	session_close(&watch->session);
}

int watch_next(struct watch *watch)
{
	struct snapshot *snapshot;
	int r = session_take(&watch->session, SAMPLE_ALL, window_arena(&watch->window),
			     &snapshot);

	if (r == 0)
		r = window_push(&watch->window, snapshot);
	if (r != 0)
		return r;
	arena_reset(&watch->arena);
	r = evidence_of(&watch->window, watch->options->cgroup, &watch->arena,
			&watch->evidence);
	if (r < 0)
		return r;
	verdict_of(&watch->evidence, &watch->verdict);
	if (watch_has_verdict(watch)) {
		watch->verdicts++;
		watch->status = verdict_status(&watch->verdict, SEV_WARN);
	}
	return 0;
}

bool watch_has_verdict(const struct watch *watch)
{
	return watch->window.frames > 1;
}

bool watch_is_over(const struct watch *watch)
{
	uint64_t count = watch->options->count;

	return stopped || watch->hung_up || (count > 0 && watch->verdicts >= count);
}

int watch_status(const struct watch *watch, int r)
{
	if (r < 0)
		return session_failed(r);
	if (watch->verdicts > 0)
		return watch->status;
	if (r == SESSION_END)
		cmd_error("a verdict needs two samples with some time between them");
	return EXIT_NOT_MEASURED;
}
