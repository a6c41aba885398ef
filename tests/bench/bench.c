/*
 * bench [--json FILE] PROGRAM RECORDING REBOOT GUARD [NAME...]: prints a line a figure,
 *
 *	NAME VALUE UNIT [GOAL] [| BESIDE VALUE]
 *
 * and ends with 1 when a goal is missed. What cannot be measured here says why.
 */
#include "bench.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/json.h"
#include "forest.h"

static const struct {
	const char *name;
	void (*run)(const struct setup *setup);
} BENCHES[] = {
	{ "parse", bench_parse }, { "sweep", bench_sweep }, { "replay", bench_replay },
	{ "lab", bench_lab },	  { "guard", bench_guard }, { "check", bench_check },
};

static struct json json;
static bool missed;

void give_up(const char *what, int error)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(error));
	exit(2);
}

struct figure {
	const char *name;
	double value;
	const char *unit;
	double goal;	    /* NAN: none */
	const char *beside; /* NULL: nothing */
	double beside_value;
};

static void put_json(const struct figure *figure)
{
	if (!json.file)
		return;
	json_open(&json, NULL, '{');
	json_text(&json, "name", figure->name);
	json_double(&json, "value", figure->value);
	json_text(&json, "unit", figure->unit);
	json_double(&json, "goal", figure->goal);
	if (figure->beside) {
		json_text(&json, "beside", figure->beside);
		json_double(&json, "beside_value", figure->beside_value);
	}
	json_close(&json, '}');
}

static void put(const struct figure *figure)
{
	bool is_missed = !isnan(figure->goal) && !(figure->value <= figure->goal);

	printf("%-24s %10.3f %-10s", figure->name, figure->value, figure->unit);
	if (!isnan(figure->goal))
		printf(" goal %.2f", figure->goal);
	if (figure->beside)
		printf(" | %s %.3f", figure->beside, figure->beside_value);
	puts(is_missed ? "  MISSED" : "");
	fflush(stdout);
	missed |= is_missed;
	put_json(figure);
}

void figure_plain(const char *name, double value, const char *unit)
{
	put(&(struct figure){ name, value, unit, (double)NAN, NULL, 0 });
}

void figure_goal(const char *name, double value, const char *unit, double goal)
{
	put(&(struct figure){ name, value, unit, goal, NULL, 0 });
}

void figure_beside(const char *name, double value, const char *unit, const char *beside,
		   double beside_value)
{
	put(&(struct figure){ name, value, unit, (double)NAN, beside, beside_value });
}

void figure_skip(const char *name, const char *reason)
{
	printf("%-24s    skipped: %s\n", name, reason);
}

double cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

static const struct argp_option OPTIONS[] = {
	{ "json", 'j', "FILE", 0, "Write the figures to FILE as well", 0 },
	{ 0 },
};

struct options {
	struct setup setup;
	const char *names[ARRAY_LEN(BENCHES)];
	size_t count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->setup.json = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num == 0)
			options->setup.program = argument;
		else if (state->arg_num == 1)
			options->setup.recording = argument;
		else if (state->arg_num == 2)
			options->setup.reboot = argument;
		else if (state->arg_num == 3)
			options->setup.guard = argument;
		else if (options->count < ARRAY_LEN(options->names))
			options->names[options->count++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 4)
			argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_wanted(const struct options *options, const char *name)
{
	for (size_t i = 0; i < options->count; i++)
		if (strcmp(options->names[i], name) == 0)
			return true;
	return options->count == 0;
}

static void run_all(const struct options *options)
{
	if (options->setup.json) {
		FILE *file = fopen(options->setup.json, "we");

		if (!file)
			give_up(options->setup.json, errno);
		json = json_on(file, true);
		json_open(&json, NULL, '[');
	}
	for (size_t i = 0; i < ARRAY_LEN(BENCHES); i++)
		if (is_wanted(options, BENCHES[i].name))
			BENCHES[i].run(&options->setup);
	if (json.file) {
		json_close(&json, ']');
		fclose(json.file);
	}
}

static const int SIGNALS[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP };

/* Waits until the process ends, or ends it when this one is told to end. Its wait status. */
static int wait_for(pid_t child, const sigset_t *signals)
{
	int status = 0;

	while (waitpid(child, &status, WNOHANG) == 0) {
		int signal = sigwaitinfo(signals, NULL);

		if (signal > 0 && signal != SIGCHLD)
			kill(child, SIGKILL);
	}
	return status;
}

static void remove_folder(const char *path)
{
	pid_t child = fork();

	if (child == 0) {
		execlp("rm", "rm", "-rf", "--", path, (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

#define FOLDER "refault-bench-"

static void remove_left_over(const char *temporary)
{
	DIR *folder = opendir(temporary);
	const struct dirent *entry;

	if (!folder)
		give_up(temporary, errno);
	for (entry = readdir(folder); entry; entry = readdir(folder)) {
		char path[600];

		snprintf(path, sizeof(path), "%.200s/%s", temporary, entry->d_name);
		if (is_left_over(entry->d_name, FOLDER))
			remove_folder(path);
	}
	closedir(folder);
}

/* The work is done in a child, so that cgroups and files go however it ends. */
static int run_guarded(struct options *options)
{
	const char *temporary = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	sigset_t signals;
	pid_t child;
	int status;

	sigemptyset(&signals);
	for (size_t i = 0; i < ARRAY_LEN(SIGNALS); i++)
		sigaddset(&signals, SIGNALS[i]);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	forest_clear();
	remove_left_over(temporary);
	snprintf(options->setup.folder, sizeof(options->setup.folder), "%.200s/" FOLDER "%d",
		 temporary, (int)getpid());
	if (mkdir(options->setup.folder, 0700) < 0)
		give_up(options->setup.folder, errno);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_UNBLOCK, &signals, NULL);
		run_all(options);
		exit(missed);
	}
	status = wait_for(child, &signals);
	forest_clear();
	remove_folder(options->setup.folder);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { OPTIONS,
					  parse,
					  "PROGRAM RECORDING REBOOT GUARD [NAME...]",
					  "Measure what refault costs.",
					  NULL,
					  NULL,
					  NULL };
	struct options options = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	return run_guarded(&options);
}
