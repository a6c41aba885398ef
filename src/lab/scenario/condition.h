#pragma once
/*
 * The conditions that a phase waits for: "available < 75M", "killed worker".
 */
#include "lab/scenario/scenario.h"

enum condition_argument {
	ARGUMENT_NONE,
	ARGUMENT_LOAD,
	ARGUMENT_GROUP,
	ARGUMENT_NODE
};
enum condition_unit {
	UNIT_NONE,
	UNIT_SIZE,
	UNIT_COUNT
};

struct condition_row {
	const char *word;
	enum condition_argument argument;
	enum condition_unit unit;
	const char *example;
	const char *help;
};
extern const struct condition_row CONDITION_ROWS[CONDITIONS];

/* The value of `until`; its scenario has its groups and loads already. */
must_check int condition_parse(const struct scenario *scenario, const struct setting *until,
			       struct scenario_condition *out, struct lab_error *error);
