#pragma once
/*
 * The plan of an invocation: which arm runs on which kernel, in which order, into which folder.
 */
#include "cmd/lab.h"
#include "lab/boot/job.h"
#include "lab/boot/kernels.h"
#include "lab/scenario/set.h"

#define SETS_MAX 64

struct lab_job {
	const struct scenario *scenario; /* one arm of a set */
	const struct kernel *kernel;
	unsigned int repeat; /* from 1 */
	char name[256];	     /* of its folder */
	struct job_result result;
	bool is_run; /* it was begun */
};

struct lab_plan {
	struct scenario_set set[SETS_MAX]; /* owned */
	size_t sets;
	struct kernel kernel[KERNELS_MAX];
	size_t kernels;
	struct lab_job *job; /* owned; in the order they run */
	size_t jobs;
	uint64_t seed;
	char folder[512];
	bool is_made; /* the folder is there */
	bool is_resumed;
};

/*
 * The plan for these scenarios; the folder is made. 0, or an exit status after one sentence.
 * In both cases it ends with plan_done().
 */
must_check int plan_open(const struct lab_options *options, const char *const *names,
			 size_t count, struct lab_plan *out);
void plan_done(struct lab_plan *plan);

/*
 * Runs it, showing what goes on; afterwards each job's result is there. 0, or an exit status
 * when it had to stop.
 */
must_check int plan_run(struct lab_plan *plan);

/* Tables of all its sets, or one JSON document. */
int plan_show(const struct lab_plan *plan, bool json);
