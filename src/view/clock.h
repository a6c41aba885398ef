#pragma once
/*
 * When a snapshot was taken, as the lines and the full screen show it.
 */
#include "base/text.h"
#include "kernel/host.h"

/* "14:03:07" by the local clock; without one, the seconds since boot: "up 1234". */
void clock_add(struct text *text, const struct host *host);
