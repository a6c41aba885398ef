#include "analysis/growth.h"

#include <errno.h>

#include "analysis/facts.h"
#include "analysis/slope.h"

/*
 * "It was larger before": how far below its peak. A cgroup's peak counts cache too; a process's
 * does not, and a leak stands at its peak exactly.
 */
#define PEAK_MARGIN 0.93
#define TASK_PEAK_MARGIN 0.985

static struct point point_of(const struct snapshot *snapshot, double value)
{
	return (struct point){ (double)snapshot->host.at_us / SECOND_US, value };
}

/* The window, and refault itself in each frame: NULL where it is not there or not known. */
struct watched {
	const struct window *window;
	const struct task *self[WINDOW_FRAMES];
};

static struct watched watched_in(const struct window *window)
{
	struct watched watched = { .window = window };

	for (size_t i = 0; i < window->frames; i++) {
		const struct snapshot *frame = window->frame[i];
		const struct task *self = frame->host.self_pid == 0 ?
						  NULL :
						  snapshot_pid(frame, frame->host.self_pid);

		if (self && self->state[TASK_RSS_ANON] == OK)
			watched.self[i] = self;
	}
	return watched;
}

/* What refault itself holds in that cgroup: its window fills while it looks, which is no leak.
 */
static double own_size(const struct watched *watched, size_t frame, const struct cgroup *cgroup)
{
	int32_t index = (int32_t)(cgroup - watched->window->frame[frame]->cgroups);
	const struct task *self = watched->self[frame];

	if (!self || (self->cgroup != index && self->cgroup_memory != index))
		return 0;
	return (double)self->value[TASK_RSS_ANON];
}

/* The series of one cgroup over the window; frames in which it is not there are left out. */
static size_t series_of(const struct watched *watched, const struct cgroup *like,
			struct point *points)
{
	const struct window *window = watched->window;
	size_t count = 0;

	for (size_t i = 0; i < window->frames; i++) {
		const struct cgroup *cgroup = snapshot_cgroup(window->frame[i], like);
		double grown = cgroup ? cgroup_grown(cgroup) : (double)NAN;

		if (!isnan(grown))
			points[count++] = point_of(window->frame[i],
						   grown - own_size(watched, i, cgroup));
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

/* Minutes, where they were watched: what a window of seconds takes for a leak may be a wave. */
#define LONG_POINTS 4

static double long_rate_of(const struct track *track)
{
	return track->points < LONG_POINTS ? (double)NAN :
					     slope_of(track->grown, track->points);
}

/* Statistics of cgroups may be two seconds old: a shorter look back may see none of a leak. */
#define RECENT_S 2.0

/* Bytes per second over the last seconds: growth that has ended is none. */
static double recent_of(const struct point *points, size_t count)
{
	const struct point *last = &points[count - 1];

	for (size_t i = count - 1; i-- > 0;)
		if (last->at - points[i].at >= RECENT_S - 0.1)
			return (last->value - points[i].value) / (last->at - points[i].at);
	return slope_of(points, count);
}

static struct growth growth_of(const struct watched *watched, size_t index)
{
	const struct window *window = watched->window;
	const struct cgroup *cgroup = &window_newest(window)->cgroups[index];
	struct point points[WINDOW_FRAMES];
	size_t count = series_of(watched, cgroup, points);
	struct growth growth = {
		.rate = (double)NAN,
		.long_rate = (double)NAN,
		.level = cgroup_grown(cgroup),
	};

	if (count < 2)
		return growth;
	if (isnan(growth.level)) /* it could not be read just now */
		growth.level = points[count - 1].value;
	growth.rate = slope_of(points, count);
	growth.rising = rising_of(points, count);
	growth.recent = recent_of(points, count);
	growth.long_rate = long_rate_of(&window->track[index]);
	growth.below_peak = is_below_peak(cgroup, &window->track[index]);
	growth.kernel_rate = change_of(window, cgroup, CG_KERNEL);
	growth.shmem_rate = change_of(window, cgroup, CG_SHMEM);
	if (fabs(growth.rate) < GROWTH_NOISE)
		growth.rate = 0;
	return growth;
}

void growth_of_members(struct evidence *out)
{
	const struct watched watched = watched_in(out->window);

	for (size_t i = 0; i < out->member_count; i++)
		out->members[i].growth = growth_of(&watched, i);
}

static double machine_slope(const struct window *window,
			    double (*value)(const struct snapshot *))
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

static double sum_of(const struct snapshot *snapshot, const enum machine_field *fields,
		     size_t count)
{
	double sum = (double)NAN;

	for (size_t i = 0; i < count; i++)
		if (snapshot->state[fields[i]] == OK)
			sum = zero_if_nan(sum) + (double)snapshot->value[fields[i]];
	return sum;
}

static double kernel_memory(const struct snapshot *snapshot)
{
	/* Not reclaimable slab: a walk over many files, or writes, grow it and it can go again.
	 */
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
int growth_mark_saw_teeth(struct evidence *out, struct arena *arena)
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
				.below_peak = memory <
					      TASK_PEAK_MARGIN * (double)task->value[TASK_PEAK],
			};
	}
	for (size_t i = 0; i < out->member_count; i++)
		out->members[i].growth.below_peak |= largest[i].below_peak;
	return 0;
}

void growth_of_machine(const struct window *window, struct evidence *out)
{
	out->kernel_rate = machine_slope(window, kernel_memory);
	out->shmem_rate = machine_slope(window, shared_memory);
	out->grown_rate = machine_slope(window, grown_memory);
}
