#pragma once
/*
 * The virtual machine of one run, as plain data: what a scenario asks for and what is booted.
 */
#include "base/macro.h"

/* The program that boots it. */
#define MACHINE_QEMU "qemu-system-x86_64"

enum swap_kind {
	SWAP_NONE,
	SWAP_FILE,	/* on the scratch disk */
	SWAP_PARTITION, /* a disk of its own */
	SWAP_ZRAM,
	SWAP_ZSWAP, /* in front of a partition */
};

/* A file on a disk of the guest: random bytes on "data", a cheap pattern on "big". */
struct disk_file {
	char path[128]; /* in the guest: /data/api.dat, /big/backup.tar */
	uint64_t bytes;
};

/* A program on the data disk, /data/bin/NAME. */
struct disk_program {
	char name[64];
	uint64_t code_bytes; /* of /data/code/NAME; 0 none */
	char host[256];	     /* this program with its libraries; "" is refault-guest */
	char package[64];    /* the Debian package that has it; "" is none */
};

#define MACHINE_FILES 16
#define MACHINE_PROGRAMS 32

struct machine {
	uint64_t ram_bytes; /* beside what the initramfs takes */
	unsigned int cpus;
	unsigned int nodes;
	uint64_t disk_bps;
	uint64_t disk_iops;
	enum swap_kind swap;
	uint64_t swap_bytes;
	bool swap_own_disk;	/* else it shares the throttle of the data disk */
	uint64_t scratch_bytes; /* 0 none */
	uint64_t wall_limit_us; /* the guest is ended then */
	char cmdline[512];
	char root[64]; /* name of an image with an init of its own; "" none */
	struct disk_file file[MACHINE_FILES];
	size_t files;
	struct disk_program program[MACHINE_PROGRAMS];
	size_t programs;
	char *plan; /* owned: the text of /plan */
};

/* A swap file lies on the scratch disk, and zram is memory: neither needs a disk of its own. */
static inline bool machine_swap_disk(const struct machine *machine)
{
	return machine->swap_bytes > 0 &&
	       (machine->swap == SWAP_PARTITION || machine->swap == SWAP_ZSWAP);
}
