#include "test.h"

#include "calm.h"

struct snapshot *calm_machine(void)
{
	static const enum machine_field counters[] = {
		VM_REFAULT_FILE,
		VM_REFAULT_ANON,
		VM_PGPGIN,
		VM_PSWPIN,
		VM_PSWPOUT,
		VM_PGSCAN_FILE,
		VM_PGSCAN_ANON,
		VM_PGSTEAL_FILE,
		VM_PGSTEAL_ANON,
		VM_PGSCAN_KSWAPD,
		VM_PGSCAN_DIRECT,
		VM_PGSTEAL_KSWAPD,
		VM_PGSTEAL_DIRECT,
		VM_ALLOCSTALL_NORMAL,
		VM_COMPACT_STALL,
		VM_THP_FAULT_FALLBACK,
		PSI_MEM_SOME_TOTAL,
		PSI_IO_SOME_TOTAL,
		PSI_CPU_SOME_TOTAL,
		MI_UNEVICTABLE,
		MI_HUGETLB,
		MI_SWAP_TOTAL,
		MI_SWAP_FREE,
		MI_DIRTY,
		MI_WRITEBACK,
		MI_SHMEM,
		MI_SLAB_UNRECLAIMABLE,
		VM_OOM_KILL,
	};
	static const enum cgroup_field own_counters[] = {
		CG_MEM_SOME_TOTAL, CG_IO_SOME_TOTAL, CG_REFAULT_FILE,
		CG_REFAULT_ANON,   CG_RBYTES,	     CG_PGSTEAL,
		CG_EV_HIGH,	   CG_EV_MAX,	     CG_UNEVICTABLE,
	};
	struct snapshot *now = snapshot_new();

	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		machine(now, counters[i], 0);
	machine(now, MI_TOTAL, GIB_BYTES);
	machine(now, MI_AVAILABLE, GIB_BYTES / 2);
	machine(now, MI_FREE, GIB_BYTES / 2);
	machine(now, MI_ANON, GIB_BYTES / 4);
	zone(now, 0, GIB_BYTES / 2, 8 * MIB_BYTES, 10 * MIB_BYTES);
	cgroup(now, "", 1, -1);
	cgroup(now, "service", 2, 0);
	for (size_t i = 0; i < ARRAY_LEN(own_counters); i++)
		own(now, SERVICE, own_counters[i], 0);
	own(now, SERVICE, CG_ANON, 64 * MIB_BYTES);
	return now;
}

const struct verdict *verdict_between(const struct snapshot *before, const struct snapshot *now)
{
	static struct verdict verdict;
	double seconds = (double)(now->host.at_us - before->host.at_us) / SECOND_US;
	const struct snapshot *middle = later(before, seconds / 2);

	verdict_of(EVIDENCE(before, middle, now), &verdict);
	return &verdict;
}

const char *class_between(const struct snapshot *before, const struct snapshot *now)
{
	return class_row(verdict_between(before, now)->class)->name;
}

struct snapshot *freeze_later(const struct snapshot *before, uint64_t percent)
{
	struct snapshot *now = later(before, SECONDS);

	machine_more(now, VM_PGSCAN_FILE, 9000);
	machine_more(now, VM_PGSCAN_KSWAPD, 9000);
	machine_more(now, VM_REFAULT_FILE, PAGES_OF(SECONDS * 8 * MIB_BYTES));
	machine_more(now, VM_PGPGIN, SECONDS * 8 * 1024);
	machine(now, MI_ACTIVE_FILE, MIB_BYTES);
	machine(now, MI_INACTIVE_FILE, MIB_BYTES);
	machine(now, VM_ACTIVE_ANON, PAGES_OF(GIB_BYTES * 7 / 10));
	machine(now, VM_INACTIVE_ANON, 0);
	own_more(now, SERVICE, CG_REFAULT_FILE, PAGES_OF(SECONDS * 8 * MIB_BYTES));
	own_more(now, SERVICE, CG_RBYTES, SECONDS * 8 * MIB_BYTES);
	own_more(now, SERVICE, CG_MEM_SOME_TOTAL, percent * SECONDS * 10000);
	return now;
}
