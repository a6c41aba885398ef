#pragma once
/*
 * What must hold in a scenario beyond the spelling of single values.
 */
#include "lab/scenario/scenario.h"

/* Each setting is a known key with a value of its type, and no needed key is missing. */
must_check int settings_check(const struct settings *settings, struct lab_error *error);

/* What one value says about another: names that exist, files that are declared, time enough. */
must_check int scenario_check(const struct scenario *scenario, struct lab_error *error);
