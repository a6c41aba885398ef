#pragma once
/*
 * The verdict: which classes hold, where, who suffers, who causes it, what comes next, and what
 * could not be told. Pure: the same evidence gives the same verdict, live and replayed.
 */
#include "analysis/class.h"
#include "analysis/evidence.h"

/* Evidence that a rule looked at: a signal of the machine (-1) or of a cgroup. */
struct cite {
	enum signal signal;
	int32_t member;
};
#define CITES_MAX 8

struct finding {
	enum verdict_class class;
	enum severity severity;
	const struct domain *domain;
	struct cite cite[CITES_MAX];
	size_t cites;
};

/* A class that could not be told, and the first signal that is missing for it. */
struct untold {
	enum verdict_class class;
	struct cite cite;
};

#define PARTIES_MAX 3

/* A sufferer or culprit: a cgroup, and the process in it that stands out. */
struct party {
	int32_t member; /* index: the top where there are no cgroups */
	const struct task
		*task; /* of a sufferer the one that waits, of a culprit the one that grows */
	double task_rate;  /* growth of its anonymous memory and swap, bytes/s; NAN unknown */
	double task_level; /* of the same, bytes; NAN unknown */
};

enum next {
	NEXT_NOTHING,	/* no growth: it stays as it is */
	NEXT_OOM,	/* the kernel's OOM killer, in the machine or in the limit */
	NEXT_SWAP_FULL, /* then as without swap */
	NEXT_FREEZE,	/* no harm yet: the working set begins to go */
	NEXT_NEVER,	/* memory.high: no end by itself */
	NEXT_UNKNOWN,
};

struct forecast {
	enum next next;
	double low_s; /* both bounds; NAN unknown */
	double high_s;
};

enum confidence {
	CONFIDENCE_LOW,
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
};

#define FINDINGS_MAX 32
#define UNTOLD_MAX 64

struct verdict {
	const struct evidence *evidence;
	enum verdict_class class; /* the headline */
	enum severity severity;
	const struct domain *domain;
	struct finding finding[FINDINGS_MAX]; /* by severity, then causes first */
	size_t findings;
	struct untold untold[UNTOLD_MAX];
	size_t untolds;
	struct party sufferer[PARTIES_MAX];
	size_t sufferers;
	struct party culprit[PARTIES_MAX];
	size_t culprits;
	int32_t charged; /* who is charged for the shared pages that the sufferer waits for; -1
			  */
	struct forecast forecast;
	enum confidence confidence;
	const char *confidence_why;
};

void verdict_of(const struct evidence *evidence, struct verdict *out);

const char *confidence_name(enum confidence confidence);
