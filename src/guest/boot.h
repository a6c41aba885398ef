#pragma once
/*
 * What makes a kernel that has just started into a machine: its own file systems and modules.
 */
#include "base/macro.h"

/* Mounts procfs, sysfs and the like; pid 1 goes to init.scope and stays out of harm's way. */
must_check int boot_mounts(void);

/* Everything in /modules, in rounds until one adds nothing; returns how many are loaded. */
size_t boot_modules(void);
