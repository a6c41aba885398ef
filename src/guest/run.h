#pragma once
/*
 * What carries out each line of a plan: one function for each row of plan.def.
 */
#include "guest/guest.h"
#include "guest/plan.h"

#define VERB(id, grammar, run) int run(struct guest *guest, const struct step *step);
#include "guest/plan.def"
