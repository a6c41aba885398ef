#pragma once
/*
 * Files of the guest, all opened here: knobs, cgroup files, disks and what loads work on. The
 * observer does not use this; it reads the kernel's files through base/root.h.
 */
#include "base/span.h"

/* The descriptor, or -errno. It is closed on exec; a new file may be read by all. */
must_check int file_open(const char *path, int flags);

/* The whole file, as far as the buffer holds it, ended with NUL. 0 or -errno. */
must_check int file_read(const char *path, struct buffer buffer, struct span *out);

/* In one write(2), as knobs want it. 0 or -errno. */
must_check int file_write(const char *path, struct span bytes);

/* A line at the end of a file, which is made with its folder. 0 or -errno. */
must_check int file_append(const char *path, struct span line);

/* Names in a folder without those that begin with a dot; stops when each() says false. */
must_check int file_list(const char *path, bool (*each)(void *data, const char *name),
			 void *data);

/* A folder with its ancestors. 0, also when it is there already, or -errno. */
must_check int folder_make(const char *path);

/* "KEY: 123 kB" of a file in the form of /proc/meminfo, in bytes; 0 when it is not there. */
uint64_t meminfo_bytes(const char *path, const char *key);
