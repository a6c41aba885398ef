#pragma once
/*
 * The top cgroup is the machine. Where there are no cgroups one is made up, and where the
 * kernel gives the top no numbers of its own (cgroup v2) it gets the machine's: so a machine
 * without services told apart is diagnosed like any other.
 */
#include "model/snapshot.h"

/* out->cgroups has room for one more. */
void top_fill(struct snapshot *out);
