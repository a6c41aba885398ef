#include "kernel/field.h"

#include <errno.h>

static const struct field MACHINE[] = {
#define X(id, key, unit, kind, help) [id] = { "vmstat", key, "", unit, kind, help },
#include "kernel/vmstat.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "meminfo", key, "", unit, kind, help },
#include "kernel/meminfo.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "pressure", key, "", unit, kind, help },
#include "kernel/psi.def"
#undef X
#define X(id, path, form, unit, help) [id] = { path, "", "", unit, SETTING, help },
#include "kernel/tunables.def"
#undef X
};

static const struct field CGROUP[] = {
#define X(id, key, key1, unit, kind, help) \
	[id] = { "memory.stat", key, key1, unit, kind, help },
#include "kernel/cgroup_stat.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "memory.events", key, "", unit, kind, help },
#include "kernel/cgroup_events.def"
#undef X
#define X(id, file, file1, unit, kind, help) [id] = { file, "", file1, unit, kind, help },
#include "kernel/cgroup_file.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "cgroup", key, "", unit, kind, help },
#include "kernel/cgroup_keyed.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "pressure", key, "", unit, kind, help },
#include "kernel/cgroup_psi.def"
#undef X
#define X(id, key, unit, kind, help) [id] = { "io.stat", key, "", unit, kind, help },
#include "kernel/cgroup_io.def"
#undef X
};

#define X(id, key, unit, kind, help) [id] = { "", key, "", unit, kind, help },
static const struct field TASK[] = {
#include "kernel/task.def"
};
static const struct field ZONE[] = {
#include "kernel/zone.def"
};
static const struct field NODE[] = {
#include "kernel/node.def"
};
static const struct field SWAP[] = {
#include "kernel/swap.def"
};
static const struct field ZRAM[] = {
#include "kernel/zram.def"
};
static const struct field DISK[] = {
#include "kernel/disk.def"
};
#undef X

static const struct catalogue CATALOGUES[] = {
	[SCOPE_MACHINE] = { "machine", MACHINE, ARRAY_LEN(MACHINE) },
	[SCOPE_CGROUP] = { "cgroup", CGROUP, ARRAY_LEN(CGROUP) },
	[SCOPE_TASK] = { "task", TASK, ARRAY_LEN(TASK) },
	[SCOPE_ZONE] = { "zone", ZONE, ARRAY_LEN(ZONE) },
	[SCOPE_NODE] = { "node", NODE, ARRAY_LEN(NODE) },
	[SCOPE_SWAP] = { "swap", SWAP, ARRAY_LEN(SWAP) },
	[SCOPE_ZRAM] = { "zram", ZRAM, ARRAY_LEN(ZRAM) },
	[SCOPE_DISK] = { "disk", DISK, ARRAY_LEN(DISK) },
};

const struct catalogue *catalogue_of(enum scope scope)
{
	return &CATALOGUES[scope];
}

