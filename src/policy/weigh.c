#include "policy/weigh.h"

#include "analysis/domain.h"
#include "analysis/facts.h"

/* A stable giant must lose to a leak of a tenth of its size, and be chosen when nobody grows.
 */
#define STABLE_WEIGHT 0.1

/*
 * Growth of all below which a share of it says nothing. Over two seconds batches of pages and
 * late statistics alone look like some hundred KiB a second.
 */
static const double FLOOR[HORIZONS] = { 1 * MIB, GROWTH_MIN, GROWTH_MIN };

static const struct cgroup *cgroup_at(const struct victim_query *query, int32_t index)
{
	return &query->evidence->pair.now->cgroups[index];
}

int32_t member_of(const struct task *task)
{
	return task->cgroup_memory >= 0 ? task->cgroup_memory : task->cgroup;
}

bool is_bare(const struct victim_query *query, int32_t member)
{
	return cgroup_at(query, member)->parent < 0 ||
	       isnan(query->evidence->members[member].growth.level);
}

bool is_dead(const struct task *task)
{
	return task->run_state == 'Z' || task->run_state == 'X';
}

bool is_inside(const struct victim_query *query, const struct task *task)
{
	int32_t member = member_of(task);

	if (member < 0 || task->is_kernel || is_dead(task))
		return false;
	if (domain_has(query->evidence, query->domain, (size_t)member))
		return true;
	/* Processes of the top beside services: no member, and memory all the same. */
	return cgroup_at(query, member)->parent < 0 && query->domain->cgroup < 0 &&
	       !query->evidence->is_part;
}

static double task_value(const struct task *task, enum task_field field)
{
	return task->state[field] == OK ? (double)task->value[field] : 0;
}

static double task_level(const struct task *task)
{
	return task_value(task, TASK_RSS_ANON) + task_value(task, TASK_SWAP);
}

/*
 * Shared memory of several processes outlives the one that is killed. (So does a file in a
 * tmpfs that only it maps; it cannot be told from memory that dies with it.)
 */
static double sole_shmem(const struct victim_query *query, const struct task *task)
{
	const struct snapshot *now = query->evidence->pair.now;
	double own = task_value(task, TASK_RSS_SHMEM);

	if (own < MIB)
		return 0;
	for (size_t i = 0; i < now->task_count; i++)
		if (&now->tasks[i] != task && member_of(&now->tasks[i]) == member_of(task) &&
		    task_value(&now->tasks[i], TASK_RSS_SHMEM) >= MIB)
			return 0;
	return own;
}

double task_gain(const struct victim_query *query, const struct task *task)
{
	if (task->state[TASK_RSS_ANON] != OK)
		return (double)NAN;
	return task_level(task) + sole_shmem(query, task);
}

/* What it had then. A new process has grown from nothing, a copy of its parent from that. */
static double level_before(const struct snapshot *before, const struct task *task)
{
	const struct task *then = snapshot_task(before, task);

	if (!then)
		then = snapshot_pid(before, task->parent);
	return then ? task_level(then) : 0;
}

double task_pull(const struct victim_query *query, const struct task *task)
{
	const struct pair *pair = &query->evidence->pair;

	if (!pair->before || !(pair->seconds > 0) || task->state[TASK_RSS_ANON] != OK)
		return 0;
	return fmax(0, (task_level(task) - level_before(pair->before, task)) / pair->seconds);
}

static double shmem_of(const struct cgroup *cgroup)
{
	return cgroup->state[CG_SHMEM] == OK ? (double)cgroup->value[CG_SHMEM] : 0;
}

double member_gain(const struct victim_query *query, int32_t member, double mapped)
{
	double shmem = shmem_of(cgroup_at(query, member));

	return query->evidence->members[member].growth.level - shmem + fmin(shmem, mapped);
}

double unprotected_share(const struct victim_query *query, int32_t member)
{
	const struct cgroup *cgroup = cgroup_at(query, member);
	double level = query->evidence->members[member].growth.level;

	if (cgroup->state[CG_MIN] == UNLIMITED)
		return 0;
	if (cgroup->parent < 0 || cgroup->state[CG_MIN] != OK || !(level > 0))
		return 1;
	return fmax(0, level - (double)cgroup->value[CG_MIN]) / level;
}

