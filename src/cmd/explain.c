#include "view/explain.h"
#include "cmd/cmd.h"

struct options {
	bool list;
	const char *manual;
	const char *names[64];
	size_t count;
};

static const struct argp_option OPTIONS[] = {
	{ "list", 'l', NULL, 0, "List every name, one a line, with what it is", 1 },
	{ "man", 'm', "TOPIC", 0,
	  "Print the manual page of TOPIC for scdoc: verdicts, fields, rules, scenario or "
	  "guard.conf; "
	  "or guard.sample, a configuration to begin with",
	  1 },
	{ 0 },
};

/* The type is argp's. NOLINTNEXTLINE(readability-non-const-parameter) */
static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'l':
		options->list = true;
		return 0;
	case 'm':
		options->manual = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (options->count == ARRAY_LEN(options->names))
			argp_error(state, "more than %zu names", options->count);
		options->names[options->count++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (options->count == 0 && !options->list && !options->manual)
			argp_error(state, "a NAME is missing; --list shows them all");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "NAME…",
	.doc = "Say what a verdict, a signal, a field, a capability or a rule means, in which "
	       "unit, "
	       "from "
	       "where, and since which kernel.",
};

/* What is written from tables of rooms that view/ does not know. */
static const struct {
	const char *topic;
	void (*print)(FILE *file);
} MANUALS[] = {
	{ "scenario", lab_manual },
	{ "guard.conf", guard_manual },
	{ "guard.sample", guard_sample },
};

static bool print_manual(const char *topic)
{
	for (size_t i = 0; i < ARRAY_LEN(MANUALS); i++) {
		if (strcmp(topic, MANUALS[i].topic) != 0)
			continue;
		MANUALS[i].print(stdout);
		return true;
	}
	return explain_manual(stdout, topic);
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	int status = EXIT_FINE;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	if (options.list)
		explain_list(stdout);
	if (options.manual && !print_manual(options.manual)) {
		cmd_error("--man: '%.64s' is none of verdicts, fields, rules, scenario, "
			  "guard.conf "
			  "and guard.sample",
			  options.manual);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < options.count; i++)
		if (!explain_name(stdout, options.names[i])) {
			cmd_error(
				"'%.64s' is no verdict, signal, field, capability or rule; see "
				"refault "
				"explain --list",
				options.names[i]);
			status = EXIT_USAGE;
		}
	return status;
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "what a verdict, signal, field, capability or rule means",
	.argp = &ARGP,
	.run = run,
};
