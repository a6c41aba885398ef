/*
 * Figures of the pressure phase, and of the leak that it ends with.
 */
#include <math.h>

#include "lab/figures/subject.h"

static const char NO_LEAK[] = "no leak";

static double seconds(uint64_t from_us, uint64_t to_us)
{
	return ((double)to_us - (double)from_us) / SECOND_US;
}

static bool is_killed(const struct load *load)
{
	return load->end == LOAD_KILLED;
}

/* How long the phase lasted, or would have at least. */
struct figure figure_phase(const struct subject *subject)
{
	const struct phase *phase = &subject->phase;

	if (!phase->present)
		return figure_none(phase->why);
	return (struct figure){ .value = seconds(phase->from_us, phase->to_us),
				.censored = !phase->killed };
}

struct figure figure_killed_at(const struct subject *subject)
{
	return subject->leak ? figure_phase(subject) : figure_none(NO_LEAK);
}

struct figure figure_killed_after(const struct subject *subject)
{
	const struct series *series = subject->series;
	const struct load *leak = subject->leak;

	if (!leak)
		return figure_none(NO_LEAK);
	return (struct figure){
		.value = seconds(series->measured_us,
				 leak->ended_us ? leak->ended_us : series->end_us),
		.censored = !is_killed(leak),
	};
}

static double size_at(const struct load *load, uint64_t at_us)
{
	size_t row;

	return load_row(load, at_us, &row) ? load->value[LOAD_SIZE][row] : (double)NAN;
}

/* What a load says after its end is not its size any more. */
static double last_size(const struct subject *subject)
{
	const struct load *leak = subject->leak;

	return size_at(leak, leak->ended_us ? leak->ended_us : subject->series->end_us);
}

struct figure figure_leak_end(const struct subject *subject)
{
	double size;

	if (!subject->leak)
		return figure_none(NO_LEAK);
	size = last_size(subject);
	if (isnan(size))
		return figure_none("no size");
	return (struct figure){ .value = size, .censored = !is_killed(subject->leak) };
}

struct figure figure_leak_grown(const struct subject *subject)
{
	double size;

	if (!subject->leak)
		return figure_none(NO_LEAK);
	size = last_size(subject) - size_at(subject->leak, subject->series->measured_us);
	return isnan(size) ? figure_none("no size") : figure_is(size);
}

struct figure figure_kill_available(const struct subject *subject)
{
	const struct series *series = subject->series;
	struct frame_range before;
	double available;

	if (!subject->leak)
		return figure_none(NO_LEAK);
	if (!is_killed(subject->leak))
		return figure_none("not killed");
	before = series_frames(series, 0, subject->leak->ended_us);
	if (before.first > before.last)
		return figure_none("no frame");
	available = series->value[P_AVAILABLE][before.last];
	return isnan(available) ? figure_none("not counted") : figure_is(available);
}
