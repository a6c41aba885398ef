#pragma once
/*
 * A table as text with tabs, written line by line, and the guest's lines as its rows.
 */
#include "base/text.h"

struct sheet {
	int fd; /* owned; -1 closed */
	struct text text;
	char space[32768];
	int error;
};

/* A new file, with its first line. 0 or -errno. */
must_check int sheet_open(struct sheet *sheet, const char *path, const char *header);
void sheet_add(struct sheet *sheet, const char *format, ...) printf_like(2, 3);

/* One field of foreign text, without tabs and newlines. */
void sheet_name(struct sheet *sheet, struct span name);

/* Ends a line; a line that did not fit is left out. */
void sheet_end_line(struct sheet *sheet);

/* 0, or the first error. */
must_check int sheet_close(struct sheet *sheet);

/*
 * What a row of the guest must be: letters are the kinds of its words: 'w' a word, 'n' a
 * number, 'r' the rest of the line, which may be empty. false: the row is left out.
 */
must_check bool sheet_row(struct sheet *sheet, const char *kinds, struct span line);
