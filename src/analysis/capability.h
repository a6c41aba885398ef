#pragma once
/*
 * What this kernel, this machine and our rights let us see, and what is lost without it.
 */
#include "analysis/evidence.h"

enum capability {
	CAP_MACHINE_PSI,
	CAP_CGROUP_MEMORY,
	CAP_CGROUP_PSI,
	CAP_CGROUP_IO,
	CAP_REFAULTS,
	CAP_REFAULTS_TRUE,
	CAP_LIMIT_RECLAIM,
	CAP_PROCESSES,
	CAP_ALL_PROCESSES,
	CAP_WHOLE_TREE,
	CAP_OWN_MACHINE,
	CAP_TIME,
	CAP_PAGE_SIZE,
	CAPABILITIES,
};

struct capability_row {
	const char *name;
	const char *missing; /* what to say when it is not there */
	const char *costs;   /* what is lost */
	const char *gain;    /* what would bring it */
};
const struct capability_row *capability_row(enum capability capability);

/* OK, or why not. */
enum state capability_state(enum capability capability, const struct evidence *evidence);
