#pragma once
/*
 * Swap of every kind. All return 0 or -errno.
 */
#include "base/span.h"

must_check int swap_disk(const char *serial);
must_check int swap_file(const char *path, uint64_t bytes);

/* A compressor of "-" is the kernel's own choice. */
must_check int swap_zram(uint64_t bytes, struct span compressor);
must_check int swap_zswap(const char *serial, struct span compressor, uint64_t percent);
