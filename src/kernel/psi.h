#pragma once
/*
 * Pressure stall information: /proc/pressure and the pressure files of cgroups.
 * Documentation/accounting/psi.rst, kernel/sched/psi.c.
 */
#include "base/root.h"
#include "kernel/field.h"

/* The rows of one file in psi.def and cgroup_psi.def, in this order. */
enum psi_row {
	PSI_SOME_AVG10,
	PSI_SOME_TOTAL,
	PSI_FULL_AVG10,
	PSI_FULL_TOTAL,
	PSI_ROWS
};

/*
 * Fills the slots from base on. A line that is not there leaves its slots ABSENT: "cpu" has no
 * "full" before 5.13 and "irq" never has "some".
 */
void psi_parse(struct span text, size_t base, struct numbers out);

/* /proc/pressure/{cpu,memory,io,irq} */
void psi_read(const struct root *root, struct buffer buffer, struct numbers out);
