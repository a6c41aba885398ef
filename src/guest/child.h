#pragma once
/*
 * The loads as processes: what pid 1 starts, stops, and notices the end of.
 */
#include "guest/kinds.h"
#include "guest/progress.h"

#define CHILDREN 64
#define CHILD_NAME 64

enum child_state {
	CHILD_WAITING,
	CHILD_RUNNING,
	CHILD_ENDED
};

struct child {
	char name[CHILD_NAME];
	char group[256];
	char program[CHILD_NAME];
	enum kind_id kind;
	char *arguments; /* owned: words, each ended with NUL */
	size_t argument_count;
	uint64_t seed;
	enum child_state state;
	pid_t pid;
	bool is_stopped; /* by us, so its end is no news */
	int status;	 /* as waitpid(2) says it */
	uint64_t ended_us;
	struct progress *progress; /* owned: mapped */
};

/* Makes its progress file. 0, -EINVAL for arguments that its kind does not take, or -errno. */
must_check int child_init(struct child *child, enum kind_id kind, struct span arguments);

/*
 * Locked pages of pid 1 are not copied, since the child borrows them until it runs its own
 * program. 0 or -errno; what goes wrong behind that is an exit status of 127.
 */
must_check int child_start(struct child *child);

/* Kills it; it is reaped as any other. */
void child_stop(struct child *child);

/* "NAME exit 0", "NAME signal 9", and why it gave up if it said so. */
void child_ending(const struct child *child, struct text *text);

const char *child_state_name(enum child_state state);
