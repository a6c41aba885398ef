#pragma once
/*
 * Starts a process that borrows the memory of its parent until it runs another program: what
 * the parent has locked is not copied, and nothing is when memory is short.
 */
#include <sys/types.h>

#include "base/macro.h"

/*
 * become() runs in the child, on a stack of its own, while the caller waits; it calls execve()
 * and does not come back. Its pid, or -errno. One thread of a program may use this.
 */
must_check pid_t spawn(int (*become)(void *data), void *data);
