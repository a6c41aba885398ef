#include "lab/figures/grid.h"

#include <errno.h>

#define GAP 2

int grid_init(struct grid *grid, size_t rows, size_t columns)
{
	*grid = (struct grid){ .rows = rows, .columns = columns };
	grid->cell = calloc(rows * columns, sizeof(*grid->cell));
	return grid->cell ? 0 : -ENOMEM;
}

void grid_done(struct grid *grid)
{
	free(grid->cell);
	*grid = (struct grid){ 0 };
}

struct text grid_cell(struct grid *grid, size_t row, size_t column)
{
	return text_on(grid->cell[row * grid->columns + column], GRID_CELL);
}

static size_t lines_of(const struct grid *grid)
{
	return grid->turned ? grid->columns : grid->rows;
}

static size_t across_of(const struct grid *grid)
{
	return grid->turned ? grid->rows : grid->columns;
}

static const char *at(const struct grid *grid, size_t line, size_t across)
{
	size_t row = grid->turned ? across : line;
	size_t column = grid->turned ? line : across;

	return grid->cell[row * grid->columns + column];
}

static size_t width_of(const struct grid *grid, size_t across)
{
	size_t widest = 0;

	for (size_t line = 0; line < lines_of(grid); line++)
		widest = MAX(widest, text_width(at(grid, line, across)));
	return widest;
}

/* The column behind the last one that still fits beside the titles: at least one. */
static size_t fit(const struct grid *grid, size_t first)
{
	size_t used = width_of(grid, 0);
	size_t end = first;

	while (end < across_of(grid)) {
		used += GAP + width_of(grid, end);
		if (used > GRID_WIDTH && end > first)
			break;
		end++;
	}
	return end;
}

static void print_cell(const struct grid *grid, size_t line, size_t across, FILE *file)
{
	const char *text = at(grid, line, across);
	size_t blanks = width_of(grid, across) - text_width(text);

	/* Titles to the left, numbers to the right. */
	if (across == 0)
		fprintf(file, "%s%*s", text, (int)blanks, "");
	else
		fprintf(file, "%*s%s", (int)(GAP + blanks), "", text);
}

void grid_print(const struct grid *grid, FILE *file)
{
	for (size_t first = 1; first < across_of(grid); first = fit(grid, first)) {
		if (first > 1)
			fputc('\n', file);
		for (size_t line = 0; line < lines_of(grid); line++) {
			print_cell(grid, line, 0, file);
			for (size_t i = first; i < fit(grid, first); i++)
				print_cell(grid, line, i, file);
			fputc('\n', file);
		}
	}
}
