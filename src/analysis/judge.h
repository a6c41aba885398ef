#pragma once
/*
 * Holds a verdict against the truth that a scenario or a recording declares.
 */
#include "analysis/verdict.h"

/* By when a verdict must be right, after the onset: product law, docs/VERDICTS.md. */
#define DEADLINE_S 5.0

/* How far back a verdict looks there. */
#define JUDGE_WINDOW_US (5 * SECOND_US)

/* An empty text is not asked for; a domain or cgroup is a path, "machine" the machine. */
struct truth {
	char class[32];
	char domain[256];
	char sufferer[256];
	char culprit[256];
	char sufferer_process[32];
	char culprit_process[32];
	uint64_t onset_frame;
};

/* "key=value" lines; unknown keys are skipped. False without a class. */
must_check bool truth_parse(struct span text, struct truth *out);

/* One thing that was asked for and what was said instead. */
struct mismatch {
	const char *what;
	const char *got;
	const char *want;
};
#define MISMATCHES_MAX 6

/*
 * How a verdict at the deadline differs from the truth: the number of mismatches. A wrong class
 * is the only one then; of what is not even worth a note nobody is asked who causes it.
 */
size_t judge_verdict(const struct verdict *verdict, const struct truth *truth,
		     struct mismatch out[MISMATCHES_MAX]);

/* Harm or a warning where the truth knows of none, or before the onset. */
bool judge_false_alarm(const struct verdict *verdict, const struct truth *truth, bool is_early);

/* A member's path for people; "machine" for the top and for a machine without cgroups. */
const char *judge_path(const struct verdict *verdict, int32_t member);
