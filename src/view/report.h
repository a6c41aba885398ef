#pragma once
/*
 * A verdict as prose and as JSON.
 */
#include "analysis/verdict.h"
#include "view/paper.h"

void report_print(const struct paper *paper, const struct verdict *verdict);

/* The schema is in refault-json(7). */
#define REPORT_SCHEMA "refault.verdict/1"
void report_json(FILE *file, bool pretty, const struct verdict *verdict);
