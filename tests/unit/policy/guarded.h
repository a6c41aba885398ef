#pragma once
/*
 * A calm machine of 1 GiB with "app.slice", "app.slice/api.service", "app.slice/worker.service"
 * and "other.service", and what is protected of it.
 */
#include "made.h"
#include "policy/protect.h"

#define SLICE 1
#define API 2
#define WORKER 3
#define OTHER 4

#define MIBS(count) ((uint64_t)(count) << 20)

/* All of them have memory.min 0; api's working set is 1 MiB of anonymous and 80 MiB of files.
 */
struct snapshot *guarded_machine(void);

/* Its working set is that many MiB of anonymous memory. */
void holds(struct snapshot *snapshot, int cgroup, uint64_t mib);

/* Options by default, no margin, and a row that protects that unit; NULL: no row. */
struct guard_config *guarded_config(const char *unit);
struct policy_row *protect_row(struct guard_config *config, const char *unit);

/* A round over these snapshots; writes are noted, and done when snapshot is not NULL. */
struct min_write *guarded_writes(void);
void written(struct protection *state, struct snapshot *snapshot, size_t count);

/* What is written to that cgroup; UINT64_MAX nothing. */
uint64_t written_to(size_t count, int cgroup);
struct protected *entry_for(struct protection *state, const char *path);
