#pragma once
/*
 * The kernel's command line: of this boot (proc/cmdline), and what a boot loader's files say of
 * the next (etc/default/grub and grub.d, etc/kernel/cmdline). kernel-parameters.rst, 6.12.
 */
#include "config/config.h"

/* A row for each word, key before the first "=", quotes taken off; after "--" nothing counts.
 */
must_check int cmdline_read(const struct reader *reader, struct config *out);
must_check int cmdline_next_read(const struct reader *reader, struct config *out);
must_check int cmdline_parse(const struct reader *reader, const char *file, struct span text,
			     struct config *out);
