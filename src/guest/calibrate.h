#pragma once
/*
 * How fast this machine is: an emulated processor is 10 to 30 times slower than a real one, and
 * its disk is not.
 */
#include "base/macro.h"

/* MiB a second that one core copies and hashes, page by page. */
uint64_t calibrate(void);
