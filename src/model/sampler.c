#include "model/sampler.h"

#include <errno.h>
#include <sys/resource.h>

#include "base/oomd.h"
#include "kernel/keyed.h"
#include "kernel/psi.h"
#include "kernel/value.h"
#include "model/scan.h"
#include "model/top.h"

/* Larger than any file the kernel shows, thousands of CPUs in zoneinfo included: else garbled.
 */
#define FILE_MAX ((size_t)4 << 20)
#define NAMES_MAX ((size_t)8 << 20)
#define PATHS_MAX ((size_t)256 << 20)

/* Cgroups and processes are sorted in the same room. */
#define KEYS_MAX ((size_t)65536)
_Static_assert(CGROUPS_MAX <= 65536, "KEYS_MAX is too small");
_Static_assert(TASKS_MAX <= 65536, "KEYS_MAX is too small");

/* A controller may be switched on later: files that were missing are tried again, in turn. */
#define RETRY_TICKS 30

/* What the kernel allows at most unless fs.nr_open is changed; only root may go beyond its own.
 */
#define FILES_OPEN_MAX ((rlim_t)1 << 20)

static void raise_limit(void)
{
	struct rlimit limit = { FILES_OPEN_MAX, FILES_OPEN_MAX };

	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int tracking_init(struct tracking *tracking, struct arena *memory)
{
	tracking->list = arena_raw(memory, CGROUPS_MAX * sizeof(struct tracked));
	tracking->by_path = arena_raw(memory, CGROUPS_MAX * sizeof(struct sort_key));
	if (!tracking->list || !tracking->by_path)
		return -ENOMEM;
	return arena_init(&tracking->arena, PATHS_MAX);
}

static struct buffer buffer_in(struct arena *memory, size_t size)
{
	return (struct buffer){ arena_raw(memory, size), size };
}

static int lists_init(struct sampler *sampler)
{
	struct arena *memory = &sampler->memory;
	int r = tracking_init(&sampler->tracking[0], memory);

	if (r == 0)
		r = tracking_init(&sampler->tracking[1], memory);
	if (r < 0)
		return r;
	sampler->keys = arena_raw(memory, KEYS_MAX * sizeof(struct sort_key));
	sampler->places = arena_raw(memory, CGROUPS_MAX * sizeof(int32_t));
	sampler->walked = arena_raw(memory, CGROUPS_MAX * sizeof(struct tracked));
	sampler->kept.list = arena_raw(memory, TASKS_MAX * sizeof(struct kept_task));
	sampler->file = buffer_in(memory, FILE_MAX);
	sampler->names = buffer_in(memory, NAMES_MAX);
	return sampler->keys && sampler->places && sampler->walked && sampler->kept.list &&
			       sampler->file.at && sampler->names.at ?
		       0 :
		       -ENOMEM;
}

int sampler_init(struct sampler *sampler)
{
	int r;

	*sampler = (struct sampler){ .stale = true };
	raise_limit();
	r = arena_init(&sampler->memory, (size_t)128 << 20);
	if (r == 0)
		r = lists_init(sampler);
	if (r < 0)
		sampler_done(sampler);
	return r;
}

void sampler_done(struct sampler *sampler)
{
	for (size_t i = 0; i < ARRAY_LEN(sampler->tracking); i++) {
		struct tracking *tracking = &sampler->tracking[i];

		for (size_t j = 0; j < tracking->count; j++) {
			cgroup_files_close(&tracking->list[j].files);
			slot_close(&tracking->list[j].below_slot);
		}
		arena_done(&tracking->arena);
	}
	arena_done(&sampler->memory);
	*sampler = (struct sampler){ 0 };
}

static void take_machine(struct sampler *sampler, const struct root *root, struct snapshot *out)
{
	struct numbers numbers = { out->value, out->state };

	host_read(root, sampler->file, &out->host);
	keyed_read(root, "proc/vmstat", &VMSTAT_KEYS, sampler->file, numbers);
	keyed_read(root, "proc/meminfo", &MEMINFO_KEYS, sampler->file, numbers);
	psi_read(root, sampler->file, numbers);
	tunables_read(root, sampler->file, numbers);
	out->zones_state = zones_read(root, sampler->file, out->zones);
	devices_read(root, sampler->file, out->devices);
	mounts_read(root, sampler->file, &out->mounts);
}

/* What can't be told is no mark, and an unknown owner, whose marks would not count. */
static void read_marks(const struct root *root, struct tracked *tracked)
{
	struct oomd_marks marks = { .owner = UID_UNKNOWN };
	int r = oomd_read(root, tracked->directory, &marks);

	tracked->has_marks = true;
	tracked->owner = r < 0 ? UID_UNKNOWN : marks.owner;
	tracked->marks = (marks.oomd_avoid ? (uint32_t)MARK_OOMD_AVOID : 0) |
			 (marks.oomd_omit ? (uint32_t)MARK_OOMD_OMIT : 0);
}

/* Marks change seldom, and a look at them is a path look-up; a capture wants them in each
 * frame.
 */
static void take_rare(struct sampler *sampler, const struct root *root, struct tracked *tracked)
{
	bool is_turn = (sampler->ticks + tracked->id) % RETRY_TICKS == 0;

	if (is_turn)
		cgroup_files_retry(&tracked->files);
	if (is_turn || !tracked->has_marks || root->kind != ROOT_LIVE || root->tee)
		read_marks(root, tracked);
}

/* False when the cgroup went away while it was read. */
static bool take_cgroup(struct sampler *sampler, const struct root *root,
			struct tracked *tracked, struct arena *arena, struct cgroup *out)
{
	*out = (struct cgroup){
		.id = tracked->id,
		.hierarchy = tracked->hierarchy,
		.path = arena_text(arena, tracked->path, strlen(tracked->path)),
		.parent = tracked->parent,
		.has_children = tracked->has_children,
		.pressure = -1,
	};
	if (!out->path)
		return false;
	take_rare(sampler, root, tracked);
	out->owner = tracked->owner;
	out->marks = tracked->marks;
	if (cgroup_read(root, tracked->directory, &tracked->files, sampler->file,
			(struct numbers){ out->value, out->state }) < 0)
		return false;
	out->local_events = tracked->files.local_events;
	return true;
}

/* Indices of tracked cgroups become indices of those that were read. */
static void renumber(const struct sampler *sampler, struct snapshot *out)
{
	for (size_t i = 0; i < out->cgroup_count; i++) {
		struct cgroup *cgroup = &out->cgroups[i];

		if (cgroup->parent >= 0)
			cgroup->parent = sampler->places[cgroup->parent];
	}
}

static int take_cgroups(struct sampler *sampler, const struct root *root, struct arena *arena,
			struct snapshot *out)
{
	struct tracking *now;

	sampler->mounts = out->mounts;
	if (scan_is_due(sampler, root))
		scan(sampler, root);
	now = &sampler->tracking[sampler->current];
	out->cgroups_cut = now->cut;
	out->cgroups_state = out->mounts.mode == CGROUPS_NONE ? ABSENT : OK;
	out->cgroups = arena_raw(arena, (now->count + 1) * sizeof(struct cgroup));
	if (!out->cgroups)
		return -ENOMEM;
	for (size_t i = 0; i < now->count; i++) {
		sampler->places[i] = -1;
		if (take_cgroup(sampler, root, &now->list[i], arena,
				&out->cgroups[out->cgroup_count])) {
			sampler->places[i] = (int32_t)out->cgroup_count++;
			continue;
		}
		out->vanished++;
		sampler->stale = true;
	}
	renumber(sampler, out);
	top_fill(out);
	return 0;
}

/*
 * A container in the cgroup namespace of its host sees only its part of a hierarchy, and its
 * processes with their whole path: "/docker/1/a" is "/a" where "docker/1" is mounted. Empty
 * outside of that.
 */
static struct span path_below(struct span path, const char *root)
{
	struct span rest = path;

	if (!*root || span_empty(path))
		return path;
	if (span_starts(rest, "/"))
		rest.at++;
	if (!span_starts(rest, root))
		return span_of(path.at, 0);
	rest.at += strlen(root);
	if (span_empty(rest))
		return span_cstr("/");
	return span_starts(rest, "/") ? rest : span_of(path.at, 0);
}

/* The index among the cgroups that were read; -1 for none, and for one that is gone. */
static int32_t place_of(const struct sampler *sampler, enum hierarchy hierarchy,
			struct span whole)
{
	const struct tracking *now = &sampler->tracking[sampler->current];
	const struct mounts *mounts = &sampler->mounts;
	struct span path = path_below(whole, hierarchy == HIERARCHY_V2 ? mounts->v2_root :
									 mounts->v1_root);
	int32_t index = span_empty(path) ? -1 : scan_find(now, hierarchy, path);

	return index < 0 ? -1 : sampler->places[index];
}

/* False when it is gone, or a kernel thread. */
static bool take_task(struct sampler *sampler, const struct root *root, const char *pid,
		      struct snapshot *out, struct task *task)
{
	const struct task_query query = { .pid = pid, .page_bytes = out->host.page_bytes };
	struct task_paths paths;
	int r;

	*task = (struct task){ 0 };
	r = task_read(root, &query, sampler->file, task, &paths);
	/* With hidepid=1 others' processes are listed, and not even their stat can be read. */
	out->tasks_denied +=
		r < 0 ? state_of_error(r) == DENIED : task->state[TASK_RSS_ANON] == DENIED;
	if (r < 0 || task->is_kernel)
		return false;
	task->cgroup = place_of(sampler, HIERARCHY_V2, paths.v2);
	task->cgroup_memory = place_of(sampler, HIERARCHY_V1_MEMORY, paths.v1_memory);
	if (out->mounts.mode == CGROUPS_NONE)
		task->cgroup = 0; /* the top, which stands for the machine */
	return true;
}

/* In order of pid: procfs lists them so, a captured tree need not. */
static size_t list_tasks(struct sampler *sampler, struct span names, struct snapshot *out)
{
	struct span rest = names;
	struct span name;
	size_t count = 0;

	while (span_cut(&rest, '\0', &name)) {
		uint64_t pid;

		if (span_u64(name, &pid) < 0)
			continue;
		if (count == TASKS_MAX) {
			out->tasks_cut = true;
			break;
		}
		sampler->keys[count++] =
			(struct sort_key){ .major = pid,
					   .index = (uint32_t)(name.at - names.at) };
	}
	sort_keys(sampler->keys, count);
	return count;
}

static int sweep_tasks(struct sampler *sampler, const struct root *root, struct arena *arena,
		       struct snapshot *out)
{
	struct span names;
	size_t count;
	int r = root_list(root, "proc", sampler->names, &names);

	if (r < 0) {
		out->tasks_state = state_of_error(r);
		return 0;
	}
	count = list_tasks(sampler, names, out);
	out->tasks_state = count > 0 ? OK : ABSENT;
	out->tasks = arena_raw(arena, count * sizeof(struct task));
	if (!out->tasks)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (take_task(sampler, root, names.at + sampler->keys[i].index, out,
			      &out->tasks[out->task_count]))
			out->task_count++;
	return 0;
}

static uint64_t id_at(const struct snapshot *snapshot, int32_t index)
{
	return index < 0 ? 0 : snapshot->cgroups[index].id;
}

static void keep_tasks(struct sampler *sampler, const struct snapshot *snapshot)
{
	struct kept_tasks *kept = &sampler->kept;

	kept->count = snapshot->task_count;
	kept->state = snapshot->tasks_state;
	kept->cut = snapshot->tasks_cut;
	kept->denied = snapshot->tasks_denied;
	kept->at_us = snapshot->host.at_us;
	for (size_t i = 0; i < kept->count; i++) {
		const struct task *task = &snapshot->tasks[i];

		kept->list[i] = (struct kept_task){
			.task = *task,
			.cgroup_id = id_at(snapshot, task->cgroup),
			.cgroup_memory_id = id_at(snapshot, task->cgroup_memory),
		};
	}
}

/* Where the cgroup that was at an index is now; -1 when it was none or is gone. */
static int32_t place_now(const struct snapshot *now, int32_t index, enum hierarchy hierarchy,
			 uint64_t id)
{
	const struct cgroup *cgroup;

	if (index < 0)
		return -1;
	cgroup = snapshot_cgroup(now, &(struct cgroup){ .id = id, .hierarchy = hierarchy });
	return cgroup ? (int32_t)(cgroup - now->cgroups) : -1;
}

static int copy_tasks(const struct sampler *sampler, struct arena *arena, struct snapshot *out)
{
	const struct kept_tasks *kept = &sampler->kept;

	out->tasks = arena_raw(arena, kept->count * sizeof(*out->tasks));
	if (!out->tasks)
		return -ENOMEM;
	out->task_count = kept->count;
	out->tasks_state = kept->state;
	out->tasks_cut = kept->cut;
	out->tasks_denied = kept->denied;
	out->tasks_at_us = kept->at_us;
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_task *from = &kept->list[i];
		struct task *task = &out->tasks[i];

		*task = from->task;
		task->cgroup = place_now(out, task->cgroup, HIERARCHY_V2, from->cgroup_id);
		task->cgroup_memory = place_now(out, task->cgroup_memory, HIERARCHY_V1_MEMORY,
						from->cgroup_memory_id);
	}
	return 0;
}

