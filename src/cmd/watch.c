#include "cmd/watch.h"

static const struct argp_option OPTIONS[] = {
	{ "count", 'n', "N", 0, "End after N verdicts", 1 },
	{ "duration", 'd', "TIME", 0, "How far back each verdict looks: 2s, 1m (default 5s)",
	  1 },
	{ "cgroup", 'c', "GLOB", 0,
	  "Look only at cgroups whose path matches GLOB, and what is below them", 1 },
	{ "lines", 'l', NULL, 0, "Print one line for each sample, on a terminal too", 1 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct watch_options *options = state->input;

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
	.doc = "Show the verdict as it changes: on a terminal as a full screen, else as one "
	       "line "
	       "for each sample. With --json each line is a JSON object.",
	.children = CHILDREN,
};

static int run(int argc, char **argv)
{
	struct watch_options options = {
		.common = COMMON_DEFAULTS,
		.duration_us = 5ull * SECOND_US,
	};
	struct watch watch;
	int r;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	r = watch_open(&options, &watch);
	if (r != 0)
		return r;
	if (options.lines || options.common.json)
		r = watch_in_lines(&watch);
	else
		r = watch_on_screen(&watch);
	watch_close(&watch);
	return r;
}

const struct command cmd_watch = {
	.name = "watch",
	.summary = "the verdict, live: a full screen on a terminal, lines otherwise",
	.argp = &ARGP,
	.run = run,
};
