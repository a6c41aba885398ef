#pragma once
/*
 * Processes: /proc/PID/stat, status, oom_score_adj, cgroup and, where status has no RssAnon,
 * statm. None of these takes the process's mmap lock, so a stuck process cannot hold us up
 * (fs/proc/array.c, fs/proc/base.c).
 */
#include "base/root.h"
#include "kernel/field.h"

/* No process and no folder has it: (uid_t)-1 means "leave as it is" to the kernel. */
#define UID_UNKNOWN UINT32_MAX

#define TASK_NAME_SIZE 64 /* comm has 15 bytes, kernel workers show more */

struct task {
	uint32_t pid;
	uint32_t parent;
	uint32_t uid;	      /* real uid; UID_UNKNOWN */
	uint64_t start_ticks; /* since boot; with pid it is the identity */
	char name[TASK_NAME_SIZE];
	char run_state;	       /* R S D Z T … as the kernel prints it */
	bool is_kernel;	       /* a kernel thread: it has no memory of its own */
	int32_t cgroup;	       /* index into the snapshot's cgroups, v2; -1 none or unknown */
	int32_t cgroup_memory; /* the same in the v1 memory hierarchy */
	uint64_t value[TASK_FIELDS];
	uint8_t state[TASK_FIELDS];
};

/* The name may hold any byte, brackets and blanks too: 0, or -EBADMSG and out is garbled. */
must_check int task_stat_parse(struct span text, struct task *out);
void task_status_parse(struct span text, struct task *out);

/* Resident and shared pages stand in for RssAnon and RssFile (kernels before 4.5). */
void task_statm_parse(struct span text, uint64_t page_bytes, struct task *out);

/* "ID:CONTROLLERS:PATH" of /proc/PID/cgroup; the path may hold colons. False when it is none.
 */
struct task_cgroup {
	struct span id;
	struct span controllers;
	struct span path;
};
bool task_cgroup_line(struct span line, struct task_cgroup *out);

/*
 * Paths in the v2 hierarchy and in the v1 hierarchy that has memory; empty where there is none.
 * A line is "ID:CONTROLLERS:PATH" and the path may hold colons.
 */
void task_cgroup_parse(struct span text, struct span *v2, struct span *v1_memory);

struct task_query {
	const char *pid;
	uint64_t page_bytes;
};

/* Where it is in both hierarchies; borrowed from the buffer that it was read into. */
struct task_paths {
	struct span v2;
	struct span v1_memory;
};

/* 0, or -errno of its stat file: -ENOENT and -ESRCH when it is gone. */
must_check int task_read(const struct root *root, const struct task_query *query,
			 struct buffer buffer, struct task *out, struct task_paths *paths);
