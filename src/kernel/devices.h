#pragma once
/*
 * Swap areas (/proc/swaps), zram devices and block devices (/proc/diskstats).
 */
#include "base/root.h"
#include "kernel/field.h"

#define SWAPS_MAX 32 /* MAX_SWAPFILES, include/linux/swap.h */
#define ZRAMS_MAX 32
#define DISKS_MAX 128

struct swap_area {
	char name[128];
	bool is_file;
	int64_t priority;
	uint64_t value[SWAP_FIELDS];
	uint8_t state[SWAP_FIELDS];
};

struct zram {
	char name[16];
	uint64_t value[ZRAM_FIELDS];
	uint8_t state[ZRAM_FIELDS];
};

struct disk {
	char name[32];
	uint64_t value[DISK_FIELDS];
	uint8_t state[DISK_FIELDS];
};

struct devices {
	struct swap_area swap[SWAPS_MAX];
	struct zram zram[ZRAMS_MAX];
	struct disk disk[DISKS_MAX];
	size_t swaps;
	size_t zrams;
	size_t disks;
	enum state swap_state; /* OK with no swaps: there is no swap */
	enum state disk_state;
	enum state zram_state; /* of their list; ABSENT: there is no virtual block device */
	bool cut;	       /* more of a kind than there is room for */
};

void swaps_parse(struct span text, struct devices *out);
void zram_parse(struct span mm_stat, struct zram *out);

/* Devices that never did anything, loop and ram disks among them, are left out. */
void diskstats_parse(struct span text, struct devices *out);

/* Adds to out, which starts zeroed. */
void devices_read(const struct root *root, struct buffer buffer, struct devices *out);
