/*
 * Figures of jobs that were due at a time: ticks of a service, runs of the probe, chunks of a
 * burst, pauses of a collector.
 */
#include <math.h>

#include "lab/figures/stats.h"
#include "lab/figures/subject.h"

/* A pause that people notice. */
#define PAUSE_LEAST_S 1.0

/* So many slots tell the period. */
#define PERIOD_SLOTS 1000

static const char NO_SERVICE[] = "no service";
static const char NO_SLOTS[] = "no slots";

double slot_delay(const struct slot *slot, uint64_t end_us)
{
	uint64_t done_us = slot->done_us ? slot->done_us : end_us;

	return done_us > slot->due_us ? (double)(done_us - slot->due_us) / SECOND_US : 0;
}

/* Until when it could have done its slots. */
static uint64_t end_of(const struct series *series, const struct load *load)
{
	return load->ended_us ? load->ended_us : series->end_us;
}

bool slot_is_on_time(const struct slot *slot, uint64_t period_us)
{
	return slot->done_us != 0 &&
	       (slot->done_us <= slot->due_us || slot->done_us - slot->due_us < period_us);
}

/* The guest lists it as begun and done at the moment when the load came back. */
bool slot_is_passed(const struct slot *slot, uint64_t period_us)
{
	return slot->begun_us == slot->done_us && !slot_is_on_time(slot, period_us);
}

uint64_t slots_period(const struct load *load)
{
	double gap[PERIOD_SLOTS];
	size_t count = 0;

	for (size_t i = 1; i < load->slots && count < PERIOD_SLOTS; i++)
		if (load->slot[i].due_us > load->slot[i - 1].due_us)
			gap[count++] =
				(double)(load->slot[i].due_us - load->slot[i - 1].due_us);
	return count > 0 ? (uint64_t)stats_median(gap, count) : 0;
}

/* Counts of a load's slots that were due in a stretch of time. */
struct tally {
	size_t due;
	size_t done; /* really: not passed */
	size_t on_time;
	size_t pauses;
	double longest;
	uint64_t period_us;
	uint64_t end_us;
};

static void tally_add(struct tally *tally, const struct slot *slot, const struct slot *before)
{
	double delay = slot_delay(slot, tally->end_us);
	bool passed = slot_is_passed(slot, tally->period_us);
	/* All slots that were never done are the same pause. */
	bool again = slot->done_us == 0 && before && before->done_us == 0;

	tally->due++;
	tally->done += slot->done_us != 0 && !passed;
	tally->on_time += slot_is_on_time(slot, tally->period_us);
	tally->pauses += delay > PAUSE_LEAST_S && !again && (slot->done_us == 0 || !passed);
	tally->longest = MAX(tally->longest, delay);
}

static struct tally tally_of(const struct series *series, const struct load *load,
			     uint64_t from_us, uint64_t to_us)
{
	struct tally tally = {
		.period_us = slots_period(load),
		.end_us = end_of(series, load),
	};
	const struct slot *before = NULL;

	for (size_t i = 0; i < load->slots; i++) {
		const struct slot *slot = &load->slot[i];

		if (slot->due_us < from_us || slot->due_us >= to_us || slot->kind != SLOT_SLOT)
			continue;
		tally_add(&tally, slot, before);
		before = slot;
	}
	return tally;
}

static double percent(size_t part, size_t all)
{
	return 100 * (double)part / (double)all;
}

/* A run that was cut short has no slots, but what its loads said at each frame. */
static double rise_of(const struct subject *subject, enum load_point point)
{
	const struct load *load = subject->service;
	size_t first;
	size_t last;

	if (!load_row(load, subject->from_us, &first) ||
	    !load_row(load, subject->to_us, &last) || last <= first)
		return (double)NAN;
	return load->value[point][last] - load->value[point][first];
}

static struct figure from_rows(double part, double due)
{
	/* Both are false for NAN. */
	if (due > 0 && part >= 0)
		return figure_is(100 * part / due);
	return figure_none(NO_SLOTS);
}

static struct tally under_pressure(const struct subject *subject)
{
	return tally_of(subject->series, subject->service, subject->from_us, subject->to_us);
}

struct figure figure_ticks(const struct subject *subject)
{
	struct tally tally;

