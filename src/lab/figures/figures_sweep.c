/*
 * Figures of a staircase: arrays of growing and then of shrinking size, each swept some times.
 * The cliff is where its speed falls from one level to another.
 */
#include <math.h>

#include "lab/figures/stats.h"
#include "lab/figures/subject.h"

#define STEPS_MAX 1024
#define SWEEPS_MAX 256

/* The first touches of an array, and what evicts that of the size before. */
#define SWEEPS_FIRST 2

/* A slope is not a cliff. */
#define CLIFF_LEAST 3.0

static const char NO_STAIRCASE[] = "no staircase";
static const char NO_CLIFF[] = "no cliff";

/* All sweeps of one size that follow each other. */
struct step {
	double bytes;
	double speed; /* bytes a second, median */
	double faults;
};

struct flight {
	struct step step[STEPS_MAX];
	size_t steps;
	size_t top; /* the first step of the way down */
};

static struct step step_of(const struct slot *slot, size_t slots)
{
	double length[SWEEPS_MAX];
	double faults[SWEEPS_MAX];
	size_t first = slots > SWEEPS_FIRST ? SWEEPS_FIRST : slots - 1;
	size_t count = 0;
	double median;

	for (size_t i = first; i < slots && count < SWEEPS_MAX; i++) {
		if (slot[i].done_us <= slot[i].begun_us || slot[i].begun_us == 0)
			continue;
		length[count] = (double)(slot[i].done_us - slot[i].begun_us) / SECOND_US;
		faults[count++] = (double)slot[i].faults;
	}
	median = stats_median(length, count);
	return (struct step){
		.bytes = (double)slot[0].value,
		.speed = (double)slot[0].value / median,
		.faults = stats_median(faults, count),
	};
}

static size_t same_size(const struct load *load, size_t first)
{
	size_t end = first + 1;

	while (end < load->slots && load->slot[end].value == load->slot[first].value)
		end++;
	return end - first;
}

static void climb(const struct subject *subject, const struct load *load, struct flight *out)
{
	size_t slots;

	for (size_t i = 0; i < load->slots && out->steps < STEPS_MAX; i += slots) {
		struct step step;

		slots = same_size(load, i);
		if (load->slot[i].due_us < subject->series->measured_us ||
		    load->slot[i].kind != SLOT_SIZE)
			continue;
		step = step_of(&load->slot[i], slots);
		/* An array that was never swept to its end has no speed. */
		if (!isnan(step.speed) && step.speed > 0)
			out->step[out->steps++] = step;
	}
	while (out->top < out->steps &&
	       (out->top == 0 || out->step[out->top].bytes > out->step[out->top - 1].bytes))
		out->top++;
}

static bool flight_of(const struct subject *subject, struct flight *out)
{
	*out = (struct flight){ 0 };
	for (size_t i = 0; i < subject->series->loads && out->steps == 0; i++)
		climb(subject, &subject->series->load[i], out);
	return out->steps > 0;
}

/* Two levels of speed, and the steps on either side of where one becomes the other. */
struct cliff {
	size_t before; /* the last step of the first level */
	double ratio;  /* first level by second */
};

static double mean_log(const struct step *step, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += log(step[i].speed);
	return sum / (double)count;
}

