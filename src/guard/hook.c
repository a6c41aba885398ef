#include "guard/hook.h"

#include <errno.h>

static void copy_text(char *to, size_t size, const char *from)
{
	span_copy(span_cstr(from), to, size);
}

int hook_begin(struct shared_hook *hook, const struct hook_order *order)
{
	const struct guard_record *record = order->record;

	if (atomic_load(&hook->decision) != 0)
		return -EBUSY;
	hook->row = order->action->hook;
	hook->pid = order->action->pid;
	hook->deadline_us = order->deadline_us;
	copy_text(hook->domain, sizeof(hook->domain), record ? record->domain : "");
	copy_text(hook->victim, sizeof(hook->victim),
		  record && record->candidates > 0 ? record->candidate[0].path : "");
	atomic_store(&hook->decision, order->action->decision);
	return 0;
}

bool hook_end(struct shared_hook *hook, uint64_t at_us, struct feedback *out)
{
	uint64_t decision = atomic_load(&hook->decision);
	bool is_done = atomic_load(&hook->done) == decision;
	int error;

	if (decision == 0 || (!is_done && at_us < hook->deadline_us))
		return false;
	error = is_done ? hook->error : ETIMEDOUT;
	*out = (struct feedback){
		.decision = decision,
		.kind = ACTION_HOOK,
		.outcome = error ? OUTCOME_FAILED : OUTCOME_DONE,
		.error = error,
		.at_us = at_us,
		.pid = hook->pid,
	};
	atomic_store(&hook->decision, 0);
	return true;
}
