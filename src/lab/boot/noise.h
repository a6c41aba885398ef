#pragma once
/*
 * Was this host too busy? How long the threads that are the guest's processors waited for a
 * processor of ours. An emulated guest does not see that, and looks starved.
 */
#include "base/root.h"

/*
 * Above this share of the time of each of the guest's processors a run is noisy. The guest's
 * clock goes on while a processor waits, so a wait looks like a pause of the service. Measured
 * with 2 of them on 2 cores, emulated: 0.4 % on a quiet host, 0.8 % when both are kept busy, 2
 * to 8 % beside small jobs, 20 to 30 % beside a compiler, which also made the boot 1.5 times as
 * long.
 */
#define NOISE_LIMIT_PERCENT 10.0

/*
 * Nanoseconds that all processor threads of a process waited so far. 0 or -errno: -ENOENT when
 * it has no such thread (any more).
 */
must_check int noise_read(const struct root *root, int pid, uint64_t *delay_ns);

/* Of the time of each of the guest's processors. */
double noise_percent(uint64_t delay_ns, uint64_t wall_us, unsigned int cpus);
