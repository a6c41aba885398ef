#pragma once
/*
 * Who was killed in a run, and by whom: a load that ended by a signal which the scenario did
 * not send was killed by the kernel where its log says so, and by a guard otherwise.
 */
#include "lab/figures/series.h"

bool load_is_killed(const struct load *load);
bool load_is_oom_killed(const struct series *series, const struct load *load);

/* The first load that the scenario says must be killed; NULL for nobody, and without a truth.
 */
const struct load *kill_wanted(const struct series *series);

/* It is one of these. */
bool kill_is_wanted(const struct series *series, const struct load *load);
