#include "fuzz.h"

#include "guest/kinds.h"
#include "guest/plan.h"

static void check_load(const struct step *step)
{
	enum kind_id kind = kind_find(step->word[3]);
	struct span words = step->word[4];
	struct span word;
	struct args args;

	if (kind == KINDS)
		return;
	args_init(kind, &args);
	while (span_word(&words, &word))
		if (args_add(kind, word, &args) < 0)
			return;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = input(data, size);
	struct step step = { 0 };

	while (plan_next(&text, &step) != 0 && !span_empty(text)) {
		CHECK(step.verb < VERBS);
		if (step.verb == VERB_LOAD)
			check_load(&step);
	}
	return 0;
}
