#include "policy/workingset.h"

#include "analysis/domain.h"
#include "analysis/facts.h"

/* Hot pages are forgotten by half in ten minutes, as the calm mapped set: programs do shrink.
 */
#define HALF_LIFE_S 600.0
/*
 * What came back once does so no more while it is protected: without a longer memory it would
 * be given up and evicted again each ten minutes.
 */
#define FEEDBACK_HALF_LIFE_S 3600.0
/* A mapped set that shrinks by this part in seconds is being evicted, or is a program that
 * ends. */
#define FALLING 0.97
/* The mapped set is in memory as long as this part of it is. */
#define PRESENT 0.9
/* Less than this part of the file cache was ever scanned: the lists are as they were filled. */
#define SCANNED 0.1

/* All that is asked about one cgroup. */
struct view {
	const struct evidence *evidence;
	size_t index;
	const struct member *member;
	const struct cgroup *cgroup;
	double page;
	double shmem_mapped;
	double file; /* bytes of file cache, locked pages too */
	bool is_short;
};

static double own(const struct view *view, enum cgroup_field field)
{
	return view->cgroup->state[field] == OK ? (double)view->cgroup->value[field] :
						  (double)NAN;
}

static double own_signal(const struct view *view, enum signal signal)
{
	return signal_of(&view->member->signals, signal);
}

/*
 * file_mapped counts mapped shared memory too (mm/rmap.c), which the shared memory of the
 * cgroup counts already. Where processes are not known all of it is taken for mapped.
 */
static double shmem_mapped(const struct evidence *evidence, size_t index, double shmem)
{
	const struct snapshot *now = evidence->pair.now;
	double sum = 0;

	if (now->tasks_state != OK || now->tasks_cut)
		return shmem;
	for (size_t i = 0; i < now->task_count; i++) {
		const struct task *task = &now->tasks[i];
		int32_t at = task->cgroup_memory >= 0 ? task->cgroup_memory : task->cgroup;

		if (task->state[TASK_RSS_SHMEM] == OK && at >= 0 &&
		    cgroup_is_within(now, at, (int32_t)index))
			sum += (double)task->value[TASK_RSS_SHMEM];
	}
	return fmin(sum, shmem);
}

static double mapped_at(const struct view *view, const struct snapshot *then)
{
	const struct cgroup *cgroup = then ? snapshot_cgroup(then, view->cgroup) : NULL;

	if (!cgroup || cgroup->state[CG_FILE_MAPPED] != OK)
		return (double)NAN;
	return fmax((double)cgroup->value[CG_FILE_MAPPED] - view->shmem_mapped, 0);
}

/* The most that it was in the last minutes. */
static double calm_mapped(const struct view *view)
{
	const struct window *window = view->evidence->window;

	if (!window || !window->track || view->index >= window->track_count)
		return (double)NAN;
	return fmax(window->track[view->index].calm_mapped - view->shmem_mapped, 0);
}

/* Pages are being taken away: what is there now is not what is needed. */
static bool is_pressed(const struct view *view)
{
	const struct evidence *evidence = view->evidence;
	const struct pair *pair = &evidence->pair;

	for (size_t i = 0; i < evidence->domains; i++) {
		const struct domain *domain = &evidence->domain[i];

		if (domain->cgroup >= 0 &&
		    !cgroup_is_within(pair->now, (int32_t)view->index, domain->cgroup))
			continue;
		if (is_short(domain))
			return true;
	}
	return view->member->loss.collapsed ||
	       mapped_at(view, pair->now) < FALLING * mapped_at(view, pair->before);
}

/* A cache that is read in a circle comes back all the time and is not hot. */
static bool is_circling(const struct view *view)
{
	const struct evidence *evidence = view->evidence;

	for (size_t i = 0; i < evidence->domains; i++) {
		const struct domain *domain = &evidence->domain[i];

		if ((domain->cgroup < 0 ||
		     cgroup_is_within(evidence->pair.now, (int32_t)view->index,
				      domain->cgroup)) &&
		    is_loop_scan(evidence, domain))
			return true;
	}
	return false;
}

bool member_grows(const struct evidence *evidence, size_t member)
{
	const struct domain self = {
		.kind = LIMIT_RAM,
		.cgroup = -1,
		.culprit = (int32_t)member,
		.limit = signal_of(&evidence->machine, SIG_TOTAL),
		.signals = &evidence->machine,
	};

	return is_growing(evidence, &self);
}

static struct view view_of(const struct evidence *evidence, size_t index)
{
	struct view view = {
		.evidence = evidence,
		.index = index,
		.member = &evidence->members[index],
		.cgroup = &evidence->pair.now->cgroups[index],
		.page = (double)evidence->pair.now->host.page_bytes,
	};

	view.shmem_mapped = zero_if_nan(own(&view, CG_SHMEM));
	if (view.shmem_mapped > 0)
		view.shmem_mapped = shmem_mapped(evidence, index, view.shmem_mapped);
	view.file = own_signal(&view, SIG_FILE_LRU) + zero_if_nan(own(&view, CG_UNEVICTABLE));
	view.is_short = is_pressed(&view);
	return view;
}

/*
 * The classic lists before anybody scanned them: mapped pages are on the inactive list, since
 * they are moved only when they are scanned; those on the active list were read twice or more.
 */
static bool is_unscanned(const struct view *view)
{
	double scanned = own(view, CG_PGSCAN) * view->page;

	return view->evidence->pair.now->profile.lru == LRU_CLASSIC &&
	       !(own_signal(view, SIG_SCAN) > 0) && scanned < SCANNED * view->file;
}

