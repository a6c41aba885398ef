#include "model/top.h"

static const struct {
	enum cgroup_field to;
	enum machine_field from;
	uint64_t scale;
} SAME[] = {
	{ CG_ANON, MI_ANON, 1 },
	{ CG_SHMEM, MI_SHMEM, 1 },
	{ CG_FILE_MAPPED, MI_MAPPED, 1 },
	{ CG_ACTIVE_FILE, MI_ACTIVE_FILE, 1 },
	{ CG_INACTIVE_FILE, MI_INACTIVE_FILE, 1 },
	{ CG_UNEVICTABLE, MI_UNEVICTABLE, 1 },
	{ CG_REFAULT_ANON, VM_REFAULT_ANON, 1 },
	{ CG_REFAULT_FILE, VM_REFAULT_FILE, 1 },
	{ CG_PGFAULT, VM_PGFAULT, 1 },
	{ CG_PGMAJFAULT, VM_PGMAJFAULT, 1 },
	{ CG_PSWPIN, VM_PSWPIN, 1 },
	{ CG_PSWPOUT, VM_PSWPOUT, 1 },
	{ CG_RBYTES, VM_PGPGIN, 1024 },
	{ CG_WBYTES, VM_PGPGOUT, 1024 },
	{ CG_CPU_SOME_TOTAL, PSI_CPU_SOME_TOTAL, 1 },
	{ CG_MEM_SOME_TOTAL, PSI_MEM_SOME_TOTAL, 1 },
	{ CG_MEM_FULL_TOTAL, PSI_MEM_FULL_TOTAL, 1 },
	{ CG_IO_SOME_TOTAL, PSI_IO_SOME_TOTAL, 1 },
	{ CG_IO_FULL_TOTAL, PSI_IO_FULL_TOTAL, 1 },
};

static void fill_same(const struct snapshot *from, struct cgroup *out)
{
	for (size_t i = 0; i < ARRAY_LEN(SAME); i++) {
		if (out->state[SAME[i].to] != ABSENT)
			continue;
		out->value[SAME[i].to] = from->value[SAME[i].from] * SAME[i].scale;
		out->state[SAME[i].to] = from->state[SAME[i].from];
	}
}

/* The sum of what reclaim took of both kinds, and the swap that is in use. */
static void fill_sums(const struct snapshot *from, struct cgroup *out)
{
	const struct numbers numbers = { out->value, out->state };

	if (out->state[CG_PGSTEAL] == ABSENT && from->state[VM_PGSTEAL_ANON] == OK &&
	    from->state[VM_PGSTEAL_FILE] == OK)
		number_set(numbers, CG_PGSTEAL,
			   from->value[VM_PGSTEAL_ANON] + from->value[VM_PGSTEAL_FILE]);
	if (out->state[CG_SWAP_CURRENT] == ABSENT && from->state[MI_SWAP_TOTAL] == OK &&
	    from->state[MI_SWAP_FREE] == OK &&
	    from->value[MI_SWAP_TOTAL] >= from->value[MI_SWAP_FREE])
		number_set(numbers, CG_SWAP_CURRENT,
			   from->value[MI_SWAP_TOTAL] - from->value[MI_SWAP_FREE]);
}

void top_fill(struct snapshot *out)
{
	if (out->cgroup_count == 0)
		out->cgroups[out->cgroup_count++] = (struct cgroup){
			.hierarchy = HIERARCHY_V2,
			.owner = UID_UNKNOWN,
			.path = "",
			.parent = -1,
			.pressure = -1,
		};
	for (size_t i = 0; i < out->cgroup_count; i++) {
		struct cgroup *cgroup = &out->cgroups[i];

		if (*cgroup->path || cgroup->hierarchy != HIERARCHY_V2 ||
		    cgroup->state[CG_CURRENT] != ABSENT)
			continue;
		fill_same(out, cgroup);
		fill_sums(out, cgroup);
	}
}
