#include "policy/act_signal.h"

#include <errno.h>
#include <signal.h>

#include "policy/pidfd.h"

/* All pids of a cgroup; one page of them is about 500. */
#define PROCS_SIZE 16384

void dying_end(struct dying *dying)
{
	slot_close(&dying->pidfd);
	slot_close(&dying->events);
	dying->used = false;
}

void held_end(struct held *held)
{
	slot_close(&held->pidfd);
	held->used = false;
}

struct held *held_of(struct hand *hand, uint32_t pid, uint64_t start_ticks)
{
	for (size_t i = 0; i < HELD_MAX; i++) {
		struct held *held = &hand->held[i];

		if (held->used && held->pid == pid && held->start_ticks == start_ticks)
			return held;
	}
	return NULL;
}

static struct process process_of(const struct dying *dying)
{
	return (struct process){ dying->pid, dying->start_ticks, dying->pidfd };
}

/* The place of the same victim, a free one, or that of who has been dying for longest. */
static struct dying *dying_place(struct hand *hand, const struct action *action)
{
	struct dying *place = &hand->dying[0];

	for (size_t i = 0; i < DYING_MAX; i++) {
		struct dying *dying = &hand->dying[i];

		if (dying->used && dying->pid == action->pid &&
		    dying->start_ticks == action->start_ticks &&
		    dying->cgroup_id == action->cgroup_id)
			return dying;
		if (place->used && (!dying->used || dying->at_us < place->at_us))
			place = dying;
	}
	dying_end(place);
	return place;
}

static void dying_set(struct dying *dying, const struct action *action, uint64_t at_us)
{
	dying->decision = action->decision;
	dying->cgroup_id = action->cgroup_id;
	dying->start_ticks = action->start_ticks;
	dying->at_us = at_us;
	dying->kind = action->kind;
	dying->pid = action->pid;
	dying->used = true;
}

/* Never: all, init, ourselves and who started us. A plan that asks for it is wrong. */
static bool may_signal(uint32_t pid)
{
	return pid > 1 && pid <= INT32_MAX && (pid_t)pid != getpid() && (pid_t)pid != getppid();
}

int signal_process(struct hand *hand, const struct action *action, int signal, uint64_t at_us)
{
	struct held *held = held_of(hand, action->pid, action->start_ticks);
	struct dying *dying;
	struct process process;
	int r;

	if (!may_signal(action->pid))
		return -EPERM;
	dying = dying_place(hand, action);
	if (dying->pidfd < 0 && held)
		dying->pidfd = take_fd(&held->pidfd);
	if (held)
		held_end(held);
	if (dying->pidfd < 0) {
		int fd = pidfd_of(hand->root, action->pid, action->start_ticks);

		if (fd < 0 && fd != -ENOSYS)
			return fd;
		dying->pidfd = fd < 0 ? -1 : fd;
	}
	dying_set(dying, action, at_us);
	process = process_of(dying);
	r = process_signal(hand->root, &process, signal);
	if (r < 0)
		dying_end(dying);
	else if (signal == SIGKILL && dying->pidfd >= 0)
		act_let_wait(hand, dying->pidfd, "");
	return r;
}

/* As many as there is room for. What was cut off may be the half of a pid: it is left out. */
static int list_procs(int folder, struct buffer buffer, struct span *out)
{
	struct span last;
	int r = root_read_at(folder, "cgroup.procs", buffer, out);

	if (r != -EFBIG)
		return r;
	return span_rsplit(span_of(buffer.at, buffer.size), '\n', out, &last) ? 0 : -EBADMSG;
}

/* So many processes are told apart at once. */
#define BATCH 64

/* The next processes of a list and a descriptor of each; how many. */
static size_t open_batch(struct span *rest, struct listed batch[BATCH])
{
	struct span line;
	size_t count = 0;

	while (count < BATCH && span_line(rest, &line)) {
		uint64_t pid;

		if (span_u64(span_trim(line), &pid) < 0 || pid > INT32_MAX ||
		    !may_signal((uint32_t)pid))
			continue;
		batch[count++] =
			(struct listed){ (uint32_t)pid, pidfd_now((uint32_t)pid), false };
	}
	return count;
}