	if (!subject->service)
		return figure_none(NO_SERVICE);
	if (!subject->service->has_slots)
		return from_rows(rise_of(subject, LOAD_DONE), rise_of(subject, LOAD_DUE));
	tally = under_pressure(subject);
	return tally.due > 0 ? figure_is(percent(tally.done, tally.due)) :
			       figure_none(NO_SLOTS);
}

struct figure figure_on_time(const struct subject *subject)
{
	struct tally tally;

	if (!subject->service)
		return figure_none(NO_SERVICE);
	if (!subject->service->has_slots)
		return from_rows(rise_of(subject, LOAD_DONE) - rise_of(subject, LOAD_LATE),
				 rise_of(subject, LOAD_DUE));
	tally = under_pressure(subject);
	return tally.due > 0 ? figure_is(percent(tally.on_time, tally.due)) :
			       figure_none(NO_SLOTS);
}

/* Of the whole measured part, in which nothing but the warm-up is left out. */
static struct figure measured_tally(const struct subject *subject, const struct load *load,
				    const char *why, struct tally *out)
{
	if (!load)
		return figure_none(why);
	*out = tally_of(subject->series, load, subject->series->measured_us, UINT64_MAX);
	return out->due > 0 ? figure_is(0) : figure_none(NO_SLOTS);
}

struct figure figure_pause(const struct subject *subject)
{
	struct tally tally = { 0 };
	struct figure none = measured_tally(subject, subject->service, NO_SERVICE, &tally);

	return none.why ? none : figure_is(tally.longest);
}

struct figure figure_served(const struct subject *subject)
{
	struct tally tally = { 0 };
	struct figure none = measured_tally(subject, subject->service, NO_SERVICE, &tally);

	return none.why ? none : figure_is(percent(tally.done, tally.due));
}

struct figure figure_pauses(const struct subject *subject)
{
	struct tally tally = { 0 };
	struct figure none = measured_tally(subject, subject->service, NO_SERVICE, &tally);

	return none.why ? none : figure_is((double)tally.pauses);
}

struct figure figure_lost(const struct subject *subject)
{
	struct tally tally = { 0 };
	struct figure none = measured_tally(subject, subject->service, NO_SERVICE, &tally);

	if (none.why)
		return none;
	return figure_is((double)(tally.due - tally.on_time) * (double)tally.period_us /
			 SECOND_US);
}

struct figure figure_probe(const struct subject *subject)
{
	struct tally tally = { 0 };
	struct figure none = measured_tally(subject, subject->prober, "no probe", &tally);

	return none.why ? none : figure_is(tally.longest);
}

/* Which slots are looked at, and what of them. */
struct pick {
	const struct load *load; /* NULL: all of that kind */
	const char *load_kind;
	enum slot_kind kind;
	uint64_t from_us;
	uint64_t to_us;
	double (*value)(const struct slot *slot, uint64_t end_us);
};

static double slot_length(const struct slot *slot, uint64_t end_us)
{
	(void)end_us;
	if (slot->begun_us == 0 || slot->done_us == 0)
		return (double)NAN;
	return (double)(slot->done_us - slot->begun_us) / SECOND_US;
}

static double slot_faults(const struct slot *slot, uint64_t end_us)
{
	(void)end_us;
	return (double)slot->faults;
}

static bool load_fits(const struct pick *pick, const struct load *load)
{
	return pick->load ? load == pick->load : strcmp(load->kind, pick->load_kind) == 0;
}

static size_t pick_load(const struct series *series, const struct pick *pick,
			const struct load *load, double *out)
{
	size_t count = 0;

	for (size_t i = 0; i < load->slots; i++) {
		const struct slot *slot = &load->slot[i];
		double value;

		if (slot->kind != pick->kind || slot->due_us < pick->from_us ||
		    slot->due_us >= pick->to_us)
			continue;
		value = pick->value(slot, end_of(series, load));
		if (!isnan(value))
			out[count++] = value;
	}
	return count;
}

