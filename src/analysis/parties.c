#include "analysis/parties.h"

#include "analysis/domain.h"
#include "analysis/facts.h"

/* Less than this is not called suffering. */
#define SUFFER_MIN 0.02

/* Who reads no faster, or has no more to write, keeps no disk busy. */
#define BUSY_MIN (1 * MIB)

static double loss_key(const struct member *member)
{
	return member->loss.lower >= SUFFER_MIN ? member->loss.lower : (double)NAN;
}

static double reread_key(const struct member *member)
{
	double back = reread_of(&member->signals);

	return back >= REREAD_MIN ? back : (double)NAN;
}

static double kernel_key(const struct member *member)
{
	return member->growth.kernel_rate > 0 ? member->growth.kernel_rate : (double)NAN;
}

static double shmem_key(const struct member *member)
{
	return member->growth.shmem_rate > 0 ? member->growth.shmem_rate : (double)NAN;
}

static double locked_key(const struct member *member)
{
	double locked = signal_of(&member->signals, SIG_UNEVICTABLE);

	return locked > 0 ? locked : (double)NAN;
}

/* Growth first; where nothing grows any more (stuck at memory.high), size. */
static double growth_key(const struct member *member)
{
	return member->growth.rate > 0 ? member->growth.rate : (double)NAN;
}

static double size_key(const struct member *member)
{
	return member->growth.level > 0 ? member->growth.level : (double)NAN;
}

static size_t rank(const struct verdict *verdict, double (*key)(const struct member *),
		   struct party *out)
{
	const struct evidence *evidence = verdict->evidence;
	double keys[PARTIES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < evidence->member_count; i++) {
		double value = key(&evidence->members[i]);
		size_t at;

		if (isnan(value) || !domain_has(evidence, verdict->domain, i))
			continue;
		for (at = MIN(count, (size_t)PARTIES_MAX); at > 0 && keys[at - 1] < value; at--)
			if (at < PARTIES_MAX) {
				keys[at] = keys[at - 1];
				out[at] = out[at - 1];
			}
		if (at == PARTIES_MAX)
			continue;
		keys[at] = value;
		out[at] = (struct party){ .member = (int32_t)i };
		count = MIN(count + 1, (size_t)PARTIES_MAX);
	}
	return count;
}

static double task_level(const struct task *task)
{
	if (task->state[TASK_RSS_ANON] != OK)
		return (double)NAN;
	return (double)task->value[TASK_RSS_ANON] +
	       (task->state[TASK_SWAP] == OK ? (double)task->value[TASK_SWAP] : 0);
}

static bool is_in(const struct snapshot *now, const struct task *task, int32_t member)
{
	return now->cgroups[member].hierarchy == HIERARCHY_V2 ? task->cgroup == member :
								task->cgroup_memory == member;
}

/* Processes may be those of an earlier sweep than the rest of their snapshot. */
static double seconds_between(const struct pair *pair)
{
	uint64_t before = pair->before->tasks_at_us;
	uint64_t now = pair->now->tasks_at_us;

	if (before == 0 || now == 0)
		return pair->seconds;
	return now > before ? (double)(now - before) / SECOND_US : (double)NAN;
}

/* Bytes per second since the sample before; NAN when the process is not in that one. */
static double task_growth(const struct evidence *evidence, const struct task *task)
{
	const struct snapshot *before = evidence->pair.before;
	const struct task *then = before ? snapshot_task(before, task) : NULL;

	if (!then)
		return (double)NAN;
	return (task_level(task) - task_level(then)) / seconds_between(&evidence->pair);
}

/* The process of the cgroup that grows most; when none grows, the largest. */
static void find_task(const struct evidence *evidence, struct party *party)
{
	const struct snapshot *now = evidence->pair.now;
	double most = 0;

	party->task_rate = party->task_level = (double)NAN;
	for (size_t i = 0; i < now->task_count; i++) {
		const struct task *task = &now->tasks[i];
		double level = task_level(task);
		double rate;

		if (!is_in(now, task, party->member) || isnan(level) ||
		    task->pid == now->host.self_pid)
			continue;
		rate = task_growth(evidence, task);
		if (rate < 0) /* what shrinks does not grow */
			rate = 0;
		if (rate > most || (most <= 0 && level > zero_if_nan(party->task_level))) {
			most = zero_if_nan(rate);
			party->task = task;
			party->task_rate = rate;
			party->task_level = level;
		}
	}
}

