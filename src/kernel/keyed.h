#pragma once
/*
 * Files of "key value" lines: vmstat, meminfo, memory.stat, memory.events, cgroup.events,
 * cpu.stat, a process's status. Keys are matched whole, never by prefix or position; unknown
 * keys are skipped; a known key with a malformed value is garbled, and so is one that comes
 * twice.
 */
#include "base/root.h"
#include "kernel/field.h"

struct key {
	const char *text;
	size_t length;
	size_t id; /* the slot */
	uint64_t scale;
};

struct key_table {
	const struct key *keys;
	size_t count;
	size_t first; /* the slots that belong to the file: [first, end) */
	size_t end;
};

extern const struct key_table VMSTAT_KEYS;
extern const struct key_table MEMINFO_KEYS;
extern const struct key_table CGROUP_STAT_KEYS;	   /* v2 */
extern const struct key_table CGROUP_STAT_V1_KEYS; /* the same slots */
extern const struct key_table CGROUP_EVENTS_KEYS;
extern const struct key_table CGROUP_KEYED_KEYS; /* cgroup.events, cgroup.stat, cpu.stat */
extern const struct key_table TASK_STATUS_KEYS;

/* Slots that the text does not name stay as they are. */
void keyed_parse(struct span text, const struct key_table *table, struct numbers out);

/* All slots of the table get a state: what the text says, or why there is none. */
void keyed_read(const struct root *root, const char *path, const struct key_table *table,
		struct buffer buffer, struct numbers out);
