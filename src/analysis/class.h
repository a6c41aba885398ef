#pragma once
/*
 * The classes of verdicts: their names, their words, and how severe they are at least.
 */
#include "base/span.h"

enum severity {
	SEV_NONE, /* healthy */
	SEV_INFO, /* something else than memory */
	SEV_NOTE, /* worth knowing, no harm yet */
	SEV_WARN,
	SEV_HARM, /* a service loses time now */
};

enum verdict_class {
#define X(id, ...) CLASS_##id,
#include "analysis/classes.def"
#undef X
	CLASS_HEALTHY,
	CLASS_UNKNOWN,
	CLASSES,
};

struct class_row {
	const char *name; /* for ever: scripts name it */
	enum severity severity;
	const char *word;
	const char *title;
	const char *meaning;
	const char *now;
	const char *good;
	const char *flips; /* what would have to change */
};
const struct class_row *class_row(enum verdict_class class);

/* The class of that name, or CLASSES. */
enum verdict_class class_find(struct span name);

const char *severity_name(enum severity severity);
