#include "cmd/lab.h"

#include "base/text.h"

static const struct action {
	const char *name;
	const char *operands;
	const char *summary;
	int (*run)(const struct lab_options *options);
} ACTIONS[] = {
#define X(name, operands, summary) { #name, operands, summary, action_##name },
	LAB_ACTIONS(X)
#undef X
};

#define REPEATS_MAX 1000

static const struct argp_option OPTIONS[] = {
	{ "arm", 'a', "GLOB", 0, "run: only the arms whose name matches GLOB", 1 },
	{ "set", 's', "KEY=VALUE", 0, "run: change a key, as in load.worker.rate=20M", 1 },
	{ "kernel", 'k', "NAME", 0,
	  "run, verify: boot this kernel: a name of lab kernels, or IMAGE[:MODULES]; may be "
	  "given again",
	  1 },
	{ "repeat", 'n', "N", 0, "run: each arm N times, in random order (default 1)", 1 },
	{ "seed", 'S', "N", 0, "run: of the order and of the loads (default: by the clock)",
	  1 },
	{ "quick", 'q', NULL, 0, "run, verify: the small form of a scenario", 1 },
	{ "output", 'o', "PATH", 0, "Where the runs, or the page, are written", 1 },
	{ "resume", 'r', NULL, 0,
	  "run, verify: go on in the folder; runs that are complete stay", 1 },
	{ "force", 'F', NULL, 0, "compare: also what was run on different accelerators", 1 },
	{ "json", 'j', NULL, 0, "Print JSON", 10 },
	{ 0 },
};

struct input {
	struct lab_options options;
	const struct action *action;
};

/* A list that an option or operand adds to. */
struct list {
	const char *what;
	const char **word;
	size_t *count;
	size_t most;
};

static void keep(struct argp_state *state, const struct list *list, const char *argument)
{
	if (*list->count == list->most)
		argp_error(state, "more than %zu %s", list->most, list->what);
	else
		list->word[(*list->count)++] = argument;
}

static const struct action *action_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ACTIONS); i++)
		if (strcmp(ACTIONS[i].name, name) == 0)
			return &ACTIONS[i];
	return NULL;
}

static void parse_operand(struct argp_state *state, struct input *input, const char *argument)
{
	struct lab_options *options = &input->options;

	if (input->action) {
		keep(state,
		     &(struct list){ "operands", options->operand, &options->operands,
				     OPERANDS_MAX },
		     argument);
		return;
	}
	input->action = action_find(argument);
	if (!input->action)
		argp_error(state, "'%.64s' is not an action; see refault lab --help", argument);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct input *input = state->input;
	struct lab_options *options = &input->options;

	switch (key) {
	case 'a':
		options->arm = argument;
		return 0;
	case 's':
		keep(state,
		     &(struct list){ "settings", options->setting, &options->settings,
				     SETTINGS_MAX },
		     argument);
		return 0;
	case 'k':
		keep(state,
		     &(struct list){ "kernels", options->kernel, &options->kernels,
				     KERNELS_MAX },
		     argument);
		return 0;
	case 'n':
		options->repeats = option_count(state, "repeat", argument, 1, REPEATS_MAX);
		return 0;
	case 'S':
		options->seed = option_count(state, "seed", argument, 0, UINT32_MAX);
		options->has_seed = true;
		return 0;
	case 'q':
		options->quick = true;
		return 0;
	case 'o':
		options->output = argument;
		return 0;
	case 'r':
		options->resume = true;
		return 0;
	case 'F':
		options->force = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		parse_operand(state, input, argument);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "an action is missing; see refault lab --help");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The list of actions stands behind the options of --help. */
static char *help_filter(int key, const char *text, void *input)
{
	/* argp gives a constant text and takes the same one back as it is. */
	union {
		const char *given;
		char *back;
	} same = { text };
	char *out = NULL;
	size_t size;
	FILE *file;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return same.back;
	file = open_memstream(&out, &size);
	if (!file)
		return NULL;
	fputs("Actions:\n", file);
	for (size_t i = 0; i < ARRAY_LEN(ACTIONS); i++)
		fprintf(file, "  %-8s %s%*s%s\n", ACTIONS[i].name, ACTIONS[i].operands,
			16 - (int)text_width(ACTIONS[i].operands), "", ACTIONS[i].summary);
	fclose(file);
	return out; /* freed by argp */
}

static const struct argp ARGP = {
	.options = OPTIONS,
	.parser = parse,
	.args_doc = "ACTION [OPERAND…]",
	.doc = "Boot throw-away virtual machines that get into memory pressure on purpose, and "
	       "say what it cost the service in them. Needs no root and no /dev/kvm.\v",
	.help_filter = help_filter,
};

int lab_not_measured(const char *name, int r, const struct lab_error *error)
{
	if (error->text[0])
		cmd_error("%s", error->text);
	else
		cmd_error("%s: %s", name, strerror(-r));
	return EXIT_NOT_MEASURED;
}

static int run(int argc, char **argv)
{
	struct input input = { .options.repeats = 1 };

	argp_parse(&ARGP, argc, argv, 0, NULL, &input);
	return input.action->run(&input.options);
}

const struct command cmd_lab = {
	.name = "lab",
	.summary = "reproduce memory pressure in a virtual machine",
	.argp = &ARGP,
	.run = run,
};
