#include <errno.h>
#include <math.h>
#include <signal.h>

#include "base/units.h"
#include "cmd/lab_job.h"
#include "lab/boot/files.h"
#include "lab/figures/outcome.h"
#include "lab/scenario/paths.h"
#include "lab/scenario/plan_text.h"
#include "lab/scenario/print.h"
#include "view/live.h"

static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

/* The first Ctrl-C ends the guest and keeps what was measured; a second one ends refault. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* What the live line needs to know of the run that goes on. */
struct watching {
	const struct lab_plan *plan;
	const struct lab_job *job;
	struct live_state state;
	double begun_s;
	double phase_begun_s;
	double left_s; /* of the runs after this one, and of this one when it began */
	bool is_terminal;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(uint64_t us)
{
	return us == VALUE_UNSET ? 0 : (double)us / SECOND_US;
}

/* At most: what a phase waits for may come at once. */
static double phase_most_s(const struct scenario_phase *phase)
{
	double until = phase->until.subject < CONDITIONS ? seconds(phase->limit_us) : 0;

	return until + seconds(phase->wait_us);
}

/* Boot and hand-over take about so long under emulation. */
#define BOOT_S 8

/* A phase that waits for something takes half of its limit, for want of anything better. */
static double expected_s(const struct scenario *scenario)
{
	double sum = BOOT_S;

	for (size_t i = 0; i < scenario->phases; i++) {
		const struct scenario_phase *phase = &scenario->phase[i];

		sum += phase_most_s(phase) / (phase->until.subject < CONDITIONS ? 2 : 1);
	}
	return sum;
}

static size_t finished(const struct lab_plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->jobs; i++)
		count += plan->job[i].is_run && plan->job[i].result.attempts > 0;
	return count;
}

static void draw(const struct watching *watching)
{
	const struct live_plan plan = {
		.runs = watching->plan->jobs,
		.finished = finished(watching->plan),
		.expected_s = watching->left_s,
		.elapsed_s = now_s() - watching->begun_s,
	};
	char line[1024];
	struct text text = text_on(line, sizeof(line));
	size_t width = terminal_width(40);

	live_text(&text, watching->job->name, &plan, &watching->state, width ? width - 1 : 99);
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
}

static void on_line(void *data, struct span line)
{
	struct watching *watching = data;
	const struct scenario *scenario = watching->job->scenario;
	const struct scenario_phase *phase;

	if (live_parse(line, scenario->measure.service, scenario->measure.leak,
		       &watching->state))
		watching->phase_begun_s = now_s();
	phase = scenario_phase_find(scenario, watching->state.phase);
	watching->state.phase_left_s = NAN;
	if (phase)
		watching->state.phase_left_s =
			fmax(phase_most_s(phase) - (now_s() - watching->phase_begun_s), 0);
	if (watching->is_terminal)
		draw(watching);
}

static double left_s(const struct lab_plan *plan)
{
	double sum = 0;

	for (size_t i = 0; i < plan->jobs; i++)
		if (!plan->job[i].is_run)
			sum += expected_s(plan->job[i].scenario);
	return sum;
}

