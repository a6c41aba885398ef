#pragma once
/*
 * Who may not be killed, and in which order policies and marks put the others. Part of
 * policy/victim.
 */
#include "policy/victim.h"

#define FAMILY_MAX 32

/* The guard and the processes above it: whoever started it is needed to start it again. */
struct family {
	uint32_t pid[FAMILY_MAX];
	size_t count;
};
void family_of(const struct victim_query *query, struct family *out);

/* One process and the cgroup that its memory is accounted to. */
struct suspect {
	int32_t member;
	const struct task *task;
	double gain;
};

/* Why the process may not be killed; EXEMPT_NOT when it may. */
enum exempt exempt_of(const struct victim_query *query, const struct family *family,
		      const struct suspect *suspect);

/* True when whatever cgroup it is in may not be killed as a whole. */
bool exempt_forbids_whole(enum exempt exempt);

/* 2 expendable, 1 prefer, 0 normal, -1 protected or oomd_avoid. */
int32_t rank_of(const struct victim_query *query, const struct suspect *suspect);

/*
 * The cgroup that has to die as one when a process of this one does: itself or one above it; -1
 * for none. Only within the domain.
 */
int32_t whole_by_kernel(const struct victim_query *query, int32_t member);
int32_t whole_by_policy(const struct victim_query *query, const struct suspect *suspect);

/* Folders of many programs, which are never taken as one without being told so. */
bool is_shared_place(const char *path);

/*
 * Whom a policy is asked about; task is NULL for all of the cgroup, cgroup for the process
 * alone. Borrowed from both.
 */
struct policy_subject subject_of(const struct cgroup *cgroup, const struct task *task);
