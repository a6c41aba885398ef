#pragma once
/*
 * What may stand in a scenario: the keys of each section, the kinds of load with their
 * arguments, and the knobs.
 */
#include "lab/scenario/settings.h"
#include "lab/scenario/value.h"

struct key_row {
	enum section section;
	const char *kind; /* of load that has this argument; "" every one, and other sections */
	const char *key;
	struct value_rule rule;
	const char *value; /* what holds without the key; "" nothing, NULL it must be given */
	const char *help;
};
extern const struct key_row KEY_ROWS[];
extern const size_t KEY_ROW_COUNT;

struct load_kind {
	const char *name;
	const char *help;
};
extern const struct load_kind LOAD_KINDS[];
extern const size_t LOAD_KIND_COUNT;

struct knob {
	const char *name;
	const char *path; /* in the guest; NULL: the nice value of kswapd */
	struct value_rule rule;
	const char *feature; /* what the guest must have; "" nothing */
	const char *help;
};
extern const struct knob KNOBS[];
extern const size_t KNOB_COUNT;

/* NULL when there is none. kind is that of the load, else "". */
const struct key_row *key_find(enum section section, const char *kind, const char *key);
const struct load_kind *load_kind_find(const char *name);
const struct knob *knob_find(const char *name);

/* The value of a row that was checked, or its default: NULL when neither is there. */
const char *key_value(const struct settings *settings, const struct key_row *row,
		      const char *name);

/* 0, or -EINVAL with what was expected instead. */
must_check int setting_check(const struct setting *setting, const struct value_rule *rule,
			     struct lab_error *error);

/* The key of this setting is unknown: says which there are. */
int setting_unknown(const struct setting *setting, const char *kind, struct lab_error *error);
int load_kind_unknown(const struct setting *setting, struct lab_error *error);
int knob_unknown(const struct setting *setting, const char *name, struct lab_error *error);
