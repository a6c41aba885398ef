#pragma once
/*
 * Cgroups of the guest. A path such as "system.slice/api.service" has no leading slash.
 */
#include "base/span.h"

#define GROUP_PATH 400

/* With its ancestors; whatever controllers there are are switched on for all. 0 or -errno. */
must_check int group_make(const char *group);
must_check int group_set(const char *group, const char *file, struct span value);

/* One number of "memory.current" or the like. 0 when it cannot be read. */
uint64_t group_number(const char *group, const char *file);

/* What the group cannot do without: anonymous memory and mapped files, in bytes. */
uint64_t group_needs(const char *group);
