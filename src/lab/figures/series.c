#include "lab/figures/series.h"

#include <errno.h>
#include <math.h>

#include "lab/figures/ini.h"
#include "lab/figures/rows.h"
#include "lab/figures/run_file.h"
#include "model/sampler.h"
#include "model/source.h"

/* Address space: a run of ten hours in sixty cgroups, and a million slots of each load. */
#define ARENA_SIZE ((size_t)8 << 30)
#define INI_MOST ((size_t)1 << 20)
#define ROWS_MOST ((size_t)256 << 20)
#define NAME_SIZE 64

static int read_text(struct series *out, const struct run_file *query, bool needed,
		     struct span *text, struct lab_error *error)
{
	int r = run_file_read(query, &out->arena, text);

	if (r == -ENOENT && !needed) {
		*text = span_cstr("");
		return 0;
	}
	if (r < 0)
		return lab_refuse(error, r, "%.300s/%s: %s", query->directory, query->name,
				  strerror(-r));
	return 0;
}

/* A name that may become part of a path. */
static bool is_name(struct span name)
{
	char text[NAME_SIZE];

	return !span_empty(name) && *name.at != '.' && span_copy(name, text, sizeof(text)) &&
	       !strpbrk(text, "/ \t") && path_is_plain(text);
}

/* The word behind "load " of a section's name. */
static bool section_of(struct span name, const char *kind, struct span *rest)
{
	struct span word;

	if (!span_word(&name, &word) || !span_eq(word, kind))
		return false;
	*rest = span_trim(name);
	return true;
}

static const char *value_of(struct series *out, struct span lines, const char *key)
{
	struct span name;
	struct span value;
	const char *found = "";

	while (ini_pair(&lines, &name, &value))
		if (span_eq(name, key))
			found = arena_text(&out->arena, value.at, span_len(value));
	return found;
}

static int group_add(struct series *out, struct span name, struct span lines,
		     struct lab_error *error)
{
	struct group *group = &out->group[out->groups];

	if (out->groups == GROUPS_MAX)
		return lab_refuse(error, -EFBIG, "scenario.ini: more than %d groups",
				  GROUPS_MAX);
	group->name = arena_text(&out->arena, name.at, span_len(name));
	group->path = value_of(out, lines, "path");
	if (!group->name || !group->path)
		return lab_refuse(error, -ENOMEM, "scenario.ini: there is no room for it");
	out->groups++;
	return 0;
}

static int load_add(struct series *out, struct span name, struct span lines,
		    struct lab_error *error)
{
	struct load *load = &out->load[out->loads];

	if (out->loads == LOADS_MAX)
		return lab_refuse(error, -EFBIG, "scenario.ini: more than %d loads", LOADS_MAX);
	if (!is_name(name) || series_load(out, name))
		return lab_refuse(
			error, -EBADMSG,
			"scenario.ini: expected the name of each load once, at most %d "
			"characters without blanks and slashes",
			NAME_SIZE - 1);
	load->name = arena_text(&out->arena, name.at, span_len(name));
	load->kind = value_of(out, lines, "kind");
	if (!load->name || !load->kind)
		return lab_refuse(error, -ENOMEM, "scenario.ini: there is no room for it");
	out->loads++;
	return 0;
}

static const struct group *group_named(const struct series *series, struct span name)
{
	for (size_t i = 0; i < series->groups; i++)
		if (span_eq(name, series->group[i].name))
			return &series->group[i];
	return NULL;
}

/* Groups may stand below the loads that are in them. */
static void join_groups(struct series *out)
{
	for (size_t i = 0; i < out->loads; i++) {
		char section[NAME_SIZE + 8];
		struct span name;

		snprintf(section, sizeof(section), "load %s", out->load[i].name);
		if (ini_find(out->scenario, section, "group", &name))
			out->load[i].group = group_named(out, name);
	}
}

static int scenario_parse(struct series *out, struct lab_error *error)
{
	struct span text = out->scenario;
	struct span section;
	struct span lines;
	int r = 0;

	while (r == 0 && ini_section(&text, &section, &lines)) {
		struct span name;

		if (section_of(section, "group", &name))
			r = group_add(out, name, lines, error);
		else if (section_of(section, "load", &name))
			r = load_add(out, name, lines, error);
	}
	join_groups(out);
	return r;
}

