#pragma once
/*
 * What machine this is, and where its cgroups are mounted.
 */
#include "base/root.h"

/* How memory is accounted to cgroups. */
enum cgroup_mode {
	CGROUPS_NONE,	/* no hierarchy is mounted */
	CGROUPS_V1,	/* memory on v1, no v2 */
	CGROUPS_HYBRID, /* memory on v1; pressure on a v2 without the memory controller */
	CGROUPS_V2,
	CGROUPS_V2_BARE, /* v2 without the memory controller, and no v1 memory */
};
const char *cgroup_mode_name(enum cgroup_mode mode);

#define MOUNT_SIZE 512

struct mounts {
	char v2[MOUNT_SIZE]; /* mount points without the leading slash; "" is none */
	char v1_memory[MOUNT_SIZE];
	char v2_root[MOUNT_SIZE]; /* the cgroup that is mounted there; "" is the top */
	char v1_root[MOUNT_SIZE];
	bool lxcfs; /* /proc/meminfo is an imitation */
	enum cgroup_mode mode;
};

struct host {
	uint64_t at_us;	  /* CLOCK_BOOTTIME when the frame was begun */
	uint64_t wall_us; /* since 1970; 0 unknown */
	uint64_t page_bytes;
	uint32_t self_pid; /* of the refault that took the frame; 0 unknown */
	uint64_t cpus;	   /* online */
	bool page_assumed; /* the tree does not say: 4096 */
	bool has_time;	   /* false for a tree without a clock: no rates */
	char name[65];
	char release[65];
	char boot_id[37];
	char container[32]; /* "docker", "lxc" …; "" is none that we know of */
};

/*
 * The file form of what is not a file: "_host.ini" of a frame, "key=value" lines. Unknown keys
 * are skipped; at_us, page_size and cpus garbled or missing are taken from elsewhere and
 * flagged.
 */
void host_parse(struct span text, struct host *out);

/* Writes that file from this machine's clocks; returns its length. */
size_t host_write(char *buffer, size_t size);

void mountinfo_parse(struct span text, struct mounts *out);

void host_read(const struct root *root, struct buffer buffer, struct host *out);
void mounts_read(const struct root *root, struct buffer buffer, struct mounts *out);
