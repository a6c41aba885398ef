#include "policy/others.h"

/*
 * The kernel keeps 15 bytes of a name, and a script's name is that of the script, not of its
 * interpreter. systemd-oomd acts on units with ManagedOOM…= only; oomd on what its rules say,
 * which nobody but itself can read.
 */
static const struct {
	const char *name;
	enum other_scope scope;
} OTHERS[] = {
	{ "earlyoom", OTHER_MACHINE },	     { "nohang", OTHER_MACHINE },
	{ "nohang-desktop", OTHER_MACHINE }, { "oomd", OTHER_MACHINE },
	{ "bustd", OTHER_MACHINE },	     { "systemd-oomd", OTHER_UNITS },
};

/* Where container managers put what they run: its root is not the machine's. */
static const char *const CONTAINERS[] = {
	"docker/", "docker-", "libpod", "lxc", "kubepods", "machine.slice/", "cri-", "crio-",
};

static bool is_contained(const char *path)
{
	struct span left = span_cstr(path);
	struct span step;

	for (size_t i = 0; i < ARRAY_LEN(CONTAINERS); i++)
		if (span_starts(left, CONTAINERS[i]))
			return true;
	while (span_cut(&left, '/', &step))
		for (size_t i = 0; i < ARRAY_LEN(CONTAINERS); i++)
			if (span_starts(left, CONTAINERS[i]))
				return true;
	return false;
}

/* Only the service manager puts a process there, so its user does not matter. */
static bool is_unit_of(const char *path, const char *name)
{
	struct span rest = span_cstr(path);

	if (!span_starts(rest, "system.slice/"))
		return false;
	rest.at += strlen("system.slice/");
	if (!span_starts(rest, name))
		return false;
	rest.at += strlen(name);
	return span_eq(rest, ".service");
}

/* earlyoom and systemd-oomd have a user of their own, which systemd makes for their unit. */
static bool is_trusted(const struct snapshot *snapshot, const struct task *task)
{
	const char *path = task->cgroup < 0 ? "" : snapshot->cgroups[task->cgroup].path;

	if (is_unit_of(path, task->name))
		return true;
	return task->uid == 0 && !is_contained(path);
}

static bool is_alive(const struct task *task)
{
	return !task->is_kernel && task->run_state != 'Z' && task->run_state != 'X';
}

static bool runs(const struct snapshot *snapshot, const char *name)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct task *task = &snapshot->tasks[i];

		if (strcmp(task->name, name) == 0 && is_alive(task) &&
		    is_trusted(snapshot, task))
			return true;
	}
	return false;
}

const char *other_guard_of(const struct snapshot *snapshot, enum other_scope *out)
{
	for (size_t i = 0; i < ARRAY_LEN(OTHERS); i++) {
		if (!runs(snapshot, OTHERS[i].name))
			continue;
		*out = OTHERS[i].scope;
		return OTHERS[i].name;
	}
	*out = OTHER_NOWHERE;
	return NULL;
}

bool other_guard_is_machine(const char *name, enum other_scope scope, enum other_scope told)
{
	if (!name)
		return false;
	if (strcmp(name, "systemd-oomd") == 0 && told != OTHER_UNKNOWN)
		return told == OTHER_MACHINE;
	return scope == OTHER_MACHINE;
}