static int take_tasks(struct sampler *sampler, const struct root *root, enum sampling how,
		      struct arena *arena, struct snapshot *out)
{
	int r;

	if (how == SAMPLE_WITHOUT_TASKS)
		return 0;
	if (how == SAMPLE_KEEP_TASKS && sampler->kept.at_us > 0)
		return copy_tasks(sampler, arena, out);
	r = sweep_tasks(sampler, root, arena, out);
	if (r < 0)
		return r;
	out->tasks_at_us = out->host.at_us;
	keep_tasks(sampler, out);
	return 0;
}

/*
 * Where memory is on v1 its pressure is that of the v2 cgroup which all processes of the v1
 * cgroup are in, or of none; the top of v2 is the machine and says nothing about a cgroup.
 */
static void join_pressure(struct snapshot *out)
{
	for (size_t i = 0; i < out->cgroup_count; i++)
		if (out->cgroups[i].hierarchy == HIERARCHY_V2)
			out->cgroups[i].pressure = (int32_t)i;
	for (size_t i = 0; i < out->task_count; i++) {
		const struct task *task = &out->tasks[i];
		struct cgroup *memory;

		if (task->cgroup >= 0)
			out->cgroups[task->cgroup].tasks++;
		if (task->cgroup_memory < 0)
			continue;
		memory = &out->cgroups[task->cgroup_memory];
		if (memory->tasks++ == 0)
			memory->pressure = task->cgroup;
		else if (memory->pressure != task->cgroup)
			memory->pressure = -1;
	}
	for (size_t i = 0; i < out->cgroup_count; i++) {
		struct cgroup *cgroup = &out->cgroups[i];

		if (cgroup->hierarchy == HIERARCHY_V1_MEMORY && cgroup->pressure >= 0 &&
		    out->cgroups[cgroup->pressure].parent < 0)
			cgroup->pressure = -1;
	}
}

