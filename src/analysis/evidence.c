#include "analysis/evidence.h"

#include <errno.h>
#include <fnmatch.h>

/* Below this, growth is noise of page batches (64 pages a CPU) and statistics flushes. */
#define GROWTH_NOISE (48.0 * 1024)

/* A mapped set this far below its calm value has been evicted, not unmapped by chance. */
#define COLLAPSE 0.93

/* Reads that could matter: a page in a few milliseconds. */
#define READ_MIN (256.0 * 1024)

/* From 7.2 about 12.5 KiB were read for each counted refault of 4 KiB. */
#define READ_PER_REFAULT_72 3.0

/*
 * "It was larger before": how far below its peak. A cgroup's peak counts cache too; a process's
 * does not, and a leak stands at its peak exactly.
 */
#define PEAK_MARGIN 0.93
#define TASK_PEAK_MARGIN 0.985

static double zero_if_nan(double value)
{
	return isnan(value) ? 0 : value;
}

static struct point point_of(const struct snapshot *snapshot, double value)
{
	return (struct point){ (double)snapshot->host.at_us / SECOND_US, value };
}

/* The series of one cgroup over the window; frames in which it is not there are left out. */
static size_t series_of(const struct window *window, const struct cgroup *like,
			struct point *points)
{
	size_t count = 0;

	for (size_t i = 0; i < window->frames; i++) {
		const struct cgroup *cgroup = snapshot_cgroup(window->frame[i], like);
		double grown = cgroup ? cgroup_grown(cgroup) : (double)NAN;

		if (!isnan(grown))
			points[count++] = point_of(window->frame[i], grown);
	}
	return count;
}

static bool is_below_peak(const struct cgroup *cgroup, const struct track *track)
{
	if (cgroup_grown(cgroup) < PEAK_MARGIN * track->peak)
		return true;
	if (cgroup->state[CG_PEAK] != OK || cgroup->state[CG_CURRENT] != OK)
		return false;
	return (double)cgroup->value[CG_CURRENT] < PEAK_MARGIN * (double)cgroup->value[CG_PEAK];
}

static double change_of(const struct window *window, const struct cgroup *now,
			enum cgroup_field field)
{
	const struct snapshot *oldest = window->frame[0];
	const struct cgroup *before = snapshot_cgroup(oldest, now);
	double seconds =
		(double)(window_newest(window)->host.at_us - oldest->host.at_us) / SECOND_US;

	if (!before || before->state[field] != OK || now->state[field] != OK || !(seconds > 0))
		return (double)NAN;
	return ((double)now->value[field] - (double)before->value[field]) / seconds;
}

static struct growth growth_of(const struct window *window, size_t index)
{
	const struct cgroup *cgroup = &window_newest(window)->cgroups[index];
	struct point points[WINDOW_FRAMES];
	size_t count = series_of(window, cgroup, points);
	struct growth growth = { .rate = (double)NAN, .level = cgroup_grown(cgroup) };

	if (count < 2)
		return growth;
	growth.rate = slope_of(points, count);
	growth.rising = rising_of(points, count);
	growth.below_peak = is_below_peak(cgroup, &window->track[index]);
	growth.kernel_rate = change_of(window, cgroup, CG_KERNEL);
	growth.shmem_rate = change_of(window, cgroup, CG_SHMEM);
	if (fabs(growth.rate) < GROWTH_NOISE)
		growth.rate = 0;
	return growth;
}

static double machine_slope(const struct window *window, double (*value)(const struct snapshot *))
{
	struct point points[WINDOW_FRAMES];
	size_t count = 0;

	for (size_t i = 0; i < window->frames; i++) {
		double now = value(window->frame[i]);

		if (!isnan(now))
			points[count++] = point_of(window->frame[i], now);
	}
	return slope_of(points, count);
}

static double sum_of(const struct snapshot *snapshot, const enum machine_field *fields, size_t count)
{
	double sum = (double)NAN;

	for (size_t i = 0; i < count; i++)
		if (snapshot->state[fields[i]] == OK)
			sum = zero_if_nan(sum) + (double)snapshot->value[fields[i]];
	return sum;
}

