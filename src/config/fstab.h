#pragma once
/*
 * File systems and swaps as configured (etc/fstab, fstab(5)) and as mounted
 * (proc/self/mountinfo, Documentation/filesystems/proc.rst).
 */
#include "config/config.h"

struct fs_row {
	const char *file;
	unsigned int line;
	const char *source; /* "UUID=…", "/dev/vda2", "/swapfile"; octal escapes undone */
	const char *target; /* without leading slash: "" is the root, "none" of a swap */
	const char *type;
	const char *options;
	unsigned int major; /* of mountinfo; 0 in fstab */
	unsigned int minor;
};

/* Starts zeroed. */
struct fs_table {
	struct fs_row *row;
	size_t rows;
	struct config notes; /* without rows */
};

must_check int fstab_read(const struct reader *reader, struct fs_table *out);
must_check int mountinfo_read(const struct reader *reader, struct fs_table *out);
must_check int fstab_parse(const struct reader *reader, struct span text, struct fs_table *out);
must_check int mountinfo_rows(const struct reader *reader, struct span text,
			      struct fs_table *out);

/* The mount that a path lies on; NULL where nothing is known. Path without leading slash. */
const struct fs_row *fs_of(const struct fs_table *mounts, const char *path);

/* "pri" of "defaults,pri=10": its value, "" for one without; NULL where it is not there. */
const char *fs_option(const struct reader *reader, const char *options, const char *name);
