#include "model/snapshot.h"

/* "6.12.57+deb13-cloud-amd64" is 6012; 0 when it is not of that form. */
static uint32_t version_of(const char *release)
{
	struct span rest = span_cstr(release);
	struct span major;
	struct span minor;
	uint64_t a;
	uint64_t b;
	size_t digits = 0;

	if (!span_split(rest, '.', &major, &minor) || span_u64(major, &a) < 0 || a > 999)
		return 0;
	while (digits < span_len(minor) && minor.at[digits] >= '0' && minor.at[digits] <= '9')
		digits++;
	if (span_u64(span_of(minor.at, digits), &b) < 0 || b > 999)
		return 0;
	return (uint32_t)(a * 1000 + b);
}

static enum lru lru_of(const struct snapshot *snapshot)
{
	switch ((enum state)snapshot->state[TUN_LRU_GEN]) {
	case OK:
		return snapshot->value[TUN_LRU_GEN] & 1 ? LRU_MGLRU : LRU_CLASSIC;
	case ABSENT:
		/* Absent beside other files of sysfs: it is not built. */
		return snapshot->state[TUN_THP] == OK || snapshot->state[TUN_SWAPPINESS] == OK ?
			       LRU_CLASSIC :
			       LRU_UNKNOWN;
	case UNLIMITED:
	case DENIED:
	case DISABLED:
	case GARBLED:
		break;
	}
	return LRU_UNKNOWN;
}

/*
 * When reclaim counters became per node (7.1) they appeared in the node's block of zoneinfo and
 * began to count the reclaim of cgroup limits. The release number would miss backports.
 */
static enum reclaim_counts counts_of(const struct snapshot *snapshot)
{
	if (snapshot->zones_state != OK || snapshot->zones->nodes == 0)
		return RECLAIM_UNKNOWN;
	return snapshot->zones->node[0].state[NODE_PGSCAN_KSWAPD] == OK ? RECLAIM_ALL :
									  RECLAIM_GLOBAL;
}

void snapshot_profile(struct snapshot *snapshot)
{
	struct profile *profile = &snapshot->profile;

	profile->version = version_of(snapshot->host.release);
	profile->lru = lru_of(snapshot);
	profile->reclaim_counts = counts_of(snapshot);
	/* MGLRU counted only refaults of the youngest evicted generation; mended before 6.12.
	 */
	profile->refaults_undercounted =
		profile->lru == LRU_MGLRU && profile->version > 0 && profile->version < 6012;
	profile->refaults_understate_reads = profile->version >= 7002;
}

static bool before(const struct cgroup *left, const struct cgroup *right)
{
	if (left->hierarchy != right->hierarchy)
		return left->hierarchy < right->hierarchy;
	return left->id < right->id;
}

const struct cgroup *snapshot_cgroup(const struct snapshot *snapshot, const struct cgroup *like)
{
	size_t low = 0;
	size_t high = snapshot->cgroup_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (before(&snapshot->cgroups[middle], like))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == snapshot->cgroup_count || before(like, &snapshot->cgroups[low]))
		return NULL;
	return &snapshot->cgroups[low];
}

const struct task *snapshot_pid(const struct snapshot *snapshot, uint32_t pid)
{
	size_t low = 0;
	size_t high = snapshot->task_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (snapshot->tasks[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == snapshot->task_count || snapshot->tasks[low].pid != pid)
		return NULL;
	return &snapshot->tasks[low];
}

const struct task *snapshot_task(const struct snapshot *snapshot, const struct task *like)
{
	const struct task *task = snapshot_pid(snapshot, like->pid);

	return task && task->start_ticks == like->start_ticks ? task : NULL;
}

bool cgroup_is_within(const struct snapshot *snapshot, int32_t index, int32_t ancestor)
{
	for (; index >= 0; index = snapshot->cgroups[index].parent)
		if (index == ancestor)
			return true;
	return false;
}

uint64_t cgroup_part(const struct snapshot *snapshot, int32_t index)
{
	uint64_t part = 0;

	for (int32_t at = index; at >= 0; at = snapshot->cgroups[at].parent) {
		const struct cgroup *cgroup = &snapshot->cgroups[at];

		if (cgroup->owner != 0 && cgroup->owner != UID_UNKNOWN)
			part = at == index ? 0 : cgroup->id;
	}
	return part;
}

const char *lru_name(enum lru lru)
{
	static const char *const names[] = {
		[LRU_UNKNOWN] = "LRU unknown",
		[LRU_CLASSIC] = "classic LRU",
		[LRU_MGLRU] = "MGLRU on",
	};

	return names[lru];
}

const char *reclaim_counts_name(enum reclaim_counts counts)
{
	static const char *const names[] = {
		[RECLAIM_UNKNOWN] = "unknown",
		[RECLAIM_GLOBAL] = "global",
		[RECLAIM_ALL] = "all",
	};

	return names[counts];
}
