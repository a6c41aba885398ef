#pragma once
/*
 * What --fix has done, as lines of var/lib/refault/check/state: so that --revert can take it
 * back. Fields are parted by tabs; what would need a tab or a new line in one is never written.
 */
#include "base/mem.h"
#include "base/span.h"

#define FIX_STATE "var/lib/refault/check/state"
#define FIX_STATE_BYTES ((size_t)256 * 1024)
#define FIX_DEEDS 1024

enum deed_kind {
	DEED_FOLDER, /* path: made by us */
	DEED_FILE,   /* path: made or rewritten by us; hash of what we wrote */
	DEED_LINK,   /* path, target */
	DEED_VALUE,  /* path, found, set */
	DEED_SWAP,   /* path of a swap file that we made */
	DEED_ENABLE, /* unit */
	DEED_KINDS,
};

struct deed {
	enum deed_kind kind;
	const char *path;
	const char *first;  /* hash, target or what was found */
	const char *second; /* what was set */
};

struct deeds {
	struct deed deed[FIX_DEEDS];
	size_t count;
};

/* Lines that are not as they should be are counted in *bad and skipped. 0 or -ENOMEM. */
must_check int deeds_parse(struct span text, struct arena *arena, struct deeds *out,
			   size_t *bad);

/* One line; nothing, and false, for a text that does not fit into one. */
bool deed_print(char *buffer, size_t size, const struct deed *deed);

/* Of a file's text, as 16 hex digits. */
void fix_hash(struct span text, char out[17]);
