#pragma once
/*
 * Whether what happened in a run is what its scenario's truth asks of a guard: who died, when,
 * and what the service felt of it.
 */
#include "lab/figures/figures.h"

struct guarded {
	bool is_declared; /* the truth says who has to be killed, or that nobody may be */
	bool has_guard;	  /* one was started; a run without is what others are compared with */
	bool is_right;
	char wrong[512];  /* why not, in words */
	char killed[256]; /* "worker (guard)", "api (kernel), ssh (guard)"; "" nobody */
};

void guarded_judge(const struct series *series, const struct figure figure[FIGURES],
		   struct guarded *out);
