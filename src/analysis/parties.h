#pragma once
/*
 * Who suffers and who causes it, inside the domain of a verdict's headline.
 */
#include "analysis/verdict.h"

/* Fills sufferers and culprits; class, severity and domain are there already. */
void parties_of(struct verdict *out);
