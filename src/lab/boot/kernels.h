#pragma once
/*
 * Kernels to boot: those of the cache, the running one, or any image with a module directory.
 */
#include <stdio.h>

#include "lab/boot/files.h"

struct kernel {
	char name[64];	   /* "6.12", "running", or the path that was given */
	char release[96];  /* "6.12.95+deb13-cloud-amd64"; "" not known */
	char image[512];   /* vmlinuz */
	char modules[512]; /* the folder below which the .ko files are; "" none */
};

/* NAME of the cache, "running", or PATH[:MODULES]. 0, -ENOENT, -EACCES, -EINVAL. */
must_check int kernel_find(const char *name, struct kernel *out);

/* What can be used now: those of the cache by name, then the running one. */
must_check int kernel_list(struct kernel *out, size_t most, size_t *count);

/* The rows that can be fetched; NULL after the last. */
const char *kernel_name(size_t index);

/* Through the user's own apt, into the cache; messages of apt go to log. 0 or -errno. */
must_check int kernel_fetch(const char *name, FILE *log);

/* The same for a Debian package of this machine's release, unpacked into the cache. */
must_check int package_fetch(const char *name, FILE *log);

/*
 * A program of a fetched package, with that name or the only one: 0, or -ENOENT. root is the
 * folder that the package was unpacked in.
 */
must_check int package_program(const char *package, const char *name, struct buffer root,
			       struct buffer program);

/* Where kernels and images are kept: $XDG_CACHE_HOME/refault or ~/.cache/refault. */
must_check int lab_cache(char *buffer, size_t size);
