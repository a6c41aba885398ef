#pragma once
/*
 * Bars made of characters: eighths of blocks, or where the terminal has no UTF-8, dots. An
 * unknown value is "-"; a zero stands as the lowest bar there is.
 */
#include "base/text.h"

struct plot {
	const double *values; /* borrowed; one a column, NAN unknown */
	size_t count;
	double top; /* the value of a full bar; larger ones are cut off */
	size_t rows;
	bool ascii;
};

/* One row of characters; 0 is the uppermost. */
void plot_row(const struct plot *plot, size_t row, struct text *out);

/* The value of a full bar: least, doubled until none of the values is larger. */
double plot_top(const double *values, size_t count, double least);
