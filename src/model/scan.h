#pragma once
/*
 * Finds the cgroups: a walk over the hierarchies that are mounted. For the sampler only.
 */
#include "model/sampler.h"

/* True when a folder of a tracked cgroup appeared or went since the last scan. */
bool scan_is_due(struct sampler *sampler, const struct root *root);

/*
 * Walks again. Cgroups that were known keep their open files; the files of those that went are
 * closed.
 */
void scan(struct sampler *sampler, const struct root *root);

/* The index of the cgroup with that path; -1 when it is not tracked. */
int32_t scan_find(const struct tracking *tracking, enum hierarchy hierarchy, struct span path);
