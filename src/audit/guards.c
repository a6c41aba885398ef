#include "audit/guards_look.h"
#include "audit/origin.h"

/* How each one is known: by its process, and by its unit at the next boot. */
static const struct known {
	const char *name;
	const char *comm; /* 15 bytes; a script's name is its own */
	const char *unit;
} KNOWN[GUARD_KINDS] = {
	[GUARD_SYSTEMD_OOMD] = { "systemd-oomd", "systemd-oomd", "systemd-oomd.service" },
	[GUARD_EARLYOOM] = { "earlyoom", "earlyoom", "earlyoom.service" },
	[GUARD_OOMD] = { "oomd", "oomd", "oomd.service" },
	[GUARD_NOHANG] = { "nohang", "nohang", "nohang.service" },
	[GUARD_REFAULT] = { "refault guard", "refault-guard", "refault-guard.service" },
	[GUARD_KUBELET] = { "kubelet", "kubelet", "kubelet.service" },
	[GUARD_MIN_TTL] = { "min_ttl_ms", "", "" },
};

const char *guard_kind_name(enum guard_kind kind)
{
	return KNOWN[kind].name;
}

const struct guard_found *guard_of(const struct guards *guards, enum guard_kind kind)
{
	for (size_t i = 0; i < guards->count; i++)
		if (guards->guard[i].kind == kind)
			return &guards->guard[i];
	return NULL;
}

bool guard_acts(const struct guards *guards, enum guard_kind kind)
{
	const struct guard_found *found = guard_of(guards, kind);

	return found && found->is_running && found->acts;
}

/* Root of a container is not the machine's, and its guards see the container only. */
static bool is_contained(const char *path)
{
	static const char *const marks[] = { "docker",	 "libpod",	   "lxc",
					     "kubepods", "machine.slice/", "crio-" };

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strstr(path, marks[i]))
			return true;
	return false;
}

/* Anybody may name a process so: it is root's, or where its unit's processes are. */
static bool is_trusted(const struct snapshot *now, const struct task *task, const char *unit)
{
	const char *path = task->cgroup < 0 ? "" : now->cgroups[task->cgroup].path;
	const char *slash = strrchr(path, '/');

	if (slash && strncmp(path, "system.slice/", 13) == 0 && strcmp(slash + 1, unit) == 0)
		return true;
	return (task->uid == 0 || task->uid == UID_UNKNOWN) && !is_contained(path);
}

static const struct task *task_of(const struct facts *facts, const struct known *known)
{
	const struct snapshot *now = facts->snapshot;

	for (size_t i = 0; i < now->task_count; i++) {
		const struct task *task = &now->tasks[i];

		if (strcmp(task->name, known->comm) == 0 && !task->is_kernel &&
		    task->run_state != 'Z' && is_trusted(now, task, known->unit))
			return task;
	}
	return NULL;
}

static void find_process(struct facts *facts, enum guard_kind kind, struct guards *out)
{
	const struct known *known = &KNOWN[kind];
	const struct task *task = task_of(facts, known);
	const struct unit_file *unit = facts_unit(facts, known->unit);
	struct guard_found *found = &out->guard[out->count];

	*found = (struct guard_found){ .kind = kind, .is_running = task != NULL, .at = "" };
	found->is_enabled = unit_is_enabled(&facts->reader, unit);
	found->pid = task ? task->pid : 0;
	if (!found->is_running && !found->is_enabled)
		return;
	GUARD_LOOK[kind](facts, found);
	out->count++;
}

/* MGLRU calls the OOM killer itself when pages younger than that would have to go. */
static void find_min_ttl(struct facts *facts, struct guards *out)
{
	const struct snapshot *now = facts->snapshot;
	struct origin origin = origin_of(facts, "sys/kernel/mm/lru_gen/min_ttl_ms");
	struct guard_found *found = &out->guard[out->count];
	bool is_on = now->state[TUN_LRU_GEN] == OK && (now->value[TUN_LRU_GEN] & 1);
	uint64_t ttl = now->state[TUN_MIN_TTL] == OK ? now->value[TUN_MIN_TTL] : 0;

	*found = (struct guard_found){ .kind = GUARD_MIN_TTL, .is_running = ttl > 0 };
	found->is_enabled = origin.next && strcmp(origin.next, "0") != 0;
	if (!found->is_running && !found->is_enabled)
		return;
	found->row = origin.row;
	found->acts = ttl > 0 && is_on;
	found->because = ttl > 0 && !is_on ? "the multi-generational LRU is off" : NULL;
	found->at = facts_format(facts, "pages used within the last %llu ms would have to go",
				 (unsigned long long)ttl);
	out->count++;
}

/* Without pid 1 the processes of others are hidden (hidepid=). */
static enum state list_state(const struct snapshot *now)
{
	if (now->tasks_state == OK && now->task_count && !snapshot_pid(now, 1))
		return DENIED;
	return now->task_count ? now->tasks_state : ABSENT;
}

void guards_find(struct facts *facts, struct guards *out)
{
	*out = (struct guards){ .state = list_state(facts->snapshot) };
	for (size_t kind = 0; kind < GUARD_MIN_TTL; kind++)
		find_process(facts, (enum guard_kind)kind, out);
	find_min_ttl(facts, out);
}
