#pragma once
/*
 * Writes the "newc" form of cpio: what a kernel unpacks as its initramfs
 * (Documentation/driver-api/early-userspace/buffer-format.rst), and what the guest streams its
 * results in, since a reader finds every member of a stream that was cut.
 */
#include "base/span.h"

struct cpio {
	/* Takes the next bytes; 0 or -errno. The first error stays in `error`. */
	int (*write)(void *to, struct span bytes);
	void *to; /* borrowed */
	uint64_t written;
	uint32_t inode;
	int error;
};

/* path without a leading slash; a file's folders must have been written before. */
void cpio_folder(struct cpio *cpio, const char *path);
void cpio_file(struct cpio *cpio, const char *path, unsigned int mode, struct span bytes);
void cpio_link(struct cpio *cpio, const char *path, const char *target);

/* The end mark. 0, or the first error. */
must_check int cpio_end(struct cpio *cpio);
