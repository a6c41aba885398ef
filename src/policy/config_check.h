#pragma once
/* What can only be said when all files are read. For the reader only. */
#include "policy/config_report.h"

/* Errors of rows, and warnings of what contradicts itself or is never used. */
void config_check(struct guard_config *config, struct config_report *report);
