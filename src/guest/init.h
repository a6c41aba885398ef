#pragma once
/*
 * pid 1 of the guest.
 */
#include "guest/moment.h"

_Noreturn void init_run(void);
