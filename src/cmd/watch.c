#include <errno.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>

#include "analysis/verdict.h"
#include "analysis/window.h"
#include "cmd/cmd.h"
#include "view/report.h"
#include "view/screen.h"
#include "view/watch_lines.h"

struct options {
	struct common common;
	uint64_t duration_us;
	uint64_t count; /* 0 has no end */
	const char *cgroup;
	bool lines;
};

static const struct argp_option OPTIONS[] = {
	{ "count", 'n', "N", 0, "End after N verdicts", 1 },
	{ "duration", 'd', "TIME", 0, "How far back each verdict looks: 2s, 1m (default 5s)", 1 },
	{ "cgroup", 'c', "GLOB", 0, "Look only at cgroups whose path matches GLOB, and what is below them", 1 },
	{ "lines", 'l', NULL, 0, "Print one line for each sample, on a terminal too", 1 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case 'n':
		options->count = option_count(state, "count", argument, 1, UINT64_MAX);
		return 0;
	case 'd':
		options->duration_us = option_time(state, "duration", argument, INTERVAL_MIN_US,
						   INTERVAL_MAX_US);
		return 0;
	case 'c':
		options->cgroup = argument;
		return 0;
	case 'l':
		options->lines = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "'%.64s': no operand is expected", argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child CHILDREN[] = { { &common_argp, 0, NULL, 0 }, { 0 } };
static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.doc = "Show the verdict as it changes: on a terminal as a full screen, else as one line "
	       "for each sample. With --json each line is a JSON object.",
	.children = CHILDREN,
};

/* Everything that one verdict after the other needs. */
struct watch {
	const struct options *options;
	struct session session;
	struct window window;
	struct arena arena; /* of the evidence */
	struct evidence evidence;
	struct verdict verdict;
	uint64_t verdicts;
	sigset_t mask; /* the signals that were blocked before */
};

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

static int out_of_memory(void)
{
	cmd_error("cannot reserve memory for samples");
	return EXIT_INTERNAL;
}

static int watch_open(const struct options *options, struct watch *out)
{
	int r = session_open(&options->common, &out->session);

	if (r != 0)
		return r;
	out->options = options;
	if (window_init(&out->window, options->duration_us) < 0) {
		session_close(&out->session);
		return out_of_memory();
	}
	if (arena_init(&out->arena, SNAPSHOT_ARENA) < 0) {
		window_done(&out->window);
		session_close(&out->session);
		return out_of_memory();
	}
	return 0;
}

static void watch_close(struct watch *watch)
{
	arena_done(&watch->arena);
	window_done(&watch->window);
	session_close(&watch->session);
}

/* Takes a sample and judges: 0, SESSION_END or -errno. */
static int watch_next(struct watch *watch)
{
	struct snapshot *snapshot;
	int r = session_take(&watch->session, SAMPLE_ALL, window_arena(&watch->window), &snapshot);

	if (r == 0)
		r = window_push(&watch->window, snapshot);
	if (r != 0)
		return r;
	arena_reset(&watch->arena);
	r = evidence_of(&watch->window, watch->options->cgroup, &watch->arena, &watch->evidence);
	if (r < 0)
		return r;
	verdict_of(&watch->evidence, &watch->verdict);
	watch->verdicts += watch->window.frames > 1;
	return 0;
}

/* Of one sample there is no verdict yet. */
static bool has_verdict(const struct watch *watch)
{
	return watch->window.frames > 1;
}

static bool is_over(const struct watch *watch)
{
	return stopped || (watch->options->count > 0 && watch->verdicts >= watch->options->count);
}

static int status_of(const struct watch *watch, int r)
{
	if (r < 0)
		return session_failed(r);
	if (watch->verdicts > 0)
		return verdict_status(&watch->verdict, SEV_WARN);
	if (!stopped)
		cmd_error("there were no two samples with some time between them");
	return EXIT_NOT_MEASURED;
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

static bool wants_color(const struct options *options)
{
	return isatty(STDOUT_FILENO) && !options->common.no_color && !getenv("NO_COLOR");
}

/* False when nobody reads any more, which is a way to end and no error. */
static bool flush(void)
{
	if (fflush(stdout) == 0)
		return true;
	if (errno != EPIPE)
		return false; /* main() says so */
	__fpurge(stdout);
	clearerr(stdout);
	return false;
}

static bool print(struct watch *watch, struct watch_lines *lines)
{
	if (!has_verdict(watch))
		return true;
	if (watch->options->common.json) {
		report_json(stdout, false, &watch->verdict);
	} else {
		lines->width = terminal_width();
		watch_lines_print(lines, &watch->verdict);
	}
	return flush();
}

/* A recording is played as fast as it can be read. */
static int run_lines(struct watch *watch)
{
	struct watch_lines lines = watch_lines_on(stdout, 0, wants_color(watch->options));
	bool is_live = watch->session.source.kind == SOURCE_LIVE;
	int r = 0;

	while (r == 0 && !is_over(watch)) {
		if (is_live &&
		    session_wait(&watch->session, NO_INPUT, &watch->mask) != WAIT_TICK)
			continue;
		r = watch_next(watch);
		if (r == 0 && !print(watch, &lines))
			break;
	}
	return status_of(watch, r);
}

static int show_next(struct watch *watch, struct screen *screen)
{
	int r = watch_next(watch);

	if (r != 0)
		return r;
	if (has_verdict(watch))
		screen_remember(screen, &watch->evidence);
	if (!screen->browse.is_paused)
		screen_take(screen, &watch->verdict);
	return 0;
}

/* What a tick means: nothing at the end of a recording, or while it is paused. */
static int tick(struct watch *watch, struct screen *screen)
{
	bool is_live = watch->session.source.kind == SOURCE_LIVE;
	int r;

	if (screen->state || (screen->browse.is_paused && !is_live))
		return 0;
	r = show_next(watch, screen);
	if (r != SESSION_END)
		return r;
	screen->state = "end of recording";
	return 0;
}

static void take_keys(struct watch *watch, struct screen *screen)
{
	bool was_paused = screen->browse.is_paused;

	screen_keys(screen);
	if (was_paused && !screen->browse.is_paused && watch->window.frames > 0)
		screen_take(screen, &watch->verdict);
}

static int run_screen(struct watch *watch, struct screen *screen)
{
	int r = 0;

	while (r == 0 && !is_over(watch) && !screen->browse.is_done) {
		screen_draw(screen);
		switch (session_wait(&watch->session, STDIN_FILENO, &watch->mask)) {
		case WAIT_TICK:
			r = tick(watch, screen);
			break;
		case WAIT_INPUT:
		case WAIT_SIGNAL:
			take_keys(watch, screen);
			break;
		case WAIT_HANGUP:
			stopped = 1;
			break;
		}
	}
	screen_close(screen);
	return status_of(watch, r);
}

static int run_watch(struct watch *watch)
{
	/* Too large for the stack. */
	static struct screen screen;
	const struct options *options = watch->options;
	double interval_s = (double)options->common.interval_us / SECOND_US;
	int r;

	if (options->lines || options->common.json)
		return run_lines(watch);
	r = screen_open(&screen, interval_s, wants_color(options));
	if (r == -ENOTTY)
		return run_lines(watch);
	return r < 0 ? out_of_memory() : run_screen(watch, &screen);
}

static int run(int argc, char **argv)
{
	struct options options = { .common = COMMON_DEFAULTS, .duration_us = 5 * SECOND_US };
	struct watch watch = { 0 };
	int r;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	r = watch_open(&options, &watch);
	if (r != 0)
		return r;
	catch_signals(&watch);
	r = run_watch(&watch);
	watch_close(&watch);
	return r;
}

const struct command cmd_watch = {
	.name = "watch",
	.summary = "the verdict, live: a full screen on a terminal, lines otherwise",
	.argp = &ARGP,
	.run = run,
};
