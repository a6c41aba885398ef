#pragma once
/*
 * What --fix would write: the steps of findings, merged into files of our own. Pure.
 *
 * A file of ours begins with FIX_MARK and is made of blocks with a blank line between them:
 * some comments, the section where the form has one, and one setting. A block of an earlier run
 * stays unless a new one sets the same.
 */
#include "audit/audit.h"

#define FIX_MARK "# Written by refault check --fix; refault check --revert takes it back.\n"
#define FIX_FILES 128
#define FIX_STEPS 256

/* Text of a file as it is now and as it would be. */
struct fix_file {
	const char *path;   /* without leading slash */
	const char *before; /* NULL: it is not there */
	const char *after;
	bool is_foreign; /* it is there and not ours: it is left alone */
};

/* A value that is written at once. */
struct fix_value {
	const char *path;
	const char *value;
	const char *rule;
};

/* What people are told: a command, or why a step is left out. */
struct fix_word {
	const char *rule;
	const char *text;
};

struct fix_plan {
	struct facts *facts;
	struct fix_file file[FIX_FILES];
	size_t files;
	struct fix_value value[FIX_STEPS];
	size_t values;
	const char *swapfile; /* its path; NULL for none */
	uint64_t swap_bytes;
	const char *enable[FIX_STEPS]; /* units of others */
	size_t enables;
	struct fix_word told[FIX_STEPS]; /* commands */
	size_t tells;
	struct fix_word left[FIX_STEPS]; /* refused */
	size_t lefts;
	const char *setting[FIX_STEPS]; /* "FILE SECTION KEY" of each that is set */
	const char *wanted[FIX_STEPS];	/* its value; NULL where two want different ones */
	const char *by[FIX_STEPS];
	size_t settings;
};

/* The steps of all that fires at or above a level. Texts live in the arena of the facts. */
void fix_plan_make(struct audit *audit, enum level least, struct fix_plan *out);

/* Nothing to write and nothing to do at once. */
bool fix_plan_is_empty(const struct fix_plan *plan);

/* A name that can be a file's and a unit's: letters, digits and ":_.@\\-". */
bool fix_name_is_plain(const char *name);

/* The blocks of a file of ours with one block put in its place; in the arena, NULL without
 * room. */
const char *fix_merge(struct facts *facts, const char *before, const char *block);
