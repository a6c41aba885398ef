/*
 * How well each signal would have warned: the time from its first crossing to the first second
 * in which the service lost its slots. Thresholds are those that people set alarms at.
 */
#include <math.h>

#include "lab/figures/subject.h"

#define PRESSURE_SHARE 0.1  /* a stall of a tenth of the time */
#define AVAILABLE_SHARE 0.1 /* what earlyoom waits for by default */

/* As a truth has it: less than so much of what was due in a second was done on time. */
#define LOSS_SHARE 0.8
#define SLOTS_LEAST 5

/* Slots that were due in one second of the measured part. */
struct second {
	uint64_t number;
	size_t due;
	size_t on_time;
};

static bool is_lost(const struct second *second)
{
	return second->due >= SLOTS_LEAST &&
	       (double)second->on_time < LOSS_SHARE * (double)second->due;
}

/* When the first second of loss began; false when nothing was lost. */
static bool find_loss(const struct subject *subject, uint64_t *out)
{
	const struct load *load = subject->service;
	uint64_t measured_us = subject->series->measured_us;
	uint64_t period_us = slots_period(load);
	struct second second = { 0 };

	for (size_t i = 0; i < load->slots && !is_lost(&second); i++) {
		const struct slot *slot = &load->slot[i];
		uint64_t number;

		if (slot->due_us < measured_us || slot->kind != SLOT_SLOT)
			continue;
		number = (slot->due_us - measured_us) / SECOND_US;
		/* A second is judged when it is over. */
		if (number != second.number && is_lost(&second))
			break;
		if (number != second.number)
			second = (struct second){ .number = number };
		second.due++;
		second.on_time += slot_is_on_time(slot, period_us);
	}
	*out = measured_us + second.number * SECOND_US;
	return is_lost(&second);
}

typedef bool crossing(const struct subject *subject, struct frame_range pair);

static bool find_crossing(const struct subject *subject, crossing *crosses, uint64_t *out)
{
	for (size_t i = subject->measured.first + 1; i <= subject->measured.last; i++) {
		const struct frame_range pair = { i - 1, i };

		if (!series_is_apart(subject->series, pair) || !crosses(subject, pair))
			continue;
		*out = subject->series->at_us[i];
		return true;
	}
	return false;
}

static struct figure lead(const struct subject *subject, crossing *crosses)
{
	uint64_t loss_us;
	uint64_t crossed_us;
	bool lost;
	bool crossed;

	if (!subject->service || subject->service->slots == 0)
		return figure_none("no service");
	lost = find_loss(subject, &loss_us);
	crossed = find_crossing(subject, crosses, &crossed_us);
	if (!lost)
		return figure_none(crossed ? "false alarm" : "quiet");
	if (!crossed)
		return figure_none("silent");
	return figure_is(((double)loss_us - (double)crossed_us) / SECOND_US);
}

static bool psi_crosses(const struct subject *subject, struct frame_range pair)
{
	const struct series *series = subject->series;

	return series_rate(series, series->value[P_MEM_SOME], pair) > PRESSURE_SHARE;
}

static bool group_crosses(const struct subject *subject, struct frame_range pair)
{
	const struct series *series = subject->series;
	const struct group *group = subject->service->group;

	return series_rate(series, group->value[G_MEM_SOME], pair) > PRESSURE_SHARE ||
	       series_rate(series, group->value[G_IO_SOME], pair) > PRESSURE_SHARE;
}

static bool refault_crosses(const struct subject *subject, struct frame_range pair)
{
	return refault_rate(subject->series, pair) > PHASE_REFAULTS_PER_SECOND;
}

static bool available_crosses(const struct subject *subject, struct frame_range pair)
{
	const struct series *series = subject->series;

	return series->value[P_AVAILABLE][pair.last] <
	       AVAILABLE_SHARE * series->value[P_TOTAL][pair.last];
}

struct figure figure_lead_psi(const struct subject *subject)
{
	return lead(subject, psi_crosses);
}

struct figure figure_lead_group(const struct subject *subject)
{
	if (!subject->service || !subject->service->group)
		return figure_none("no cgroup");
	return lead(subject, group_crosses);
}

struct figure figure_lead_refault(const struct subject *subject)
{
	return lead(subject, refault_crosses);
}

struct figure figure_lead_available(const struct subject *subject)
{
	return lead(subject, available_crosses);
}
