#pragma once
/*
 * The line that says once a second how the run goes.
 */
#include "base/text.h"

#define LIVE_LINE 200

struct guest;
struct snapshot;

/* "at_us=N phase=NAME NAME.done=N ... refault=N", whole words only. */
void live_print(const struct guest *guest, const struct snapshot *snapshot, uint64_t at_us,
		struct text *text);
