#pragma once
/*
 * The hand of --fix and --revert: writes files of our own below a root, atomically and past no
 * link, and keeps what it did. Each call does one thing or nothing.
 */
#include "fix/state.h"

struct hand {
	int root;	     /* descriptor of the folder; borrowed */
	bool is_live;	     /* values, units and swap are of this machine */
	struct arena *arena; /* borrowed */
	struct deeds deeds;  /* what was done, in earlier runs too */
	size_t bad;	     /* lines of the state that can't be read */
};

/* Reads the state. 0 or -errno; no state is none. */
must_check int hand_open(int root, bool is_live, struct arena *arena, struct hand *out);

/* Writes the state as it stands, before what it tells of is done; an empty one is removed. */
must_check int hand_keep(struct hand *hand);

/* Notes a deed that is about to be done. 0, -ENOSPC, or -EINVAL for text that does not fit. */
must_check int hand_note(struct hand *hand, const struct deed *deed);

/* Makes the folders that lead to a file, noting those that it made. 0 or -errno. */
must_check int hand_folders(struct hand *hand, const char *path);

/*
 * A file with a new text: a temporary one beside it, which takes its place in one step. 0 or
 * -errno; -ELOOP when a link is on the way.
 */
must_check int hand_write(struct hand *hand, const char *path, struct span text);

/* A link to target. 0, also when it is there already, or -errno. */
must_check int hand_link(struct hand *hand, const char *path, const char *target);

/* A value of the running kernel, which is read back. 0, -EIO when it is another, or -errno. */
must_check int hand_set(struct hand *hand, const char *path, const char *value);

/* What a file of the root has now, trimmed, in the arena. 0 or -errno. */
must_check int hand_read(struct hand *hand, const char *path, const char **out);

/* Removes what a deed has made, when it is still ours; 1 when it is not and stays. */
must_check int hand_undo(struct hand *hand, const struct deed *deed);

/* A program and its words, no shell, its output on ours: its exit status, or -errno. */
must_check int hand_run(const char *const *words);

/*
 * A swap file of that size, ready for swapon. 0, or -errno: -EOPNOTSUPP for a file system that
 * can't have one, -ENOSPC when it would fill it up.
 */
must_check int hand_swapfile(struct hand *hand, const char *path, uint64_t bytes);
