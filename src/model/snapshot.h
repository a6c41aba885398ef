#pragma once
/*
 * What the kernel said at one moment: plain data, with a state for every number. Everything in
 * it lives in the arena it was taken into.
 */
#include "kernel/cgroup.h"
#include "kernel/devices.h"
#include "kernel/field.h"
#include "kernel/host.h"
#include "kernel/task.h"
#include "kernel/zones.h"

/* Extended attributes that systemd-oomd knows, set to "1" (ManagedOOMPreference=). */
enum oomd_mark {
	MARK_OOMD_AVOID = 1, /* user.oomd_avoid: the last to be killed */
	MARK_OOMD_OMIT = 2,  /* user.oomd_omit: never to be killed */
};

struct cgroup {
	uint64_t id; /* kernfs id: a re-created cgroup is a new one */
	enum hierarchy hierarchy;
	const char *path; /* below the mount point, without leading slash; "" is the top */
	int32_t parent;	  /* index; -1 for the top */
	bool has_children;
	bool local_events; /* events are its own, not those of its children too */
	uint32_t tasks;	   /* processes in it; 0 where tasks were not read */
	int32_t pressure;  /* v1: the v2 cgroup that its tasks are in; itself in v2; -1 none */
	uint32_t owner;	   /* uid of its folder; UID_UNKNOWN */
	uint32_t marks;	   /* enum oomd_mark, several; unknown is none */
	uint64_t value[CGROUP_FIELDS];
	uint8_t state[CGROUP_FIELDS];
};

enum lru {
	LRU_UNKNOWN,
	LRU_CLASSIC,
	LRU_MGLRU,
};

/* What pgscan_direct and its kin in /proc/vmstat count; mm/vmscan.c. */
enum reclaim_counts {
	RECLAIM_UNKNOWN,
	RECLAIM_GLOBAL, /* up to 7.0: not the reclaim of cgroup limits */
	RECLAIM_ALL,	/* from 7.1 */
};

/* What this kernel's counters mean; derived from the snapshot itself. */
struct profile {
	enum lru lru;
	enum reclaim_counts reclaim_counts;
	bool refaults_undercounted;	/* MGLRU of 6.1: about nine in ten are not counted */
	bool refaults_understate_reads; /* from 7.2: more than a page is read for a refault */
	uint32_t version;		/* major * 1000 + minor, 0 unknown */
};

struct snapshot {
	struct host host;
	struct mounts mounts;
	struct profile profile;
	uint64_t value[MACHINE_FIELDS];
	uint8_t state[MACHINE_FIELDS];
	struct zones *zones;
	enum state zones_state;
	struct devices *devices;
	struct cgroup *cgroups; /* sorted by hierarchy, then id */
	size_t cgroup_count;
	uint32_t vanished; /* cgroups that went away while they were read */
	bool cgroups_cut;  /* more than there is room for */
	enum state cgroups_state;
	struct task *tasks; /* sorted by pid; without kernel threads */
	size_t task_count;
	enum state tasks_state;
	bool tasks_cut;
	uint64_t tasks_at_us; /* when they were read, before this frame where they are kept ones
			       */
	uint32_t tasks_denied; /* of whose memory nothing could be read */
};

/* Fills profile from the rest. */
void snapshot_profile(struct snapshot *snapshot);

/* The same cgroup or process in another snapshot; NULL when it is not there. */
const struct cgroup *snapshot_cgroup(const struct snapshot *snapshot,
				     const struct cgroup *like);
const struct task *snapshot_task(const struct snapshot *snapshot, const struct task *like);

/* The process that has this pid there, be it another one than before; NULL for none. */
const struct task *snapshot_pid(const struct snapshot *snapshot, uint32_t pid);

/* True when it is the cgroup itself or lies below it. */
bool cgroup_is_within(const struct snapshot *snapshot, int32_t index, int32_t ancestor);

/*
 * Which part of the tree it is in, of those that root has given to others: the id of the
 * highest cgroup above it that is not root's. 0 is root's own, or unknown; so is that highest
 * one, whose limits root keeps (/sys/kernel/cgroup/delegate). By the uid alone one could be
 * many: cgroups may be given on to the uids of a user namespace.
 */
uint64_t cgroup_part(const struct snapshot *snapshot, int32_t index);

const char *lru_name(enum lru lru);
const char *reclaim_counts_name(enum reclaim_counts counts);
