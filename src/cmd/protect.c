#include "cmd/protect.h"

#include <fnmatch.h>
#include <strings.h>

#include "analysis/gather.h"
#include "base/text.h"
#include "policy/protect_tree.h"

enum what {
	DRY_RUN,
	NOW,
	REVERT,
};

struct options {
	struct protect_job *job;
	enum what what;
};

enum {
	OPTION_NOW = 0x200,
	OPTION_DRY_RUN,
	OPTION_REVERT,
};

static const struct argp_option OPTIONS_TABLE[] = {
	{ "now", OPTION_NOW, NULL, 0, "Write memory.min, and remember what was found", 1 },
	{ "dry-run", OPTION_DRY_RUN, NULL, 0,
	  "Measure, and print what --now would write (the default)", 1 },
	{ "revert", OPTION_REVERT, NULL, 0,
	  "Put back what --now has found, where its value still stands", 1 },
	{ "duration", 'd', "TIME", 0, "How long to measure (default 10s)", 1 },
	{ 0 },
};

static error_t check_units(struct argp_state *state, const struct options *options)
{
	if (options->what == REVERT && options->job->names > 0)
		argp_error(state, "--revert takes back all of it: no UNIT is expected");
	if (options->what != REVERT && options->job->names == 0)
		argp_error(state, "a UNIT is missing, such as sshd.service");
	if (options->what != DRY_RUN && options->job->common.from)
		argp_error(state, "--from: a recording can only be measured");
	return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	struct protect_job *job = options->job;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &job->common;
		return 0;
	case OPTION_NOW:
		options->what = NOW;
		return 0;
	case OPTION_DRY_RUN:
		options->what = DRY_RUN;
		return 0;
	case OPTION_REVERT:
		options->what = REVERT;
		return 0;
	case 'd':
		job->duration_us =
			option_time(state, "duration", argument, SECOND_US, INTERVAL_MAX_US);
		return 0;
	case ARGP_KEY_ARG:
		if (job->names == UNITS_MAX)
			argp_error(state, "more than %d units", UNITS_MAX);
		job->name[job->names++] = argument;
		return 0;
	case ARGP_KEY_END:
		return check_units(state, options);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child CHILDREN[] = { { .argp = &common_argp }, { 0 } };
static const struct argp ARGP = {
	.options = OPTIONS_TABLE,
	.parser = parse,
	.args_doc = "UNIT…",
	.doc = "Measure the working set of units and keep it under memory.min, on them and on "
	       "each slice above, so that what is used is never evicted.",
	.children = CHILDREN,
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* By the last part of its path, or by the whole of it; both may be patterns. */
static bool is_named(const struct cgroup *cgroup, const char *name)
{
	while (*name == '/')
		name++;
	return cgroup->hierarchy == HIERARCHY_V2 && cgroup->parent >= 0 &&
	       (fnmatch(name, last_part(cgroup->path), 0) == 0 ||
		fnmatch(name, cgroup->path, FNM_PATHNAME) == 0);
}

#define NEAR_MAX 5

/* Those that begin alike or hold the name: what was meant is often among them. */
static bool is_near(const struct cgroup *cgroup, const char *name)
{
	char stem[64];

	span_copy(span_of(name, MIN(strcspn(name, ".*?["), (size_t)63)), stem, sizeof(stem));
	return cgroup->parent >= 0 && *stem != '\0' &&
	       (strcasestr(cgroup->path, stem) ||
		strncasecmp(last_part(cgroup->path), stem, 2) == 0);
}

static int not_found(const struct snapshot *now, const char *name)
{
	char buffer[1024];
	struct text text = text_on(buffer, sizeof(buffer));
	size_t count = 0;

	for (size_t i = 0; i < now->cgroup_count && count < NEAR_MAX; i++) {
		if (!is_near(&now->cgroups[i], last_part(name)))
			continue;
		text_add(&text, count++ > 0 ? ", " : "; near it: ");
		text_name(&text, span_cstr(now->cgroups[i].path));
	}
	cmd_error("'%.128s' is no cgroup that is there%s", name, buffer);
	return EXIT_NOT_MEASURED;
}

static const char *why_unsupported(const struct snapshot *now)
{
	switch (now->mounts.mode) {
	case CGROUPS_NONE:
		return "no cgroup hierarchy is mounted";
	case CGROUPS_V1:
	case CGROUPS_HYBRID:
		return "memory is accounted on cgroup v1, which has no memory.min";
	case CGROUPS_V2_BARE:
		return "cgroup v2 is there without the memory controller";
	case CGROUPS_V2:
		break;
	}
	return "no cgroup has a memory.min: the memory controller is not enabled, or the "
	       "kernel "
	       "is older than 4.18";
}

static bool is_supported(const struct snapshot *now)
{
	for (size_t i = 0; i < now->cgroup_count; i++)
		if (tree_has_min(&now->cgroups[i]))
			return true;
	return false;
}

/* The cgroups of now; the first name that finds none, or NULL. */
static const char *find_units(struct protect_job *job, const struct snapshot *now)
{
	const char *missing = NULL;

	job->units = 0;
	for (size_t i = 0; i < job->names; i++) {
		size_t before = job->units;

		for (size_t k = 0; k < now->cgroup_count && job->units < UNITS_MAX; k++)
			if (is_named(&now->cgroups[k], job->name[i]))
				job->unit[job->units++] = now->cgroups[k].id;
		if (job->units == before && !missing)
			missing = job->name[i];
	}
	return missing;
}

static int check_found(struct protect_job *job, const struct snapshot *now)
{
	const char *missing;

	if (!is_supported(now)) {
		cmd_error("nothing can be protected: %s", why_unsupported(now));
		return EXIT_NOT_MEASURED;
	}
	missing = find_units(job, now);
	return missing ? not_found(now, missing) : 0;
}

static int measure(struct protect_job *job, const struct window *window, struct arena *arena)
{
	const struct snapshot *now = window_newest(window);
	struct evidence evidence;

	arena_reset(arena);
	if (evidence_of(window, NULL, arena, &evidence) < 0)
		return out_of_memory();
	for (size_t i = 0; i < job->units; i++) {
		int32_t member = tree_index(now, job->unit[i]);

		if (member >= 0)
			job->writes = protect_member(&job->protection, &job->config, &evidence,
						     member, job->write);
	}
	job->seconds = zero_if_nan(evidence.pair.seconds);
	return 0;
}

/* A live machine is watched for the duration, a recording to its end. */
static int watch(struct protect_job *job, struct session *session, struct window *window,
		 struct arena *arena)
{
	uint64_t frames = session->source.kind == SOURCE_LIVE ?
				  MAX(job->duration_us / session->interval_us + 1, 2u) :
				  UINT64_MAX;

	for (uint64_t i = 0; i < frames; i++) {
		struct snapshot *snapshot;
		int r = session_next(session, SAMPLE_ALL, window_arena(window), &snapshot);

		if (r == SESSION_END)
			break;
		if (r != 0)
			return r;
		if (window_push(window, snapshot) < 0)
			return out_of_memory();
		/* Of a machine at once, of a recording when it is over. */
		r = i == 0 && session->source.kind == SOURCE_LIVE ? check_found(job, snapshot) :
								    0;
		find_units(job, snapshot);
		if (r == 0)
			r = measure(job, window, arena);
		if (r != 0)
			return r;
	}
	if (window->frames > 0)
		return check_found(job, window_newest(window));
	cmd_error("there is no frame to look at");
	return EXIT_NOT_MEASURED;
}

static int protect(struct protect_job *job, struct session *session, enum what what)
{
	struct window window;
	struct arena arena;
	int r;

	if (window_init(&window, job->duration_us) < 0)
		return out_of_memory();
	if (arena_init(&arena, SNAPSHOT_ARENA) < 0) {
		window_done(&window);
		return out_of_memory();
	}
	r = watch(job, session, &window, &arena);
	if (r == 0 && what == NOW)
		r = protect_now(job, session, window_newest(&window));
	else if (r == 0 && job->common.json)
		protect_print_json(job, window_newest(&window));
	else if (r == 0)
		protect_print(job, window_newest(&window));
	arena_done(&arena);
	window_done(&window);
	return r;
}

static int run(int argc, char **argv)
{
	static struct protect_job job = {
		.common = COMMON_DEFAULTS,
		.duration_us = 10 * SECOND_US,
	};
	struct options options = { .job = &job };
	struct session session;
	int r;

	argp_parse(&ARGP, argc, argv, 0, NULL, &options);
	if (options.what == REVERT)
		return protect_revert(&job);
	config_defaults(&job.config);
	r = session_open(&job.common, &session);
	if (r != 0)
		return r;
	r = protect(&job, &session, options.what);
	session_close(&session);
	return r;
}

const struct command cmd_protect = {
	.name = "protect",
	.summary = "measure the working set of units and keep it under memory.min",
	.argp = &ARGP,
	.run = run,
};
