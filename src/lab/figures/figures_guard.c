/*
 * Figures of a guard: who was killed and when, and what it cost.
 */
#include <math.h>

#include "lab/figures/harm.h"
#include "lab/figures/ini.h"
#include "lab/figures/kills.h"
#include "lab/figures/subject.h"

static double seconds(uint64_t from_us, uint64_t to_us)
{
	return ((double)to_us - (double)from_us) / SECOND_US;
}

struct figure figure_harm(const struct subject *subject)
{
	uint64_t at_us;

	if (!subject->service)
		return figure_none("no service");
	if (!harm_begin(subject->series, subject->service, &at_us))
		return figure_none("no harm");
	return figure_is(seconds(subject->series->measured_us, at_us));
}

/* The phase that the truth names, or else the first harm to the service. */
static bool onset_of(const struct subject *subject, uint64_t *at_us)
{
	const struct series *series = subject->series;
	struct span phase;

	if (!ini_find(series->scenario, "truth", "onset", &phase) || span_eq(phase, "harm"))
		return subject->service && harm_begin(series, subject->service, at_us);
	for (size_t i = 0; i < series->marks; i++) {
		if (strcmp(series->mark[i].kind, "phase") != 0 ||
		    !span_eq(phase, series->mark[i].text))
			continue;
		*at_us = series->mark[i].at_us;
		return true;
	}
	return false;
}

struct figure figure_act(const struct subject *subject)
{
	const struct load *wanted = kill_wanted(subject->series);
	uint64_t onset_us;

	if (!wanted)
		return figure_none("nobody has to die");
	if (!onset_of(subject, &onset_us))
		return load_is_killed(wanted) ? figure_is(0) : figure_none("no harm");
	if (!load_is_killed(wanted))
		return (struct figure){ .value = seconds(onset_us, subject->series->end_us),
					.censored = true };
	return figure_is(wanted->ended_us > onset_us ? seconds(onset_us, wanted->ended_us) : 0);
}

struct figure figure_back(const struct subject *subject)
{
	uint64_t harm_us;
	uint64_t well_us;
	bool is_well;

	if (!subject->service)
		return figure_none("no service");
	if (!harm_begin(subject->series, subject->service, &harm_us))
		return figure_none("no harm");
	is_well = harm_end(subject->series, subject->service, &well_us);
	if (!is_well)
		well_us = subject->series->end_us;
	return (struct figure){ .value = well_us > harm_us ? seconds(harm_us, well_us) : 0,
				.censored = !is_well };
}

static const struct load *first_killed(const struct series *series)
{
	const struct load *first = NULL;

	for (size_t i = 0; i < series->loads; i++)
		if (load_is_killed(&series->load[i]) &&
		    series->load[i].ended_us >= series->measured_us &&
		    (!first || series->load[i].ended_us < first->ended_us))
			first = &series->load[i];
	return first;
}

/* A frame can come after the kill and before anybody notices: then memory is free again. */
#define BEFORE_US (3 * SECOND_US / 2)

static size_t least_before(const struct series *series, uint64_t at_us)
{
	const double *available = series->value[P_AVAILABLE];
	struct frame_range frames = series_frames(series, at_us - MIN(at_us, BEFORE_US), at_us);
	size_t least = frames.last;

	for (size_t i = frames.first; i < frames.last; i++)
		if (available[i] < available[least])
			least = i;
	return least;
}

/* Frames are half a second apart, in which a fast leak takes much of what is left. */
static double left_at(const struct series *series, uint64_t at_us)
{
	const double *available = series->value[P_AVAILABLE];
	size_t least = least_before(series, at_us);
	double left = available[least];
	bool is_last = least + 1 >= series->frames || series->at_us[least + 1] > at_us;

	if (is_last && least > 0 && available[least - 1] > left)
		left -= (available[least - 1] - left) * seconds(series->at_us[least], at_us) /
			seconds(series->at_us[least - 1], series->at_us[least]);
	return 100 * fmax(left, 0) / series->value[P_TOTAL][least];
}

struct figure figure_unused(const struct subject *subject)
{
	const struct load *killed = first_killed(subject->series);
	double left;

	if (!killed)
		return figure_none("nobody was killed");
	if (subject->series->at_us[0] > killed->ended_us)
		return figure_none("no frame");
	left = left_at(subject->series, killed->ended_us);
	return isnan(left) ? figure_none("not counted") : figure_is(left);
}

static struct figure count_kills(const struct series *series, bool by_kernel)
{
	size_t count = 0;

	for (size_t i = 0; i < series->loads; i++)
		count += load_is_killed(&series->load[i]) &&
			 load_is_oom_killed(series, &series->load[i]) == by_kernel;
	return figure_is((double)count);
}

struct figure figure_guard_kills(const struct subject *subject)
{
	return count_kills(subject->series, false);
}

struct figure figure_kernel_kills(const struct subject *subject)
{
	return count_kills(subject->series, true);
}

struct figure figure_false_kills(const struct subject *subject)
{
	const struct series *series = subject->series;
	size_t count = 0;

	for (size_t i = 0; i < series->loads; i++)
		count += load_is_killed(&series->load[i]) &&
			 !kill_is_wanted(series, &series->load[i]);
	return figure_is((double)count);
}

static const double *guard_value(const struct subject *subject, enum group_point point)
{
	const struct load *guard = subject->guard;
	const struct group *group = guard && load_is_started(subject->series, guard) ?
					    guard->group :
					    series_guard_group(subject->series);

	return group ? group->value[point] : NULL;
}

static double guard_seconds(const struct subject *subject)
{
	const double *cpu = guard_value(subject, G_CPU);

	return cpu ? series_rise(cpu, subject->measured) : (double)NAN;
}

struct figure figure_guard_time(const struct subject *subject)
{
	double spent = guard_seconds(subject);

	return isnan(spent) ? figure_none("no guard") : figure_is(spent);
}

struct figure figure_guard_cpu(const struct subject *subject)
{
	const struct series *series = subject->series;
	double spent = guard_seconds(subject);

	if (isnan(spent))
		return figure_none("no guard");
	return figure_is(
		100 * spent /
		(series->at[subject->measured.last] - series->at[subject->measured.first]));
}

static struct figure guard_most(const struct subject *subject, enum group_point point)
{
	const double *value = guard_value(subject, point);
	double most = (double)NAN;

	for (size_t i = subject->measured.first; value && i <= subject->measured.last; i++)
		most = fmax(most, value[i]); /* which leaves NAN out */
	return isnan(most) ? figure_none("no guard") : figure_is(most);
}

struct figure figure_guard_locked(const struct subject *subject)
{
	return guard_most(subject, G_UNEVICTABLE);
}

struct figure figure_guard_memory(const struct subject *subject)
{
	return guard_most(subject, G_CURRENT);
}
