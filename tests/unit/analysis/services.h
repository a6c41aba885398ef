#pragma once
/*
 * The top and services "a" to "e" below it, as indices 1 to 5, and who among them takes part.
 */
#include "made.h"

#define SERVICES 5
#define SECONDS 5

struct snapshot *with_services(void);

/* Of a verdict of that class about the machine. */
struct verdict *parties_in(const struct evidence *evidence, enum verdict_class class,
			   enum severity severity);

/* Percent of the time; MiB in all. */
void loses(struct snapshot *now, int cgroup, uint64_t percent);
void grows(struct snapshot *now, int cgroup, enum cgroup_field field, uint64_t mib);
