#pragma once
/*
 * What keeps the loop going when nothing else does: locked memory, priority, and that the
 * kernel takes others first. What is not allowed is left out, and the health says so.
 */
#include "guard/loop.h"

/* The shared memory is mapped: 0 or -errno; -EBADMSG when it is not of this version. */
must_check int start_attach(struct loop *loop);

/* The two threads beside the loop: the watchdog, and who may wait for the kernel. 0 or -errno.
 */
must_check int start_threads(struct loop *loop);

/*
 * No huge pages: of lists made for 65536 cgroups the first page is used, and a huge one would
 * lock 2 MiB of each (linux/prctl.h, since 3.15).
 */
void start_small(void);

/* Before memory is touched. */
void start_lock(struct loop *loop);

/* What a program file and its stack have, and how much is locked now. */
void start_touch(struct loop *loop);
