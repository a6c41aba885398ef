#pragma once
/*
 * What an administrator chose for the guard: plain data of fixed size, so that it can lie in
 * memory that two processes share. options.def has one row for each option.
 */
#include "base/span.h"

/* How far the guard goes. */
enum guard_mode {
	MODE_OBSERVE, /* decides, records, touches nothing */
	MODE_ACT,
};

enum other_guard {
	OTHER_YIELD, /* no kill where another guard may kill too */
	OTHER_WARN,
	OTHER_ACT,
};

enum first_answer {
	ANSWER_KILL,
	ANSWER_PAUSE, /* freeze the culprit, look again, then kill */
};

enum limit_answer {
	LIMIT_REPORT,
	LIMIT_ACT,
};

/* Which units the guard keeps under memory.min beside those with a policy row. */
enum protect_who {
	PROTECT_NOBODY,	   /* only policy rows */
	PROTECT_ESSENTIAL, /* sshd, logins, the service manager, journald, container runtimes,
			      kubelet */
	PROTECT_SERVICES,  /* also each unit that listens on a socket, or is Type=notify or dbus
			    */
};

/* A value of each option, by its type in options.def: bool, percent and time are u64. */
struct guard_options {
#define OPTION(section, key, id, type, ...) uint64_t id;
#include "policy/options.def"
};

enum policy_kind {
	POLICY_PROTECT,	    /* keep its working set under memory.min; the last to be killed */
	POLICY_PREFER,	    /* kill it before others */
	POLICY_EXPENDABLE,  /* kill it first, also when it does not grow */
	POLICY_NEVER,	    /* never kill it */
	POLICY_UNIT_AS_ONE, /* kill all of the cgroup, or nothing of it */
	POLICY_HOOK,	    /* run argv before it is killed */
	POLICY_KINDS,
};

#define POLICY_ROWS_MAX 64 /* bits of a uint64_t */
#define POLICY_TEXT 128
#define POLICY_ARGV 512

/* One [policy NAME] section. An empty matcher matches all; all that are given must match. */
struct policy_row {
	char name[32];
	uint32_t kinds;		  /* bits 1 << enum policy_kind */
	int32_t priority;	  /* the higher wins where rows contradict; default 0 */
	char unit[POLICY_TEXT];	  /* glob on the last part of the cgroup's path,
				     "postgresql*.service" */
	char cgroup[POLICY_TEXT]; /* glob on the whole path below the mount point */
	char comm[32];		  /* glob on the name of a process */
	char exe[POLICY_TEXT]; /* glob on the path of its program; known only where it was read
				*/
	bool has_uid;
	uint32_t uid;
	uint64_t min_bytes; /* of POLICY_PROTECT: floor and cap of memory.min; 0 is none */
	uint64_t max_bytes;
	char argv[POLICY_ARGV]; /* of POLICY_HOOK: words ended with NUL, then an empty one */
};

struct guard_config {
	struct guard_options options;
	struct policy_row row[POLICY_ROWS_MAX]; /* by priority, highest first */
	uint32_t rows;
	uint64_t generation; /* of the reload that brought it */
};

enum option_type {
	OPTION_BOOL,
	OPTION_PERCENT, /* 0 to 100 */
	OPTION_TIME,	/* microseconds */
	OPTION_SIZE,	/* bytes */
	OPTION_COUNT,
	OPTION_WORD, /* index into words */
};

struct option_row {
	const char *section;
	const char *key;
	enum option_type type;
	uint64_t value; /* default */
	uint64_t least;
	uint64_t most;
	const char *words; /* of OPTION_WORD, with blanks between */
	const char *help;
	size_t offset; /* in struct guard_options */
};
extern const struct option_row OPTION_ROWS[];
extern const size_t OPTIONS;

static inline uint64_t *option_at(struct guard_options *options, const struct option_row *row)
{
	return (uint64_t *)((char *)options + row->offset);
}

/* The name of rows that are built in. */
#define BUILT_IN_NAME "built-in"

/* All defaults, and the policy rows that are built in. */
void config_defaults(struct guard_config *out);

/* The word of an OPTION_WORD row; "" past the last. */
struct span option_word(const struct option_row *row, uint64_t index);

/* Whom a policy is asked about; NULL or "" where it is not known. */
struct policy_subject {
	const char *cgroup; /* path below the mount point, without leading slash */
	const char *comm;
	const char *exe;
	bool has_uid;
	uint32_t uid;
};

/*
 * The row of the highest priority that has the kind and matches; NULL for none, or where a row
 * that contradicts it (protect and never against prefer and expendable) has a higher priority;
 * at the same one the row that spares holds. A row with comm, exe or uid never matches a
 * subject in which that is unknown.
 */
const struct policy_row *policy_find(const struct guard_config *config, enum policy_kind kind,
				     const struct policy_subject *subject);

/*
 * The same in steps, where many are asked about: which rows fit the cgroup, which fit the rest
 * of the subject, and which of those that fit both holds. Bits 1 << place of the row.
 */
uint64_t policy_rows_of_cgroup(const struct guard_config *config, const char *cgroup);
uint64_t policy_rows_of_process(const struct guard_config *config,
				const struct policy_subject *subject);
const struct policy_row *policy_pick(const struct guard_config *config, enum policy_kind kind,
				     uint64_t rows);
