#pragma once
/*
 * tmpfiles.d: values that are written to /sys at boot. tmpfiles.d(5) of systemd 257.
 */
#include "config/config.h"

/*
 * A row for each line: section is its type with its modifiers ("w", "w!"), key the path without
 * leading slash, value its argument. 0 or -ENOMEM.
 */
must_check int tmpfiles_read(const struct reader *reader, struct config *out);
must_check int tmpfiles_parse(const struct reader *reader, const char *file, struct span text,
			      struct config *out);

/* The line of type w or w+ that writes to that path last at boot; NULL for none. */
const struct config_row *tmpfiles_find(const struct config *config, const char *path);
