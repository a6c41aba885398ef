#pragma once
/*
 * What each guard that is known by its process looks at, and whether it can act.
 */
#include "audit/guards.h"

/* Fills at, because, acts and row; NULL for what is no process. */
extern void (*const GUARD_LOOK[GUARD_KINDS])(struct facts *facts, struct guard_found *found);
