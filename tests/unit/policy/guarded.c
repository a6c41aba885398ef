#include "test.h"

#include "guarded.h"

static struct min_write writes[PROTECT_WRITES];

struct snapshot *guarded_machine(void)
{
	static const enum cgroup_field zeros[] = {
		CG_ACTIVE_ANON,	 CG_INACTIVE_ANON, CG_SHMEM,	   CG_KERNEL,  CG_UNEVICTABLE,
		CG_REFAULT_FILE, CG_REFAULT_ANON,  CG_PGSCAN,	   CG_PGSTEAL, CG_RBYTES,
		CG_ACTIVE_FILE,	 CG_INACTIVE_FILE, CG_FILE_MAPPED, CG_MIN,     CG_ANON,
		CG_CURRENT,	 CG_EV_HIGH,	   CG_EV_MAX,
	};
	struct snapshot *now = snapshot_new();

	now->profile.lru = LRU_MGLRU;
	machine(now, MI_TOTAL, GIB_BYTES);
	machine(now, MI_FREE, GIB_BYTES / 2);
	machine(now, MI_SWAP_TOTAL, 0);
	machine(now, MI_SWAP_FREE, 0);
	machine(now, VM_PGSCAN_KSWAPD, 0);
	machine(now, VM_PGSCAN_DIRECT, 0);
	zone(now, 0, GIB_BYTES / 2, 8 * MIB_BYTES, 10 * MIB_BYTES);
	cgroup(now, "", 1, -1);
	cgroup(now, "app.slice", 2, 0);
	cgroup(now, "app.slice/api.service", 3, SLICE);
	cgroup(now, "app.slice/worker.service", 4, SLICE);
	cgroup(now, "other.service", 5, 0);
	for (int i = SLICE; i <= OTHER; i++)
		for (size_t k = 0; k < ARRAY_LEN(zeros); k++)
			own(now, i, zeros[k], 0);
	own(now, API, CG_ANON, MIBS(1));
	own(now, API, CG_ACTIVE_FILE, MIBS(80));
	own(now, API, CG_FILE_MAPPED, MIBS(80));
	own(now, API, CG_CURRENT, MIBS(81));
	return now;
}

void holds(struct snapshot *snapshot, int cgroup, uint64_t mib)
{
	own(snapshot, cgroup, CG_ANON, MIBS(mib));
	own(snapshot, cgroup, CG_ACTIVE_FILE, 0);
	own(snapshot, cgroup, CG_FILE_MAPPED, 0);
	own(snapshot, cgroup, CG_CURRENT, MIBS(mib));
}

struct guard_config *guarded_config(const char *unit)
{
	static struct guard_config config;

	config = (struct guard_config){ 0 };
	for (size_t i = 0; i < OPTIONS; i++)
		memcpy((char *)&config.options + OPTION_ROWS[i].offset, &OPTION_ROWS[i].value,
		       sizeof(uint64_t));
	config.options.protect_margin = 0;
	if (unit)
		protect_row(&config, unit);
	return &config;
}

struct policy_row *protect_row(struct guard_config *config, const char *unit)
{
	struct policy_row *row = &config->row[config->rows++];

	row->kinds = 1u << POLICY_PROTECT;
	span_copy(span_cstr(unit), row->name, sizeof(row->name));
	span_copy(span_cstr(unit), row->unit, sizeof(row->unit));
	return row;
}

struct min_write *guarded_writes(void)
{
	return writes;
}

void written(struct protection *state, struct snapshot *snapshot, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		own(snapshot, writes[i].member, CG_MIN, writes[i].to);
		protect_done(state, &writes[i], 0);
	}
}

uint64_t written_to(size_t count, int cgroup)
{
	for (size_t i = 0; i < count; i++)
		if (writes[i].member == cgroup)
			return writes[i].to;
	return UINT64_MAX;
}

struct protected *entry_for(struct protection *state, const char *path)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (state->list[i].id != 0 && strcmp(state->list[i].path, path) == 0)
			return &state->list[i];
	return NULL;
}
