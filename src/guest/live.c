#include "guest/live.h"

#include "guest/guest.h"

static uint64_t refaults(const struct snapshot *snapshot)
{
	uint64_t sum = 0;

	if (snapshot->state[VM_REFAULT_FILE] == OK)
		sum += snapshot->value[VM_REFAULT_FILE];
	if (snapshot->state[VM_REFAULT_ANON] == OK)
		sum += snapshot->value[VM_REFAULT_ANON];
	return sum;
}

/* A load that does not fit is left out as a whole. */
static void print_load(const struct child *child, uint64_t at_us, struct text *text)
{
	char words[160];
	struct text part = text_on(words, sizeof(words));
	struct progress now;

	if (child->state == CHILD_WAITING)
		return;
	progress_now(child->progress, child->state == CHILD_ENDED ? child->ended_us : at_us,
		     &now);
	if (now.period_us > 0)
		text_add(&part, " %s.done=%ju %s.due=%ju %s.longest_us=%ju", child->name,
			 (uintmax_t)now.done, child->name, (uintmax_t)now.due, child->name,
			 (uintmax_t)now.longest_us);
	if (now.size_bytes > 0)
		text_add(&part, " %s.size=%ju", child->name, (uintmax_t)now.size_bytes);
	if (!part.cut && text->used + part.used + 2 < text->size)
		text_put(text, words, part.used);
}

void live_print(const struct guest *guest, const struct snapshot *snapshot, uint64_t at_us,
		struct text *text)
{
	text_add(text, "at_us=%ju refault=%ju phase=%.32s", (uintmax_t)at_us,
		 (uintmax_t)refaults(snapshot), guest->phase);
	for (size_t i = 0; i < guest->children; i++)
		print_load(&guest->child[i], at_us, text);
	text_add(text, "\n");
}
