#pragma once
/*
 * One run: boots the machine, watches it, and leaves a run directory that says all about it.
 */
#include <signal.h>

#include "lab/boot/kernels.h"
#include "lab/boot/machine.h"

enum job_status {
	JOB_DONE,
	JOB_LOST,    /* the guest ended without its result, twice */
	JOB_NOISY,   /* complete, but this host was too busy, twice */
	JOB_SKIPPED, /* the kernel lacks something; the reason says what */
	JOB_STOPPED, /* by a signal */
	JOB_TIMEOUT, /* at the wall-clock limit; what came out until then is kept */
	JOB_ERROR,   /* the plan could not be carried out, or qemu not be started */
};
const char *job_status_name(enum job_status status);

struct job {
	const struct machine *machine; /* all borrowed */
	const struct kernel *kernel;
	const char *guest;     /* path of refault-guest */
	const char *directory; /* is made; run.ini and the results appear in it */
	const char *scenario;  /* for run.ini */
	const char *arm;
	unsigned int repeat;
	uint64_t seed;
	void (*live)(void *data, struct span line); /* each line of ttyS1; may be NULL */
	void *data;
	const volatile sig_atomic_t *stop; /* set by a signal handler; may be NULL */
};

struct job_result {
	enum job_status status;
	char reason[256];
	unsigned int attempts;
	double wall_s;
	double delay_percent; /* the guest's threads waited so long for a processor; NAN unknown
			       */
};

/* 0, or -errno when the run directory could not be written. */
must_check int job_run(const struct job *job, struct job_result *out);
