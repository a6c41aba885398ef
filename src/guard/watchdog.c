#include "guard/watchdog.h"

uint64_t watchdog_stuck_us(uint64_t heartbeat_us, uint64_t now_us)
{
	if (heartbeat_us == 0 || now_us < heartbeat_us)
		return 0; /* it has not begun yet */
	return now_us - heartbeat_us > WATCHDOG_US ? heartbeat_us : 0;
}

void watchdog_look(struct shared *shared, uint64_t now_us)
{
	uint64_t stuck_us = watchdog_stuck_us(atomic_load(&shared->heartbeat_us), now_us);

	if (atomic_load(&shared->stuck_us) != stuck_us)
		atomic_store(&shared->stuck_us, stuck_us);
}
