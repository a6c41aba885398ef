#pragma once
/*
 * Words of a command line as a shell or systemd would cut them: quotes and backslashes, no
 * expansion. And shell assignments such as those of etc/default/earlyoom.
 */
#include "config/config.h"

struct words {
	const char **word;
	size_t count;
};

/* 0, -EBADMSG for a quote that is not closed, -ENOMEM. */
must_check int words_cut(const struct reader *reader, struct span text, struct words *out);

/* "NAME=value", quotes taken off, "export " allowed; other lines are skipped. Rows by key. */
must_check int assignments_read(const struct reader *reader, const char *path,
				struct config *out);
must_check int assignments_parse(const struct reader *reader, const char *file,
				 struct span text, struct config *out);
