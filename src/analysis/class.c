#include "analysis/class.h"

static const struct class_row CLASS_ROWS[] = {
#define X(id, name, severity, word, title, meaning, now, good, flips) \
	[CLASS_##id] = { name, SEV_##severity, word, title, meaning, now, good, flips },
#include "analysis/classes.def"
#undef X
	[CLASS_HEALTHY] = { "healthy", SEV_NONE, "OK", "No memory pressure",
			    "None of the classes holds, and nobody loses time to memory.",
			    "nothing", "nothing", "any other class begins to hold" },
	[CLASS_UNKNOWN] = { "unknown", SEV_WARN, "UNKNOWN",
			    "It cannot be told whether memory hurts a service",
			    "Something stalls and no cause fits, or what would tell cannot be "
			    "read. "
			    "What is missing is listed.",
			    "make readable what is missing", "make readable what is missing",
			    "the missing counters are there" },
};

const struct class_row *class_row(enum verdict_class class)
{
	return &CLASS_ROWS[class];
}

enum verdict_class class_find(struct span name)
{
	enum verdict_class found = 0;

	while (found < CLASSES && !span_eq(name, CLASS_ROWS[found].name))
		found++;
	return found;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[] = { "none", "info", "note", "warning", "harm" };

	return names[severity];
}
