#pragma once
/*
 * The tab-separated files of a run directory, row by row: marks.tsv, loads.tsv, slots/NAME.tsv.
 */
#include "lab/figures/series.h"

/* Each takes the whole text; name is what a sentence about it calls it. 0 or -errno. */
must_check int marks_parse(struct span text, struct series *out, struct lab_error *error);
must_check int loads_parse(struct span text, struct series *out, struct lab_error *error);
must_check int slots_parse(struct span text, struct series *series, struct load *out,
			   struct lab_error *error);
