#include "lab/figures/outcome.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>

#include "lab/figures/ini.h"
#include "lab/figures/run_file.h"

#define PATH_SIZE 4096
#define INI_MOST ((size_t)1 << 20)

static const struct {
	const char *name;
	const char *why; /* it has no figures; NULL: it has */
} STATUSES[OUTCOME_STATUSES] = {
	[OUTCOME_DONE] = { "done", NULL },
	[OUTCOME_NOISY] = { "noisy", NULL },
	[OUTCOME_LOST] = { "lost", "lost" },
	[OUTCOME_SKIPPED] = { "skipped", "skipped" },
	[OUTCOME_STOPPED] = { "stopped", "stopped" },
	[OUTCOME_TIMEOUT] = { "timeout", "timeout" },
	[OUTCOME_ERROR] = { "error", "error" },
};

const char *outcome_status_name(enum outcome_status status)
{
	return STATUSES[status].name;
}

static int status_parse(struct span text, enum outcome_status *out)
{
	for (size_t i = 0; i < OUTCOME_STATUSES; i++) {
		if (!span_eq(text, STATUSES[i].name))
			continue;
		*out = (enum outcome_status)i;
		return 0;
	}
	return -EBADMSG;
}

static int run_parse(struct span run, struct outcome *out)
{
	struct span value;

	if (!ini_find(run, "run", "status", &value) || status_parse(value, &out->status) < 0)
		return -EBADMSG;
	if (ini_find(run, "run", "repeat", &value) && span_u64(value, &out->repeat) < 0)
		return -EBADMSG;
#define COPY(section, key, member) \
	ini_copy(run, section, key, (struct buffer){ out->member, sizeof(out->member) })
	COPY("run", "scenario", scenario);
	COPY("run", "arm", arm);
	COPY("run", "reason", reason);
	COPY("host", "accelerator", accelerator);
	COPY("guest", "release", kernel);
#undef COPY
	return 0;
}

static int figures_read(const char *directory, struct outcome *out, struct lab_error *error)
{
	struct series series;
	int r = series_open(directory, &series, error);

	if (r == 0)
		figures_compute(&series, out->figure);
	series_done(&series);
	return r;
}

static int run_read(const char *directory, struct outcome *out, struct lab_error *error)
{
	struct arena arena;
	struct span run;
	int r = arena_init(&arena, 2 * INI_MOST);

	if (r < 0)
		return lab_refuse(error, r, "cannot reserve memory: %s", strerror(-r));
	r = run_file_read(&(struct run_file){ directory, "run.ini", INI_MOST }, &arena, &run);
	if (r < 0)
		lab_refuse(error, r, "%.300s/run.ini: %s", directory, strerror(-r));
	else if (run_parse(run, out) < 0)
		r = lab_refuse(error, -EBADMSG,
			       "%.300s/run.ini: expected in [run] a status (done, lost, noisy, "
			       "skipped, stopped, timeout or error), and a number as repeat",
			       directory);
	arena_done(&arena);
	return r;
}

int outcome_read(const char *directory, struct outcome *out, struct lab_error *error)
{
	int r;

	*out = (struct outcome){ 0 };
	if (!span_copy(span_cstr(directory), out->directory, sizeof(out->directory)))
		return lab_refuse(error, -ENAMETOOLONG, "the name of the run is too long");
	r = run_read(directory, out, error);
	if (r < 0)
		return r;
	for (size_t i = 0; i < FIGURES; i++)
		out->figure[i] = (struct figure){ .value = (double)NAN,
						  .why = STATUSES[out->status].why };
	if (STATUSES[out->status].why)
		return 0;
	return figures_read(directory, out, error);
}

static bool is_run(const char *directory)
{
	char path[PATH_SIZE];

	return snprintf(path, sizeof(path), "%s/run.ini", directory) < (int)sizeof(path) &&
	       access(path, F_OK) == 0;
}

static int add(const char *directory, struct outcomes *out, struct lab_error *error)
{
	int r;

	if (out->count == OUTCOMES_MAX)
		return lab_refuse(error, -EFBIG, "%.300s: more than %d runs", directory,
				  OUTCOMES_MAX);
	r = outcome_read(directory, &out->run[out->count], error);
	if (r == 0)
		out->count++;
	return r;
}

static int add_below(const char *directory, const char *name, struct outcomes *out,
		     struct lab_error *error)
{
	char path[PATH_SIZE];

	if (*name == '.' ||
	    snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path) ||
	    !is_run(path))
		return 0;
	return add(path, out, error);
}

static int add_all(const char *directory, struct outcomes *out, struct lab_error *error)
{
	struct dirent **entry;
	int entries = scandir(directory, &entry, NULL, alphasort);
	int r = 0;

	if (entries < 0)
		return lab_refuse(error, -errno, "%.300s: %s", directory, strerror(errno));
	for (int i = 0; i < entries; i++) {
		if (r == 0)
			r = add_below(directory, entry[i]->d_name, out, error);
		free(entry[i]);
	}
	free(entry);
	if (r == 0 && out->count == 0)
		return lab_refuse(
			error, -ENODATA,
			"%.300s: expected a run, or a folder of runs: no run.ini is there",
			directory);
	return r;
}

int outcomes_read(const char *directory, struct outcomes *out, struct lab_error *error)
{
	*out = (struct outcomes){ .run = calloc(OUTCOMES_MAX, sizeof(*out->run)) };
	if (!out->run)
		return lab_refuse(error, -ENOMEM, "there is no memory for the runs");
	return is_run(directory) ? add(directory, out, error) : add_all(directory, out, error);
}

void outcomes_done(struct outcomes *outcomes)
{
	free(outcomes->run);
	*outcomes = (struct outcomes){ 0 };
}

struct span kernel_version(const char *release)
{
	struct span version = { release, release };
	int dots = 0;

	while (*version.end) {
		dots += *version.end == '.';
		if (dots == 2 || *version.end == '-')
			break;
		version.end++;
	}
	return version;
}
