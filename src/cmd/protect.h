#pragma once
/*
 * refault protect: what its parts share.
 */
#include "cmd/cmd.h"
#include "policy/protect.h"

#define UNITS_MAX 64

struct protect_job {
	struct common common;
	uint64_t duration_us;
	const char *name[UNITS_MAX]; /* as they were given */
	size_t names;
	uint64_t unit[UNITS_MAX]; /* ids of cgroups */
	size_t units;
	struct guard_config config;
	struct protection protection;
	struct min_write write[PROTECT_WRITES]; /* of the last measurement */
	size_t writes;
	double seconds; /* watched */
};

/* Measured sets, what is in force, what would be set, and the drop-ins. */
void protect_print(const struct protect_job *job, const struct snapshot *now);
void protect_print_json(const struct protect_job *job, const struct snapshot *now);

/* Writes, and remembers what was found; an exit status. */
int protect_now(struct protect_job *job, struct session *session, const struct snapshot *now);
int protect_revert(const struct protect_job *job);
