#pragma once
/*
 * One row of the coverage table while it is filled: coverage.c says where memory runs short
 * first, coverage_actors.c who would act there.
 */
#include "audit/guards.h"

/* Where memory runs short first. */
enum place {
	PLACE_MACHINE,
	PLACE_HIGH,
	PLACE_MAX,
};

/* Where what is cold can go. */
enum outlet {
	OUTLET_UNKNOWN,
	OUTLET_NONE,
	OUTLET_KEPT, /* swap is there and vm.swappiness is 0 */
	OUTLET_ZRAM,
	OUTLET_DISK,
};

struct look {
	struct facts *facts;
	struct guards guards;
	struct oomd_settings settings;
	enum outlet machine;
	uint64_t machine_swap;
};

/* One row being filled. */
struct case_of_row {
	const struct look *look;
	struct coverage_row *row;
	enum place place;
	enum outlet outlet;
	bool in_time;
};

static inline bool case_has_swap(const struct case_of_row *of)
{
	return of->outlet == OUTLET_ZRAM || of->outlet == OUTLET_DISK;
}

void coverage_actors(struct case_of_row *of);
