#pragma once
/*
 * One cgroup: its memory, pressure, I/O and CPU files. Kept open between sweeps, because a
 * path look-up costs more than the read (see docs/ARCHITECTURE.md).
 */
#include "base/root.h"
#include "kernel/field.h"

enum hierarchy {
	HIERARCHY_V2,
	HIERARCHY_V1_MEMORY,
};

/* Files of one cgroup that are kept open. */
#define CGROUP_SLOTS 21

struct cgroup_files {
	enum hierarchy hierarchy;
	int slot[CGROUP_SLOTS];
	bool local_events; /* the last events read are its own, not those of its children too */
};
void cgroup_files_init(struct cgroup_files *files, enum hierarchy hierarchy);
void cgroup_files_close(struct cgroup_files *files);

/* Forgets which files were missing, so that they are looked for again. */
void cgroup_files_retry(struct cgroup_files *files);

/* io.stat: "MAJ:MIN key=value …" a device; the sums go to the slots, 0 where it is empty. */
void cgroup_io_parse(struct span text, struct numbers out);

/*
 * Reads every file of the cgroup in that directory. 0, or -ENODEV when it is gone; what could
 * not be read has a state.
 */
must_check int cgroup_read(const struct root *root, const char *directory,
			   struct cgroup_files *files, struct buffer buffer,
			   struct numbers out);
