#pragma once
/*
 * Processes and cgroups of hand-made trees.
 */
#include "fixture.h"

#define PROCESS(pid, name)                                                                     \
	{                                                                                      \
		"proc/" pid "/stat", pid                                                       \
			" (" name                                                              \
			") S 1 1 1 0 -1 4194560 0 0 0 0 10 10 0 0 20 0 1 0 2 22000000 3000 "   \
			"18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 " \
			"0 0 0 0\n"                                                            \
	}

#define PSI_CALM                                                                           \
	{                                                                                  \
		"proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n" \
					"full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n" \
	}

#define CGROUP2                                                                             \
	{ "proc/self/mountinfo", "22 1 259:2 / / rw - ext4 /dev/vda2 rw\n"                  \
				 "27 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n" }, \
		{ "sys/fs/cgroup/cgroup.controllers", "memory\n" },                         \
	{                                                                                   \
		"sys/fs/cgroup/_id", "1\n"                                                  \
	}

/* "system.slice/x.service", its id, and its memory.current, high and max. */
#define GROUP(path, id, current, high, max)                                \
	{ "sys/fs/cgroup/" path "/_id", id "\n" },                         \
		{ "sys/fs/cgroup/" path "/memory.current", current "\n" }, \
		{ "sys/fs/cgroup/" path "/memory.high", high "\n" },       \
		{ "sys/fs/cgroup/" path "/memory.max", max "\n" },         \
	{                                                                  \
		"sys/fs/cgroup/" path "/memory.swap.max", "max\n"          \
	}

#define MEMINFO(swap)                                                             \
	{                                                                         \
		"proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n" \
				"SwapTotal: " swap " kB\nSwapFree: " swap " kB\n" \
	}

#define SWAP_LINE(name)                                                                       \
	{                                                                                     \
		"proc/swaps",                                                                 \
			"Filename Type Size Used Priority\n" name " partition 1048576 0 -2\n" \
	}

#define OOMD_KILLS                                                    \
	{                                                             \
		"etc/systemd/system/system.slice.d/10-x.conf",        \
			"[Slice]\nManagedOOMMemoryPressure=kill\n"    \
			"ManagedOOMMemoryPressureLimit=50%"           \
			"\nManagedOOMMemoryPressureDurationSec=20s\n" \
	}