/* Another program that a scenario runs: its package, through apt, into the cache. */
static int fetch_packages(const struct machine *machine)
{
	for (size_t i = 0; i < machine->programs; i++) {
		const char *package = machine->program[i].package;
		int r = package[0] ? package_fetch(package, stderr) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

/* So that the folder says all about the run, and can be given to lab run again. */
static int keep_scenario(const struct scenario *scenario, const char *directory)
{
	char path[1200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/scenario.ini", directory);
	file = fopen(path, "we");
	if (!file)
		return -errno;
	scenario_write(scenario, file);
	return fclose(file) == 0 ? 0 : -errno;
}

static int boot(const struct lab_plan *plan, struct lab_job *job, struct watching *watching)
{
	char directory[1024];
	char guest[4096];
	struct machine machine = { 0 };
	const struct job request = {
		.machine = &machine,
		.kernel = job->kernel,
		.guest = guest,
		.directory = directory,
		.scenario = job->scenario->name,
		.arm = job->scenario->arm,
		.repeat = job->repeat,
		.seed = plan->seed + job->repeat,
		.live = on_line,
		.data = watching,
		.stop = &stop_asked,
	};
	int r = guest_path(guest, sizeof(guest));

	if (r < 0)
		return r;
	if (snprintf(directory, sizeof(directory), "%s/%s", plan->folder, job->name) >=
	    (int)sizeof(directory))
		return -ENAMETOOLONG;
	r = scenario_machine(job->scenario, request.seed, &machine);
	if (r == 0)
		r = fetch_packages(&machine);
	if (r == 0)
		r = job_run(&request, &job->result);
	if (r == 0)
		r = keep_scenario(job->scenario, directory);
	free(machine.plan);
	return r;
}

static void say_result(const struct lab_job *job, bool is_terminal)
{
	const struct job_result *result = &job->result;

	if (is_terminal)
		fputs("\r\033[K", stderr);
	fprintf(stderr, "%-44s %-8s %4.0f s", job->name, job_status_name(result->status),
		result->wall_s);
	if (result->reason[0])
		fprintf(stderr, "  %s", result->reason);
	fputc('\n', stderr);
}

static bool is_kept(enum outcome_status status, enum job_status *out)
{
	static const struct {
		enum outcome_status status;
		enum job_status job;
	} kept[] = {
		{ OUTCOME_DONE, JOB_DONE },
		{ OUTCOME_NOISY, JOB_NOISY },
		{ OUTCOME_SKIPPED, JOB_SKIPPED },
	};

	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		if (kept[i].status != status)
			continue;
		*out = kept[i].job;
		return true;
	}
	return false;
}

/*
 * A run of an earlier invocation that says all it can is not repeated; what is left of one that
 * does not is removed. 0 or -errno.
 */
static int find_earlier(const struct lab_plan *plan, struct lab_job *job)
{
	struct outcome *outcome = xalloc(1, sizeof(*outcome));
	struct lab_error error;
	char directory[1024];
	int r = -ENAMETOOLONG;

	if (snprintf(directory, sizeof(directory), "%s/%s", plan->folder, job->name) <
	    (int)sizeof(directory))
		r = outcome_read(directory, outcome, &error);
	job->is_run = r == 0 && is_kept(outcome->status, &job->result.status);
	free(outcome);
	if (job->is_run || access(directory, F_OK) != 0)
		return 0;
	return tree_remove(directory);
}

static int find_all_earlier(struct lab_plan *plan)
{
	int r = 0;

	for (size_t i = 0; plan->is_resumed && r == 0 && i < plan->jobs; i++)
		r = find_earlier(plan, &plan->job[i]);
	return r;
}

int plan_run(struct lab_plan *plan)
{
	bool is_terminal = isatty(STDERR_FILENO);

	int earlier = find_all_earlier(plan);

	if (earlier < 0) {
		cmd_error("%s: %s", plan->folder, strerror(-earlier));
		return EXIT_NOT_MEASURED;
	}
	catch_signals();
	for (size_t i = 0; i < plan->jobs && !stop_asked; i++) {
		struct lab_job *job = &plan->job[i];
		struct watching watching = {
			.plan = plan,
			.job = job,
			.state = { "", NAN, NAN, NAN, NAN, NAN, NAN },
			.begun_s = now_s(),
			.left_s = left_s(plan),
			.is_terminal = is_terminal,
		};
		int r;

		if (job->is_run)
			continue;
		job->is_run = true;
		r = boot(plan, job, &watching);
		if (r < 0) {
			cmd_error("%s: %s", job->name, strerror(-r));
			job->is_run = false;
			(void)rmdir(plan->folder); /* unless something is in it */
			return EXIT_NOT_MEASURED;
		}
		say_result(job, is_terminal);
	}
	return stop_asked ? EXIT_NOT_MEASURED : 0;
}

int action_run(const struct lab_options *options)
{
	struct lab_plan *plan = xalloc(1, sizeof(*plan));
	int shown;
	int r;

	if (options->operands == 0) {
		cmd_error("lab run: a scenario is missing; see refault lab list");
		free(plan);
		return EXIT_USAGE;
	}
	r = plan_open(options, options->operand, options->operands, plan);
	if (r == 0) {
		r = plan_run(plan);
		shown = plan->job[0].is_run ? plan_show(plan, options->json) : r;
		r = r == 0 ? shown : r;
	}
	plan_done(plan);
	free(plan);
	return r;
}