static double kernel_memory(const struct snapshot *snapshot)
{
	/* Not reclaimable slab: a walk over many files, or writes, grow it and it can go again. */
	static const enum machine_field fields[] = { MI_SLAB_UNRECLAIMABLE, MI_KERNEL_STACK,
						     MI_PAGE_TABLES, MI_SEC_PAGE_TABLES,
						     MI_PERCPU };

	return sum_of(snapshot, fields, ARRAY_LEN(fields));
}

static double shared_memory(const struct snapshot *snapshot)
{
	static const enum machine_field fields[] = { MI_SHMEM };

	return sum_of(snapshot, fields, ARRAY_LEN(fields));
}

static double grown_memory(const struct snapshot *snapshot)
{
	static const enum machine_field fields[] = { MI_ANON, MI_SHMEM };
	double sum = sum_of(snapshot, fields, ARRAY_LEN(fields));

	if (snapshot->state[MI_SWAP_TOTAL] == OK && snapshot->state[MI_SWAP_FREE] == OK)
		sum += (double)snapshot->value[MI_SWAP_TOTAL] -
		       (double)snapshot->value[MI_SWAP_FREE];
	return sum;
}

static double available_memory(const struct snapshot *snapshot)
{
	static const enum machine_field fields[] = { MI_AVAILABLE };

	return sum_of(snapshot, fields, ARRAY_LEN(fields));
}

/* A cgroup's own reads, or the machine's as an upper bound. */
static double reads_of(const struct evidence *evidence, const struct signals *signals,
		       struct loss *loss)
{
	if (signals->why[SIG_READ] == WHY_KNOWN)
		return signal_of(signals, SIG_READ);
	loss->reads_bounded = true;
	return signal_of(&evidence->machine, SIG_READ);
}

static bool is_collapsed(const struct signals *signals, const struct track *track, double reads)
{
	double mapped = signal_of(signals, SIG_MAPPED);
	double steal = signal_of(signals, SIG_STEAL);

	/* v1 has no pgsteal of a cgroup: there the reads must do. */
	if (signals->why[SIG_STEAL] != WHY_ABSENT && !(steal > 0))
		return false;
	return reads > READ_MIN && mapped < COLLAPSE * track->calm_mapped &&
	       track->calm_mapped - mapped > READ_MIN;
}

static double io_share_of(const struct evidence *evidence, const struct signals *signals,
			  double reads, bool collapsed)
{
	double back = zero_if_nan(signal_of(signals, SIG_REFAULT_FILE)) +
		      zero_if_nan(signal_of(signals, SIG_REFAULT_ANON));

	if (collapsed)
		return 1;
	if (isnan(reads))
		return (double)NAN;
	if (evidence->pair.now->profile.refaults_understate_reads)
		back *= READ_PER_REFAULT_72;
	return reads > 0 ? fmin(1, back / reads) : 0;
}

static const struct signals *pressure_of(const struct evidence *evidence, size_t member,
					 struct loss *loss)
{
	int32_t at = evidence->pair.now->cgroups[member].pressure;

	if (at >= 0)
		return &evidence->members[at].signals;
	loss->borrowed = true;
	return &evidence->machine;
}

/* A cgroup that re-reads nothing did not lose what the machine's pressure says. */
static bool may_borrow(const struct signals *signals)
{
	return zero_if_nan(signal_of(signals, SIG_REFAULT_FILE)) +
		       zero_if_nan(signal_of(signals, SIG_REFAULT_ANON)) >
	       READ_MIN;
}

/*
 * Page faults, readahead and reclaim cost a sufferer CPU time that no PSI holds: a service that
 * lost 94 % of its ticks showed 60 % of stall and 35 % of one CPU in the kernel, 3 % in calm.
 */
static double fault_time(const struct signals *signals, const struct loss *loss)
{
	return loss->io_share > 0.5 ? zero_if_nan(signal_of(signals, SIG_CPU_SYSTEM)) : 0;
}

