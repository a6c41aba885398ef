#pragma once
/*
 * What must hold between the arms of a scenario, whatever the machine: "slow.phase > fast.phase
 * * 2". The absolute numbers of an article are another machine's.
 */
#include "lab/figures/figures.h"

enum shape_op {
	SHAPE_LESS,
	SHAPE_MORE,
	SHAPE_NEAR, /* within a factor of SHAPE_FACTOR */
};

#define SHAPE_FACTOR 3.0

struct shape_side {
	char arm[96]; /* "" for a number */
	enum figure_id figure;
	double number; /* the number, or what the figure is multiplied by */
};

struct shape {
	char name[64];
	char text[224];
	struct shape_side left;
	struct shape_side right;
	enum shape_op op;
};

/*
 * ARM.FIGURE < | > | ~ ARM.FIGURE [* NUMBER] | NUMBER. A number is in the unit of the figure on
 * the left, as figure_parse() has it. 0 or -EBADMSG with a sentence, which does not name the
 * file.
 */
must_check int shape_parse(struct span name, struct span text, struct shape *out,
			   struct lab_error *error);

enum verdict_of_shape {
	SHAPE_HOLDS,
	SHAPE_FAILS,
	SHAPE_UNKNOWN,
};
const char *shape_verdict_name(enum verdict_of_shape verdict);

struct shape_result {
	enum verdict_of_shape verdict;
	char why[160]; /* the two numbers, or why it cannot be told */
};

/* NULL for a side whose arm has no run; the right one is not looked at when it is a number. */
struct shape_result shape_judge(const struct shape *shape, const struct figure *left,
				const struct figure *right);
