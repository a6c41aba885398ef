#pragma once
/*
 * Many empty cgroups to measure on: children of one cgroup that is named after this process, so
 * that a later run knows which are left over and may go.
 */
#include "kernel/host.h"

struct forest {
	char path[600];
	size_t count;
};

/* Where cgroups are mounted on this machine; "" is nowhere. */
struct mounts mounts_here(void);

/* mount is without its leading slash. 0 or -errno. */
must_check int forest_open(const char *mount, struct forest *out);
must_check int forest_grow(struct forest *forest, size_t count);

/* Removes one and makes another. */
must_check int forest_replace(struct forest *forest, size_t index);
void forest_close(struct forest *forest);

/* True when the name is the prefix and the pid of a process that has ended. */
bool is_left_over(const char *name, const char *prefix);

/* Removes what processes that are gone have left. */
void forest_clear(void);
