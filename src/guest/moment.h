#pragma once
/*
 * The guest's clock: CLOCK_BOOTTIME in microseconds, the clock of every frame and mark.
 */
#include <errno.h>

#include "base/macro.h"

static inline uint64_t clock_us(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

static inline uint64_t now_us(void)
{
	return clock_us(CLOCK_BOOTTIME);
}

static inline void sleep_until(uint64_t at_us)
{
	const struct timespec at = {
		.tv_sec = (time_t)(at_us / SECOND_US),
		.tv_nsec = (long)(at_us % SECOND_US) * 1000,
	};

	while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static inline void sleep_for(uint64_t us)
{
	sleep_until(now_us() + us);
}
