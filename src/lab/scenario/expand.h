#pragma once
/*
 * From the settings of a file to those of each arm: arms times the values of the matrix, then
 * --quick, then --set.
 */
#include "lab/scenario/set.h"

/* More than anybody would wait for. */
#define ARMS_MOST 256
#define MATRIX_MOST 4

struct axis {
	const struct setting *setting; /* FULL.KEY = VALUE... */
	size_t values;
};

struct expansion {
	const struct settings *all;
	const char *name; /* of the scenario */
	size_t count;
	size_t arms; /* written as [arm] */
	struct axis axis[MATRIX_MOST];
	size_t axes;
};

must_check int expand(const struct settings *all, const char *name, struct expansion *out,
		      struct lab_error *error);

/* The settings of one arm, a new list in the arena of all. */
must_check int expansion_settings(const struct expansion *expansion, size_t index,
				  const struct scenario_choice *choice, struct settings *out,
				  struct lab_error *error);

/* The name of one arm. */
void expansion_name(const struct expansion *expansion, size_t index, struct text *out);
