#pragma once
/*
 * The command line of the virtual machine, as a list of words. Pure.
 */
#include "lab/boot/kernels.h"
#include "lab/boot/machine.h"

/* Names of the files in the run's temporary folder, which is where qemu runs. */
#define FILE_INITRAMFS "initramfs"
#define FILE_CONSOLE "console"
#define FILE_RESULTS "results.img"
#define FILE_SWAP "swap.img"
#define FILE_SCRATCH "scratch.img"

struct command_input {
	const struct machine *machine;
	const struct kernel *kernel;
	bool kvm;
	uint64_t initramfs_bytes; /* stays in memory: the machine gets as much on top */
	const char *data;	  /* path of the image */
	const char *big;	  /* "" none */
	const char *root;	  /* NULL or "" none */
};

#define COMMAND_WORDS 112

struct command {
	const char *argv[COMMAND_WORDS]; /* ends with NULL */
	size_t count;
	char text[16384]; /* what the words are made of */
	size_t used;
	bool full;
};

/* 0, or -E2BIG; *out is large, and must not be moved: argv points into it. */
must_check int command_build(const struct command_input *input, struct command *out);

/* MiB that qemu is asked for. */
uint64_t command_ram_mib(const struct machine *machine, uint64_t initramfs_bytes);