/*
 * MGLRU: what is read by page faults goes to the youngest generations, which are counted as
 * active; what is read once with read() to the oldest ones.
 */
static double hot_now(const struct view *view, const char **how)
{
	double active = own(view, CG_ACTIVE_FILE);
	double mapped = mapped_at(view, view->evidence->pair.now);

	if (view->is_short)
		mapped = fmax(mapped, calm_mapped(view));
	if (isnan(active) || isnan(mapped) || isnan(view->file))
		return (double)NAN;
	if (is_unscanned(view)) {
		*how = "active and mapped";
		return fmin(active + mapped, view->file);
	}
	*how = "active or mapped";
	return view->is_short ? fmax(active, mapped) : fmin(fmax(active, mapped), view->file);
}

static double faded(double value, double seconds, double half_life)
{
	return value * exp2(-seconds / half_life);
}

/* How far a counter rose since the last measurement; 0 where that is not known. */
static double risen(double now, double before)
{
	return now > before ? now - before : 0;
}

static void forget(const struct view *view, double seconds, struct workingset *state)
{
	if (view->is_short)
		return;
	state->hot_file = faded(state->hot_file, seconds, HALF_LIFE_S);
	state->feedback = faded(state->feedback, seconds, FEEDBACK_HALF_LIFE_S);
	state->feedback_anon = faded(state->feedback_anon, seconds, FEEDBACK_HALF_LIFE_S);
}

static bool has_mapped(const struct view *view)
{
	return mapped_at(view, view->evidence->pair.now) >= PRESENT * calm_mapped(view);
}

/*
 * Pages that came back although the mapped set is in memory are others: files that are only
 * read(), which no page table makes hot. Both together are no more than all the cache there is.
 */
static void learn_file(const struct view *view, double hot, bool is_first,
		       struct workingset *state)
{
	double refaulted = own(view, CG_REFAULT_FILE) * view->page;
	double back = is_first ? 0 : risen(refaulted, state->refaulted);
	double most;

	state->refaulted = refaulted;
	state->hot_file = fmax(state->hot_file, hot);
	most = fmax(view->file - state->hot_file, view->is_short ? state->feedback : 0);
	if (has_mapped(view) && !member_grows(view->evidence, view->index) &&
	    !is_circling(view))
		state->feedback += back;
	state->feedback = fmax(fmin(state->feedback, most), 0);
}

static void learn_anon(const struct view *view, bool is_first, struct workingset *state)
{
	double refaulted = own(view, CG_REFAULT_ANON) * view->page;
	double back = is_first ? 0 : risen(refaulted, state->refaulted_anon);

	state->refaulted_anon = refaulted;
	if (!member_grows(view->evidence, view->index))
		state->feedback_anon += back;
}

/* With room in swap what is not used goes there, and costs nothing. */
static double anon_of(const struct view *view, struct workingset *state)
{
	double anon = own(view, CG_ANON);
	double active = own(view, CG_ACTIVE_ANON);
	double shmem = zero_if_nan(own(view, CG_SHMEM));

	if (!(own_signal(view, SIG_SWAP_FREE) > SWAP_USABLE) || isnan(active))
		return anon + shmem;
	state->feedback_anon = fmin(state->feedback_anon, fmax(anon - active, 0));
	return fmin(active + state->feedback_anon, anon) + shmem;
}

/* Anonymous and mapped pages that are locked are counted with those. */
static double locked_of(const struct view *view)
{
	double locked = zero_if_nan(own(view, CG_UNEVICTABLE));

	return fmax(locked - own(view, CG_ANON) - zero_if_nan(own(view, CG_FILE_MAPPED)), 0);
}

static const char *unknown_part(const struct workingset_size *size, double current)
{
	if (isnan(size->anon))
		return "its anonymous memory is unknown";
	if (isnan(size->hot_file))
		return "its file pages are unknown";
	if (isnan(size->kernel))
		return "its kernel memory is unknown";
	return isnan(current) ? "its memory.current is unknown" : NULL;
}

static void measure_file(const struct view *view, struct workingset *state,
			 struct workingset_size *out)
{
	double at_s = (double)view->evidence->pair.now->host.at_us / SECOND_US;
	bool is_first = !(state->at_s > 0);

	out->hot_file = hot_now(view, &out->how);
	if (!is_first)
		forget(view, fmax(at_s - state->at_s, 0), state);
	state->at_s = at_s;
	learn_anon(view, is_first, state);
	if (isnan(out->hot_file))
		return;
	learn_file(view, out->hot_file, is_first, state);
	out->hot_file = state->hot_file + state->feedback;
	if (state->feedback > 0)
		out->how = "active or mapped, and refaults";
}

struct workingset_size workingset_of(const struct evidence *evidence, size_t member,
				     struct workingset *state)
{
	const struct view view = view_of(evidence, member);
	double current = own(&view, CG_CURRENT);
	struct workingset_size size = { .how = "" };
	const char *unknown;

	measure_file(&view, state, &size);
	size.anon = anon_of(&view, state);
	size.kernel = own_signal(&view, SIG_KERNEL);
	size.locked = locked_of(&view);
	size.bytes = size.anon + size.hot_file + size.kernel + size.locked;
	unknown = unknown_part(&size, current);
	if (unknown) {
		size.bytes = (double)NAN;
		size.how = unknown;
	} else if (!view.is_short) {
		size.bytes = fmin(size.bytes, current);
	}
	return size;
}
