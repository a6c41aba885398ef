#include "cmd/check.h"
#include "policy/protect_state.h"

#define MEASURED_MAX 256
#define MEASURED_STATE "run/refault/protect.state"

/* What refault protect has measured and set; what can't be read is not known. */
void check_measured(struct check_run *run)
{
	static struct saved saved[MEASURED_MAX];
	struct measured *list = arena_alloc(&run->arena, MEASURED_MAX * sizeof(*list));
	struct fact state = fact_text(&run->facts, MEASURED_STATE);
	size_t count = state.state == OK && list ?
			       saved_parse(span_cstr(state.text), saved, MEASURED_MAX) :
			       0;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct measured){ saved[i].path, saved[i].set };
	run->facts.measured = list;
	run->facts.measures = count;
}
