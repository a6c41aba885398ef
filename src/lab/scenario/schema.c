#include "lab/scenario/schema.h"

#include <errno.h>

/* Types of src/guest/loads.def as rules. */
#define RULE_TEXT                             \
	{                                     \
		VALUE_TEXT, 0, UINT64_MAX, "" \
	}
#define RULE_SIZE                             \
	{                                     \
		VALUE_SIZE, 0, UINT64_MAX, "" \
	}
#define RULE_RATE                             \
	{                                     \
		VALUE_RATE, 0, UINT64_MAX, "" \
	}
#define RULE_TIME                             \
	{                                     \
		VALUE_TIME, 0, UINT64_MAX, "" \
	}
#define RULE_COUNT                             \
	{                                      \
		VALUE_COUNT, 0, UINT64_MAX, "" \
	}
#define RULE_PERCENT                      \
	{                                 \
		VALUE_PERCENT, 0, 100, "" \
	}
#define RULE_YESNO                         \
	{                                  \
		VALUE_WORD, 0, 0, "no yes" \
	}
#define RULE_ACCESS                                        \
	{                                                  \
		VALUE_WORD, 0, 0, "random sequential read" \
	}
#define RULE_ORDER                                    \
	{                                             \
		VALUE_WORD, 0, 0, "random sequential" \
	}

/* clang-format off */
const struct key_row KEY_ROWS[] = {
#define KEY(section, key, type, value, least, most, words, help) \
	{ SECTION_##section, "", #key, { VALUE_##type, least, most, words }, value, help },
#include "lab/scenario/scenario.def"
#define ARG(load, key, type, value, help) \
	{ SECTION_LOAD, #load, #key, RULE_##type, value, help },
#include "guest/loads.def"
};
const size_t KEY_ROW_COUNT = ARRAY_LEN(KEY_ROWS);

const struct load_kind LOAD_KINDS[] = {
#define LOAD(name, help) { #name, help },
#include "guest/loads.def"
};
const size_t LOAD_KIND_COUNT = ARRAY_LEN(LOAD_KINDS);

const struct knob KNOBS[] = {
#define KSWAPD NULL
#define KNOB(name, path, type, least, most, words, feature, help) \
	{ #name, path, { VALUE_##type, least, most, words }, feature, help },
#include "lab/scenario/knobs.def"
};
const size_t KNOB_COUNT = ARRAY_LEN(KNOBS);
/* clang-format on */

const struct key_row *key_find(enum section section, const char *kind, const char *key)
{
	for (size_t i = 0; i < KEY_ROW_COUNT; i++) {
		const struct key_row *row = &KEY_ROWS[i];

		if (row->section == section && strcmp(row->key, key) == 0 &&
		    (*row->kind == '\0' || strcmp(row->kind, kind) == 0))
			return row;
	}
	return NULL;
}

const struct load_kind *load_kind_find(const char *name)
{
	for (size_t i = 0; i < LOAD_KIND_COUNT; i++)
		if (strcmp(LOAD_KINDS[i].name, name) == 0)
			return &LOAD_KINDS[i];
	return NULL;
}

const struct knob *knob_find(const char *name)
{
	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (strcmp(KNOBS[i].name, name) == 0)
			return &KNOBS[i];
	return NULL;
}

const char *key_value(const struct settings *settings, const struct key_row *row,
		      const char *name)
{
	const struct setting *setting = settings_find(settings, row->section, name, row->key);

	if (setting)
		return setting->value;
	return row->value && *row->value != '\0' ? row->value : NULL;
}

int setting_check(const struct setting *setting, const struct value_rule *rule,
		  struct lab_error *error)
{
	char expected[300];
	struct text text = text_on(expected, sizeof(expected));
	uint64_t number;

	if (value_number(rule, span_cstr(setting->value), &number) == 0)
		return 0;
	value_expected(rule, &text);
	return scenario_fail(error, setting->place, "%s: '%s': expected %s", KEY_OF(setting),
			     SHOWN(setting->value), expected);
}

int setting_unknown(const struct setting *setting, const char *kind, struct lab_error *error)
{
	char keys[400];
	struct text list = text_on(keys, sizeof(keys));

	for (size_t i = 0; i < KEY_ROW_COUNT; i++) {
		const struct key_row *row = &KEY_ROWS[i];

		if (row->section == setting->section &&
		    (*row->kind == '\0' || strcmp(row->kind, kind) == 0))
			text_add(&list, " %s", row->key);
	}
	if (setting->section == SECTION_PHASE)
		text_add(&list, " set.GROUP.FILE knob.NAME");
	return scenario_fail(error, setting->place, "%s: unknown key%s%s; expected one of:%s",
			     KEY_OF(setting), *kind != '\0' ? " of a load of kind " : "", kind,
			     keys);
}

int load_kind_unknown(const struct setting *setting, struct lab_error *error)
{
	char names[300];
	struct text list = text_on(names, sizeof(names));

	for (size_t i = 0; i < LOAD_KIND_COUNT; i++)
		text_add(&list, " %s", LOAD_KINDS[i].name);
	return scenario_fail(error, setting->place, "%s: '%s': expected one of:%s",
			     KEY_OF(setting), SHOWN(setting->value), names);
}

int knob_unknown(const struct setting *setting, const char *name, struct lab_error *error)
{
	char names[400];
	struct text list = text_on(names, sizeof(names));

	for (size_t i = 0; i < KNOB_COUNT; i++)
		text_add(&list, " %s", KNOBS[i].name);
	return scenario_fail(error, setting->place, "%s: '%s' is no knob; expected one of:%s",
			     KEY_OF(setting), SHOWN(name), names);
}
