#pragma once
/*
 * What the guest is told to do, step by step, and the machine it does it on.
 */
#include "lab/scenario/scenario.h"

/*
 * Fills the machine in, with the plan, which the caller frees. 0, -ENOMEM, or -E2BIG when the
 * plan is too long for the guest.
 */
must_check int scenario_machine(const struct scenario *scenario, uint64_t seed,
				struct machine *out);

/* The plan alone, as text. */
void plan_print(const struct scenario *scenario, uint64_t seed, struct text *out);