static struct loss loss_of(const struct evidence *evidence, size_t member)
{
	const struct signals *signals = &evidence->members[member].signals;
	struct loss loss = { .lower = (double)NAN, .upper = (double)NAN };
	const struct signals *pressure = pressure_of(evidence, member, &loss);
	double memory = signal_of(pressure, SIG_MEM_SOME);
	double reads = reads_of(evidence, signals, &loss);
	double io;

	loss.collapsed = is_collapsed(signals, &evidence->window->track[member], reads);
	loss.io_share = io_share_of(evidence, signals, reads, loss.collapsed);
	if (loss.borrowed && !may_borrow(signals) && !loss.collapsed)
		return loss;
	io = signal_of(pressure, SIG_IO_SOME) * loss.io_share;
	if (isnan(memory) && isnan(io))
		return loss;
	loss.lower = fmin(1, fmax(zero_if_nan(memory), zero_if_nan(io)));
	loss.upper = fmin(1, zero_if_nan(memory) + zero_if_nan(io) + fault_time(pressure, &loss));
	return loss;
}

/* Where processes are: by count, or where that is not known, at the ends of the tree. */
static bool is_leaf(const struct snapshot *now, size_t index)
{
	const struct cgroup *cgroup = &now->cgroups[index];

	if (cgroup->hierarchy == HIERARCHY_V2 && now->mounts.mode == CGROUPS_HYBRID)
		return false; /* members are the cgroups that have memory */
	if (now->tasks_state == OK && cgroup->tasks > 0)
		return cgroup->parent >= 0 || !cgroup->has_children;
	return !cgroup->has_children;
}

static bool is_looked_at(const struct snapshot *now, size_t index, const char *only)
{
	if (!only)
		return true;
	for (int32_t at = (int32_t)index; at >= 0; at = now->cgroups[at].parent)
		if (fnmatch(only, now->cgroups[at].path, 0) == 0)
			return true;
	return false;
}

static double task_memory(const struct task *task)
{
	static const int fields[] = { TASK_RSS_ANON, TASK_RSS_FILE, TASK_RSS_SHMEM, TASK_SWAP };
	double sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (task->state[fields[i]] == OK)
			sum += (double)task->value[fields[i]];
	return sum;
}

struct largest {
	double memory;
	bool below_peak;
};

/* The cgroup's largest process has been larger: what grows is on its way back up. */
static int find_saw_teeth(struct evidence *out, struct arena *arena)
{
	const struct snapshot *now = out->pair.now;
	struct largest *largest = arena_alloc(arena, now->cgroup_count * sizeof(*largest));

	if (!largest)
		return -ENOMEM;
	for (size_t i = 0; i < now->task_count; i++) {
		const struct task *task = &now->tasks[i];
		int32_t at = task->cgroup_memory >= 0 ? task->cgroup_memory : task->cgroup;
		double memory = task_memory(task);

		if (at >= 0 && task->state[TASK_PEAK] == OK && memory > largest[at].memory)
			largest[at] = (struct largest){
				.memory = memory,
				.below_peak = memory < TASK_PEAK_MARGIN *
							       (double)task->value[TASK_PEAK],
			};
	}
	for (size_t i = 0; i < out->member_count; i++)
		out->members[i].growth.below_peak |= largest[i].below_peak;
	return 0;
}

static int members_of(struct evidence *out, const char *only, struct arena *arena)
{
	const struct snapshot *now = out->pair.now;

	out->members = arena_raw(arena, now->cgroup_count * sizeof(*out->members));
	if (!out->members)
		return -ENOMEM;
	out->member_count = now->cgroup_count;
	for (size_t i = 0; i < now->cgroup_count; i++) {
		struct member *member = &out->members[i];

		signals_cgroup(&out->pair, i, &out->machine, &member->signals);
		member->growth = growth_of(out->window, i);
		member->leaf = is_leaf(now, i) && is_looked_at(now, i, only);
	}
	for (size_t i = 0; i < now->cgroup_count; i++)
		out->members[i].loss = loss_of(out, i);
	return find_saw_teeth(out, arena);
}

