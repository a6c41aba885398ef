#pragma once
/*
 * sysctl.d: what sysctl(8) and systemd-sysctl set at the next boot. sysctl.d(5) of systemd 257.
 */
#include "config/config.h"

/*
 * Rows in the order in which they are written, section "" and key as a path below proc/sys
 * ("vm/swappiness", so that "net.ipv4.conf.eth0/1.x" is not ambiguous). A "-" before the key
 * (ignore errors, or leave out of a glob) is in section "-"; such a row without value excludes
 * its key from globs. etc/sysctl.conf is read as systemd-sysctl does, that is only by way of a
 * link in sysctl.d; sysctl_legacy() tells of a file that is there and not read. 0 or -ENOMEM.
 */
must_check int sysctl_read(const struct reader *reader, struct config *out);
must_check int sysctl_parse(const struct reader *reader, const char *file, struct span text,
			    struct config *out);

/* The row that sets proc/sys/KEY at boot, globs and exclusions considered; NULL for none. */
const struct config_row *sysctl_find(const struct config *config, const char *key);

/* Rows of etc/sysctl.conf where nothing reads that at boot (Debian 13); else none. */
must_check int sysctl_legacy(const struct reader *reader, struct config *out);
