#pragma once
/*
 * A verdict as prose and as JSON.
 */
#include "analysis/verdict.h"

struct paper {
	FILE *file;   /* borrowed */
	size_t width; /* columns to wrap at; 0 does not wrap */
	bool color;
};

void report_print(const struct paper *paper, const struct verdict *verdict);

/* The schema is in refault-json(7). */
#define REPORT_SCHEMA "refault.verdict/1"
void report_json(FILE *file, bool pretty, const struct verdict *verdict);
