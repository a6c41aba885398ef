#include "lab/scenario/check.h"

#include <errno.h>

static const struct setting *any_of(const struct settings *settings, enum section section,
				    const char *name)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->row[i].section == section &&
		    strcmp(settings->row[i].name, name) == 0)
			return &settings->row[i];
	return NULL;
}

/* The kind of the load this setting belongs to; "" elsewhere, or where it has none. */
static const char *kind_of(const struct settings *settings, const struct setting *setting)
{
	const struct setting *kind =
		setting->section == SECTION_LOAD ?
			settings_find(settings, SECTION_LOAD, setting->name, "kind") :
			NULL;

	return kind ? kind->value : "";
}

static int check_knob(const struct setting *setting, const char *name, struct lab_error *error)
{
	const struct knob *knob = knob_find(name);

	return knob ? setting_check(setting, &knob->rule, error) :
		      knob_unknown(setting, name, error);
}

/* set.GROUP.FILE of a phase: a key of that group but its path. */
static int check_change(const struct settings *settings, const struct setting *setting,
			struct lab_error *error)
{
	struct span all = span_cstr(setting->key + strlen("set."));
	struct span group;
	struct span file;
	char name[64];
	const struct key_row *row;

	if (!span_split(all, '.', &group, &file) || !span_copy(group, name, sizeof(name)) ||
	    !any_of(settings, SECTION_GROUP, name))
		return scenario_fail(
			error, setting->place,
			"%s: expected set.GROUP.FILE with the name of a [group] of this "
			"scenario",
			KEY_OF(setting));
	row = key_find(SECTION_GROUP, "", file.at);
	if (row && strcmp(row->key, "path") != 0)
		return setting_check(setting, &row->rule, error);
	return setting_unknown(&(struct setting){ .section = SECTION_GROUP,
						  .name = name,
						  .key = file.at,
						  .place = setting->place },
			       "", error);
}

static int check_phase(const struct settings *settings, const struct setting *setting,
		       struct lab_error *error)
{
	struct span key = span_cstr(setting->key);

	if (span_starts(key, "knob."))
		return check_knob(setting, setting->key + strlen("knob."), error);
	if (span_starts(key, "set."))
		return check_change(settings, setting, error);
	return setting_unknown(setting, "", error);
}

static int check_setting(const struct settings *settings, const struct setting *setting,
			 struct lab_error *error)
{
	const char *kind = kind_of(settings, setting);
	const struct key_row *row = key_find(setting->section, kind, setting->key);

	if (setting->section == SECTION_ANCHORS)
		return 0; /* its keys are figures */
	if (setting->section == SECTION_CONFIG)
		return 0; /* they are the guard's business */
	if (setting->section == SECTION_KNOBS)
		return check_knob(setting, setting->key, error);
	if (setting->section == SECTION_LOAD && strcmp(setting->key, "kind") == 0)
		return load_kind_find(kind) ? 0 : load_kind_unknown(setting, error);
	if (row)
		return setting_check(setting, &row->rule, error);
	if (setting->section == SECTION_PHASE)
		return check_phase(settings, setting, error);
	if (setting->section == SECTION_LOAD && !load_kind_find(kind))
		return 0; /* that the kind is wrong is said where it stands */
	return setting_unknown(setting, kind, error);
}

/* Keys without which a section is none. */
static int check_needed(const struct settings *settings, enum section section,
			struct lab_error *error)
{
	for (size_t i = 0; settings_name(settings, section, i); i++) {
		const char *name = settings_name(settings, section, i);
		for (size_t k = 0; k < KEY_ROW_COUNT; k++) {
			const struct key_row *row = &KEY_ROWS[k];

			if (row->section != section || row->value ||
			    settings_find(settings, section, name, row->key))
				continue;
			return scenario_fail(error, any_of(settings, section, name)->place,
					     "[%s %s] has no %s; expected '%s = ...'",
					     SECTION_ROWS[section].word, SHOWN(name), row->key,
					     row->key);
		}
	}
	return 0;
}

int settings_check(const struct settings *settings, struct lab_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < settings->count; i++)
		r = check_setting(settings, &settings->row[i], error);
	for (enum section i = 0; r == 0 && i < SECTIONS; i++)
		if (SECTION_ROWS[i].named)
			r = check_needed(settings, i, error);
	return r;
}
