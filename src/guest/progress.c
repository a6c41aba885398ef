#include "guest/progress.h"

static const char *const NAMES[SLOT_KINDS] = {
	[SLOT_SLOT] = "slot", [SLOT_SIZE] = "size", [SLOT_PAUSE] = "pause",
	[SLOT_STEP] = "step", [SLOT_WAIT] = "wait",
};

static uint32_t packed(const struct progress *progress, uint64_t at_us)
{
	if (at_us < progress->base_us)
		return 0;
	return (uint32_t)MIN(at_us - progress->base_us + 1, (uint64_t)UINT32_MAX);
}

static uint64_t unpacked(const struct progress *progress, uint32_t at)
{
	return at == 0 ? 0 : progress->base_us + at - 1;
}

void progress_add(struct progress *progress, const struct event *event)
{
	uint32_t at = __atomic_fetch_add(&progress->slots, 1, __ATOMIC_RELAXED);

	if (at >= progress->listed)
		return;
	progress->slot[at] = (struct slot){
		.due = packed(progress, event->due_us),
		.begun = packed(progress, event->begun_us),
		.done = packed(progress, event->done_us),
		.kind = (uint32_t)event->kind & 0xf,
		.faults = (uint32_t)MIN(event->faults, (uint64_t)0xfffffff) & 0xfffffff,
		.value = event->value,
	};
}

bool progress_event(const struct progress *progress, size_t index, struct event *out)
{
	const struct slot *slot = &progress->slot[index];

	if (index >= MIN(progress->slots, progress->listed) || slot->kind >= SLOT_KINDS)
		return false;
	*out = (struct event){
		.kind = (enum slot_kind)slot->kind,
		.due_us = unpacked(progress, slot->due),
		.begun_us = unpacked(progress, slot->begun),
		.done_us = unpacked(progress, slot->done),
		.value = slot->value,
		.faults = slot->faults,
	};
	return true;
}

void ticks_start(struct progress *progress, uint64_t now_us, uint64_t period_us)
{
	if (progress->base_us == 0)
		progress->base_us = now_us;
	progress->start_us = now_us;
	progress->next = 0;
	progress->period_us = period_us;
}

static uint64_t due_of(const struct progress *progress, uint64_t slot)
{
	return progress->start_us + slot * progress->period_us;
}

static void account(struct progress *progress, const struct event *event)
{
	progress_add(progress, event);
	progress->next++;
	progress->due++;
	progress->late += event->done_us >= event->due_us + progress->period_us;
}

uint64_t ticks_pass(struct progress *progress, uint64_t now_us)
{
	while (due_of(progress, progress->next + 1) <= now_us)
		account(progress, &(struct event){ .kind = SLOT_SLOT,
						   .due_us = due_of(progress, progress->next),
						   .begun_us = now_us,
						   .done_us = now_us });
	return due_of(progress, progress->next);
}

void ticks_done(struct progress *progress, uint64_t begun_us, uint64_t done_us, uint64_t faults)
{
	const uint64_t due_us = due_of(progress, progress->next);

	account(progress, &(struct event){ .kind = SLOT_SLOT,
					   .due_us = due_us,
					   .begun_us = begun_us,
					   .done_us = done_us,
					   .value = 1,
					   .faults = faults });
	progress->done++;
	progress->longest_us = MAX(progress->longest_us, done_us - due_us);
}

void progress_now(const struct progress *progress, uint64_t now_us, struct progress *out)
{
	uint64_t behind_us;

	memcpy(out, progress, sizeof(*out));
	if (out->period_us == 0 || now_us < due_of(out, out->next))
		return;
	behind_us = now_us - due_of(out, out->next);
	out->due += behind_us / out->period_us + 1;
	out->late += behind_us / out->period_us;
	out->longest_us = MAX(out->longest_us, behind_us);
}

bool progress_lost(const struct progress *progress, uint64_t end_us, uint64_t number,
		   struct event *out)
{
	const uint64_t slot = progress->next + number;

	if (progress->period_us == 0 || due_of(progress, slot + 1) > end_us)
		return false;
	*out = (struct event){ .kind = SLOT_SLOT, .due_us = due_of(progress, slot) };
	return true;
}

void event_print(struct text *text, const struct event *event)
{
	text_add(text, "%s %ju %ju %ju %ju %ju\n", NAMES[event->kind], (uintmax_t)event->due_us,
		 (uintmax_t)event->begun_us, (uintmax_t)event->done_us, (uintmax_t)event->value,
		 (uintmax_t)event->faults);
}
