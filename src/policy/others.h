#pragma once
/*
 * Other programs on this machine that kill when memory is short. Only one that root runs, or
 * the service manager as the unit of that name, counts: any user, and the root of any
 * container, may name a process earlyoom, and the guard must not be put to sleep by that.
 */
#include "model/snapshot.h"

/* How far the other one reaches. */
enum other_scope {
	OTHER_NOWHERE, /* systemd-oomd that no unit asked for */
	OTHER_UNITS,   /* only in units that ask for it: not the whole machine */
	OTHER_MACHINE, /* anybody */
	OTHER_UNKNOWN, /* nobody has asked systemd: what it is by default */
};

/* Name of one that runs, the one that reaches furthest first; NULL for none. */
const char *other_guard_of(const struct snapshot *snapshot, enum other_scope *out);

/*
 * May it kill machine-wide? told is what systemd said of systemd-oomd (OTHER_UNKNOWN: nothing),
 * and holds for that one only.
 */
bool other_guard_is_machine(const char *name, enum other_scope scope, enum other_scope told);
