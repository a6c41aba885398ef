#pragma once
/*
 * How a load fares: a file in memory that the load maps and pid 1 made, so what a killed load
 * did is still there. Pure: time is an argument.
 *
 * A load with a job in fixed slots is an open loop. Slot n is due at start + n * period; one
 * that passed while the load was held up is not done later, it is listed with the moment the
 * load came back and counted late.
 */
#include "base/span.h"
#include "base/text.h"
#include "guest/slot_kind.h"

#define PROGRESS_SLOTS 16384
#define PROGRESS_ERROR 120

/* Times are microseconds after the progress' base_us plus one, so that 0 is never. */
struct slot {
	uint32_t due;
	uint32_t begun;
	uint32_t done;
	uint32_t kind : 4;
	uint32_t faults : 28; /* major ones */
	uint64_t value;	      /* of SLOT_SLOT: 1 done, 0 passed; else bytes */
};

struct progress {
	uint64_t base_us;   /* of all slots; never 0 once the load was started */
	uint64_t start_us;  /* slot 0 was due then */
	uint64_t period_us; /* 0: a load without slots */
	uint64_t next;	    /* the first slot that is not yet accounted for */
	uint64_t due;	    /* slots accounted for, or rounds begun */
	uint64_t done;
	uint64_t late;
	uint64_t longest_us;
	uint64_t size_bytes;
	uint64_t extra;
	uint32_t slots;	 /* added; those beyond PROGRESS_SLOTS are lost, but counted */
	uint32_t listed; /* this file has room for so many */
	char error[PROGRESS_ERROR]; /* why the load gave up; "" it did not */
	struct slot slot[];
};

/* How large the file is for so many slots. */
static inline size_t progress_size(size_t slots)
{
	return sizeof(struct progress) + slots * sizeof(struct slot);
}

/* What happened, on the guest's clock; begun and done are 0 when it never was. */
struct event {
	enum slot_kind kind;
	uint64_t due_us;
	uint64_t begun_us;
	uint64_t done_us;
	uint64_t value;
	uint64_t faults;
};

/* From any thread. */
void progress_add(struct progress *progress, const struct event *event);

/* false when that slot is lost. */
must_check bool progress_event(const struct progress *progress, size_t index,
			       struct event *out);

void ticks_start(struct progress *progress, uint64_t now_us, uint64_t period_us);

/* Accounts for the slots that have passed; returns when the next one is due, perhaps now. */
uint64_t ticks_pass(struct progress *progress, uint64_t now_us);

/* That slot was done. */
void ticks_done(struct progress *progress, uint64_t begun_us, uint64_t done_us,
		uint64_t faults);

/*
 * As it stands now: a load that is held up cannot say itself how many of its slots have come
 * and how long it waits. The slots are not copied.
 */
void progress_now(const struct progress *progress, uint64_t now_us, struct progress *out);

/*
 * The slots that the load never came back for, since it was killed or is held up still: the
 * first has number 0. false when there are no more that had passed by then.
 */
must_check bool progress_lost(const struct progress *progress, uint64_t end_us, uint64_t number,
			      struct event *out);

/* "KIND DUE BEGUN DONE VALUE FAULTS" and a newline. */
void event_print(struct text *text, const struct event *event);
