#pragma once
/*
 * One audit: rules over facts, and their results. "Could not read" is never "pass".
 */
#include "audit/facts.h"
#include "audit/fix.h"
#include "audit/rule.h"

enum audit_state {
	AUDIT_PASS,
	AUDIT_NOTE,    /* worth knowing, nothing is wrong */
	AUDIT_WARN,    /* fires, and something speaks for it being meant */
	AUDIT_FAIL,    /* fires */
	AUDIT_SKIP,    /* does not apply to this machine */
	AUDIT_UNKNOWN, /* could not be told */
	AUDIT_WAIVED,  /* fires, and somebody gave a reason and an end */
	AUDIT_STATES,
};
const char *audit_state_name(enum audit_state state);

#define AUDIT_CITES 10
#define AUDIT_FIXES 6
#define AUDIT_RESULTS ((size_t)8192)
#define AUDIT_PER_RULE ((size_t)100) /* of one rule; the rest is counted in the last */

/* A number or setting that a result leans on. */
struct audit_cite {
	const char *what;  /* "vm.swappiness" */
	const char *value; /* "0"; as shown to people, with its unit */
	const char *where; /* file, or file:line; without leading slash for files */
};

/* All texts are escaped where they are shown, not here; they live in the facts' arena. */
struct result {
	const struct rule *rule;
	enum audit_state state;
	enum level level;
	const char *subject; /* unit, device, file or process; "" is the machine. Stable. */
	const char *said;    /* one sentence without full stop */
	const char *need;    /* of AUDIT_UNKNOWN: what would make it known ("root") */
	struct audit_cite cite[AUDIT_CITES];
	size_t cites;
	struct fix_step fix[AUDIT_FIXES]; /* one after the other */
	size_t fixes;
	const char *waiver;	/* FILE:LINE of AUDIT_WAIVED */
	const char *waived_for; /* its reason */
	uint64_t fingerprint;	/* of rule and subject: the same in every run */
};

struct audit {
	struct facts *facts;
	const struct rule *rule; /* that is being tested */
	struct result *result;
	size_t results;
	size_t of_rule; /* results of the rule so far */
	bool cut;
};

/*
 * What a rule's test calls; each adds a result and returns it, never NULL (when there is no
 * more room it is one that is thrown away). format is the sentence.
 */
struct result *audit_fail(struct audit *audit, const char *subject, const char *format, ...)
	printf_like(3, 4);
struct result *audit_warn(struct audit *audit, const char *subject, const char *format, ...)
	printf_like(3, 4);
struct result *audit_note(struct audit *audit, const char *subject, const char *format, ...)
	printf_like(3, 4);
struct result *audit_pass(struct audit *audit, const char *subject, const char *format, ...)
	printf_like(3, 4);
struct result *audit_skip(struct audit *audit, const char *format, ...) printf_like(2, 3);
struct result *audit_unknown(struct audit *audit, const char *subject, const char *need,
			     const char *format, ...) printf_like(4, 5);

/*
 * True when a fact is there to be judged. Else a result was added: DENIED and GARBLED, and
 * ABSENT in a tree that has none of its kind (is_foreign), are UNKNOWN; ABSENT is SKIP with
 * absent ("this kernel has no MGLRU") as its sentence.
 */
bool audit_has(struct audit *audit, const struct fact *fact, const char *absent);

/* Adds to a result; what has no room is left out. format is the value. */
void result_cite(struct audit *audit, struct result *result, const char *what,
		 const char *where, const char *format, ...) printf_like(5, 6);
void result_cite_fact(struct result *result, const char *what, const struct fact *fact);
void result_fix(struct result *result, struct fix_step step);

/* Sets a level other than the rule's; grade C stays at LEVEL_LOW whatever is asked. */
void result_level(struct result *result, enum level level);

/* Runs one rule: its results are added, AUDIT_PASS when it emits none. */
void audit_rule(struct audit *audit, const struct rule *rule);

/* results[] in the arena of the facts; false without room. */
must_check bool audit_init(struct audit *audit, struct facts *facts);

/* By level, fails before warnings, then rule and subject. */
void audit_sort(struct audit *audit);

/* It fires: FAIL or WARN. */
bool result_fires(const struct result *result);

/* How many results there are of each state; how many rules were not run at all. */
struct audit_counts {
	size_t of[AUDIT_STATES];
	size_t rules_run;
};
void audit_count(const struct audit *audit, struct audit_counts *out);