/* Columns for all frames, so that a frame only fills its row. */
static bool frames_room(struct series *out, size_t frames)
{
	out->at_us = arena_alloc(&out->arena, (frames + 1) * sizeof(*out->at_us));
	out->at = arena_alloc(&out->arena, (frames + 1) * sizeof(*out->at));
	for (size_t p = 0; p < POINTS; p++)
		out->value[p] = arena_alloc(&out->arena, (frames + 1) * sizeof(double));
	for (size_t g = 0; g < out->groups; g++)
		for (size_t p = 0; p < GROUP_POINTS; p++)
			out->group[g].value[p] =
				arena_alloc(&out->arena, (frames + 1) * sizeof(double));
	/* An arena that was full stays full: the last request tells for all. */
	return arena_alloc(&out->arena, 1 << 20) != NULL;
}

static const struct cgroup *cgroup_at(const struct snapshot *snapshot, const char *path)
{
	for (size_t i = 0; i < snapshot->cgroup_count; i++) {
		const struct cgroup *cgroup = &snapshot->cgroups[i];

		if (cgroup->hierarchy == HIERARCHY_V2 && strcmp(cgroup->path, path) == 0)
			return cgroup;
	}
	return NULL;
}

static void group_fill(struct group *group, const struct snapshot *snapshot, size_t frame)
{
	const struct cgroup *cgroup = cgroup_at(snapshot, group->path);
	double row[GROUP_POINTS];

	for (size_t p = 0; p < GROUP_POINTS; p++)
		row[p] = (double)NAN;
	if (cgroup)
		group_points_of(snapshot, cgroup, row);
	for (size_t p = 0; p < GROUP_POINTS; p++)
		group->value[p][frame] = row[p];
}

static int frame_fill(struct series *out, const struct snapshot *snapshot,
		      struct lab_error *error)
{
	double row[POINTS];
	size_t frame = out->frames;

	if (!snapshot->host.has_time ||
	    (frame > 0 && snapshot->host.at_us <= out->at_us[frame - 1]))
		return lab_refuse(error, -EBADMSG,
				  "frames.tar.zst: frame %zu: expected a time in _host.ini, "
				  "after that of the frame before",
				  frame);
	out->at_us[frame] = snapshot->host.at_us;
	out->page_bytes = snapshot->host.page_bytes;
	points_of(snapshot, row);
	for (size_t p = 0; p < POINTS; p++)
		out->value[p][frame] = row[p];
	for (size_t g = 0; g < out->groups; g++)
		group_fill(&out->group[g], snapshot, frame);
	out->frames++;
	return 0;
}

static int frames_take(struct series *out, struct source *source, struct sampler *sampler,
		       struct lab_error *error)
{
	struct arena arena;
	int r = arena_init(&arena, SNAPSHOT_ARENA);

	if (r < 0)
		return lab_refuse(error, r, "cannot reserve memory for samples: %s",
				  strerror(-r));
	while (r == 0) {
		struct snapshot *snapshot;

		r = source_next(source);
		if (r == 0)
			r = sampler_take(sampler, &source->root, SAMPLE_WITHOUT_TASKS, &arena,
					 &snapshot);
		if (r < 0)
			lab_refuse(error, r, "frames.tar.zst: frame %zu: %s", out->frames,
				   strerror(-r));
		if (r == 0)
			r = frame_fill(out, snapshot, error);
	}
	arena_done(&arena);
	return r == SOURCE_END ? 0 : r;
}

static int frames_open(struct series *out, struct source *source, struct lab_error *error)
{
	struct sampler sampler;
	int r;

	if (!frames_room(out, source->frames))
		return lab_refuse(error, -ENOMEM,
				  "frames.tar.zst: there is no room for %zu frames",
				  source->frames);
	r = sampler_init(&sampler);
	if (r < 0)
		return lab_refuse(error, r, "cannot reserve memory for samples: %s",
				  strerror(-r));
	r = frames_take(out, source, &sampler, error);
	sampler_done(&sampler);
	return r;
}

static int frames_read(const char *directory, struct series *out, struct lab_error *error)
{
	char path[4096];
	struct source source;
	int r;

	if (snprintf(path, sizeof(path), "%s/frames.tar.zst", directory) >= (int)sizeof(path))
		return lab_refuse(error, -ENAMETOOLONG, "the name of the run is too long");
	r = source_open(path, NULL, &source);
	if (r < 0)
		return lab_refuse(error, r, "%.300s: expected a recording: %s", path,
				  strerror(-r));
	if (source.kind != SOURCE_PACK)
		r = lab_refuse(error, -EBADMSG, "%.300s: expected a recording, not a folder",
			       path);
	else
		r = frames_open(out, &source, error);
	source_done(&source);
	return r;
}

