#pragma once
/*
 * What is kept of a run for tables: who it was, how it ended, and its figures. A set of runs is
 * a folder of run directories.
 */
#include "lab/figures/figures.h"

enum outcome_status {
	OUTCOME_DONE,
	OUTCOME_NOISY, /* the host was busy: counts only where an arm has nothing better */
	OUTCOME_LOST,
	OUTCOME_SKIPPED,
	OUTCOME_STOPPED,
	OUTCOME_TIMEOUT,
	OUTCOME_ERROR,
	OUTCOME_STATUSES,
};
const char *outcome_status_name(enum outcome_status status);

struct outcome {
	char directory[512];
	char scenario[64];
	char arm[96];
	char kernel[96]; /* its release */
	char accelerator[32];
	char reason[256]; /* of a status that is not done */
	uint64_t repeat;
	enum outcome_status status;
	struct figure figure[FIGURES]; /* without a value unless it is done or noisy */
};

/* 0 or -errno with a sentence. */
must_check int outcome_read(const char *directory, struct outcome *out,
			    struct lab_error *error);

#define OUTCOMES_MAX 4096

struct outcomes {
	struct outcome *run; /* owned */
	size_t count;
};

/* One run directory, or a folder of them, by name. outcomes_done() in any case. */
must_check int outcomes_read(const char *directory, struct outcomes *out,
			     struct lab_error *error);
void outcomes_done(struct outcomes *outcomes);

/* "6.12" of "6.12.117+deb13-cloud-amd64" */
struct span kernel_version(const char *release);
