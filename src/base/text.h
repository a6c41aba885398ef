#pragma once
/*
 * Text for people, written into a fixed buffer: it never overflows, and says when it was cut.
 * Hostile text (names of processes and cgroups) goes through text_name(), which shows what a
 * terminal would act on.
 */
#include "base/span.h"

struct text {
	char *at; /* borrowed; always ended with NUL */
	size_t size;
	size_t used;
	bool cut;
};

struct text text_on(char *buffer, size_t size);
void text_add(struct text *text, const char *format, ...) printf_like(2, 3);
void text_put(struct text *text, const char *bytes, size_t length);

/*
 * A foreign name: control characters, DEL, C1 controls and bytes that are not UTF-8 become
 * \xNN, a backslash becomes two.
 */
void text_name(struct text *text, struct span name);

/* The length of the UTF-8 sequence at the front: 1 to 4, or 0 when it is none. */
size_t utf8_length(struct span text);

/* Columns on a terminal: code points, which is right for all but wide scripts. */
size_t text_width(const char *text);
