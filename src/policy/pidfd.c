#include "policy/pidfd.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include "kernel/task.h"

/* asm-generic/unistd.h; the headers of an old system have not all of them. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif

/* The line of /proc/PID/stat has about 50 numbers of at most 20 digits. */
#define STAT_SIZE 2048

static int stat_of(const struct root *root, uint32_t pid, struct task *out)
{
	char path[32];
	char buffer[STAT_SIZE];
	struct span text;
	int r;

	snprintf(path, sizeof(path), "proc/%u/stat", pid);
	r = root_read(root, path, (struct buffer){ buffer, sizeof(buffer) }, &text);
	return r < 0 ? r : task_stat_parse(text, out);
}

static int check_start(const struct root *root, uint32_t pid, uint64_t start_ticks)
{
	struct task task = { 0 };
	int r = stat_of(root, pid, &task);

	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	return task.start_ticks == start_ticks ? 0 : -ESRCH;
}

int pidfd_now(uint32_t pid)
{
	long fd = syscall(SYS_pidfd_open, (pid_t)pid, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* Opened first, compared afterwards: who has the start time then had the pid all the while. */
int pidfd_of(const struct root *root, uint32_t pid, uint64_t start_ticks)
{
	auto_fd fd = pidfd_now(pid);
	int r;

	if (fd < 0)
		return fd;
	r = check_start(root, pid, start_ticks);
	return r < 0 ? r : take_fd(&fd);
}

int process_signal(const struct root *root, const struct process *process, int signal)
{
	int r;

	if (process->pidfd >= 0)
		return syscall(SYS_pidfd_send_signal, process->pidfd, signal, NULL, 0) < 0 ?
			       -errno :
			       0;
	r = check_start(root, process->pid, process->start_ticks);
	if (r < 0)
		return r;
	return kill((pid_t)process->pid, signal) < 0 ? -errno : 0;
}

static bool is_dead_in_proc(const struct root *root, const struct process *process)
{
	struct task task = { 0 };
	int r = stat_of(root, process->pid, &task);

	if (r < 0)
		return r == -ENOENT || r == -ESRCH;
	return task.start_ticks != process->start_ticks || task.run_state == 'Z' ||
	       task.run_state == 'X';
}

bool process_is_dead(const struct root *root, const struct process *process)
{
	struct pollfd ends = { .fd = process->pidfd, .events = POLLIN };

	if (process->pidfd < 0)
		return is_dead_in_proc(root, process);
	return poll(&ends, 1, 0) == 1 && (ends.revents & POLLIN);
}

int process_release(int pidfd)
{
	return syscall(SYS_process_mrelease, pidfd, 0) < 0 ? -errno : 0;
}
