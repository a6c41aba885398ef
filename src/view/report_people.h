#pragma once
/*
 * Rows of a report about who suffers, who causes it, and who is just busy; and what to do.
 */
#include "analysis/verdict.h"
#include "view/paper.h"

void put_sufferer(const struct paper *paper, const struct verdict *verdict, size_t i);
void put_culprit(const struct paper *paper, const struct verdict *verdict, size_t i);
void put_busy(const struct paper *paper, const struct verdict *verdict, size_t i);
void put_charged(const struct paper *paper, const struct verdict *verdict);

/* The first culprit is one: nobody is accused on no evidence. */
bool is_accused(const struct verdict *verdict);
