#include "lab/scenario/set.h"

#include <errno.h>
#include <fnmatch.h>

#include "lab/scenario/expand.h"
#include "lab/scenario/file.h"
#include "lab/scenario/paths.h"
#include "lab/scenario/shape.h"

/* Address space; what is used of it is committed step by step. */
#define SET_ARENA ((size_t)512 << 20)

/* The name of a scenario that is called by its file. */
static const char *name_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');
	struct span name = span_cstr(slash ? slash + 1 : path);
	struct span stem;
	struct span suffix;

	if (span_rsplit(name, '.', &stem, &suffix) && !span_empty(stem))
		name = stem;
	return arena_text(arena, name.at, span_len(name));
}

static bool in_quick(const struct settings *settings, const char *arm)
{
	const struct setting *arms = settings_find(settings, SECTION_QUICK, "", "arms");
	struct span patterns = span_cstr(arms ? arms->value : "*");
	struct span pattern;
	char text[256];

	while (span_word(&patterns, &pattern))
		if (span_copy(pattern, text, sizeof(text)) && fnmatch(text, arm, 0) == 0)
			return true;
	return false;
}

/* Every arm is resolved, so that a mistake in one is found when another is run. */
static int resolve_arms(struct scenario_set *set, const struct expansion *arms,
			const struct scenario_choice *choice, struct lab_error *error)
{
	const struct settings *all = arms->all;

	set->arm = arena_alloc(&set->arena, arms->count * sizeof(*set->arm));
	if (!set->arm)
		return -ENOMEM;
	for (size_t i = 0; i < arms->count; i++) {
		struct settings settings;
		struct scenario *arm = &set->arm[set->arms];
		int r = expansion_settings(arms, i, choice, &settings, error);

		if (r < 0)
			return r;
		*arm = (struct scenario){ 0 };
		r = scenario_resolve(&settings, arm, error);
		if (r < 0)
			return r;
		if (!choice->quick || in_quick(all, arm->arm))
			set->arms++;
	}
	if (set->arms > 0)
		return 0;
	return scenario_fail(
		error, settings_find(all, SECTION_QUICK, "", "arms")->place,
		"quick.arms: none of these is an arm; expected names of arms, with * for "
		"any text");
}

static int build(struct scenario_set *set, const struct settings *all,
		 const struct scenario_choice *choice, struct lab_error *error)
{
	const struct setting *name = settings_find(all, SECTION_SCENARIO, "", "name");
	struct expansion arms;
	int r;

	if (name)
		set->name = name->value;
	r = expand(all, set->name, &arms, error);
	if (r < 0)
		return r;
	r = resolve_arms(set, &arms, choice, error);
	if (r < 0)
		return r;
	return shapes_parse(set, &arms, error);
}

/* What a set is made of. */
struct source {
	struct span text;
	const char *file;
	const char *folder; /* where others like it may be; NULL nowhere */
};

static int parse(struct scenario_set *set, const struct source *source,
		 const struct scenario_choice *choice, struct lab_error *error)
{
	const struct lab_place place = { source->file, 0 };
	struct settings all;
	int r = settings_init(&set->arena, &all);

	if (r < 0)
		return r;
	set->name = name_of(source->file, &set->arena);
	if (!set->name)
		return -ENOMEM;
	r = scenario_file_parse(source->text, place, source->folder, &all, error);
	if (r < 0)
		return r;
	return build(set, &all, choice, error);
}

int scenario_set_parse(struct span text, const char *file, const struct scenario_choice *choice,
		       struct scenario_set *out, struct lab_error *error)
{
	struct scenario_set set = { 0 };
	int r = arena_init(&set.arena, SET_ARENA);

	if (r < 0)
		return r;
	r = parse(&set, &(struct source){ text, file, NULL }, choice, error);
	if (r < 0) {
		arena_done(&set.arena);
		return r;
	}
	*out = set;
	return 0;
}

static bool is_file(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
}

static int unreadable(const char *name, int r, struct lab_error *error)
{
	if (r == -ENOENT && !is_file(name))
		return scenario_fail(
			error, (struct lab_place){ name, 0 },
			"no scenario of this name is shipped; expected one of 'refault lab "
			"list', or a path of a file");
	return scenario_fail(error, (struct lab_place){ name, 0 }, "cannot be read: %s",
			     r == -EFBIG ? "too large for a scenario" : strerror(-r));
}

static int open_path(struct scenario_set *set, const char *path,
		     const struct scenario_choice *choice, struct lab_error *error)
{
	struct source source = { .file = arena_text(&set->arena, path, strlen(path)) };
	char *folder = arena_text(&set->arena, path, strlen(path));
	char *slash = folder ? strrchr(folder, '/') : NULL;
	int r;

	if (!source.file || !folder)
		return -ENOMEM;
	if (slash)
		*slash = '\0';
	source.folder = slash ? folder : ".";
	r = scenario_file_read(path, &set->arena, &source.text);
	if (r < 0)
		return unreadable(path, r, error);
	return parse(set, &source, choice, error);
}

int scenario_set_open(const char *name, const struct scenario_choice *choice,
		      struct scenario_set *out, struct lab_error *error)
{
	struct scenario_set set = { 0 };
	char path[1200];
	int r = 0;

	if (!is_file(name)) {
		r = scenario_path(name, path, sizeof(path));
		if (r < 0)
			return unreadable(name, r, error);
	}
	r = arena_init(&set.arena, SET_ARENA);
	if (r < 0)
		return r;
	r = open_path(&set, is_file(name) ? name : path, choice, error);
	if (r < 0) {
		arena_done(&set.arena);
		return r;
	}
	*out = set;
	return 0;
}

void scenario_set_done(struct scenario_set *set)
{
	arena_done(&set->arena);
}

const struct scenario *scenario_set_arm(const struct scenario_set *set, struct span name)
{
	for (size_t i = 0; i < set->arms; i++)
		if (span_eq(name, set->arm[i].arm))
			return &set->arm[i];
	return NULL;
}

const struct scenario *scenario_set_base(const struct scenario_set *set)
{
	for (size_t i = 0; i < set->arms; i++)
		if (set->arm[i].base == 1)
			return &set->arm[i];
	return &set->arm[0];
}
