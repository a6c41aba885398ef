#pragma once
/*
 * A second thread that sees the loop stand still, and says so while it does: shared->stuck_us.
 * It takes no lock and reads no file, so it cannot be held up by the same thing.
 */
#include "guard/shared.h"

#define WATCHDOG_US SECOND_US

/* Pure: since when the loop stands still; 0 when it does not. */
uint64_t watchdog_stuck_us(uint64_t heartbeat_us, uint64_t now_us);

/* Looks once. */
void watchdog_look(struct shared *shared, uint64_t now_us);
