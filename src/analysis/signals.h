#pragma once
/*
 * Signals: the table of derived numbers, computed alike for the machine and for each cgroup.
 */
#include "analysis/number.h"
#include "model/snapshot.h"

enum signal {
#define X(id, ...) SIG_##id,
#include "analysis/signals.def"
#undef X
	SIGNALS,
};

enum signal_unit {
	BYTES_S,  /* bytes per second */
	PER_S,	  /* events per second */
	SHARE_OF, /* 0 to 1, of the time or of a whole */
	BYTES_AT, /* bytes */
};

struct signal_row {
	const char *name;
	enum signal_unit unit;
	const char *formula;
};
const struct signal_row *signal_row(enum signal signal);

struct signals {
	double value[SIGNALS]; /* NAN where unknown */
	uint8_t why[SIGNALS];  /* enum why */
};

/* Two snapshots of one source; seconds is NAN when the time between them is not known. */
struct pair {
	const struct snapshot *before; /* NULL: there is only one */
	const struct snapshot *now;
	double seconds;
};
struct pair pair_of(const struct snapshot *before, const struct snapshot *now);

/*
 * What is read back after it was evicted, files and anonymous memory together, bytes per
 * second. NAN when neither is known: kernels before 5.9 count files only.
 */
double reread_of(const struct signals *signals);

void signals_machine(const struct pair *pair, struct signals *out);

/* index is that of pair->now. Its swap.free is bounded by the limits above it. */
void signals_cgroup(const struct pair *pair, size_t index, const struct signals *machine,
		    struct signals *out);