void listed_again(struct span list, struct listed *batch, size_t count)
{
	struct span line;

	while (span_line(&list, &line)) {
		uint64_t pid;

		if (span_u64(span_trim(line), &pid) < 0)
			continue;
		for (size_t i = 0; i < count; i++)
			batch[i].is_there |= batch[i].pid == pid;
	}
}

int listed_signal(const struct listed *listed, int signal)
{
	const struct process process = { .pidfd = listed->pidfd };

	if (!listed->is_there)
		return -ESRCH;
	if (listed->pidfd >= 0)
		return process_signal(NULL, &process, signal);
	if (listed->pidfd != -ENOSYS)
		return listed->pidfd;
	return kill((pid_t)listed->pid, signal) < 0 ? -errno : 0; /* before 5.3 */
}

/*
 * Each process of the cgroup, not of those below it: where whole cgroups are killed without
 * cgroup.kill (before 5.14, and on v1) they are units and containers, which have none. 0 when
 * one could be signalled.
 */
static int signal_procs(int folder, int signal)
{
	char buffer[PROCS_SIZE];
	char second[PROCS_SIZE];
	struct listed batch[BATCH];
	struct span rest;
	struct span again;
	size_t count;
	int result = -ESRCH;
	int r = list_procs(folder, (struct buffer){ buffer, sizeof(buffer) }, &rest);

	if (r < 0)
		return r;
	while ((count = open_batch(&rest, batch)) > 0) {
		if (list_procs(folder, (struct buffer){ second, sizeof(second) }, &again) == 0)
			listed_again(again, batch, count);
		for (size_t i = 0; i < count; i++) {
			r = listed_signal(&batch[i], signal);
			if (result < 0)
				result = r;
			fd_done(&batch[i].pidfd);
		}
	}
	return result;
}

/* Twice: a process that was being forked is found the second time. */
static int kill_cgroup(int folder)
{
	int r = root_write(folder, "cgroup.kill", span_cstr("1"));
	int again;

	if (r != -ENOENT)
		return r;
	r = signal_procs(folder, SIGKILL);
	again = signal_procs(folder, SIGKILL);
	return r < 0 ? again : r;
}

static int open_events(int folder, bool *by_procs)
{
	int fd = root_open_read(folder, "cgroup.events");

	*by_procs = fd < 0;
	if (fd < 0)
		fd = root_open_read(folder, "cgroup.procs");
	return fd < 0 ? -1 : fd;
}

int signal_cgroup(struct hand *hand, const struct action *action, int folder, uint64_t at_us)
{
	struct dying *dying = dying_place(hand, action);
	int r;

	slot_close(&dying->events);
	dying->events = open_events(folder, &dying->by_procs);
	dying_set(dying, action, at_us);
	r = action->kind == ACTION_KILL ? kill_cgroup(folder) : signal_procs(folder, SIGTERM);
	if (r < 0)
		dying_end(dying);
	return r;
}

static bool is_empty(const struct dying *dying)
{
	char buffer[256];
	struct span rest;
	struct span line;
	ssize_t n = pread(dying->events, buffer, sizeof(buffer), 0);

	if (n < 0)
		return errno == ENODEV; /* the cgroup itself is gone */
	if (dying->by_procs)
		return n == 0;
	rest = span_of(buffer, (size_t)n);
	while (span_line(&rest, &line))
		if (span_eq(line, "populated 0"))
			return true;
	return false;
}

bool dying_is_dead(const struct hand *hand, const struct dying *dying)
{
	struct process process = process_of(dying);

	if (dying->pid == 0)
		return dying->events >= 0 && is_empty(dying);
	return process_is_dead(hand->root, &process);
}
