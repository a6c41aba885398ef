#pragma once
/*
 * Makes text fit into the columns of a terminal: UTF-8 with wide and combining characters, as
 * the locale has them. What is cut away is replaced by "…".
 */
#include "base/text.h"

/* A character: its bytes, its code point, and how many columns it takes (0 for an accent). */
struct glyph {
	struct span bytes;
	wchar_t point;
	size_t width;
};

/* Cuts the next character off the front; bytes that are none become U+FFFD. */
must_check bool glyph_next(struct span *text, struct glyph *out);

size_t fit_width(struct span text);

/* At most width columns: the end is what is cut away. */
void fit_end(struct text *out, struct span text, size_t width);

/* At most width columns of a path: the middle is cut away, the last part stays if it can. */
void fit_name(struct text *out, struct span name, size_t width);

/* fit_name(), filled up with blanks on the right. */
void fit_padded(struct text *out, const char *text, size_t width);

/* Cuts the next line of at most width columns off the front, at a blank where there is one. */
must_check bool fit_line(struct span *text, size_t width, struct span *line);
