#include "view/plot.h"

#include <math.h>

static const char *const BLOCKS[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const DOTS[] = { " ", ".", ":", "|" };

/* How many steps high the bar is; at least one, so that a known value is seen. */
static size_t height_of(const struct plot *plot, double value, size_t steps)
{
	double part = plot->top > 0 ? value / plot->top : 0;
	double height = round(fmin(fmax(part, 0), 1) * (double)(steps * plot->rows));

	return MAX((size_t)height, (size_t)1);
}

static const char *glyph_of(const struct plot *plot, double value, size_t row)
{
	const char *const *glyphs = plot->ascii ? DOTS : BLOCKS;
	size_t steps = (plot->ascii ? ARRAY_LEN(DOTS) : ARRAY_LEN(BLOCKS)) - 1;
	size_t below = (plot->rows - 1 - row) * steps; /* in the rows under this one */
	size_t height;

	if (isnan(value))
		return below == 0 ? "-" : " ";
	height = height_of(plot, value, steps);
	if (height <= below)
		return glyphs[0];
	return glyphs[MIN(height - below, steps)];
}

void plot_row(const struct plot *plot, size_t row, struct text *out)
{
	for (size_t i = 0; i < plot->count; i++)
		text_add(out, "%s", glyph_of(plot, plot->values[i], row));
}

double plot_top(const double *values, size_t count, double least)
{
	double most = least;
	double top = least;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, values[i]);
	while (top < most)
		top *= 2;
	return top;
}
