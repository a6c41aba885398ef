#pragma once
/*
 * A stream of results, in short and as the files of a run directory.
 */
#include "base/text.h"
#include "lab/boot/stream.h"

struct results {
	bool done; /* the guest says that it is complete */
	bool skipped;
	bool failed;	   /* the plan could not be carried out */
	char reason[256];  /* of these two, fit for a terminal */
	uint64_t frames;   /* whole ones */
	uint64_t refused;  /* files and lines of it that were not as agreed */
	char guest[16384]; /* KEY=VALUE lines, checked: of run.ini */
};

/* Looks at the stream; *out tells what was in it. 0 or -errno. */
must_check int results_read(struct span stream, struct results *out);

/*
 * Writes frames.tar.zst, marks.tsv, loads.tsv, slots/NAME.tsv and kmsg.log into the directory,
 * which has none of them yet. 0 or -errno.
 */
must_check int results_write(struct span stream, const char *directory, struct results *out);
