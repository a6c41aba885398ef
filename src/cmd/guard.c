#include "cmd/guard_front.h"

enum {
	KEY_CHECK = 0x200,
	KEY_PRINT,
	KEY_CONFIG,
	KEY_RUN,
	KEY_STATE,
};

static const struct argp_option ARGUMENTS[] = {
	{ "dry-run", 'n', NULL, 0, "Decide and say, but change nothing", 1 },
	{ "why", 'w', "CGROUP", 0, "status: why nothing was done about CGROUP, or why it was",
	  1 },
	{ "check-config", KEY_CHECK, NULL, 0, "Read the configuration and say what is wrong",
	  2 },
	{ "print-config", KEY_PRINT, NULL, 0, "Print the configuration as it holds", 2 },
	{ "config", KEY_CONFIG, "DIR", 0, "Read the configuration below DIR instead of /", 2 },
	{ "run-dir", KEY_RUN, "DIR", 0, "Where the socket is (default /run/refault)", 3 },
	{ "state-dir", KEY_STATE, "DIR", 0,
	  "Where recordings are kept, in tapes/ (default /var/lib/refault)", 3 },
	{ "root", 'r', "DIR", 0, "Decide once for a captured tree, as --from does", 10 },
	{ "from", 'f', "PATH", 0,
	  "Decide for PATH as if it were now: a folder of frames, a captured tree, or a "
	  "recording",
	  10 },
	{ "json", 'j', NULL, 0, "Print JSON", 10 },
	{ 0 },
};

static error_t parse_word(struct guard_arguments *arguments, struct argp_state *state,
			  const char *word)
{
	if (strcmp(word, "status") != 0 || arguments->status)
		argp_error(state, "'%.64s': only 'status' can be asked for", word);
	arguments->status = true;
	return 0;
}

static void check(const struct guard_arguments *arguments, struct argp_state *state)
{
	if (arguments->why && !arguments->status)
		argp_error(state, "--why: only with 'status'");
	if (arguments->root && arguments->from)
		argp_error(state, "--root and --from: only one of them");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct guard_arguments *arguments = state->input;

	switch (key) {
	case 'n':
		arguments->dry = true;
		return 0;
	case 'w':
		arguments->why = argument;
		return 0;
	case KEY_CHECK:
		arguments->check_config = true;
		return 0;
	case KEY_PRINT:
		arguments->print_config = true;
		return 0;
	case KEY_CONFIG:
		arguments->config = argument;
		return 0;
	case KEY_RUN:
		arguments->run_directory = argument;
		return 0;
	case KEY_STATE:
		arguments->state_directory = argument;
		return 0;
	case 'r':
		arguments->root = argument;
		return 0;
	case 'f':
		arguments->from = argument;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		return parse_word(arguments, state, argument);
	case ARGP_KEY_END:
		check(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp ARGP = {
	.options = ARGUMENTS,
	.parser = parse,
	.args_doc = "[status]",
	.doc = "End a freeze before people notice it: keep working sets in memory, and where "
	       "that is not enough end who causes it. With status, ask the guard that runs.",
};

static int run(int argc, char **argv)
{
	struct guard_arguments arguments = {
		.run_directory = "/run/refault",
		.state_directory = "/var/lib/refault",
	};

	argp_parse(&ARGP, argc, argv, 0, NULL, &arguments);
	if (arguments.check_config)
		return guard_check_config(&arguments);
	if (arguments.print_config)
		return guard_print_config(&arguments);
	if (arguments.status)
		return guard_ask(&arguments);
	if (arguments.root || arguments.from)
		return guard_replay(&arguments);
	return guard_live(&arguments);
}

const struct command cmd_guard = {
	.name = "guard",
	.summary = "the daemon that ends a freeze; status asks it why it did what it did",
	.argp = &ARGP,
	.run = run,
};
