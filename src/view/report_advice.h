#pragma once
/*
 * Rows of a report about what comes next, what to do, and how sure it is.
 */
#include "analysis/verdict.h"
#include "view/paper.h"

void put_forecast(const struct paper *paper, const struct verdict *verdict);
void put_now(const struct paper *paper, const struct verdict *verdict);
void put_good(const struct paper *paper, const struct verdict *verdict);
void put_confidence(const struct paper *paper, const struct verdict *verdict);
