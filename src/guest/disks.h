#pragma once
/*
 * Block devices, which are known by the serial number that the host gave them.
 */
#include "base/span.h"

#define DISK_PATH 64

/* "/dev/vdb", or the delayed device in front of it. 0 or -ENOENT. */
must_check int disk_find(const char *serial, char path[static DISK_PATH]);

must_check int disk_mount(const char *serial, const char *directory, bool is_readonly);

/*
 * Puts a device in front that answers so much later, and that can be stopped; it is found from
 * now on.
 */
must_check int disk_delay(const char *serial, uint64_t delay_ms);

/* Such a device answers nothing until it goes on; what is asked meanwhile waits. */
must_check int disk_stop(const char *serial, bool is_stopped);

/* The kernel has the target that this takes. */
bool disk_can_delay(void);

/* Bytes of a block device, or of a file. 0 or -errno. */
must_check int disk_size(const char *path, uint64_t *out);
