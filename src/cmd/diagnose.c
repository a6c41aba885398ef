#include <errno.h>

#include "analysis/gather.h"
#include "analysis/replay.h"
#include "analysis/verdict.h"
#include "analysis/window.h"
#include "cmd/cmd.h"
#include "model/recorder.h"
#include "view/report.h"

struct options {
	struct common common;
	uint64_t duration_us;
	const char *cgroup;
	const char *save;
	enum severity fail_on;
	bool worst;
	uint64_t frames; /* of a recording, at most so many are seen */
};

static const struct argp_option OPTIONS[] = {
	{ "duration", 'd', "TIME", 0,
	  "How long to sample: 2s, 1m (default 5s); of a recording, its last TIME", 1 },
	{ "cgroup", 'c', "GLOB", 0,
	  "Look only at cgroups whose path matches GLOB, and what is below them", 1 },
	{ "fail-on", 'F', "CLASS", 0,
	  "Exit with 1 when a class as severe as CLASS holds (default direct-reclaim: "
	  "warnings)",
	  1 },
	{ "worst", 'w', NULL, 0,
	  "Of a recording, the moment of the greatest harm instead of its end", 1 },
	{ "save", 's', "PATH", 0, "Keep what was read in PATH, as refault capture does", 1 },
	{ 0 },
};

static enum severity severity_option(struct argp_state *state, const char *name)
{
	enum verdict_class class = class_find(span_cstr(name));

	if (class == CLASSES || class == CLASS_HEALTHY)
		argp_error(state,
			   "--fail-on: '%.64s' is not a class; see refault explain --list",
			   name);
	return class < CLASSES ? class_row(class)->severity : SEV_WARN;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case 'd':
		options->duration_us = option_time(state, "duration", argument, INTERVAL_MIN_US,
						   24 * INTERVAL_MAX_US);
		return 0;
	case 'c':
		options->cgroup = argument;
		return 0;
	case 'F':
		options->fail_on = severity_option(state, argument);
		return 0;
	case 'w':
		options->worst = true;
		return 0;
	case 's':
		options->save = argument;
		return 0;
	case ARGP_KEY_END:
		if (options->worst && !options->common.from)
			argp_error(state, "--worst: only of a recording, with --from");
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
	.doc = "Sample for a few seconds and say whether memory pressure hurts a service, "
	       "which "
	       "one, how much, why, and who causes it.",
	.children = CHILDREN,
};

/* Prose in fewer columns is no easier to read than with lines that the terminal breaks. */
#define WIDTH_MIN 40

/* Live, the window is filled once; of a recording every frame is seen and the last ones count.
 */
static int fill_window(struct session *session, const struct options *options,
		       struct recorder *recorder, struct window *window)
{
	uint64_t wanted = options->duration_us / session->interval_us + 1;
	bool is_live = session->source.kind == SOURCE_LIVE;

	uint64_t most = is_live ? MAX(wanted, (uint64_t)2) : options->frames;

	for (uint64_t i = 0; i < most; i++) {
		struct snapshot *snapshot;
		int r;

		if (recorder)
			recorder_next_frame(recorder);
		r = session_next(session, SAMPLE_ALL, window_arena(window), &snapshot);
		if (r == SESSION_END)
			break;
		if (r != 0)
			return r;
		if (window_push(window, snapshot) < 0)
			return out_of_memory();
	}
	if (window->frames > 0)
		return 0;
	cmd_error("there is no frame to look at");
	return EXIT_NOT_MEASURED;
}

int verdict_status(const struct verdict *verdict, enum severity fail_on)
{
	if (verdict->class == CLASS_UNKNOWN)
		return EXIT_NOT_MEASURED;
	return verdict->severity >= fail_on ? EXIT_FINDINGS : EXIT_FINE;
}

static int judge(const struct window *window, const struct options *options)
{
	const struct paper paper = {
		.file = stdout,
		.width = terminal_width(WIDTH_MIN),
		.color = wants_color(&options->common),
	};
	struct arena arena;
	struct evidence evidence;
	struct verdict verdict;
	int status = EXIT_INTERNAL;

	if (arena_init(&arena, SNAPSHOT_ARENA) < 0)
		return out_of_memory();
	if (evidence_of(window, options->cgroup, &arena, &evidence) < 0) {
		out_of_memory();
	} else {
		verdict_of(&evidence, &verdict);
		if (options->common.json)
			report_json(stdout, true, &verdict);
		else
			report_print(&paper, &verdict);
		status = verdict_status(&verdict, options->fail_on);
	}
	arena_done(&arena);
	return status;
}

static int diagnose(struct session *session, const struct options *options,
		    struct recorder *recorder)
{
	struct window window;
	int r;

	if (window_init(&window, options->duration_us) < 0)
		return out_of_memory();
	r = fill_window(session, options, recorder, &window);
	if (r == 0)
		r = judge(&window, options);
	window_done(&window);
	return r;
}

static int run_saving(struct session *session, const struct options *options)
{
	struct recorder recorder;
	int status;
	int r = recorder_open(options->save, &recorder);

	if (r == 0) {
		session->source.root.tee = &recorder.sink;
		status = diagnose(session, options, &recorder);
		session->source.root.tee = NULL;
		r = recorder_close(&recorder);
	}
	if (r == 0)
		return status;
	cmd_error("%s: cannot be written: %s", options->save, strerror(-r));
	return EXIT_NOT_MEASURED;
}

static int run(int argc, char **argv)
{
	struct options options = {
		.common = COMMON_DEFAULTS,
		.duration_us = 5 * SECOND_US,
		.fail_on = SEV_WARN,
		.frames = UINT64_MAX,
	};
	struct session session;
	int r;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	r = session_open(&options.common, &session);
	if (r != 0)
		return r;
	/* What cannot be replayed is complained of when it is read. */
	if (options.worst && options.common.from &&
	    replay_worst(options.common.from, options.duration_us, &options.frames) < 0)
		options.frames = UINT64_MAX;
	r = options.save ? run_saving(&session, &options) : diagnose(&session, &options, NULL);
	session_close(&session);
	return r;
}

const struct command cmd_diagnose = {
	.name = "diagnose",
	.summary = "sample a few seconds and print the verdict (the default)",
	.argp = &ARGP,
	.run = run,
};
