#pragma once
/*
 * One number, or two that belong together, as they stand in a column of a table. What is not
 * known is "-", never 0.
 */
#include <math.h>

#include "base/units.h"

struct cell {
	double first; /* NAN unknown; what a column is sorted by */
	double second;
	const char *note; /* a word behind it; NULL none */
};

#define UNKNOWN_CELL "-"

typedef void cell_format(struct text *text, const struct cell *cell);

cell_format cell_range;	     /* "39-87 %": lower and upper bound */
cell_format cell_share;	     /* "97 %" */
cell_format cell_shares;     /* "13/18 %" */
cell_format cell_bytes;	     /* "40.0 MiB" */
cell_format cell_bytes_pair; /* "21.5/55.7 MiB max"; without the second "21.5 MiB" */
cell_format cell_count;	     /* "1,234", "-1,000" */
cell_format cell_number;     /* "12345": a name that is a number */
cell_format cell_letter;     /* "D" */
