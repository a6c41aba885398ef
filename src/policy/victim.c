#include "policy/victim.h"

#include "analysis/domain.h"
#include "analysis/facts.h"
#include "policy/exempt.h"
#include "policy/weigh.h"

/* So many places are kept for those who may not be killed: "why not that one?" */
#define EXEMPT_PLACES 3

/* Cgroups that are looked into; more than candidates, as some turn out to be of no use. */
#define PICKS_MAX 16

/* A cgroup of many small processes: none of them alone would help. */
#define SMALL_SHARE 0.25
#define MANY_TASKS 8

struct shortlist {
	struct candidate list[PICKS_MAX];
	size_t count;
	size_t most;
};

struct look {
	const struct victim_query *query;
	const struct snapshot *now;
	struct family family;
	struct scales scales;
	struct shortlist picks; /* cgroups, and processes that stand alone */
	struct shortlist found;
	struct shortlist exempt;
};

static bool is_before(const struct candidate *left, const struct candidate *right)
{
	return left->rank != right->rank ? left->rank > right->rank :
					   left->score > right->score;
}

static void list_remove(struct shortlist *list, size_t at)
{
	list->count--;
	memmove(&list->list[at], &list->list[at + 1],
		(list->count - at) * sizeof(list->list[0]));
}

/* Best first; what is worse than the last of a full list falls off. */
static void list_add(struct shortlist *list, const struct candidate *candidate)
{
	size_t at = list->count;

	while (at > 0 && is_before(candidate, &list->list[at - 1]))
		at--;
	if (at == list->most)
		return;
	if (list->count < list->most)
		list->count++;
	memmove(&list->list[at + 1], &list->list[at],
		(list->count - at - 1) * sizeof(list->list[0]));
	list->list[at] = *candidate;
}

/* One entry a cgroup and reason: the best one. */
static void list_add_once(struct shortlist *list, const struct candidate *candidate)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->list[i].member != candidate->member ||
		    list->list[i].exempt != candidate->exempt)
			continue;
		if (!is_before(candidate, &list->list[i]))
			return;
		list_remove(list, i);
		break;
	}
	list_add(list, candidate);
}

static uint64_t id_of(const struct look *look, int32_t member)
{
	return look->now->cgroups[member].id;
}

/* A process by itself. */
static struct candidate candidate_task(const struct look *look, const struct suspect *suspect)
{
	struct pull pull = pull_of_task(look->query, &look->scales, suspect->task);
	double share = unprotected_share(look->query, suspect->member);

	return (struct candidate){
		.member = suspect->member,
		.cgroup_id = id_of(look, suspect->member),
		.task = suspect->task,
		.gain = suspect->gain,
		.growth = pull.growth,
		.growth_share = pull.share,
		.score = score_of(zero_if_nan(suspect->gain) * share, pull.share),
	};
}

/* All of a cgroup, of whose shared memory so much is mapped. */
static struct candidate candidate_cgroup(const struct look *look, int32_t member, double mapped)
{
	struct pull pull = pull_of_member(look->query, &look->scales, member);
	double gain = member_gain(look->query, member, mapped);
	double share = unprotected_share(look->query, member);

	return (struct candidate){
		.member = member,
		.cgroup_id = id_of(look, member),
		.gain = gain,
		.growth = pull.growth,
		.growth_share = pull.share,
		.score = score_of(zero_if_nan(gain) * share, pull.share),
	};
}

static struct suspect suspect_of(const struct look *look, const struct task *task)
{
	return (struct suspect){
		.member = member_of(task),
		.task = task,
		.gain = task_gain(look->query, task),
	};
}

/* Small processes may be much together. */
static bool is_open(const struct look *look, const struct suspect *suspect, enum exempt exempt)
{
	if (exempt == EXEMPT_NOT)
		return true;
	return exempt == EXEMPT_EMPTY && !is_bare(look->query, suspect->member) &&
	       member_gain(look->query, suspect->member, INFINITY) >= MIB;
}

static void offer(struct look *look, const struct task *task)
{
	const struct suspect suspect = suspect_of(look, task);
	enum exempt exempt = exempt_of(look->query, &look->family, &suspect);
	struct candidate candidate = candidate_task(look, &suspect);

	candidate.exempt = exempt;
	if (!is_open(look, &suspect, exempt)) {
		list_add_once(&look->exempt, &candidate);
		return;
	}
	if (!is_bare(look->query, suspect.member))
		candidate = candidate_cgroup(look, suspect.member, INFINITY);
	candidate.rank = rank_of(look->query, &suspect);
	if (is_bare(look->query, suspect.member))
		list_add(&look->picks, &candidate);
	else
		list_add_once(&look->picks, &candidate);
}

