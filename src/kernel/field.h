#pragma once
/*
 * The catalogue of numbers: every counter, gauge and setting that is read, one row each in the
 * .def files. A number is a slot: value[ID] and state[ID].
 */
#include "base/macro.h"

/* What is known about one number. Only OK has a value. */
enum state {
	ABSENT,	   /* this kernel, or this kind of cgroup, does not have it */
	OK,	   /* read */
	UNLIMITED, /* read: "max"; the value is UINT64_MAX */
	DENIED,	   /* it is there and we may not read it */
	DISABLED,  /* it is there and switched off */
	GARBLED,   /* it is there and not in the form that the kernel documents */
};

enum unit {
	COUNT,
	PAGES,
	BYTES,
	KIB,
	US,
	MS,
	CENTI,	/* hundredths of a percent's whole: 1234 is 12.34 % */
	TICKS,	/* 1/100 s, USER_HZ */
	FLAG,	/* 0 or 1 */
	CHOICE, /* enum choice */
};

enum kind {
	GAUGE,	 /* a level now */
	COUNTER, /* events since boot, or since the thing was made */
	SETTING, /* what an administrator chose */
};

/* The words in brackets of /sys/kernel/mm/transparent_hugepage. */
enum choice {
	CHOICE_NEVER,
	CHOICE_ALWAYS,
	CHOICE_MADVISE,
	CHOICE_DEFER,
	CHOICE_DEFER_MADVISE,
	CHOICE_ADVISE,
	CHOICE_WITHIN_SIZE,
	CHOICE_DENY,
	CHOICE_FORCE,
	CHOICES,
};
const char *choice_name(uint64_t choice);

/* Each file's rows start at its BASE; the helper BASE_ makes the first row equal to it. */
#define X(id, ...) id,
enum machine_field {
	VMSTAT_BASE = 0,
	VMSTAT_BASE_ = VMSTAT_BASE - 1,
#include "kernel/vmstat.def"
	MEMINFO_BASE,
	MEMINFO_BASE_ = MEMINFO_BASE - 1,
#include "kernel/meminfo.def"
	PSI_BASE,
	PSI_BASE_ = PSI_BASE - 1,
#include "kernel/psi.def"
	TUNABLES_BASE,
	TUNABLES_BASE_ = TUNABLES_BASE - 1,
#include "kernel/tunables.def"
	MACHINE_FIELDS,
};

enum cgroup_field {
	CG_STAT_BASE = 0,
	CG_STAT_BASE_ = CG_STAT_BASE - 1,
#include "kernel/cgroup_stat.def"
	CG_EVENTS_BASE,
	CG_EVENTS_BASE_ = CG_EVENTS_BASE - 1,
#include "kernel/cgroup_events.def"
	CG_FILE_BASE,
	CG_FILE_BASE_ = CG_FILE_BASE - 1,
#include "kernel/cgroup_file.def"
	CG_KEYED_BASE,
	CG_KEYED_BASE_ = CG_KEYED_BASE - 1,
#include "kernel/cgroup_keyed.def"
	CG_PSI_BASE,
	CG_PSI_BASE_ = CG_PSI_BASE - 1,
#include "kernel/cgroup_psi.def"
	CG_IO_BASE,
	CG_IO_BASE_ = CG_IO_BASE - 1,
#include "kernel/cgroup_io.def"
	CGROUP_FIELDS,
};

enum task_field {
#include "kernel/task.def"
	TASK_FIELDS,
};

enum zone_field {
#include "kernel/zone.def"
	ZONE_FIELDS,
};

enum node_field {
#include "kernel/node.def"
	NODE_FIELDS,
};

enum swap_field {
#include "kernel/swap.def"
	SWAP_FIELDS,
};

enum zram_field {
#include "kernel/zram.def"
	ZRAM_FIELDS,
};

enum disk_field {
#include "kernel/disk.def"
	DISK_FIELDS,
};
#undef X

enum scope {
	SCOPE_MACHINE,
	SCOPE_CGROUP,
	SCOPE_TASK,
	SCOPE_ZONE,
	SCOPE_NODE,
	SCOPE_SWAP,
	SCOPE_ZRAM,
	SCOPE_DISK,
	SCOPES,
};

struct field {
	const char *file; /* where it is read, "memory.stat" */
	const char *key;  /* its key there; "" for a file with one value */
	const char *key1; /* cgroup v1's key or file; "" where there is none */
	enum unit unit;
	enum kind kind;
	const char *help;
};

struct catalogue {
	const char *name;
	const struct field *fields;
	size_t count;
};
const struct catalogue *catalogue_of(enum scope scope);

/* Since which kernel a field is there; NULL when every kernel from 4.19 on has it. */
const char *field_since(const struct field *field);

/* The slots of one thing: a machine, a cgroup, a task. Borrowed. */
struct numbers {
	uint64_t *value;
	uint8_t *state;
};

static inline void number_set(struct numbers numbers, size_t id, uint64_t value)
{
	numbers.value[id] = value;
	numbers.state[id] = OK;
}

/* What a failed read means: -ENOENT absent, -EACCES denied, -EOPNOTSUPP disabled, else garbled.
 */
enum state state_of_error(int r);
void numbers_fail(struct numbers numbers, size_t first, size_t end, int r);

const char *state_name(enum state state);
