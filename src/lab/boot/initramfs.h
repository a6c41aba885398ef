#pragma once
/*
 * What the guest's kernel unpacks before anything else: /init, the plan, and the modules that
 * reach the disks, the swap and the compressors. It stays in memory for the whole run and
 * cannot be evicted, so it is small, and the machine gets its size on top.
 */
#include "lab/boot/kernels.h"
#include "lab/boot/machine.h"

/* Writes a new file; *bytes is its size. 0 or -errno. */
must_check int initramfs_write(const char *path, const struct machine *machine,
			       const struct kernel *kernel, const char *guest, uint64_t *bytes);
