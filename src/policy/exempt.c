#include "policy/exempt.h"

#include <fnmatch.h>

#include "analysis/facts.h"

/* Less than this is not worth a death. */
#define GAIN_MIN (1 * MIB)

static const struct snapshot *now_of(const struct victim_query *query)
{
	return query->evidence->pair.now;
}

static const struct cgroup *cgroup_at(const struct victim_query *query, int32_t index)
{
	return &now_of(query)->cgroups[index];
}

void family_of(const struct victim_query *query, struct family *out)
{
	uint32_t pid = query->self_pid;

	out->count = 0;
	while (pid != 0 && out->count < FAMILY_MAX) {
		const struct task *task = snapshot_pid(now_of(query), pid);

		out->pid[out->count++] = pid;
		pid = task ? task->parent : 0;
	}
}

static bool is_family(const struct family *family, uint32_t pid)
{
	for (size_t i = 0; i < family->count; i++)
		if (family->pid[i] == pid)
			return true;
	return false;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool is_shared_place(const char *path)
{
	static const char *const globs[] = { "session-*.scope", "user@*.service", "*.slice",
					     "init.scope" };
	const char *name = last_part(path);

	for (size_t i = 0; i < ARRAY_LEN(globs); i++)
		if (fnmatch(globs[i], name, 0) == 0)
			return true;
	return *path == '\0';
}

/*
 * A service of its own holds the guard and its hooks only. Started by hand it shares a login
 * session, or the top, with the very leak.
 */
static bool is_own_place(const struct victim_query *query, int32_t member)
{
	const char *path;

	if (query->self_member < 0 ||
	    !cgroup_is_within(now_of(query), member, query->self_member))
		return false;
	path = cgroup_at(query, query->self_member)->path;
	return !is_shared_place(path) && fnmatch("*.service", last_part(path), 0) == 0;
}

/*
 * systemd's rule: a mark counts when root owns the folder, or whoever owns that of the domain.
 * Otherwise any user could make itself immortal. The machine's owner is root.
 */
static bool owner_may(const struct victim_query *query, const struct cgroup *cgroup)
{
	const struct domain *domain = query->domain;

	if (cgroup->owner == UID_UNKNOWN)
		return false;
	return cgroup->owner == 0 || (domain->cgroup >= 0 &&
				      cgroup->owner == cgroup_at(query, domain->cgroup)->owner);
}

/* On it or on one above it: a container's folder has others in it. */
static bool is_marked(const struct victim_query *query, int32_t member, enum oomd_mark mark)
{
	for (int32_t at = member; at >= 0; at = cgroup_at(query, at)->parent)
		if ((cgroup_at(query, at)->marks & (uint32_t)mark) &&
		    owner_may(query, cgroup_at(query, at)))
			return true;
	return false;
}

struct policy_subject subject_of(const struct cgroup *cgroup, const struct task *task)
{
	return (struct policy_subject){
		.cgroup = cgroup ? cgroup->path : NULL,
		.comm = task ? task->name : NULL,
		.has_uid = task && task->uid != UID_UNKNOWN,
		.uid = task ? task->uid : UID_UNKNOWN,
	};
}

static uint64_t rows_of_task(const struct victim_query *query, const struct task *task)
{
	const struct policy_subject subject = subject_of(NULL, task);

	return policy_rows_of_process(query->config, &subject);
}

static uint64_t rows_of_member(const struct victim_query *query, int32_t member)
{
	return query->rows ?
		       query->rows[member] :
		       policy_rows_of_cgroup(query->config, cgroup_at(query, member)->path);
}

/* A unit's policy holds for the folders that it has made in its own: the nearest one first. */
static const struct policy_row *row_above(const struct victim_query *query, int32_t member,
					  uint64_t rows, enum policy_kind kind)
{
	const struct policy_row *best = NULL;

	for (int32_t at = member; at >= 0; at = cgroup_at(query, at)->parent) {
		const struct policy_row *row =
			policy_pick(query->config, kind, rows & rows_of_member(query, at));

		if (row && (!best || row->priority > best->priority))
			best = row;
	}
	return best;
}

#define RANK_NEVER (-2)

/* The milder first: between rows of one priority it wins. */
static const struct {
	enum policy_kind kind;
	int32_t rank;
} RANKS[] = {
	{ POLICY_NEVER, RANK_NEVER },
	{ POLICY_PROTECT, -1 },
	{ POLICY_PREFER, 1 },
	{ POLICY_EXPENDABLE, 2 },
};

/* False when no row says anything. */
static bool policy_rank(const struct victim_query *query, const struct suspect *suspect,
			int32_t *out)
{
	const uint64_t rows = rows_of_task(query, suspect->task);
	const struct policy_row *best = NULL;

	for (size_t i = 0; i < ARRAY_LEN(RANKS); i++) {
		const struct policy_row *row =
			row_above(query, suspect->member, rows, RANKS[i].kind);

		if (!row || (best && row->priority <= best->priority))
			continue;
		best = row;
		*out = RANKS[i].rank;
	}
	return best != NULL;
}

int32_t rank_of(const struct victim_query *query, const struct suspect *suspect)
{
	int32_t rank;

	if (policy_rank(query, suspect, &rank))
		return rank;
	return is_marked(query, suspect->member, MARK_OOMD_AVOID) ? -1 : 0;
}

static bool is_never(const struct victim_query *query, const struct suspect *suspect)
{
	int32_t rank;

	return policy_rank(query, suspect, &rank) && rank == RANK_NEVER;
}

static bool is_stuck(const struct victim_query *query, const struct suspect *suspect)
{
	for (size_t i = 0; i < query->tried_count; i++) {
		const struct tried *tried = &query->tried[i];

		if (!tried->stuck)
			continue;
		if (tried->pid == 0 ?
			    tried->cgroup_id == cgroup_at(query, suspect->member)->id :
			    (tried->pid == suspect->task->pid &&
			     tried->start_ticks == suspect->task->start_ticks))
			return true;
	}
	return false;
}

/* A bias that may not be read could be -1000; one that is absent is that of a dying process. */
static bool is_hidden(const struct task *task)
{
	return task->state[TASK_OOM_ADJ] == DENIED || task->state[TASK_OOM_ADJ] == GARBLED;
}

enum exempt exempt_of(const struct victim_query *query, const struct family *family,
		      const struct suspect *suspect)
{
	const struct task *task = suspect->task;

	if (task->pid == 1)
		return EXEMPT_INIT;
	if (is_family(family, task->pid) || is_own_place(query, suspect->member))
		return EXEMPT_SELF;
	/* The bias is kept plus 1000. */
	if (task->state[TASK_OOM_ADJ] == OK && task->value[TASK_OOM_ADJ] == 0)
		return EXEMPT_ADJ;
	if (is_marked(query, suspect->member, MARK_OOMD_OMIT))
		return EXEMPT_OMIT;
	if (is_never(query, suspect))
		return EXEMPT_POLICY;
	if (is_stuck(query, suspect))
		return EXEMPT_STUCK;
	if (isnan(suspect->gain) || is_hidden(task))
		return EXEMPT_UNKNOWN;
	return suspect->gain < GAIN_MIN ? EXEMPT_EMPTY : EXEMPT_NOT;
}

bool exempt_forbids_whole(enum exempt exempt)
{
	return exempt != EXEMPT_NOT && exempt != EXEMPT_EMPTY && exempt != EXEMPT_STUCK;
}

/* As the kernel does it: the highest one up to the domain that asks for it. */
int32_t whole_by_kernel(const struct victim_query *query, int32_t member)
{
	int32_t found = -1;

	for (int32_t at = member; at >= 0; at = cgroup_at(query, at)->parent) {
		const struct cgroup *cgroup = cgroup_at(query, at);

		if (cgroup->state[CG_OOM_GROUP] == OK && cgroup->value[CG_OOM_GROUP] == 1)
			found = at;
		if (at == query->domain->cgroup)
			break;
	}
	return found;
}

/* The nearest one: a row for all units must not take a slice. */
int32_t whole_by_policy(const struct victim_query *query, const struct suspect *suspect)
{
	const uint64_t rows = rows_of_task(query, suspect->task);

	for (int32_t at = suspect->member; at >= 0; at = cgroup_at(query, at)->parent) {
		if (policy_pick(query->config, POLICY_UNIT_AS_ONE,
				rows & rows_of_member(query, at)))
			return at;
		if (at == query->domain->cgroup)
			break;
	}
	return -1;
}

const char *exempt_words(enum exempt exempt)
{
	static const char *const words[EXEMPTS] = {
		[EXEMPT_NOT] = "",
		[EXEMPT_SELF] = "it is the guard, or runs it",
		[EXEMPT_INIT] = "it is process 1",
		[EXEMPT_ADJ] = "its oom_score_adj is -1000",
		[EXEMPT_OMIT] = "it is marked user.oomd_omit",
		[EXEMPT_POLICY] = "a policy says never",
		[EXEMPT_STUCK] = "it was killed and does not die",
		[EXEMPT_EMPTY] = "it would give back next to nothing",
		[EXEMPT_UNKNOWN] = "how much it would give back is not known",
	};

	return (size_t)exempt < EXEMPTS ? words[exempt] : "";
}
