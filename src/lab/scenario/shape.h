#pragma once
/*
 * [shape]: what must hold between the figures of arms.
 */
#include "lab/scenario/expand.h"

must_check int shapes_parse(struct scenario_set *set, const struct expansion *expansion,
			    struct lab_error *error);
