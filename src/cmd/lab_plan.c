#include <errno.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include "cmd/lab_job.h"
#include "lab/boot/process.h"

static int open_sets(const struct lab_options *options, const char *const *names, size_t count,
		     struct lab_plan *out)
{
	const struct scenario_choice choice = {
		.quick = options->quick,
		.set = options->setting,
		.sets = options->settings,
	};

	if (count > SETS_MAX) {
		cmd_error("more than %d scenarios at once", SETS_MAX);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < count; i++) {
		struct lab_error error = { 0 };
		int r = scenario_set_open(names[i], &choice, &out->set[i], &error);

		if (r < 0) {
			cmd_error("%s", error.text[0] ? error.text : strerror(-r));
			return EXIT_USAGE;
		}
		out->sets++;
	}
	return 0;
}

static int find_qemu(void)
{
	if (program_is_there(MACHINE_QEMU))
		return 0;
	cmd_error("there is no QEMU: " MACHINE_QEMU " is not in PATH");
	return EXIT_NOT_MEASURED;
}

/* Without --kernel: the one that most was measured on, or whatever is there. */
static int default_kernel(struct lab_plan *out)
{
	static const char *const names[] = { "6.12", "7", "6.1", "running" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (kernel_find(names[i], &out->kernel[0]) == 0) {
			out->kernels = 1;
			return 0;
		}
	cmd_error("there is no kernel to boot: refault lab kernels fetch 6.12");
	return EXIT_NOT_MEASURED;
}

static int find_kernels(const struct lab_options *options, struct lab_plan *out)
{
	if (options->kernels == 0)
		return default_kernel(out);
	for (size_t i = 0; i < options->kernels; i++) {
		int r = kernel_find(options->kernel[i], &out->kernel[i]);

		if (r < 0) {
			cmd_error("kernel %s: %s; see refault lab kernels", options->kernel[i],
				  strerror(-r));
			return EXIT_NOT_MEASURED;
		}
		out->kernels++;
	}
	return 0;
}

static bool is_wanted(const struct lab_options *options, const struct scenario *arm,
		      const struct kernel *kernel)
{
	if (options->arm && fnmatch(options->arm, arm->arm, 0) != 0)
		return false;
	return !arm->kernels[0] || words_have(arm->kernels, kernel->name);
}

static void name_job(const struct lab_plan *plan, struct lab_job *job)
{
	struct text text = text_on(job->name, sizeof(job->name));

	text_add(&text, "%s.%s", job->scenario->name, job->scenario->arm);
	if (plan->kernels > 1)
		text_add(&text, ".%s", job->kernel->name);
	text_add(&text, ".%u", job->repeat);
	for (char *at = job->name; *at; at++)
		if (*at == '/')
			*at = '_';
}

static void add_jobs(const struct lab_options *options, unsigned int repeat,
		     const struct scenario_set *set, struct lab_plan *out)
{
	for (size_t i = 0; i < set->arms; i++)
		for (size_t k = 0; k < out->kernels; k++) {
			struct lab_job *job = &out->job[out->jobs];

			if (!is_wanted(options, &set->arm[i], &out->kernel[k]))
				continue;
			*job = (struct lab_job){
				.scenario = &set->arm[i],
				.kernel = &out->kernel[k],
				.repeat = repeat,
			};
			name_job(out, job);
			out->jobs++;
		}
}

/* xorshift64*; of a shuffle nobody asks more. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}

/* Repeats are interleaved: whatever drifts on this host then drifts for all arms alike. */
static void shuffle(struct lab_plan *plan)
{
	uint64_t state = plan->seed | (uint64_t)1 << 63;

	for (size_t i = plan->jobs; i > 1; i--) {
		size_t other = random_next(&state) % i;
		struct lab_job kept = plan->job[i - 1];

		plan->job[i - 1] = plan->job[other];
		plan->job[other] = kept;
	}
}

/* Each has a folder of its own: the same scenario or kernel, named twice, has not. */
static const char *find_twice(const struct lab_plan *plan)
{
	for (size_t i = 0; i < plan->jobs; i++)
		for (size_t other = 0; other < i; other++)
			if (strcmp(plan->job[i].name, plan->job[other].name) == 0)
				return plan->job[i].name;
	return NULL;
}

static int make_jobs(const struct lab_options *options, struct lab_plan *out)
{
	const char *twice;
	size_t most = 0;

	for (size_t i = 0; i < out->sets; i++)
		most += out->set[i].arms;
	out->job = xalloc(most * out->kernels * options->repeats + 1, sizeof(*out->job));
	for (unsigned int repeat = 1; repeat <= options->repeats; repeat++)
		for (size_t i = 0; i < out->sets; i++)
			add_jobs(options, repeat, &out->set[i], out);
	if (out->jobs == 0) {
		cmd_error("no arm is left to run: see refault lab show %s",
			  out->sets ? out->set[0].name : "SCENARIO");
		return EXIT_USAGE;
	}
	twice = find_twice(out);
	if (twice) {
		cmd_error("two runs would be called %s: name each scenario and kernel once",
			  twice);
		return EXIT_USAGE;
	}
	out->seed = options->has_seed ? options->seed : (uint64_t)time(NULL) & UINT32_MAX;
	if (options->repeats > 1)
		shuffle(out);
	return 0;
}

/* "lab-leak-20261130-231500" in the current folder, unless --output says where. */
static int make_folder(const struct lab_options *options, struct lab_plan *out)
{
	struct text text = text_on(out->folder, sizeof(out->folder));
	time_t now = time(NULL);
	struct tm tm;
	char when[32];

	if (options->output) {
		text_add(&text, "%s", options->output);
	} else {
		localtime_r(&now, &tm);
		strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
		text_add(&text, "lab-%s-%s", out->set[0].name, when);
	}
	out->is_made = !text.cut &&
		       (mkdir(out->folder, 0755) == 0 || (errno == EEXIST && options->resume));
	if (out->is_made)
		return 0;
	cmd_error("%s: cannot be made: %s", out->folder,
		  text.cut ? "the name is too long" : strerror(errno));
	return EXIT_NOT_MEASURED;
}

int plan_open(const struct lab_options *options, const char *const *names, size_t count,
	      struct lab_plan *out)
{
	int r;

	*out = (struct lab_plan){ .is_resumed = options->resume };
	r = open_sets(options, names, count, out);
	if (r == 0)
		r = find_kernels(options, out);
	if (r == 0)
		r = make_jobs(options, out);
	if (r == 0)
		r = find_qemu();
	if (r == 0)
		r = make_folder(options, out);
	return r;
}

void plan_done(struct lab_plan *plan)
{
	for (size_t i = 0; i < plan->sets; i++)
		scenario_set_done(&plan->set[i]);
	free(plan->job);
	plan->job = NULL;
}
