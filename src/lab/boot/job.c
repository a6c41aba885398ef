#include "lab/boot/job.h"

#include <errno.h>

#include "lab/boot/run.h"

static const char *const NAMES[] = {
	[JOB_DONE] = "done",	   [JOB_LOST] = "lost",	      [JOB_NOISY] = "noisy",
	[JOB_SKIPPED] = "skipped", [JOB_STOPPED] = "stopped", [JOB_TIMEOUT] = "timeout",
	[JOB_ERROR] = "error",
};

const char *job_status_name(enum job_status status)
{
	return NAMES[status];
}

/*
 * A /dev/kvm that answers may still not run a guest, as inside some virtual machines (qemu 7.2
 * ends at once because the host refuses a register): then the guest is emulated.
 */
static bool is_without_kvm(struct run *run, struct job_result *result)
{
	bool again = result->status == JOB_ERROR && run->kvm && run->vm.end == VM_FAILED;

	run->kvm_fails |= again;
	if (again)
		result->attempts--; /* no guest was there */
	return again;
}

/* A second attempt may go better: each of these is given one. */
static bool is_repeated(enum job_status status, unsigned int *tried)
{
	unsigned int bit = 1u << status;
	bool again = (status == JOB_LOST || status == JOB_NOISY) && !(*tried & bit);

	*tried |= bit;
	return again;
}

static int attempt_until_good(struct run *run, struct job_result *out)
{
	unsigned int tried = 0;
	int r;

	for (;;) {
		run_attempt(run, out);
		if (!is_without_kvm(run, out) && !is_repeated(out->status, &tried))
			break;
		run_clean(run);
	}
	r = run_write(run, out);
	run_clean(run);
	return r;
}

/* One guest at a time: two of them would disturb each other's clocks. */
static int run_alone(struct run *run, struct job_result *out)
{
	char lock[300];
	auto_fd held = -1;
	int r = path_of(lock, sizeof(lock), "%s/lock", run->lab);

	if (r < 0)
		return r;
	held = lock_take(lock, run->job->stop);
	if (held == -ECANCELED) {
		out->status = JOB_STOPPED;
		run->begun = time(NULL);
		return run_write(run, out);
	}
	if (held < 0)
		return held;
	run->begun_us = vm_now_us();
	run_clean_stale(run->lab);
	r = host_facts_read(run->job->stop, &run->host);
	return r < 0 ? r : attempt_until_good(run, out);
}

/* Nothing is overwritten: a run directory has a run.ini, or is to become one. */
static int make_directory(const char *directory)
{
	char path[4096];
	int r = path_of(path, sizeof(path), "%s/run.ini", directory);

	if (r == 0)
		r = folder_make(directory);
	if (r == 0 && file_exists(path))
		r = -EEXIST;
	return r;
}

static int run_job(struct run *run, const struct job *job, struct job_result *out)
{
	struct job_result result = { .status = JOB_ERROR };
	char cache[240];
	int r;

	run->job = job;
	r = lab_cache(cache, sizeof(cache));
	if (r == 0)
		r = path_of(run->lab, sizeof(run->lab), "%s/lab", cache);
	if (r == 0)
		r = folder_make(run->lab);
	if (r == 0)
		r = make_directory(job->directory);
	if (r == 0)
		r = run_alone(run, &result);
	if (r == 0)
		*out = result;
	return r;
}

int job_run(const struct job *job, struct job_result *out)
{
	struct run *run = calloc(1, sizeof(*run));
	int r = run ? run_job(run, job, out) : -ENOMEM;

	free(run);
	return r;
}
