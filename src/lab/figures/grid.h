#pragma once
/*
 * A table of short texts, aligned; columns that do not fit a line go into further blocks.
 */
#include "base/text.h"

#define GRID_WIDTH 100
#define GRID_CELL 56

struct grid {
	char (*cell)[GRID_CELL]; /* owned; row by row, titles in row 0 and column 0 */
	size_t rows;
	size_t columns;
	bool turned; /* rows and columns change places when it is printed */
};

/* 0 or -ENOMEM. */
must_check int grid_init(struct grid *grid, size_t rows, size_t columns);
void grid_done(struct grid *grid);

/* An empty text on a cell, to be written to. */
struct text grid_cell(struct grid *grid, size_t row, size_t column);

void grid_print(const struct grid *grid, FILE *file);