bool domain_has(const struct evidence *evidence, const struct domain *domain, size_t member)
{
	if (!evidence->members[member].leaf)
		return false;
	return domain->cgroup < 0 ||
	       cgroup_is_within(evidence->pair.now, (int32_t)member, domain->cgroup);
}

static void find_culprit(const struct evidence *evidence, struct domain *domain)
{
	double most = 0;

	domain->culprit = -1;
	domain->grow_rate = 0;
	for (size_t i = 0; i < evidence->member_count; i++) {
		const struct growth *growth = &evidence->members[i].growth;

		if (!domain_has(evidence, domain, i) || !(growth->rate > 0))
			continue;
		domain->grow_rate += growth->rate;
		if (growth->rate > most) {
			most = growth->rate;
			domain->culprit = (int32_t)i;
		}
	}
}

static void find_sufferers(const struct evidence *evidence, struct domain *domain)
{
	domain->sufferer = domain->bystander = -1;
	domain->loss = domain->bystander_loss = (double)NAN;
	for (size_t i = 0; i < evidence->member_count; i++) {
		double lower = evidence->members[i].loss.lower;

		if (!domain_has(evidence, domain, i) || isnan(lower))
			continue;
		if (!(lower <= domain->loss)) {
			domain->loss = lower;
			domain->sufferer = (int32_t)i;
		}
		if ((int32_t)i != domain->culprit && !(lower <= domain->bystander_loss)) {
			domain->bystander_loss = lower;
			domain->bystander = (int32_t)i;
		}
	}
}

/* Usage this near a limit is at it: charges come in batches of 64 pages a CPU. */
#define AT_LIMIT 0.97

static bool is_at(double usage, double limit)
{
	return usage >= AT_LIMIT * limit;
}

static void domain_add(struct evidence *out, enum limit_kind kind, int32_t cgroup, double limit)
{
	struct domain *domain;

	if (out->domains == DOMAINS_MAX)
		return;
	domain = &out->domain[out->domains++];
	*domain = (struct domain){
		.kind = kind,
		.cgroup = cgroup,
		.limit = limit,
		.signals = cgroup < 0 ? &out->machine : &out->members[cgroup].signals,
	};
	find_culprit(out, domain);
	find_sufferers(out, domain);
}

/* Its own limit is hit: usage stands at it, or the events that only the limit makes move. */
static void domain_of_cgroup(struct evidence *out, size_t index)
{
	const struct signals *signals = &out->members[index].signals;
	double usage = signal_of(signals, SIG_USAGE);
	double high = signal_of(signals, SIG_LIMIT_HIGH);
	double max = signal_of(signals, SIG_LIMIT_MAX);
	bool has_own = out->pair.now->cgroups[index].local_events;

	if (is_at(usage, high) || (has_own && signal_of(signals, SIG_EV_HIGH) > 0))
		domain_add(out, LIMIT_HIGH, (int32_t)index, high);
	else if (is_at(usage, max) || (has_own && signal_of(signals, SIG_EV_MAX) > 0))
		domain_add(out, LIMIT_MAX, (int32_t)index, max);
}

int evidence_of(const struct window *window, const char *only, struct arena *arena,
		struct evidence *out)
{
	int r;

	*out = (struct evidence){
		.window = window,
		.pair = pair_of(window_oldest(window), window_newest(window)),
	};
	signals_machine(&out->pair, &out->machine);
	r = members_of(out, only, arena);
	if (r < 0)
		return r;
	out->kernel_rate = machine_slope(window, kernel_memory);
	out->shmem_rate = machine_slope(window, shared_memory);
	out->grown_rate = machine_slope(window, grown_memory);
	out->available_rate = machine_slope(window, available_memory);
	domain_add(out, LIMIT_RAM, -1, signal_of(&out->machine, SIG_TOTAL));
	for (size_t i = 0; i < out->member_count; i++)
		domain_of_cgroup(out, i);
	return 0;
}
