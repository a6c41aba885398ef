#pragma once
/*
 * A scenario file with all its arms: what `like` inherits, each arm with each value of the
 * matrix, what --quick and --set change, resolved and checked.
 */
#include "lab/scenario/scenario.h"

/* "left OP right": what must hold between the figures of two arms, or of one and a number. */
struct scenario_shape {
	const char *name;
	const char *text;		     /* as it is written */
	const struct scenario *left, *right; /* right is NULL: a number */
	const char *left_figure, *right_figure;
	char comparison; /* '<', '>' or '~', which is within a factor of three */
	double factor;	 /* of the right figure; or the number */
};

struct scenario_set {
	struct arena arena; /* owned: everything in here */
	const char *name;
	struct scenario *arm; /* in the order of the file; with --quick only its arms */
	size_t arms;
	struct scenario_shape *shape;
	size_t shapes; /* those whose arms are there */
};

struct scenario_choice {
	bool quick;
	const char *const *set; /* "FULL.KEY=VALUE"; borrowed for the call */
	size_t sets;
};

/*
 * Opens by name, or a file when the name has a slash or ends in ".ini". 0, -EINVAL with the
 * error filled in, or -errno. A set that was opened ends with scenario_set_done().
 */
must_check int scenario_set_open(const char *name, const struct scenario_choice *choice,
				 struct scenario_set *out, struct lab_error *error);

/* The same for text that is there already; file is its name for messages. */
must_check int scenario_set_parse(struct span text, const char *file,
				  const struct scenario_choice *choice,
				  struct scenario_set *out, struct lab_error *error);
void scenario_set_done(struct scenario_set *set);

/* NULL when there is none of that name. */
const struct scenario *scenario_set_arm(const struct scenario_set *set, struct span name);

/* The one that says `base = yes`, else the first. */
const struct scenario *scenario_set_base(const struct scenario_set *set);
