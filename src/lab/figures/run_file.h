#pragma once
/*
 * Files of a run directory, whole and bounded.
 */
#include "base/mem.h"
#include "base/span.h"

/*
 * DIRECTORY/NAME into the arena. 0 or -errno: -ENOENT, -EINVAL when it is not a plain file,
 * -EFBIG beyond most bytes, -ENOMEM when the arena is full.
 */
struct run_file {
	const char *directory;
	const char *name;
	size_t most;
};
must_check int run_file_read(const struct run_file *query, struct arena *arena,
			     struct span *out);
