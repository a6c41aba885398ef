#pragma once
/*
 * Cuts the text of a scenario file into its keys. libeconf does the cutting; before it, the
 *text is held to the part of the format on which all versions of libeconf agree:
 *
 *	# a comment has a line of its own
 *	[SECTION] or [SECTION NAME]
 *	KEY = VALUE
 *		which may go on in lines that begin with a blank and have no '='
 *
 * A section is written once and is not empty, and a key is written once in it.
 */
#include "base/mem.h"
#include "lab/scenario/error.h"

struct ini_row {
	const char *section; /* "load worker" */
	const char *key;
	const char *value;
	unsigned int line;
};

struct ini {
	struct ini_row *row; /* in the arena, as all texts */
	size_t rows;
};

/* Larger files, longer lines, longer values and more keys are refused. */
#define INI_BYTES ((size_t)256 * 1024)
#define INI_LINE 2000
#define INI_VALUE 1800
#define INI_ROWS 2000

/* file is the name for messages. 0, -EINVAL with the error filled in, or -errno. */
must_check int ini_parse(struct span text, const char *file, struct arena *arena,
			 struct ini *out, struct lab_error *error);
