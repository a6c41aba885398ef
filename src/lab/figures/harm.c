#include "lab/figures/harm.h"

#include "lab/figures/subject.h"

#define SLOTS 10
#define HARM_LATE 5
#define WELL_LATE 1

/* Slots of the measured part, as far as its load and the run lasted. */
static bool counts(const struct series *series, const struct slot *slot)
{
	return slot->kind == SLOT_SLOT && slot->due_us >= series->measured_us;
}

/* The next ten slots from one on; false when there are not so many. */
struct ten {
	size_t late;
	size_t undone;
	const struct slot *first_late;
	uint64_t ends_us; /* the last one is due */
};

static bool ten_from(const struct series *series, const struct load *load, size_t from,
		     struct ten *out)
{
	uint64_t period_us = slots_period(load);
	size_t count = 0;

	*out = (struct ten){ 0 };
	for (size_t i = from; i < load->slots && count < SLOTS; i++) {
		const struct slot *slot = &load->slot[i];
		bool is_late = !slot_is_on_time(slot, period_us);

		if (!counts(series, slot))
			continue;
		count++;
		out->late += is_late;
		out->undone += slot->done_us == 0 || slot_is_passed(slot, period_us);
		if (is_late && !out->first_late)
			out->first_late = slot;
		out->ends_us = slot->due_us + period_us;
	}
	return count == SLOTS;
}

bool harm_begin(const struct series *series, const struct load *service, uint64_t *at_us)
{
	struct ten ten;

	for (size_t i = 0; i < service->slots; i++) {
		if (!counts(series, &service->slot[i]))
			continue;
		if (!ten_from(series, service, i, &ten))
			return false;
		if (ten.late < HARM_LATE)
			continue;
		*at_us = ten.first_late->due_us;
		return true;
	}
	return false;
}

bool harm_end(const struct series *series, const struct load *service, uint64_t *at_us)
{
	uint64_t well_us = 0;
	bool is_well = true;
	struct ten ten;

	for (size_t i = 0; i < service->slots; i++) {
		if (!counts(series, &service->slot[i]))
			continue;
		if (!ten_from(series, service, i, &ten))
			break;
		is_well = ten.undone <= WELL_LATE;
		if (!is_well)
			well_us = ten.ends_us;
	}
	*at_us = well_us;
	return is_well && service->end == LOAD_RUNS;
}
