#include "guest/live.h"

#include "guest/guest.h"

/* Left out where the kernel counts neither; one that it lacks is not part of the sum. */
static void print_refaults(const struct snapshot *snapshot, struct text *text)
{
	bool file = snapshot->state[VM_REFAULT_FILE] == OK;
	bool anon = snapshot->state[VM_REFAULT_ANON] == OK;

	if (file || anon)
		text_add(text, " refault=%ju",
			 (uintmax_t)((file ? snapshot->value[VM_REFAULT_FILE] : 0) +
				     (anon ? snapshot->value[VM_REFAULT_ANON] : 0)));
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
	text_add(text, "at_us=%ju", (uintmax_t)at_us);
	print_refaults(snapshot, text);
	text_add(text, " phase=%.32s", guest->phase);
	for (size_t i = 0; i < guest->children; i++)
		print_load(&guest->child[i], at_us, text);
	text_add(text, "\n");
}
