#pragma once
/*
 * The profile of tuned that is active, with the profiles it includes: tuned-main.conf(5),
 * tuned-profiles(7) of tuned 2.24. Rows by section and key ("sysctl", "vm.swappiness"); no rows
 * where tuned is not there.
 */
#include "config/config.h"

must_check int tuned_read(const struct reader *reader, struct config *out);
