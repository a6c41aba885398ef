#pragma once
/*
 * The numbers of one frame that a time course is made of, as doubles: NAN is unknown.
 */
#include "model/snapshot.h"

/* What a number is, once it is no longer in pages or microseconds. */
enum dimension {
	DIM_COUNT,
	DIM_BYTES,
	DIM_SECONDS,
};

#define POINT(id, ...) id,
enum machine_point {
#include "lab/figures/point.def"
	P_MIN, /* watermarks, summed over zones */
	P_LOW,
	P_HIGH,
	P_SWAP_USED,
	POINTS,
};

#define POINT(id, ...) id,
enum group_point {
#include "lab/figures/group_point.def"
	GROUP_POINTS,
};

struct point_row {
	const char *name;
	const char *help;
	enum kind kind;
	enum dimension dimension;
};
const struct point_row *point_row(enum machine_point point);
const struct point_row *group_point_row(enum group_point point);

void points_of(const struct snapshot *snapshot, double out[POINTS]);
void group_points_of(const struct snapshot *snapshot, const struct cgroup *cgroup,
		     double out[GROUP_POINTS]);