int sampler_take(struct sampler *sampler, const struct root *root, enum sampling how,
		 struct arena *arena, struct snapshot **out)
{
	struct snapshot *snapshot;
	int r;

	arena_reset(arena);
	snapshot = arena_alloc(arena, sizeof(*snapshot));
	if (!snapshot)
		return -ENOMEM;
	snapshot->zones = arena_alloc(arena, sizeof(*snapshot->zones));
	snapshot->devices = arena_alloc(arena, sizeof(*snapshot->devices));
	if (!snapshot->zones || !snapshot->devices)
		return -ENOMEM;
	take_machine(sampler, root, snapshot);
	r = take_cgroups(sampler, root, arena, snapshot);
	if (r == 0)
		r = take_tasks(sampler, root, how, arena, snapshot);
	if (r < 0)
		return r;
	join_pressure(snapshot);
	snapshot_profile(snapshot);
	sampler->ticks++;
	*out = snapshot;
	return 0;
}

const char *sampler_directory(const struct sampler *sampler, enum hierarchy hierarchy,
			      uint64_t id)
{
	const struct tracking *now = &sampler->tracking[sampler->current];
	size_t low = 0;
	size_t high = now->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tracked *tracked = &now->list[middle];

		if (tracked->hierarchy == hierarchy && tracked->id == id)
			return tracked->directory;
		if (tracked->hierarchy < hierarchy ||
		    (tracked->hierarchy == hierarchy && tracked->id < id))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
