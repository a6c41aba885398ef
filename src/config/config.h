#pragma once
/*
 * Configuration that others wrote (sysctl.d, units, fstab, kubelet …): text to rows that know
 * file and line. Every reader gives the same rows, so that whoever asks "what is set, and
 * where" asks in one way. Nothing here is an error of ours: what can't be read becomes a note.
 *
 * All of it is hostile: files are bounded, a line longer than CONFIG_LINE and a line with a NUL
 * are skipped with a note, bytes that are not UTF-8 stay as they are and are escaped where
 * shown.
 */
#include "base/mem.h"
#include "base/root.h"

#define CONFIG_BYTES ((size_t)1 << 20) /* larger files are not read: a note */
#define CONFIG_LINE ((size_t)16384)
#define CONFIG_ROWS ((size_t)20000)
#define CONFIG_NOTES ((size_t)64)
#define CONFIG_DEPTH 10 /* includes and drop-ins within one another */

struct config_row {
	const char *file;  /* without the leading slash: "etc/sysctl.d/10-a.conf" */
	unsigned int line; /* from 1 */
	const char
		*section; /* "Service", the type of a tmpfiles line; "" for formats without */
	const char *key;
	const char *value; /* trimmed; "" where it is empty */
};

/* What could not be read or understood, and why. */
struct config_note {
	const char *file;
	unsigned int line; /* 0: the file as a whole */
	int error;	   /* errno, positive: EACCES, EFBIG, ELOOP, EBADMSG … */
	const char *what;  /* "is longer than 1 MiB" */
};

/* Starts zeroed; rows and texts live in the arena that they were read into. */
struct config {
	struct config_row *row; /* in the order in which they count: the last of a key wins */
	size_t rows;
	size_t room; /* of row[] */
	struct config_note *note;
	size_t notes;
	bool cut; /* more rows or notes than there is room for */
};

/* What every reader gets. */
struct reader {
	const struct root *root;
	struct arena *arena;  /* gets rows and texts */
	struct buffer buffer; /* scratch for one file or one list of names, CONFIG_BYTES + 1 */
};

/* Both copy their texts. 0 or -ENOMEM. */
must_check int config_add(const struct reader *reader, struct config *config,
			  const struct config_row *row);
must_check int config_note(const struct reader *reader, struct config *config,
			   const struct config_note *note);

/*
 * Reads one file into text in the arena (so that it may be kept while others are read). 0 and
 * the text; -ENOENT without a note; -errno of any other fault with one; -ENOMEM.
 */
must_check int config_text(const struct reader *reader, const char *path, struct config *config,
			   struct span *out);

/*
 * The next line without its end; counts up *number. Lines that are too long or have a NUL are
 * skipped with a note in config. False at the end.
 */
struct lines {
	const struct reader *reader;
	struct config *config;
	const char *file;
	struct span rest;
	unsigned int number;
};
must_check bool lines_next(struct lines *lines, struct span *line);

/*
 * The files NAME*SUFFIX of folders that override one another, as sysctl.d(5), tmpfiles.d(5) and
 * systemd-system.conf(5) have it: of the same name the first folder's counts, a link to
 * /dev/null hides it, and they are read in the order of their names. Paths live in the arena. 0
 * or -ENOMEM.
 */
struct config_files {
	const char **path;
	size_t count;
};
must_check int config_files(const struct reader *reader, const char *const *folders,
			    const char *suffix, struct config *config,
			    struct config_files *out);

/* One text of a format. 0 or -ENOMEM. */
typedef int config_parser(const struct reader *reader, const char *file, struct span text,
			  struct config *out);

/* One file, when it is there; the same for all that config_files() gives. 0 or -ENOMEM. */
must_check int config_take(const struct reader *reader, const char *path, config_parser *parse,
			   struct config *out);
must_check int config_take_all(const struct reader *reader, const char *const *folders,
			       const char *suffix, config_parser *parse, struct config *out);

/* The row that wins, the last of that section and key; NULL where there is none. */
const struct config_row *config_find(const struct config *config, const char *section,
				     const char *key);

/*
 * A file in the form of systemd ("[Section]", "Key=Value", "\\" at the end goes on in the next
 * line, "#" and ";" begin comments) with its drop-ins: for "systemd/oomd.conf" etc/ before run/
 * before usr/local/lib/ before usr/lib/, then oomd.conf.d/ of all of them. 0 or -ENOMEM.
 */
must_check int conf_read(const struct reader *reader, const char *name, struct config *out);

/* One text in that form. 0 or -ENOMEM. */
must_check int conf_parse(const struct reader *reader, const char *file, struct span text,
			  struct config *out);
