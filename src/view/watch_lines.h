#pragma once
/*
 * The line form of refault watch: one verdict a line, in columns.
 */
#include "analysis/verdict.h"

struct watch_lines {
	FILE *file;   /* borrowed */
	size_t width; /* columns of the terminal; 0 is none: nothing is cut and no titles */
	bool color;
	enum verdict_class previous;
	size_t printed;
};

struct watch_lines watch_lines_on(FILE *file, size_t width, bool color);
void watch_lines_print(struct watch_lines *lines, const struct verdict *verdict);
