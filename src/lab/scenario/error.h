#pragma once
/*
 * What is wrong with a scenario, in one sentence for the person who wrote it:
 * "FILE:LINE: KEY: what is wrong; what is allowed".
 */
#include "base/text.h"
#include "lab/error.h"

/* Where a word stands. Line 0 is a place without lines, such as the command line. */
struct lab_place {
	const char *file; /* borrowed */
	unsigned int line;
};

/* Fills the sentence in; always -EINVAL, for the caller to return. */
int scenario_fail(struct lab_error *error, struct lab_place place, const char *format, ...)
	printf_like(3, 4);

/* The same for text from elsewhere, cut to what fits in a sentence and made harmless. */
struct lab_shown {
	char text[64];
};
struct lab_shown lab_show(struct span text);
#define SHOWN(string) (lab_show(span_cstr(string)).text)
