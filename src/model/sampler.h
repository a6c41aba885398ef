#pragma once
/*
 * Takes snapshots. Keeps the files of cgroups open from one snapshot to the next, notices
 * cgroups that come and go, and allocates nothing once it has seen them.
 */
#include "base/mem.h"
#include "base/sort.h"
#include "model/snapshot.h"

#define CGROUPS_MAX 65536
#define TASKS_MAX 65536

/* The size of an arena that holds any snapshot: CGROUPS_MAX cgroups with their paths. */
#define SNAPSHOT_ARENA ((size_t)384 << 20)

/* A cgroup between snapshots; sorted by hierarchy, then id. */
struct tracked {
	uint64_t id;
	enum hierarchy hierarchy;
	const char *path;
	const char *directory; /* below the root: the mount point and the path */
	int32_t parent;
	bool is_leaf; /* surely without children: need not be listed */
	bool has_children;
	uint64_t below; /* folders in it, or in v2's top all cgroups below it */
	int below_slot;
	uint32_t owner; /* UID_UNKNOWN */
	uint32_t marks; /* enum oomd_mark, several */
	bool has_marks; /* they were looked for */
	struct cgroup_files files;
};

struct tracking {
	struct arena arena; /* owned: paths */
	struct tracked *list;
	struct sort_key *by_path; /* by hash of hierarchy and path */
	size_t count;
	bool cut;
};

/* A process between snapshots, with what it is in: indices do not last. */
struct kept_task {
	struct task task;
	uint64_t cgroup_id; /* where task.cgroup and task.cgroup_memory are not -1 */
	uint64_t cgroup_memory_id;
};

/* What the last sweep of the processes gave. */
struct kept_tasks {
	struct kept_task *list;
	size_t count;
	enum state state;
	bool cut;
	uint32_t denied;
	uint64_t at_us; /* 0: there was none */
};

struct sampler {
	struct arena memory;	     /* owned: lists and buffers */
	struct tracking tracking[2]; /* a scan fills the one that is not current */
	int current;
	bool stale; /* a scan is due */
	uint64_t ticks;
	struct sort_key *keys;	/* scratch for sorting */
	int32_t *places;	/* scratch: old index to new */
	struct tracked *walked; /* scratch: the order in which a walk found them */
	struct buffer file;	/* the text of one file */
	struct buffer names;	/* of the folders in one folder */
	struct mounts mounts;
	struct kept_tasks kept;
};

enum sampling {
	SAMPLE_ALL,
	SAMPLE_WITHOUT_TASKS,
	SAMPLE_KEEP_TASKS, /* the processes of the last sweep, in the cgroups of now */
};

/* 0 or -ENOMEM. The limit of open files is raised as far as it may be. */
must_check int sampler_init(struct sampler *sampler);
void sampler_done(struct sampler *sampler);

/*
 * Resets the arena and takes a snapshot into it. -ENOMEM when the arena is too small for the
 * fixed parts; whatever else could not be read says so in the snapshot. All snapshots of a
 * sampler come from one source.
 */
must_check int sampler_take(struct sampler *sampler, const struct root *root, enum sampling how,
			    struct arena *arena, struct snapshot **out);

/* The folder of a cgroup that the last snapshot has, below the root; NULL when it has not. */
const char *sampler_directory(const struct sampler *sampler, enum hierarchy hierarchy,
			      uint64_t id);