static int slots_read(const char *directory, struct series *out, struct lab_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < out->loads; i++) {
		char name[NAME_SIZE + 16];
		struct span text;

		snprintf(name, sizeof(name), "slots/%s.tsv", out->load[i].name);
		r = read_text(out, &(struct run_file){ directory, name, ROWS_MOST }, false,
			      &text, error);
		if (r == 0 && !span_empty(text))
			r = slots_parse(text, out, &out->load[i], error);
	}
	return r;
}

static int tables_read(const char *directory, struct series *out, struct lab_error *error)
{
	struct span text;
	int r = read_text(out, &(struct run_file){ directory, "marks.tsv", ROWS_MOST }, true,
			  &text, error);

	if (r == 0)
		r = marks_parse(text, out, error);
	if (r == 0)
		r = read_text(out, &(struct run_file){ directory, "loads.tsv", ROWS_MOST },
			      true, &text, error);
	if (r == 0)
		r = loads_parse(text, out, error);
	return r == 0 ? slots_read(directory, out, error) : r;
}

static int inis_read(const char *directory, struct series *out, struct lab_error *error)
{
	int r = read_text(out, &(struct run_file){ directory, "run.ini", INI_MOST }, true,
			  &out->run, error);

	if (r == 0)
		r = read_text(out, &(struct run_file){ directory, "scenario.ini", INI_MOST },
			      true, &out->scenario, error);
	if (r == 0)
		r = read_text(out, &(struct run_file){ directory, "kmsg.log", ROWS_MOST },
			      false, &out->kmsg, error);
	return r == 0 ? scenario_parse(out, error) : r;
}

/* The phase that [measure] names, or else the one of that name. */
static bool begins_measured(const struct mark *mark, struct span name)
{
	return strcmp(mark->kind, "phase") == 0 && span_eq(name, mark->text);
}

/* A run without a phase of that name is measured from its last one on. */
static void find_measured(struct series *out)
{
	struct span name = span_cstr("measure");
	bool named = ini_find(out->scenario, "measure", "from", &name);

	out->measured_us = out->frames > 0 ? out->at_us[0] : 0;
	for (size_t i = 0; i < out->marks; i++) {
		const struct mark *mark = &out->mark[i];
		bool begins = begins_measured(mark, name);

		if (!begins && (named || strcmp(mark->kind, "phase") != 0))
			continue;
		out->measured = true;
		out->measured_us = mark->at_us;
		if (begins)
			break;
	}
}

static const struct {
	const char *word;
	enum load_end end;
} ENDS[] = {
	{ "exit", LOAD_EXITED },
	{ "signal", LOAD_KILLED },
};

static void note_end(struct series *out, const struct mark *mark)
{
	struct span text = span_cstr(mark->text);
	struct span name;
	struct span how;
	struct load *load;

	if (!span_word(&text, &name))
		return;
	load = (struct load *)series_load(out, name);
	if (!load || load->ended_us)
		return;
	if (strcmp(mark->kind, "stop") == 0)
		load->end = LOAD_STOPPED;
	else if (strcmp(mark->kind, "ended") == 0 && span_word(&text, &how))
		for (size_t i = 0; i < ARRAY_LEN(ENDS); i++)
			if (span_eq(how, ENDS[i].word))
				load->end = ENDS[i].end;
	if (load->end != LOAD_RUNS)
		load->ended_us = mark->at_us;
}

static void find_ends(struct series *out)
{
	out->end_us = out->frames > 0 ? out->at_us[out->frames - 1] : 0;
	if (out->marks > 0)
		out->end_us = MAX(out->end_us, out->mark[out->marks - 1].at_us);
	for (size_t i = 0; i < out->marks; i++)
		note_end(out, &out->mark[i]);
	for (size_t i = 0; i < out->frames; i++)
		out->at[i] = ((double)out->at_us[i] - (double)out->measured_us) / SECOND_US;
}

int series_open(const char *directory, struct series *out, struct lab_error *error)
{
	int r;

	*out = (struct series){ 0 };
	r = arena_init(&out->arena, ARENA_SIZE);
	if (r < 0)
		return lab_refuse(error, r, "cannot reserve memory for a run: %s",
				  strerror(-r));
	r = inis_read(directory, out, error);
	if (r == 0)
		r = frames_read(directory, out, error);
	if (r == 0)
		r = tables_read(directory, out, error);
	if (r < 0)
		return r;
	find_measured(out);
	find_ends(out);
	return 0;
}

void series_done(struct series *series)
{
	arena_done(&series->arena);
}
