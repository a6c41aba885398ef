/*
 * Figures from the kernel's own counters.
 */
#include <math.h>

#include "lab/figures/subject.h"

static const char UNKNOWN[] = "not counted";
static const char NO_GROUP[] = "no cgroup";

static struct figure known(double value)
{
	return isnan(value) ? figure_none(UNKNOWN) : figure_is(value);
}

static double rise(const struct subject *subject, enum machine_point point)
{
	return series_rise(subject->series->value[point], subject->measured);
}

static double rate(const struct subject *subject, enum machine_point point)
{
	return series_rate(subject->series, subject->series->value[point], subject->pressure);
}

static struct figure page_rise(const struct subject *subject, enum machine_point point)
{
	return known(rise(subject, point) * (double)subject->series->page_bytes);
}

struct figure figure_reread(const struct subject *subject)
{
	double file = rise(subject, P_REFAULT_FILE);
	double anon = rise(subject, P_REFAULT_ANON);

	return known((isnan(anon) ? file : file + anon) * (double)subject->series->page_bytes);
}

struct figure figure_reread_rate(const struct subject *subject)
{
	return known(refault_rate(subject->series, subject->pressure));
}

struct figure figure_read(const struct subject *subject)
{
	return known(rise(subject, P_READ));
}

struct figure figure_read_rate(const struct subject *subject)
{
	return known(rate(subject, P_READ));
}

struct figure figure_swapped_in(const struct subject *subject)
{
	return page_rise(subject, P_SWPIN);
}

struct figure figure_swapped_out(const struct subject *subject)
{
	return page_rise(subject, P_SWPOUT);
}

struct figure figure_majflt(const struct subject *subject)
{
	return known(rate(subject, P_MAJFLT));
}

struct figure figure_psi_some(const struct subject *subject)
{
	return known(100 * rate(subject, P_MEM_SOME));
}

struct figure figure_psi_full(const struct subject *subject)
{
	return known(100 * rate(subject, P_MEM_FULL));
}

struct figure figure_psi_io(const struct subject *subject)
{
	return known(100 * rate(subject, P_IO_SOME));
}

static struct figure group_share(const struct subject *subject, enum group_point point)
{
	const struct group *group = subject->service ? subject->service->group : NULL;

	if (!group)
		return figure_none(NO_GROUP);
	return known(100 *
		     series_rate(subject->series, group->value[point], subject->pressure));
}

struct figure figure_group_memory_some(const struct subject *subject)
{
	return group_share(subject, G_MEM_SOME);
}

struct figure figure_group_memory_full(const struct subject *subject)
{
	return group_share(subject, G_MEM_FULL);
}

struct figure figure_group_io_some(const struct subject *subject)
{
	return group_share(subject, G_IO_SOME);
}

struct figure figure_group_io_full(const struct subject *subject)
{
	return group_share(subject, G_IO_FULL);
}

/* A limit is that of one cgroup; a sum would count those of its children again. */
static struct figure most_events(const struct subject *subject, enum group_point point)
{
	double most = (double)NAN;

	for (size_t i = 0; i < subject->series->groups; i++)
		most = fmax(most, series_rise(subject->series->group[i].value[point],
					      subject->measured));
	return isnan(most) ? figure_none(NO_GROUP) : figure_is(most);
}

struct figure figure_events_high(const struct subject *subject)
{
	return most_events(subject, G_EV_HIGH);
}

struct figure figure_events_max(const struct subject *subject)
{
	return most_events(subject, G_EV_MAX);
}

struct figure figure_events_oom(const struct subject *subject)
{
	return most_events(subject, G_EV_OOM);
}

struct figure figure_oom_kills(const struct subject *subject)
{
	return known(rise(subject, P_OOM_KILL));
}

/* fmin() and fmax() pass over what is not known. */
static double extreme(const struct subject *subject, enum machine_point point,
		      double (*pick)(double, double))
{
	double value = (double)NAN;

	for (size_t i = subject->measured.first; i <= subject->measured.last; i++)
		value = pick(value, subject->series->value[point][i]);
	return value;
}

struct figure figure_swap_max(const struct subject *subject)
{
	return known(extreme(subject, P_SWAP_USED, fmax));
}

struct figure figure_available_min(const struct subject *subject)
{
	return known(extreme(subject, P_AVAILABLE, fmin));
}

struct figure figure_free_min(const struct subject *subject)
{
	return known(extreme(subject, P_FREE, fmin));
}

static struct figure file_pages(const struct subject *subject, size_t frame)
{
	if (!subject->phase.present)
		return figure_none(subject->phase.why);
	if (subject->pressure.first > subject->pressure.last)
		return figure_none("no frame");
	return known(subject->series->value[P_FILE][frame]);
}

struct figure figure_file_pages_first(const struct subject *subject)
{
	return file_pages(subject, subject->pressure.first);
}

struct figure figure_file_pages_last(const struct subject *subject)
{
	return file_pages(subject, subject->pressure.last);
}

struct figure figure_allocstall(const struct subject *subject)
{
	return known(rise(subject, P_ALLOCSTALL));
}

/* A share of nothing is none. */
static struct figure share(double part, double all, const char *why)
{
	if (isnan(part) || isnan(all))
		return figure_none(UNKNOWN);
	return all > 0 ? figure_is(100 * part / all) : figure_none(why);
}

struct figure figure_direct_share(const struct subject *subject)
{
	double direct = rise(subject, P_STEAL_DIRECT);

	return share(direct, direct + rise(subject, P_STEAL_KSWAPD), "no reclaim");
}

struct figure figure_kswapd_steal(const struct subject *subject)
{
	return page_rise(subject, P_STEAL_KSWAPD);
}

struct figure figure_direct_steal(const struct subject *subject)
{
	return page_rise(subject, P_STEAL_DIRECT);
}

struct figure figure_kswapd_yield(const struct subject *subject)
{
	return share(rise(subject, P_STEAL_KSWAPD), rise(subject, P_SCAN_KSWAPD), "no reclaim");
}

struct figure figure_anon_steal(const struct subject *subject)
{
	return page_rise(subject, P_STEAL_ANON);
}

struct figure figure_compact_stall(const struct subject *subject)
{
	return known(rise(subject, P_COMPACT_STALL));
}

struct figure figure_compact_fail(const struct subject *subject)
{
	return known(rise(subject, P_COMPACT_FAIL));
}

struct figure figure_thp_fallback(const struct subject *subject)
{
	double fallback = rise(subject, P_THP_FALLBACK);

	return share(fallback, fallback + rise(subject, P_THP_ALLOC), "no huge page wanted");
}
