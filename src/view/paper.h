#pragma once
/*
 * Paper that prose is written on: a stream with a width and perhaps colour. Text is broken at
 * blanks; rows have a label in a column of their own.
 */
#include "base/text.h"

struct paper {
	FILE *file;   /* borrowed */
	size_t width; /* columns to wrap at; 0 does not wrap */
	bool color;
};

/* A row is built in a buffer of this size and cut there. */
#define LINE_SIZE 4096

/* Writes text from that column on; what follows the first line is indented. Ends the line. */
void paper_wrap(const struct paper *paper, const char *text, size_t column, size_t indent);

void paper_row(const struct paper *paper, const char *label, const struct text *text);
