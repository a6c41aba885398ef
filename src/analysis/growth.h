#pragma once
/*
 * Who grows, how fast, and whether it is a leak or a saw-tooth.
 */
#include "analysis/evidence.h"

/* Of every member, over the window. */
void growth_of_members(struct evidence *out);

/* Marks members whose largest process has been larger before. -ENOMEM when there is no room. */
must_check int growth_mark_saw_teeth(struct evidence *out, struct arena *arena);

/* Slopes of kernel memory, shared memory and all that a leak fills. */
void growth_of_machine(const struct window *window, struct evidence *out);
