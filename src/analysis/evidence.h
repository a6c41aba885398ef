#pragma once
/*
 * What a verdict is made of: signals of the machine and of every cgroup over the window, lost
 * time with both bounds, growth, and the domains whose limit is being hit.
 */
#include "analysis/signals.h"
#include "analysis/window.h"

/*
 * Lost time: the share of wall time that a cgroup's runnable work lost to memory. Memory PSI
 * sees only reads of pages that had been active; io PSI sees all reads, of which io_share are
 * memory's (docs/VERDICTS.md). Both bounds are 0 to 1; NAN unknown.
 */
struct loss {
	double lower;
	double upper;
	double io_share;
	bool collapsed; /* the mapped set shrank below its calm value while the cgroup reads */
	bool borrowed;	/* the machine's pressure stands in: the cgroup has none of its own */
};

struct growth {
	double rate;	    /* bytes per second, robust; NAN unknown */
	double long_rate;   /* the same over minutes; NAN when not watched that long */
	double recent;	    /* the same over the last two seconds, as it is */
	double level;	    /* anon + shmem + swap now, bytes */
	double rising;	    /* share of steps that do not fall */
	double kernel_rate; /* of its kernel memory and of its shared memory: last minus first
			     */
	double shmem_rate;
	bool below_peak; /* it has been larger before: a saw-tooth rather than a leak */
};

/* One cgroup; parallel to the newest snapshot's cgroups. */
struct member {
	struct signals signals;
	struct loss loss;
	struct growth growth;
	bool leaf; /* processes are in it, and it is one of those that are looked at */
};

enum limit_kind {
	LIMIT_RAM,
	LIMIT_HIGH,
	LIMIT_MAX,
};

/* The place whose limit is being hit. */
struct domain {
	enum limit_kind kind;
	int32_t cgroup;		       /* index; -1 is the machine */
	const struct signals *signals; /* of the machine or of that cgroup */
	double limit;		       /* bytes */
	int32_t sufferer;	       /* index of the member that loses most; -1 none */
	int32_t bystander;	       /* the same without the culprit */
	int32_t culprit;	       /* index of the member that grows most; -1 none */
	double loss;		       /* lower bound of the sufferer's; NAN unknown */
	double bystander_loss;
	double grow_rate; /* of all its members that grow, bytes per second; NAN unknown */
};

struct evidence {
	const struct window *window;
	struct pair pair;
	struct signals machine;
	bool is_part;		/* only some cgroups are looked at */
	struct member *members; /* one a cgroup of pair.now */
	size_t member_count;
	struct domain *domain; /* the machine first, then every cgroup at its limit */
	size_t domains;
	size_t domains_left_out; /* of parts that have more of them than DOMAINS_OF_PART */
	double kernel_rate;	 /* slopes over the window, bytes per second */
	double shmem_rate;
	double grown_rate; /* anon + shmem + swap of the machine */
};

static inline double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

static inline double signal_of(const struct signals *signals, enum signal signal)
{
	return signals->value[signal];
}
