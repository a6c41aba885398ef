#pragma once
/*
 * Scenarios as text: for a run directory, for people, and for the manual.
 */
#include <stdio.h>

#include "lab/scenario/set.h"
#include "lab/scenario/shipped.h"

/* One arm as a file that reads back to the same arm. */
void scenario_write(const struct scenario *scenario, FILE *file);

/* All of a set: machine, loads, course, truth, published numbers, arms. */
void scenario_show(const struct scenario_set *set, FILE *file);

/* One line for each. */
void scenario_list(const struct shipped *shipped, FILE *file);

/* refault-scenario(5) for scdoc, with every key, load, knob and condition. */
void scenario_manual(FILE *file);
