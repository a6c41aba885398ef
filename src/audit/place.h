#pragma once
/*
 * What rules about cgroups and their units share.
 */
#include "audit/audit.h"

/* The cgroups of the hierarchy that has memory, in turn; index -1 to begin, -1 at the end. */
int32_t place_next(const struct facts *facts, int32_t index);

/* There is a v2 hierarchy with the memory controller; else a result says why not. */
bool place_has_v2(struct audit *audit);

/* "api.service" of "system.slice/api.service": the unit it is, NULL for what is none. */
const char *place_unit(const struct facts *facts, int32_t index);

/* A limit as it is: UINT64_MAX for none, and for what this cgroup does not have. */
uint64_t place_value(const struct facts *facts, int32_t index, size_t field);

/* The least of memory.min on the way to the top, the top left out: what holds of it. */
uint64_t place_min(const struct facts *facts, int32_t index);

/* Neither the machine nor a limit on the way has swap for it. */
bool place_is_swapless(const struct facts *facts, int32_t index);

/* Cites the running value and, where a unit sets it, file and line. */
void place_cite(struct audit *audit, struct result *result, int32_t index, size_t field,
		const char *key);

/* A step for the unit it is, with the section its type has; printed where it is no unit. */
struct place_setting {
	const char *key;
	const char *value;
	const char *computed; /* may be NULL */
};
void place_fix(struct audit *audit, struct result *result, int32_t index,
	       struct place_setting setting);

/* "56M": as systemd takes it, rounded up. */
const char *place_mib(struct facts *facts, uint64_t bytes);
