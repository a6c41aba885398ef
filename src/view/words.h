#pragma once
/*
 * Words for parts of a verdict, shared by the report, the line form and the full screen.
 */
#include "analysis/verdict.h"
#include "base/units.h"

/* "/" for the top; escaped. */
void words_cgroup(struct text *text, const struct snapshot *now, int32_t index);

/* A signal's value in its unit, or "unknown (denied)". */
void words_signal(struct text *text, const struct signals *signals, enum signal signal);

/* "loses 63-70 % of its time" */
void words_loss(struct text *text, const struct loss *loss);

/* ", re-reads 30.0 MiB/s"; false, and nothing is said, where that is not worth a word. */
bool words_reread(struct text *text, const struct signals *signals);

/* "the machine", or "/a/b (memory.high 500 MiB)" */
void words_domain(struct text *text, const struct evidence *evidence,
		  const struct domain *domain);

/* "kernel OOM kill in 15 to 40 s at this rate" */
void words_forecast(struct text *text, const struct forecast *forecast);

/* "db3 · Linux 6.12 · 968 MiB RAM · no swap · cgroup v2 · MGLRU on · 5.0 s sampled" */
void words_machine(struct text *text, const struct evidence *evidence);
