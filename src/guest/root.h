#pragma once
/*
 * A machine with a root of its own, in which systemd is pid 1. This program goes on as a
 * process beside it: it stays in the initramfs, and what it mounts is not seen from that root.
 */
#include "base/macro.h"

/* The lab left a folder to mount it on. */
bool root_is_wanted(void);

/* Returns in the new process only, as pid 1 runs the root's init. 0 or -errno. */
must_check int root_start(void);

/* Until the root says that all it starts is started. 0 or -ETIMEDOUT. */
must_check int root_wait(void);
