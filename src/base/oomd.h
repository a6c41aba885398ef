#pragma once
/*
 * Who owns a cgroup's folder, and which extended attributes of systemd-oomd are "1" on it
 * (ManagedOOMPreference=). In a captured tree they are the file DIR/_marks, lines "owner=0",
 * and "oomd_avoid=1" or "oomd_omit=1" where they are set.
 */
#include "base/root.h"

struct oomd_marks {
	uint32_t owner;	 /* uid */
	bool oomd_avoid; /* user.oomd_avoid: the last to be killed */
	bool oomd_omit;	 /* user.oomd_omit: never to be killed */
};

/* 0, or -EBADMSG without an owner. */
must_check int oomd_parse(struct span text, struct oomd_marks *out);

/*
 * 0 or -errno; -ENOENT of a tree without _marks. An attribute that can't be read is none: that
 * a folder has no mark, and that we do not see it, come to the same.
 */
must_check int oomd_read(const struct root *root, const char *directory,
			 struct oomd_marks *out);
