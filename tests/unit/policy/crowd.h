#pragma once
/*
 * A machine on which memory is short, made by hand: services below system.slice, who of them
 * grows, and whom the ranking takes. Whatever a test does not say is harmless.
 */
#include "made.h"
#include "policy/victim.h"

#define TOP 0
#define SLICE 1 /* system.slice */
#define GUARD_PID 4000

struct crowd {
	struct snapshot *before;
	struct snapshot *now; /* five seconds later; made by the first crowd_grows() or rank */
	struct guard_config config;
	struct tried tried[TRIED_MAX];
	size_t tried_count;
	uint32_t self_pid;
	int32_t self_member;
	int32_t domain; /* a cgroup; -1 the machine */
	double needed;
	struct ranking ranking;
	struct evidence evidence;
};

/* The top and system.slice, both root's. */
struct crowd *crowd_new(void);

/* A cgroup, root's, with that much anonymous memory and nobody in it. */
int crowd_cgroup(struct crowd *crowd, const char *path, int parent, uint64_t mib);

/* One more process in it, root's, biased by nothing. Pids rise from 100. */
struct task *crowd_process(struct crowd *crowd, const char *name, int cgroup, uint64_t mib);

/* A cgroup below system.slice with one process that has all of its memory. Its index. */
int crowd_service(struct crowd *crowd, const char *path, uint64_t mib);

/* In the five seconds up to now; the cgroup, and its process of that place among all. */
void crowd_grows(struct crowd *crowd, int cgroup, size_t process, uint64_t mib);

/* A policy row of the kind for that unit or comm; NULL for any. */
struct policy_row *crowd_policy(struct crowd *crowd, enum policy_kind kind, const char *unit,
				const char *comm);

const struct ranking *crowd_rank(struct crowd *crowd);

/* "PATH NAME", "PATH" of a whole cgroup; of the exempt in parentheses. */
const char *crowd_name(const struct crowd *crowd, size_t place);
#define assert_place(crowd, place, wanted) assert_string_equal(crowd_name(crowd, place), wanted)

/* The candidate for that cgroup; fails without one. */
const struct candidate *crowd_find(const struct crowd *crowd, int cgroup);
