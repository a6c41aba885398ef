#pragma once
/*
 * A scenario as it is written: a list of values, each with its section, its key and the place
 * it comes from. Later ones take the place of earlier ones, which is all that inheritance, arms
 * and --set are.
 */
#include "base/ini.h"
#include "lab/scenario/error.h"

enum section {
#define SECTION(id, word, full, named, help) SECTION_##id,
#include "lab/scenario/scenario.def"
	SECTIONS
};

struct section_row {
	const char *word; /* in [WORD] or [WORD NAME] */
	const char *full; /* how a full key begins */
	bool named;
	const char *help;
};
extern const struct section_row SECTION_ROWS[SECTIONS];

struct setting {
	enum section section;
	const char *name; /* "" in a section without one */
	const char *key;
	const char *value;
	struct lab_place place;
};

struct settings {
	struct setting *row; /* in the arena, as all texts */
	size_t count;
	struct arena *arena; /* borrowed */
};
#define SETTINGS_MOST 2000

must_check int settings_init(struct arena *arena, struct settings *out);

/* Takes the place of the one with the same full key, or goes to the end; an empty value
 * removes. */
must_check int settings_put(struct settings *settings, const struct setting *setting);

/* NULL when it is not there. */
const struct setting *settings_find(const struct settings *settings, enum section section,
				    const char *name, const char *key);

/* The index-th section of that kind, by its name, in the order of the file; NULL after the
 * last. */
const char *settings_name(const struct settings *settings, enum section section, size_t index);

/* All rows of a file, to an empty list. 0, -EINVAL with the error filled in, or -ENOMEM. */
must_check int settings_add(struct settings *settings, const struct ini *ini, const char *file,
			    struct lab_error *error);

/* "load.worker.rate" to section, name and key; the texts go to the arena. */
must_check int setting_parse(struct span full, struct arena *arena, struct setting *out,
			     struct lab_error *error);

/* The full key. */
struct full_key {
	char text[128];
};
struct full_key setting_key(const struct setting *setting);
#define KEY_OF(setting) (setting_key(setting).text)