static double error_of(const struct step *step, size_t count)
{
	double mean = mean_log(step, count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (log(step[i].speed) - mean) * (log(step[i].speed) - mean);
	return sum;
}

/*
 * The cut that leaves the least error when each side is one level, in logarithms: one slow
 * step among fast ones, which the largest ratio of neighbours would take, moves it little.
 */
static bool cliff_of(const struct step *step, size_t steps, struct cliff *out)
{
	double least = INFINITY;

	*out = (struct cliff){ .ratio = 1 };
	if (steps < 2)
		return false;
	for (size_t cut = 1; cut < steps; cut++) {
		double error = error_of(step, cut) + error_of(step + cut, steps - cut);

		if (error >= least)
			continue;
		least = error;
		out->before = cut - 1;
		out->ratio = exp(mean_log(step, cut) - mean_log(step + cut, steps - cut));
	}
	return true;
}

/* The way up, on which speed falls, and the way down, on which it rises. */
static struct figure cliff_up(const struct subject *subject, struct flight *flight,
			      struct cliff *out)
{
	if (!flight_of(subject, flight))
		return figure_none(NO_STAIRCASE);
	if (!cliff_of(flight->step, flight->top, out) || out->ratio < CLIFF_LEAST)
		return figure_none(NO_CLIFF);
	return figure_is(0);
}

static struct figure cliff_down(const struct subject *subject, struct flight *flight,
				struct cliff *out)
{
	/* The top belongs to both ways: coming down begins with it. */
	if (!flight_of(subject, flight))
		return figure_none(NO_STAIRCASE);
	if (flight->top == flight->steps)
		return figure_none("not swept downwards");
	if (!cliff_of(flight->step + flight->top - 1, flight->steps - flight->top + 1, out) ||
	    out->ratio > 1 / CLIFF_LEAST)
		return figure_none(NO_CLIFF);
	return figure_is(0);
}

struct figure figure_cliff_at(const struct subject *subject)
{
	struct flight flight;
	struct cliff cliff;
	struct figure none = cliff_up(subject, &flight, &cliff);

	return none.why ? none : figure_is(flight.step[cliff.before].bytes);
}

/* Without a cliff the ratio of the levels is a number all the same. */
struct figure figure_cliff_ratio(const struct subject *subject)
{
	struct flight flight;
	struct cliff cliff;

	if (!flight_of(subject, &flight))
		return figure_none(NO_STAIRCASE);
	if (!cliff_of(flight.step, flight.top, &cliff))
		return figure_none("one size only");
	return figure_is(cliff.ratio);
}

struct figure figure_cliff_down_at(const struct subject *subject)
{
	struct flight flight;
	struct cliff cliff;
	struct figure none = cliff_down(subject, &flight, &cliff);

	return none.why ? none : figure_is(flight.step[flight.top + cliff.before].bytes);
}

struct figure figure_cliff_down_ratio(const struct subject *subject)
{
	struct flight flight;
	struct cliff cliff;
	struct figure none = cliff_down(subject, &flight, &cliff);

	return none.why ? none : figure_is(1 / cliff.ratio);
}

enum what {
	WHAT_SPEED,
	WHAT_FAULTS,
};

static double median_over(const struct step *step, size_t steps, enum what what)
{
	double value[STEPS_MAX];

	for (size_t i = 0; i < steps; i++)
		value[i] = what == WHAT_SPEED ? step[i].speed : step[i].faults;
	return stats_median(value, steps);
}

/* The steps on the way up that lie before or beyond the cliff; all, and none, without one. */
static struct figure level(const struct subject *subject, bool beyond, enum what what)
{
	struct flight flight;
	struct cliff cliff;
	struct figure none = cliff_up(subject, &flight, &cliff);
	size_t cut;

	if (flight.steps == 0 || (none.why && beyond))
		return none;
	cut = none.why ? flight.top : cliff.before + 1;
	if (beyond)
		return figure_is(median_over(flight.step + cut, flight.top - cut, what));
	return figure_is(median_over(flight.step, cut, what));
}

struct figure figure_sweep_speed_fit(const struct subject *subject)
{
	return level(subject, false, WHAT_SPEED);
}

struct figure figure_sweep_speed_over(const struct subject *subject)
{
	return level(subject, true, WHAT_SPEED);
}

struct figure figure_sweep_faults(const struct subject *subject)
{
	struct figure beyond = level(subject, true, WHAT_FAULTS);

	return beyond.why ? level(subject, false, WHAT_FAULTS) : beyond;
}
