#pragma once
/*
 * The host's files that the lab makes, reads and removes: nobody else in the lab opens one.
 */
#include <signal.h>

#include "base/span.h"

/* Set by a signal handler: long work ends at its next step with -ECANCELED. May be NULL. */
typedef const volatile sig_atomic_t *stop_flag;

static inline bool stopped(stop_flag stop)
{
	return stop && *stop != 0;
}

/* A path of parts: 0, or -ENAMETOOLONG. */
must_check int path_of(char *buffer, size_t size, const char *format, ...) printf_like(3, 4);

must_check int file_open(const char *path, int flags);
bool file_exists(const char *path);

/*
 * The whole file, at most `most` bytes, in *text (owned by the caller: free()), with a NUL
 * behind it. 0 or -errno.
 */
must_check int file_read(const char *path, size_t most, char **text, struct span *out);

/* The same of what is compressed with xz, zstd or gzip, or not at all. */
must_check int file_unpack(const char *path, size_t most, char **text, struct span *out);

/* A new file: -EEXIST when it is there. */
must_check int file_write(const char *path, struct span bytes, unsigned int mode);
must_check int file_copy(const char *from, const char *to, unsigned int mode);

/* A new file without blocks. */
must_check int file_sparse(const char *path, uint64_t bytes);

/* With the folders above it; it may exist. The second: only those above. */
must_check int folder_make(const char *path);
must_check int folder_make_above(const char *path);

/* A file or a whole tree; what is not there is no error. */
int tree_remove(const char *path);

struct tree_entry {
	const char *path;
	const char *name;
	bool folder;
	uint64_t bytes;
	int64_t changed_ns;
};

/*
 * Visits everything below a folder, folders first, links not followed; depth 1 is only what
 * lies in the folder itself, 0 everything. Ends early, and returns it, when the visitor does
 * not return 0. -ENOENT without the folder.
 */
must_check int tree_walk(const char *top, int depth,
			 int (*visit)(void *data, const struct tree_entry *entry), void *data);

/* Waits for the lock file; the descriptor holds it. Or -errno, -ECANCELED when stopped. Who
 * waits comes before who had it. */
must_check int lock_take(const char *path, stop_flag stop);