/* A cgroup whose processes are hidden from us, or that has none: it can't be judged. */
static void offer_hidden(struct look *look, int32_t member)
{
	struct candidate candidate;

	if (look->now->cgroups[member].tasks > 0 || is_bare(look->query, member))
		return;
	candidate = candidate_cgroup(look, member, INFINITY);
	candidate.exempt = EXEMPT_UNKNOWN;
	if (candidate.gain >= MIB)
		list_add_once(&look->exempt, &candidate);
}

static void offer_all(struct look *look)
{
	const struct victim_query *query = look->query;

	for (size_t i = 0; i < look->now->task_count; i++)
		if (is_inside(query, &look->now->tasks[i]))
			offer(look, &look->now->tasks[i]);
	for (size_t i = 0; i < query->evidence->member_count; i++)
		if (domain_has(query->evidence, query->domain, i))
			offer_hidden(look, (int32_t)i);
}

/* What there is in a cgroup and below it. */
struct inside {
	size_t tasks;
	double growth;	     /* of all that grow */
	double mapped;	     /* shared memory of the one that maps most */
	enum exempt forbids; /* why somebody in it may not be killed; EXEMPT_NOT */
};

static void look_inside(const struct look *look, int32_t member, struct inside *out)
{
	*out = (struct inside){ 0 };
	for (size_t i = 0; i < look->now->task_count; i++) {
		const struct task *task = &look->now->tasks[i];
		struct suspect suspect;
		enum exempt exempt;

		if (!cgroup_is_within(look->now, member_of(task), member) || is_dead(task))
			continue;
		suspect = suspect_of(look, task);
		out->tasks++;
		out->growth += task_pull(look->query, task);
		if (task->state[TASK_RSS_SHMEM] == OK)
			out->mapped = fmax(out->mapped, (double)task->value[TASK_RSS_SHMEM]);
		exempt = exempt_of(look->query, &look->family, &suspect);
		if (exempt_forbids_whole(exempt))
			out->forbids = exempt;
	}
}

/* The processes of one cgroup that may be killed, best first. */
static void rank_inside(const struct look *look, const struct candidate *cgroup,
			const struct inside *inside, struct shortlist *out)
{
	double all = fmax(inside->growth, GROWTH_NOISE);

	for (size_t i = 0; i < look->now->task_count; i++) {
		const struct task *task = &look->now->tasks[i];
		struct suspect suspect;
		struct candidate candidate;

		if (member_of(task) != cgroup->member || !is_inside(look->query, task))
			continue;
		suspect = suspect_of(look, task);
		if (exempt_of(look->query, &look->family, &suspect) != EXEMPT_NOT)
			continue;
		candidate = candidate_task(look, &suspect);
		candidate.growth = task_pull(look->query, task);
		candidate.growth_share = cgroup->growth_share * candidate.growth / all;
		candidate.score = fmin(
			cgroup->score,
			score_of(suspect.gain * unprotected_share(look->query, cgroup->member),
				 candidate.growth_share));
		candidate.rank = rank_of(look->query, &suspect);
		list_add(out, &candidate);
	}
}

/* Killed before, all or one of it, and the cgroup offends again; not while that one is dying.
 */
static bool is_again(const struct look *look, uint64_t cgroup_id)
{
	for (size_t i = 0; i < look->query->tried_count; i++) {
		const struct tried *tried = &look->query->tried[i];
		const struct task *task = snapshot_pid(look->now, tried->pid);

		if (tried->cgroup_id == cgroup_id &&
		    !(task && task->start_ticks == tried->start_ticks))
			return true;
	}
	return false;
}

/* Why we ourselves would take the cgroup as one; NULL: process by process. */
static const char *own_reason(const struct look *look, const struct candidate *cgroup,
			      const struct inside *inside, const struct shortlist *tasks)
{
	if (is_shared_place(look->now->cgroups[cgroup->member].path))
		return NULL;
	if (is_again(look, cgroup->cgroup_id))
		return "it offends again";
	if (inside->tasks > MANY_TASKS &&
	    (tasks->count == 0 || tasks->list[0].gain < SMALL_SHARE * cgroup->gain))
		return "many small processes";
	return NULL;
}

