#pragma once
/*
 * A fix as data: what would be written, where, and how its value was computed. fix/ writes it.
 * Only files of our own (90-refault.*), never the admin's or a vendor's.
 */
#include "base/macro.h"

enum fix_kind {
	FIX_NONE,
	FIX_SYSCTL,   /* key "vm/swappiness", value "10": etc/sysctl.d/90-refault.conf */
	FIX_TMPFILES, /* key "sys/…", value: etc/tmpfiles.d/90-refault.conf */
	FIX_UNIT,     /* name, section, key, value: etc/systemd/system/NAME.d/90-refault.conf */
	FIX_CONF,    /* name "systemd/oomd.conf" or "systemd/zram-generator.conf", section, key,
			value: etc/NAME.d/90-refault.conf */
	FIX_KUBELET, /* key "memorySwap.swapBehavior", value; name: folder of its drop-ins */
	FIX_SWAPFILE, /* value: bytes; name: its path without leading slash. By a .swap unit */
	FIX_ENABLE,   /* name: a unit of ours or of the distribution to enable and start */
	FIX_PRINT,    /* value: a command or an edit that people do themselves */
};

struct fix_step {
	enum fix_kind kind;
	const char *name;
	const char *section;
	const char *key;
	const char *value;
	const char *now;      /* path to write value to at once, without leading slash; NULL */
	const char *previous; /* what is there now, for the comment and the way back; NULL
				 unknown */
	const char *computed; /* "half of 968 MiB of RAM, at most 4 GiB"; NULL */
};