static double counted(double rate)
{
	return rate >= GROWTH_NOISE ? rate : 0;
}

/* A cgroup that was not there when the window began has grown from nothing. */
static double rate_of(const struct victim_query *query, int32_t member)
{
	const struct pair *pair = &query->evidence->pair;
	const struct growth *growth = &query->evidence->members[member].growth;

	if (!isnan(growth->rate) || !pair->before || !(pair->seconds > 0) ||
	    snapshot_cgroup(pair->before, cgroup_at(query, member)))
		return growth->rate;
	return growth->level / pair->seconds;
}

static void rates_of_member(const struct victim_query *query, const struct scales *scales,
			    int32_t member, double out[HORIZONS])
{
	const struct growth *growth = &query->evidence->members[member].growth;
	bool counts = scales->takes_waves || !growth->below_peak;

	out[HORIZON_RECENT] = counts ? counted(growth->recent) : 0;
	out[HORIZON_WINDOW] = counts ? counted(rate_of(query, member)) : 0;
	out[HORIZON_LONG] = counts ? counted(growth->long_rate) : 0;
}

static void rates_of_task(const struct victim_query *query, const struct task *task,
			  double out[HORIZONS])
{
	out[HORIZON_RECENT] = out[HORIZON_WINDOW] = counted(task_pull(query, task));
	out[HORIZON_LONG] = 0;
}

static void add_up(const double rates[HORIZONS], double total[HORIZONS])
{
	for (size_t i = 0; i < HORIZONS; i++)
		total[i] += rates[i];
}

static void sum_up(const struct victim_query *query, struct scales *scales)
{
	const struct evidence *evidence = query->evidence;
	double rates[HORIZONS];

	for (size_t i = 0; i < evidence->member_count; i++) {
		if (!domain_has(evidence, query->domain, i) || is_bare(query, (int32_t)i))
			continue;
		rates_of_member(query, scales, (int32_t)i, rates);
		add_up(rates, scales->total);
	}
	for (size_t i = 0; i < evidence->pair.now->task_count; i++) {
		const struct task *task = &evidence->pair.now->tasks[i];

		if (!is_inside(query, task) || !is_bare(query, member_of(task)))
			continue;
		rates_of_task(query, task, rates);
		add_up(rates, scales->total);
	}
}

static bool somebody_grows(const struct scales *scales)
{
	for (size_t i = 0; i < HORIZONS; i++)
		if (scales->total[i] >= FLOOR[i])
			return true;
	return false;
}

void scales_of(const struct victim_query *query, struct scales *out)
{
	*out = (struct scales){ 0 };
	sum_up(query, out);
	if (somebody_grows(out))
		return;
	/* A saw-tooth on its way up is no leak, and nearer to the cause than who stands still.
	 */
	*out = (struct scales){ .takes_waves = true };
	sum_up(query, out);
}

static struct pull pull_of(const struct scales *scales, const double rates[HORIZONS])
{
	struct pull pull = { 0 };

	for (size_t i = 0; i < HORIZONS; i++) {
		pull.growth = fmax(pull.growth, rates[i]);
		pull.share = fmax(pull.share, rates[i] / fmax(scales->total[i], FLOOR[i]));
	}
	pull.share = fmin(pull.share, 1);
	return pull;
}

struct pull pull_of_member(const struct victim_query *query, const struct scales *scales,
			   int32_t member)
{
	double rates[HORIZONS];

	rates_of_member(query, scales, member, rates);
	return pull_of(scales, rates);
}

struct pull pull_of_task(const struct victim_query *query, const struct scales *scales,
			 const struct task *task)
{
	double rates[HORIZONS];

	rates_of_task(query, task, rates);
	return pull_of(scales, rates);
}

double score_of(double bytes, double share)
{
	return bytes * (STABLE_WEIGHT + share);
}
