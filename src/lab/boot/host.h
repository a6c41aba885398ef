#pragma once
/*
 * What this machine is: it stands in every run, since numbers from two of them do not compare.
 */
#include "lab/boot/process.h"

struct host_facts {
	char qemu[128]; /* "QEMU emulator version 7.2.22 (…)"; "" not installed */
	char cpu[128];
	unsigned int cores;
	double load; /* of the last minute, before the run; NAN unknown */
};

must_check int host_facts_read(stop_flag stop, struct host_facts *out);