/* Ranges are the releases between which the field appeared in kernels that were looked at. */
static const struct {
	const struct field *field;
	const char *since;
} SINCE[] = {
	{ &MACHINE[VM_REFAULT], "until 5.8" },
	{ &MACHINE[VM_REFAULT_ANON], "5.9" },
	{ &MACHINE[VM_REFAULT_FILE], "5.9" },
	{ &MACHINE[VM_ACTIVATE_ANON], "5.9" },
	{ &MACHINE[VM_ACTIVATE_FILE], "5.9" },
	{ &MACHINE[VM_RESTORE_ANON], "5.9" },
	{ &MACHINE[VM_RESTORE_FILE], "5.9" },
	{ &MACHINE[VM_ALLOCSTALL], "until 4.9" },
	{ &MACHINE[VM_PGSCAN_ANON], "5.8" },
	{ &MACHINE[VM_PGSCAN_FILE], "5.8" },
	{ &MACHINE[VM_PGSTEAL_ANON], "5.8" },
	{ &MACHINE[VM_PGSTEAL_FILE], "5.8" },
	{ &MACHINE[VM_PGSCAN_KHUGEPAGED], "between 6.1 and 6.12" },
	{ &MACHINE[VM_PGSTEAL_KHUGEPAGED], "between 6.1 and 6.12" },
	{ &MACHINE[VM_PGSCAN_PROACTIVE], "between 6.12 and 6.16" },
	{ &MACHINE[VM_PGSTEAL_PROACTIVE], "between 6.12 and 6.16" },
	{ &MACHINE[VM_SWPIN_ZERO], "between 6.1 and 6.12" },
	{ &MACHINE[VM_SWPOUT_ZERO], "between 6.1 and 6.12" },
	{ &MACHINE[MI_SEC_PAGE_TABLES], "6.1" },
	{ &MACHINE[MI_BALLOON], "between 6.12 and 6.16" },
	{ &MACHINE[MI_ZSWAP], "5.19" },
	{ &MACHINE[MI_ZSWAPPED], "5.19" },
	{ &MACHINE[PSI_IRQ_FULL_TOTAL], "6.1, with IRQ_TIME_ACCOUNTING" },
	{ &MACHINE[PSI_CPU_FULL_TOTAL], "5.13; always 0 for the machine" },
	{ &MACHINE[TUN_LRU_GEN], "6.1" },
	{ &MACHINE[TUN_MIN_TTL], "6.1" },
	{ &MACHINE[TUN_DELAYACCT], "5.14" },
	{ &MACHINE[TUN_COMPACTION_PROACTIVE], "5.9" },
	{ &CGROUP[CG_PSWPIN], "between 6.12 and 6.18" },
	{ &CGROUP[CG_PSWPOUT], "between 6.12 and 6.18" },
	{ &CGROUP[CG_PGSCAN_PROACTIVE], "between 6.12 and 6.16" },
	{ &CGROUP[CG_ZSWAP], "5.19" },
	{ &CGROUP[CG_ZSWAPPED], "5.19" },
	{ &CGROUP[CG_PRESSURE], "6.1" },
	{ &CGROUP[CG_PEAK], "5.19" },
	{ &CGROUP[CG_SWAP_HIGH], "5.8" },
	{ &CGROUP[CG_EV_OOM_GROUP], "5.17" },
};

const char *field_since(const struct field *field)
{
	for (size_t i = 0; i < ARRAY_LEN(SINCE); i++)
		if (SINCE[i].field == field)
			return SINCE[i].since;
	return NULL;
}

const char *choice_name(uint64_t choice)
{
	static const char *const names[CHOICES] = {
		[CHOICE_NEVER] = "never",
		[CHOICE_ALWAYS] = "always",
		[CHOICE_MADVISE] = "madvise",
		[CHOICE_DEFER] = "defer",
		[CHOICE_DEFER_MADVISE] = "defer+madvise",
		[CHOICE_ADVISE] = "advise",
		[CHOICE_WITHIN_SIZE] = "within_size",
		[CHOICE_DENY] = "deny",
		[CHOICE_FORCE] = "force",
	};

	return choice < CHOICES ? names[choice] : "?";
}

enum state state_of_error(int r)
{
	switch (-r) {
	case ENOENT:
	case ENODEV:
	case ESRCH:
	case ENOTDIR:
		return ABSENT;
	case EACCES:
	case EPERM:
		return DENIED;
	case EOPNOTSUPP:
		return DISABLED;
	default:
		return GARBLED;
	}
}

void numbers_fail(struct numbers numbers, size_t first, size_t end, int r)
{
	memset(numbers.state + first, (int)state_of_error(r), end - first);
}

const char *state_name(enum state state)
{
	static const char *const names[] = {
		[ABSENT] = "absent",	   [OK] = "ok",
		[UNLIMITED] = "unlimited", [DENIED] = "denied",
		[DISABLED] = "disabled",   [GARBLED] = "garbled",
	};

	return names[state];
}
