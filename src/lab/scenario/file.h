#pragma once
/*
 * Reads a scenario file and all that it is `like`.
 */
#include "lab/scenario/settings.h"

/* How many scenarios may stand behind one. */
#define LIKE_MOST 8

/* A file as text, in the arena. 0 or -errno; -EFBIG when it is too large for a scenario. */
must_check int scenario_file_read(const char *path, struct arena *arena, struct span *out);

/*
 * Adds the settings of the text, after those of what it is like: a scenario in the same folder
 * (NULL none) or a shipped one. 0, -EINVAL with the error filled in, or -errno.
 */
must_check int scenario_file_parse(struct span text, struct lab_place file, const char *folder,
				   struct settings *out, struct lab_error *error);
