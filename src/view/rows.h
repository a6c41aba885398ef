#pragma once
/*
 * The two tables of the full screen: cgroups that have processes or are at their limit, and
 * processes.
 */
#include "analysis/verdict.h"
#include "view/table.h"

extern const struct layout CGROUP_LAYOUT;
extern const struct layout TASK_LAYOUT;

/* Everything, names too, is copied into the arena; what has no room there is left out. */
void rows_of_cgroups(const struct verdict *verdict, struct arena *arena, struct table *out);
void rows_of_tasks(const struct verdict *verdict, struct arena *arena, struct table *out);

/* An escaped name in the arena; "?" when there is no room. */
const char *row_name(struct arena *arena, const char *name);