/* cgroup.kill is v2's; the top is everybody. */
static bool may_be_whole(const struct look *look, int32_t member)
{
	return look->now->cgroups[member].hierarchy == HIERARCHY_V2 &&
	       look->now->cgroups[member].parent >= 0;
}

static void add_whole(struct look *look, int32_t member, int32_t rank, const char *why)
{
	struct inside inside;
	struct candidate candidate;

	look_inside(look, member, &inside);
	candidate = candidate_cgroup(look, member, inside.mapped);
	candidate.rank = rank;
	candidate.whole = true;
	candidate.whole_why = why;
	candidate.exempt = inside.forbids;
	list_add_once(inside.forbids == EXEMPT_NOT ? &look->found : &look->exempt, &candidate);
}

static void add_tasks(struct look *look, const struct candidate *cgroup,
		      struct shortlist *tasks)
{
	struct candidate none = *cgroup;

	if (tasks->count == 0) {
		none.exempt = EXEMPT_EMPTY;
		list_add_once(&look->exempt, &none);
		return;
	}
	tasks->list[0].score = cgroup->score;
	tasks->list[0].growth = fmax(tasks->list[0].growth, cgroup->growth);
	tasks->list[0].growth_share = cgroup->growth_share;
	for (size_t i = 0; i < tasks->count; i++)
		list_add(&look->found, &tasks->list[i]);
}

/* True when the cgroup, or one above it, is taken as one. */
static bool is_taken_whole(struct look *look, const struct candidate *cgroup,
			   const struct shortlist *tasks)
{
	const struct suspect first = {
		.member = cgroup->member,
		.task = tasks->count > 0 ? tasks->list[0].task : NULL,
	};
	int32_t by_policy = whole_by_policy(look->query, &first);
	int32_t by_kernel = whole_by_kernel(look->query, cgroup->member);
	struct inside inside;

	if (by_policy >= 0 && may_be_whole(look, by_policy)) {
		add_whole(look, by_policy, cgroup->rank, "policy unit-as-one");
		return true;
	}
	if (by_kernel < 0 || !may_be_whole(look, by_kernel))
		return false;
	look_inside(look, by_kernel, &inside);
	if (inside.forbids == EXEMPT_NOT)
		add_whole(look, by_kernel, cgroup->rank, "memory.oom.group");
	return inside.forbids == EXEMPT_NOT;
}

static void expand(struct look *look, const struct candidate *pick)
{
	struct candidate cgroup;
	struct inside inside;
	struct shortlist tasks = { .most = CANDIDATES_MAX };
	const char *why;

	look_inside(look, pick->member, &inside);
	cgroup = candidate_cgroup(look, pick->member, inside.mapped);
	cgroup.rank = pick->rank;
	rank_inside(look, &cgroup, &inside, &tasks);
	if (is_taken_whole(look, &cgroup, &tasks))
		return;
	why = own_reason(look, &cgroup, &inside, &tasks);
	if (why && inside.forbids == EXEMPT_NOT && may_be_whole(look, cgroup.member))
		add_whole(look, cgroup.member, cgroup.rank, why);
	else
		add_tasks(look, &cgroup, &tasks);
}

static void take(struct look *look, struct ranking *out)
{
	size_t exempt = MIN(look->exempt.count, (size_t)EXEMPT_PLACES);
	size_t found = MIN(look->found.count, CANDIDATES_MAX - exempt);

	exempt = MIN(look->exempt.count, CANDIDATES_MAX - found);
	memcpy(out->list, look->found.list, found * sizeof(out->list[0]));
	memcpy(out->list + found, look->exempt.list, exempt * sizeof(out->list[0]));
	out->count = found + exempt;
}

void victim_rank(const struct victim_query *query, struct ranking *out)
{
	struct look look = {
		.query = query,
		.now = query->evidence->pair.now,
		.picks.most = PICKS_MAX,
		.found.most = CANDIDATES_MAX,
		.exempt.most = CANDIDATES_MAX,
	};

	family_of(query, &look.family);
	scales_of(query, &look.scales);
	offer_all(&look);
	for (size_t i = 0; i < look.picks.count; i++) {
		const struct candidate *pick = &look.picks.list[i];

		if (is_bare(query, pick->member))
			list_add(&look.found, pick);
		else
			expand(&look, pick);
	}
	*out = (struct ranking){ .needed = query->needed };
	take(&look, out);
	out->best_is_enough = out->count > 0 && out->list[0].exempt == EXEMPT_NOT &&
			      out->list[0].gain >= query->needed;
}
