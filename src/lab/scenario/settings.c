#include "lab/scenario/settings.h"

#include <errno.h>

#include "lab/scenario/value.h"

const struct section_row SECTION_ROWS[SECTIONS] = {
#define SECTION(id, word, full, named, help) [SECTION_##id] = { word, full, named, help },
#include "lab/scenario/scenario.def"
};

int settings_init(struct arena *arena, struct settings *out)
{
	struct setting *row = arena_raw(arena, SETTINGS_MOST * sizeof(*row));

	if (!row)
		return -ENOMEM;
	*out = (struct settings){ .row = row, .arena = arena };
	return 0;
}

const struct setting *settings_find(const struct settings *settings, enum section section,
				    const char *name, const char *key)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *row = &settings->row[i];

		if (row->section == section && strcmp(row->key, key) == 0 &&
		    strcmp(row->name, name) == 0)
			return row;
	}
	return NULL;
}

static void remove_at(struct settings *settings, size_t at)
{
	settings->count--;
	memmove(&settings->row[at], &settings->row[at + 1],
		(settings->count - at) * sizeof(*settings->row));
}

/* In an arm an empty value is one: it takes a key away when the arm is resolved. */
static bool is_nothing(const struct setting *setting)
{
	return *setting->value == '\0' && setting->section < SECTION_ARM;
}

int settings_put(struct settings *settings, const struct setting *setting)
{
	const struct setting *old =
		settings_find(settings, setting->section, setting->name, setting->key);

	if (old && is_nothing(setting))
		remove_at(settings, (size_t)(old - settings->row));
	else if (old)
		settings->row[old - settings->row] = *setting;
	else if (settings->count == SETTINGS_MOST)
		return -ENOMEM;
	else if (!is_nothing(setting))
		settings->row[settings->count++] = *setting;
	return 0;
}

static bool is_first(const struct settings *settings, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (settings->row[i].section == settings->row[at].section &&
		    strcmp(settings->row[i].name, settings->row[at].name) == 0)
			return false;
	return true;
}

const char *settings_name(const struct settings *settings, enum section section, size_t index)
{
	for (size_t i = 0; i < settings->count; i++) {
		if (settings->row[i].section != section || !is_first(settings, i))
			continue;
		if (index-- == 0)
			return settings->row[i].name;
	}
	return NULL;
}

static bool section_find(struct span word, bool full, enum section *out)
{
	for (enum section i = 0; i < SECTIONS; i++) {
		const struct section_row *row = &SECTION_ROWS[i];

		if (!span_eq(word, row->word) && !(full && span_eq(word, row->full)))
			continue;
		*out = i;
		return true;
	}
	return false;
}

/* "[scenario], [load NAME], ..." */
static void list_sections(struct text *out)
{
	for (enum section i = 0; i < SECTIONS; i++)
		text_add(out, "%s[%s%s]", i > 0 ? " " : "", SECTION_ROWS[i].word,
			 !SECTION_ROWS[i].named ? "" :
			 i == SECTION_FILE	? " PATH" :
						  " NAME");
}

static int bad_section(const struct ini_row *row, const char *file, struct lab_error *error)
{
	char names[300];
	struct text list = text_on(names, sizeof(names));

	list_sections(&list);
	return scenario_fail(error, (struct lab_place){ file, row->line },
			     "[%s]: expected one of %s, with one blank before a name",
			     SHOWN(row->section), names);
}

static bool name_fits(enum section section, struct span name)
{
	return section == SECTION_FILE ? !span_empty(name) && *name.at == '/' :
					 name_is_plain(name);
}

/* The name of "load worker". */
static int section_parse(const struct ini_row *row, const char *file, struct setting *out,
			 struct lab_error *error)
{
	struct span word = span_cstr(row->section);
	struct span name = span_of(word.end, 0);
	enum section section;

	if (span_split(word, ' ', &word, &name) && span_empty(name))
		return bad_section(row, file, error);
	if (!section_find(word, false, &section) ||
	    SECTION_ROWS[section].named == span_empty(name))
		return bad_section(row, file, error);
	if (SECTION_ROWS[section].named && !name_fits(section, name))
		return scenario_fail(
			error, (struct lab_place){ file, row->line },
			"[%s]: expected %s after '%s'", SHOWN(row->section),
			section == SECTION_FILE ?
				"a path such as /data/api.dat" :
				"a name of less than 32 letters, digits, '_' and '-'",
			SECTION_ROWS[section].word);
	*out = (struct setting){ section, name.at, row->key, row->value, { file, row->line } };
	return 0;
}

int settings_add(struct settings *settings, const struct ini *ini, const char *file,
		 struct lab_error *error)
{
	for (size_t i = 0; i < ini->rows; i++) {
		struct setting setting = { 0 };
		int r = section_parse(&ini->row[i], file, &setting, error);

		if (r < 0)
			return r;
		/* Empty values stay: they take away what the scenario behind this one says. */
		if (settings->count == SETTINGS_MOST)
			return -ENOMEM;
		settings->row[settings->count++] = setting;
	}
	return 0;
}

static int bad_key(struct span full, struct lab_place place, struct lab_error *error)
{
	return scenario_fail(error, place,
			     "'%s': expected a full key such as machine.ram, knob.swappiness, "
			     "load.NAME.rate, group.NAME.memory.min or phase.NAME.wait",
			     lab_show(full).text);
}

int setting_parse(struct span full, struct arena *arena, struct setting *out,
		  struct lab_error *error)
{
	struct span word;
	struct span key;
	struct span name = { 0 };
	enum section section;

	if (!span_split(full, '.', &word, &key) || !section_find(word, true, &section) ||
	    section >= SECTION_ARM || section == SECTION_FILE)
		return bad_key(full, out->place, error);
	if (SECTION_ROWS[section].named &&
	    (!span_split(key, '.', &name, &key) || !name_is_plain(name)))
		return bad_key(full, out->place, error);
	if (span_empty(key))
		return bad_key(full, out->place, error);
	out->section = section;
	out->name = name.at ? arena_text(arena, name.at, span_len(name)) : "";
	out->key = arena_text(arena, key.at, span_len(key));
	return out->name && out->key ? 0 : -ENOMEM;
}

struct full_key setting_key(const struct setting *setting)
{
	const struct section_row *row = &SECTION_ROWS[setting->section];
	struct full_key full;
	struct text text = text_on(full.text, sizeof(full.text));

	text_add(&text, "%s.", row->full);
	if (row->named) {
		text_name(&text, span_cstr(setting->name));
		text_add(&text, ".");
	}
	text_name(&text, span_cstr(setting->key));
	return full;
}
