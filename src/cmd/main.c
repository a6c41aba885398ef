#include <fcntl.h>
#include <locale.h>

#include "analysis/class.h"
#include "cmd/cmd.h"

static const struct command *const TABLE[] = {
#define X(name) &cmd_##name,
	COMMANDS(X)
#undef X
};

static void print_version(FILE *file, struct argp_state *state)
{
	(void)state;
	fputs("refault " REFAULT_VERSION "\n", file);
}

static int print_help(void)
{
	puts("Usage: refault [COMMAND] [OPTION…]\n"
	     "Says whether memory pressure hurts a service, which one, how much, and who "
	     "causes it.\n"
	     "\nCommands:");
	for (size_t i = 0; i < ARRAY_LEN(TABLE); i++)
		printf("  %-10s %s\n", TABLE[i]->name, TABLE[i]->summary);
	puts("\nWithout a command: diagnose. Each has --help and a manual page.\n"
	     "Exit status: 0 nothing wrong, 1 findings, 2 usage, 3 could not measure, 4 "
	     "internal "
	     "error.");
	return EXIT_FINE;
}

static int list_commands(void)
{
	for (size_t i = 0; i < ARRAY_LEN(TABLE); i++)
		printf("%s\t%s\n", TABLE[i]->name, TABLE[i]->summary);
	return EXIT_FINE;
}

static void list_table(const char *command, const struct argp_option *option)
{
	for (; option && option->name; option++) {
		char key[2] = { (char)(option->key < 0x80 ? option->key : 0), '\0' };

		printf("%s\t--%s\t%s%s\t%s\t%s\n", command, option->name, key[0] ? "-" : "",
		       key, option->arg ? option->arg : "", option->doc ? option->doc : "");
	}
}

/* One line an option, for completions and checks: command, long, short, argument, help. */
static int list_options(void)
{
	for (size_t i = 0; i < ARRAY_LEN(TABLE); i++) {
		list_table(TABLE[i]->name, TABLE[i]->argp->options);
		for (const struct argp_child *child = TABLE[i]->argp->children;
		     child && child->argp; child++)
			list_table(TABLE[i]->name, child->argp->options);
	}
	return EXIT_FINE;
}

static int list_classes(void)
{
	for (enum verdict_class i = 0; i < CLASSES; i++)
		puts(class_row(i)->name);
	return EXIT_FINE;
}

static const struct {
	const char *name;
	int (*run)(void);
} GLOBAL[] = {
	{ "--help", print_help },
	{ "-h", print_help },
	{ "help", print_help },
	{ "--list-commands", list_commands },
	{ "--list-options", list_options },
	{ "--list-classes", list_classes },
};

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(TABLE); i++)
		if (strcmp(name, TABLE[i]->name) == 0)
			return TABLE[i];
	return NULL;
}

/*
 * Output that cannot be written is an error, not a success with less text. At exit, since argp
 * ends the program itself after --help and --version.
 */
static void check_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	fputs("refault: the output could not be written\n", stderr);
	_exit(EXIT_NOT_MEASURED);
}

/* Else the first file that is opened takes the place of a closed stdout, and gets its text. */
static void hold_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(EXIT_INTERNAL);
}

int main(int argc, char **argv)
{
	const struct command *command = &cmd_diagnose;

	hold_standard_files();
	atexit(check_output);
	setlocale(LC_CTYPE, "");
	argp_program_version_hook = print_version;
	argp_err_exit_status = EXIT_USAGE;
	if (argc > 1)
		for (size_t i = 0; i < ARRAY_LEN(GLOBAL); i++)
			if (strcmp(argv[1], GLOBAL[i].name) == 0)
				return GLOBAL[i].run();
	if (argc > 1 && argv[1][0] != '-') {
		command = find(argv[1]);
		if (!command) {
			cmd_error("'%.64s' is not a command; see refault --help", argv[1]);
			return EXIT_USAGE;
		}
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	return command->run(argc, argv);
}