static double waited(const struct task *task, enum task_field field)
{
	return task->state[field] == OK ? (double)task->value[field] : 0;
}

/* The process of the cgroup that waited for the disk most: major faults, then block I/O. */
static void find_waiting_task(const struct evidence *evidence, struct party *party)
{
	const struct snapshot *now = evidence->pair.now;
	double most = 0;

	party->task_rate = party->task_level = (double)NAN;
	for (size_t i = 0; i < now->task_count && evidence->pair.before; i++) {
		const struct task *task = &now->tasks[i];
		const struct task *before = snapshot_task(evidence->pair.before, task);
		double waits;

		if (!before || !is_in(now, task, party->member))
			continue;
		waits = waited(task, TASK_MAJFLT) - waited(before, TASK_MAJFLT) +
			waited(task, TASK_BLKIO) - waited(before, TASK_BLKIO);
		if (waits <= most)
			continue;
		most = waits;
		party->task = task;
		party->task_level = task_level(task);
	}
}

static double cpu_key(const struct member *member)
{
	double waits = fmax(signal_of(&member->signals, SIG_CPU_SOME),
			    signal_of(&member->signals, SIG_CPU_THROTTLED));

	return waits >= LOSS_HARM ? waits : (double)NAN;
}

static double read_key(const struct member *member)
{
	double rate = signal_of(&member->signals, SIG_READ);

	return rate >= BUSY_MIN ? rate : (double)NAN;
}

static double write_key(const struct member *member)
{
	double dirty = signal_of(&member->signals, SIG_DIRTY);

	return dirty >= BUSY_MIN ? dirty : (double)NAN;
}

/* What makes a culprit differs where it is not anonymous memory that is the matter. */
static double (*culprit_key(enum verdict_class class))(const struct member *)
{
	static const struct {
		enum verdict_class class;
		double (*key)(const struct member *);
	} keys[] = {
		{ CLASS_KERNEL_LEAK, kernel_key }, { CLASS_SHMEM_GROWTH, shmem_key },
		{ CLASS_LOCKED, locked_key },	   { CLASS_CPU_STARVED, cpu_key },
		{ CLASS_FIRST_READ, read_key },	   { CLASS_DIRTY_THROTTLE, write_key },
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].class == class)
			return keys[i].key;
	return growth_key;
}

/*
 * Shared file pages are charged to whoever touched them first: one cgroup waits for pages whose
 * refaults are counted in another, which waits for nothing.
 */
static int32_t find_charged(const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence;
	double most =
		4 * zero_if_nan(reread_key(&evidence->members[verdict->sufferer[0].member]));
	int32_t found = -1;

	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct member *member = &evidence->members[i];
		double back = reread_key(member);

		if (!domain_has(evidence, verdict->domain, i) || !(back > most) ||
		    member->loss.lower >= SUFFER_MIN)
			continue;
		most = back;
		found = (int32_t)i;
	}
	return found;
}

void parties_of(struct verdict *out)
{
	out->sufferers = rank(out, loss_key, out->sufferer);
	/* Whether it waits can't be told; that it re-reads can. */
	if (out->class == CLASS_UNKNOWN && out->sufferers == 0)
		out->sufferers = rank(out, reread_key, out->sufferer);
	out->culprits = rank(out, culprit_key(out->class), out->culprit);
	if (out->culprits == 0 && out->severity >= SEV_WARN && out->class != CLASS_UNKNOWN)
		out->culprits = MIN(rank(out, size_key, out->culprit), (size_t)1);
	for (size_t i = 0; i < out->sufferers; i++)
		find_waiting_task(out->evidence, &out->sufferer[i]);
	for (size_t i = 0; i < out->culprits; i++)
		find_task(out->evidence, &out->culprit[i]);
	out->charged = out->sufferers > 0 ? find_charged(out) : -1;
}
