#pragma once
/*
 * The ini files of a run directory: written by the lab, and read as foreign text, since such a
 * directory can come from anywhere. Lines that are neither a section nor "key=value" are
 * skipped. A value may go on in lines that begin with a blank and have no "="; it keeps the
 * ends of lines.
 */
#include "base/span.h"

/* Cuts the next section off: what stands in the brackets, and the lines below it. */
must_check bool ini_section(struct span *text, struct span *name, struct span *lines);

/* Cuts the next pair off the lines of a section; quotes around a value are dropped. */
must_check bool ini_pair(struct span *lines, struct span *key, struct span *value);

/* The value of a key; the last one when it comes twice. False, and nothing touched, if none. */
bool ini_find(struct span text, const char *section, const char *key, struct span *out);

/* The same as text that is cut to fit; "" when there is none. */
void ini_copy(struct span text, const char *section, const char *key, struct buffer out);
