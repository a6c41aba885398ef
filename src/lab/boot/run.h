#pragma once
/*
 * One attempt of a job: everything that lies in its temporary folder, and what came of it.
 */
#include "lab/boot/host.h"
#include "lab/boot/job.h"
#include "lab/boot/results.h"
#include "lab/boot/vm.h"

struct run {
	const struct job *job; /* borrowed */
	char lab[256];	       /* the folder in the cache */
	char work[300];	       /* the temporary one in it; "" there is none */
	char data[400];
	char big[400];
	char root[400];
	bool kvm;
	bool kvm_fails; /* it is there, but qemu could not use it: emulate from now on */
	uint64_t initramfs_bytes;
	struct command command;
	struct vm_result vm;
	struct span stream; /* owned: stream_close() */
	struct results results;
	struct host_facts host;
	time_t begun;
	uint64_t begun_us; /* its first attempt, vm_now_us() */
};

/* Boots once. Status and reason say how it went; what came out is in `run` until run_clean().
 */
void run_attempt(struct run *run, struct job_result *out);
void run_clean(struct run *run);

/* Removes what runs left that were killed. Only with the lock. */
void run_clean_stale(const char *lab);

/* Writes the run directory. 0 or -errno. */
must_check int run_write(struct run *run, const struct job_result *result);