/* The values, sorted; NULL when there are none, or no memory for them. */
static double *picked(const struct series *series, const struct pick *pick, size_t *count)
{
	size_t room = 1;
	double *values;

	for (size_t i = 0; i < series->loads; i++)
		room += load_fits(pick, &series->load[i]) ? series->load[i].slots : 0;
	values = calloc(room, sizeof(*values));
	*count = 0;
	for (size_t i = 0; values && i < series->loads; i++)
		if (load_fits(pick, &series->load[i]))
			*count += pick_load(series, pick, &series->load[i], values + *count);
	if (*count == 0) {
		free(values);
		return NULL;
	}
	stats_sort(values, *count);
	return values;
}

static struct figure quantile_of(const struct subject *subject, const struct pick *pick,
				 double share, const char *why)
{
	size_t count;
	auto_free double *values = picked(subject->series, pick, &count);

	return values ? figure_is(stats_quantile(values, count, share)) : figure_none(why);
}

static struct figure slot_quantile(const struct subject *subject, double share)
{
	const struct pick pick = {
		.load = subject->service,
		.kind = SLOT_SLOT,
		.from_us = subject->from_us,
		.to_us = subject->to_us,
		.value = slot_delay,
	};

	if (!subject->service)
		return figure_none(NO_SERVICE);
	return quantile_of(subject, &pick, share, NO_SLOTS);
}

struct figure figure_slot_p50(const struct subject *subject)
{
	return slot_quantile(subject, 0.5);
}

struct figure figure_slot_p99(const struct subject *subject)
{
	return slot_quantile(subject, 0.99);
}

struct figure figure_slot_max(const struct subject *subject)
{
	return slot_quantile(subject, 1);
}

/* Of the measured part, whichever load of the kind has them. */
static struct pick measured_pick(const struct subject *subject, const char *load_kind,
				 enum slot_kind kind)
{
	return (struct pick){
		.load_kind = load_kind,
		.kind = kind,
		.from_us = subject->series->measured_us,
		.to_us = UINT64_MAX,
		.value = slot_length,
	};
}

static struct figure chunk_quantile(const struct subject *subject, double share)
{
	const struct pick pick = measured_pick(subject, "burst", SLOT_SLOT);

	return quantile_of(subject, &pick, share, "no burst");
}

struct figure figure_chunk_p50(const struct subject *subject)
{
	return chunk_quantile(subject, 0.5);
}

struct figure figure_chunk_p99(const struct subject *subject)
{
	return chunk_quantile(subject, 0.99);
}

struct figure figure_chunk_max(const struct subject *subject)
{
	return chunk_quantile(subject, 1);
}

static struct figure collector_quantile(const struct subject *subject, enum slot_kind kind,
					double share)
{
	const struct pick pick = measured_pick(subject, "collector", kind);

	return quantile_of(subject, &pick, share, "no collector");
}

struct figure figure_pause_p50(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_PAUSE, 0.5);
}

struct figure figure_pause_p99(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_PAUSE, 0.99);
}

struct figure figure_pause_max(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_PAUSE, 1);
}

struct figure figure_step_p99(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_STEP, 0.99);
}

struct figure figure_step_max(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_STEP, 1);
}

struct figure figure_wait_p99(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_WAIT, 0.99);
}

struct figure figure_wait_max(const struct subject *subject)
{
	return collector_quantile(subject, SLOT_WAIT, 1);
}

static double *pause_faults(const struct subject *subject, size_t *count)
{
	struct pick pick = measured_pick(subject, "collector", SLOT_PAUSE);

	pick.value = slot_faults;
	return picked(subject->series, &pick, count);
}

struct figure figure_pause_count(const struct subject *subject)
{
	size_t count;
	auto_free double *faults = pause_faults(subject, &count);

	return faults ? figure_is((double)count) : figure_none("no collector");
}

struct figure figure_pause_swapped(const struct subject *subject)
{
	size_t count;
	auto_free double *faults = pause_faults(subject, &count);
	size_t swapped = 0;

	for (size_t i = 0; i < count; i++)
		swapped += faults[i] > 0;
	return faults ? figure_is((double)swapped) : figure_none("no collector");
}

struct figure figure_pause_faults(const struct subject *subject)
{
	size_t count;
	auto_free double *faults = pause_faults(subject, &count);

	return faults ? figure_is(faults[count - 1]) : figure_none("no collector");
}
