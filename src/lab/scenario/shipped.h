#pragma once
/*
 * The scenarios of a folder, as a list to choose from.
 */
#include "base/mem.h"
#include "lab/scenario/error.h"

struct shipped_row {
	const char *name;
	const char *id, *title, *tags, *source; /* "" where it has none */
};

struct shipped {
	struct arena arena; /* owned: everything in here */
	struct shipped_row *row;
	size_t rows; /* those without id first, then by id, then by name */
};

/*
 * folder NULL: those that came with the program. 0, -EINVAL with the error filled in when one
 * of them cannot be read, or -errno.
 */
must_check int shipped_open(const char *folder, struct shipped *out, struct lab_error *error);
void shipped_done(struct shipped *shipped);
