#include "cmd/cmd.h"

static const struct argp_child CHILDREN[] = { { &common_argp, 0, NULL, 0 }, { 0 } };
static const struct argp ARGP = { .children = CHILDREN };

static int run(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return EXIT_USAGE;
}

const struct command cmd_watch = {
	.name = "watch",
	.summary = "the verdict, live: a full screen on a terminal, lines otherwise",
	.argp = &ARGP,
	.run = run,
};
