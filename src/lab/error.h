#pragma once
/*
 * Why something of the lab could not be done, as a sentence that names the file, the line and
 * what was expected there.
 */
#include "base/macro.h"

struct lab_error {
	char text[512];
};

/* Writes the sentence and returns r, so that a function can end with it. */
int lab_refuse(struct lab_error *error, int r, const char *format, ...) printf_like(3, 4);
