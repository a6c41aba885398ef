#pragma once
/*
 * One process, by the descriptor that cannot come to mean another: pidfd_open(2), since 5.3.
 */
#include "base/root.h"

/* A descriptor, or -errno: -ESRCH when the pid is another process by now. */
must_check int pidfd_of(const struct root *root, uint32_t pid, uint64_t start_ticks);

/* The same without comparing, for a pid that was just listed. */
must_check int pidfd_now(uint32_t pid);

/* pidfd -1 is for kernels without: the start time is compared, then kill(2) is called. */
struct process {
	uint32_t pid;
	uint64_t start_ticks;
	int pidfd;
};
must_check int process_signal(const struct root *root, const struct process *process,
			      int signal);

/* True when it has ended; a zombie has given its memory back. Waits for nothing. */
bool process_is_dead(const struct root *root, const struct process *process);

/* Frees the memory of a process that was killed, in the caller's time. 0 or -errno. */
must_check int process_release(int pidfd);
