#pragma once
/*
 * A hook: the loop asks, the front runs it, and the loop waits no longer than it may.
 */
#include "guard/shared.h"

/* 0, or -EBUSY while another one runs. path and victim are of the record. */
struct hook_order {
	const struct action *action;
	const struct guard_record *record; /* NULL: there is none */
	uint64_t deadline_us;
};
must_check int hook_begin(struct shared_hook *hook, const struct hook_order *order);

/* True when it has ended, or took too long: feedback is filled, and the next may come. */
bool hook_end(struct shared_hook *hook, uint64_t at_us, struct feedback *out);
