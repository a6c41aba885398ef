#include "test.h"

#include "services.h"

#include "analysis/parties.h"

struct snapshot *with_services(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	static const enum cgroup_field fields[] = {
		CG_ANON,	   CG_KERNEL,	      CG_SHMEM,		 CG_UNEVICTABLE,
		CG_MEM_SOME_TOTAL, CG_REFAULT_FILE,   CG_REFAULT_ANON,	 CG_RBYTES,
		CG_FILE_DIRTY,	   CG_FILE_WRITEBACK, CG_CPU_SOME_TOTAL, CG_CPU_THROTTLED,
	};
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	for (int i = 1; i <= SERVICES; i++) {
		cgroup(now, names[i - 1], (uint64_t)i + 1, 0);
		for (size_t j = 0; j < ARRAY_LEN(fields); j++)
			own(now, i, fields[j], 0);
	}
	return now;
}

struct verdict *parties_in(const struct evidence *evidence, enum verdict_class class,
			   enum severity severity)
{
	static struct verdict verdict;

	verdict = (struct verdict){
		.evidence = evidence,
		.class = class,
		.severity = severity,
		.domain = &evidence->domain[0],
	};
	parties_of(&verdict);
	return &verdict;
}

void loses(struct snapshot *now, int cgroup, uint64_t percent)
{
	own_more(now, cgroup, CG_MEM_SOME_TOTAL, percent * SECONDS * 10000);
}

void grows(struct snapshot *now, int cgroup, enum cgroup_field field, uint64_t mib)
{
	own_more(now, cgroup, field, mib * MIB_BYTES);
}
