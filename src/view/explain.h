#pragma once
/*
 * What a name means: verdicts, signals, fields and capabilities, from the tables they stand in.
 */
#include "kernel/field.h"

/* "vmstat.pgscan_direct": the name of a field; false when it is cut off. */
bool explain_field_name(enum scope scope, size_t field, char *buffer, size_t size);

/* Everything of that name; false when there is nothing. */
bool explain_name(FILE *file, const char *name);

/* NAME, tab, what it is; one line each. */
void explain_list(FILE *file);

/* The manual page of a topic in scdoc's form; false when there is none. */
bool explain_manual(FILE *file, const char *topic);
