#include "test.h"

#include "crowd.h"

struct crowd *crowd_new(void)
{
	static struct crowd crowd;

	crowd = (struct crowd){
		.before = snapshot_new(),
		.self_pid = GUARD_PID,
		.self_member = -1,
		.domain = -1,
		.needed = 1,
	};
	cgroup(crowd.before, "", 1, -1);
	cgroup(crowd.before, "system.slice", 2, TOP);
	crowd.before->cgroups[TOP].owner = crowd.before->cgroups[SLICE].owner = 0;
	return &crowd;
}

int crowd_cgroup(struct crowd *crowd, const char *path, int parent, uint64_t mib)
{
	struct snapshot *at = crowd->before;
	int index = cgroup(at, path, at->cgroup_count + 1, parent);

	assert_null(crowd->now);
	at->cgroups[index].owner = 0;
	own(at, index, CG_ANON, mib * MIB_BYTES);
	own(at, index, CG_SHMEM, 0);
	own(at, index, CG_SWAP_CURRENT, 0);
	return index;
}

struct task *crowd_process(struct crowd *crowd, const char *name, int cgroup, uint64_t mib)
{
	uint32_t pid = 100 + (uint32_t)crowd->before->task_count;
	struct task *task = process(crowd->before, pid, name, cgroup);

	assert_null(crowd->now);
	task->uid = 0;
	task->parent = 1;
	task_has(task, TASK_RSS_ANON, mib * MIB_BYTES);
	task_has(task, TASK_OOM_ADJ, 1000);
	return task;
}

int crowd_service(struct crowd *crowd, const char *path, uint64_t mib)
{
	int index = crowd_cgroup(crowd, path, SLICE, mib);
	const char *slash = strrchr(path, '/');

	crowd_process(crowd, slash ? slash + 1 : path, index, mib);
	return index;
}

static void go_on(struct crowd *crowd)
{
	if (!crowd->now)
		crowd->now = later(crowd->before, 5);
}

void crowd_grows(struct crowd *crowd, int cgroup, size_t process, uint64_t mib)
{
	go_on(crowd);
	own_more(crowd->now, cgroup, CG_ANON, mib * MIB_BYTES);
	crowd->now->tasks[process].value[TASK_RSS_ANON] += mib * MIB_BYTES;
}

struct policy_row *crowd_policy(struct crowd *crowd, enum policy_kind kind, const char *unit,
				const char *comm)
{
	struct policy_row *row = &crowd->config.row[crowd->config.rows++];

	row->kinds = 1u << kind;
	if (unit)
		span_copy(span_cstr(unit), row->unit, sizeof(row->unit));
	if (comm)
		span_copy(span_cstr(comm), row->comm, sizeof(row->comm));
	return row;
}

const struct ranking *crowd_rank(struct crowd *crowd)
{
	struct domain domain = { .kind = LIMIT_RAM, .cgroup = crowd->domain };
	struct victim_query query = {
		.evidence = &crowd->evidence,
		.domain = &domain,
		.config = &crowd->config,
		.tried = crowd->tried,
		.tried_count = crowd->tried_count,
		.self_pid = crowd->self_pid,
		.self_member = crowd->self_member,
		.needed = crowd->needed * (double)MIB_BYTES,
	};

	go_on(crowd);
	crowd->evidence = *EVIDENCE(crowd->before, crowd->now);
	victim_rank(&query, &crowd->ranking);
	return &crowd->ranking;
}

const char *crowd_name(const struct crowd *crowd, size_t place)
{
	static char text[256];
	const struct candidate *candidate = &crowd->ranking.list[place];
	const char *path;
	bool is_exempt;

	if (place >= crowd->ranking.count)
		return "";
	is_exempt = candidate->exempt != EXEMPT_NOT;
	path = crowd->now->cgroups[candidate->member].path;
	snprintf(text, sizeof(text), "%s%s%s%s%s", is_exempt ? "(" : "", path,
		 candidate->task ? " " : "", candidate->task ? candidate->task->name : "",
		 is_exempt ? ")" : "");
	return text;
}

const struct candidate *crowd_find(const struct crowd *crowd, int cgroup)
{
	for (size_t i = 0; i < crowd->ranking.count; i++)
		if (crowd->ranking.list[i].member == cgroup)
			return &crowd->ranking.list[i];
	fail_msg("cgroup %d is not there", cgroup);
	return NULL;
}
