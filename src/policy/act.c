#include "policy/act.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>

#include "policy/act_signal.h"
#include "policy/pidfd.h"

enum waiting_state {
	WAITING_FREE,
	WAITING_READY, /* the thread's */
};

int act_init(struct hand *hand, const struct root *root, bool dry)
{
	*hand = (struct hand){ .dry = dry, .root = root, .wake = -1 };
	for (size_t i = 0; i < DYING_MAX; i++)
		hand->dying[i] = (struct dying){ .pidfd = -1, .events = -1 };
	for (size_t i = 0; i < HELD_MAX; i++)
		hand->held[i].pidfd = -1;
	hand->wake = eventfd(0, EFD_CLOEXEC);
	return hand->wake < 0 ? -errno : 0;
}

void act_done(struct hand *hand)
{
	for (size_t i = 0; i < DYING_MAX; i++)
		dying_end(&hand->dying[i]);
	for (size_t i = 0; i < HELD_MAX; i++)
		held_end(&hand->held[i]);
	slot_close(&hand->wake);
}

/* Of too many the last are lost: who waits for them times out. */
static void say(struct hand *hand, const struct feedback *feedback)
{
	if (hand->feedback_count < FEEDBACK_MAX)
		hand->feedback[hand->feedback_count++] = *feedback;
}

void act_hold(struct hand *hand, const struct ranking *ranking)
{
	if (hand->dry)
		return;
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *candidate = &ranking->list[i];
		const struct task *task = candidate->task;
		struct held *held = &hand->held[hand->held_next];
		int pidfd;

		if (!task || candidate->exempt != EXEMPT_NOT ||
		    held_of(hand, task->pid, task->start_ticks))
			continue;
		pidfd = pidfd_of(hand->root, task->pid, task->start_ticks);
		if (pidfd < 0)
			continue; /* gone, or the kernel has none: tried again when it is needed
				   */
		held_end(held);
		*held = (struct held){ task->pid, task->start_ticks, pidfd, true };
		hand->held_next = (hand->held_next + 1) % HELD_MAX;
	}
}

bool act_let_wait(struct hand *hand, int fd, const char *text)
{
	const uint64_t one = 1;

	for (size_t i = 0; i < WAITING_MAX; i++) {
		struct waiting *waiting = &hand->waiting[i];

		if (atomic_load(&waiting->state) != WAITING_FREE)
			continue;
		waiting->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (waiting->fd < 0)
			return false;
		snprintf(waiting->text, sizeof(waiting->text), "%s", text);
		atomic_store(&waiting->state, WAITING_READY);
		return write(hand->wake, &one, sizeof(one)) == sizeof(one);
	}
	return false;
}

/* A victim that waits for a lock frees nothing by itself until it gets it. */
#define RELEASE_TRIES 3

static void release(struct hand *hand, int pidfd)
{
	int r = -EAGAIN;

	for (int i = 0; i < RELEASE_TRIES && r == -EAGAIN; i++)
		r = process_release(pidfd);
	if (r == -ENOSYS || r == -EPERM) /* before 5.15, or a sandbox: noted, the kill stands */
		atomic_store(&hand->release_error, -r);
}

void act_wait(struct hand *hand)
{
	uint64_t count;

	if (read(hand->wake, &count, sizeof(count)) < 0)
		return;
	for (size_t i = 0; i < WAITING_MAX; i++) {
		struct waiting *waiting = &hand->waiting[i];
		int r = 0;

		if (atomic_load(&waiting->state) != WAITING_READY)
			continue;
		if (!waiting->text[0])
			release(hand, waiting->fd);
		else
			r = root_put(waiting->fd, span_cstr(waiting->text));
		(void)r; /* lowering a limit that was raised for a time: the plan sees the value
			  */
		slot_close(&waiting->fd);
		atomic_store(&waiting->state, WAITING_FREE);
	}
}

bool act_is_waiting(const struct hand *hand)
{
	for (size_t i = 0; i < WAITING_MAX; i++)
		if (atomic_load(&hand->waiting[i].state) != WAITING_FREE)
			return true;
	return false;
}

static void print_limit(uint64_t value, char out[24])
{
	if (value == UINT64_MAX)
		snprintf(out, 24, "max");
	else
		snprintf(out, 24, "%llu", (unsigned long long)value);
}

static int limit_of(int folder, const char *name, uint64_t *out)
{
	char buffer[64];
	struct span text;
	int r = root_read_at(folder, name, (struct buffer){ buffer, sizeof(buffer) }, &text);

	if (r < 0)
		return r;
	text = span_trim(text);
	if (!span_eq(text, "max"))
		return span_u64(text, out);
	*out = UINT64_MAX;
	return 0;
}

/* Only where the file still holds what the plan saw: else it is somebody else's. */
static int write_min(int folder, const struct min_write *write)
{
	char text[24];
	uint64_t now;
	int r = limit_of(folder, "memory.min", &now);

	if (r < 0)
		return r;
	if (now != write->from)
		return -ESTALE;
	print_limit(write->to, text);
	return root_write(folder, "memory.min", span_cstr(text));
}

/* Lowering reclaims in the writer's time (mm/memcontrol.c, memory_high_write). */
static int write_high(struct hand *hand, int folder, uint64_t value)
{
	char text[24];
	uint64_t now;
	auto_fd fd = -1;
	int r = limit_of(folder, "memory.high", &now);

	if (r < 0)
		return r;
	fd = root_open_write(folder, "memory.high");
	if (fd < 0)
		return fd;
	print_limit(value, text);
	if (value >= now)
		return root_put(fd, span_cstr(text));
	return act_let_wait(hand, fd, text) ? 0 : -EBUSY;
}

static int on_cgroup(struct hand *hand, const struct action *action, int folder, uint64_t at_us)
{
	switch (action->kind) {
	case ACTION_MIN:
		return write_min(folder, &action->write);
	case ACTION_HIGH:
		return write_high(hand, folder, action->value);
	case ACTION_FREEZE:
		return root_write(folder, "cgroup.freeze",
				  span_cstr(action->value ? "1" : "0"));
	case ACTION_TERM:
	case ACTION_KILL:
		return signal_cgroup(hand, action, folder, at_us);
	case ACTION_HOOK:
		break;
	}
	return -EINVAL;
}

static int do_it(struct hand *hand, const struct action *action, const char *directory,
		 uint64_t at_us)
{
	auto_fd folder = -1;

	if (action->pid != 0 && action->kind == ACTION_TERM)
		return signal_process(hand, action, SIGTERM, at_us);
	if (action->pid != 0 && action->kind == ACTION_KILL)
		return signal_process(hand, action, SIGKILL, at_us);
	if (!directory)
		return -ESTALE;
	folder = root_pin(hand->root, directory,
			  action->cgroup_id ? action->cgroup_id : action->write.id);
	return folder < 0 ? folder : on_cgroup(hand, action, folder, at_us);
}

static struct feedback feedback_of(const struct action *action, uint64_t at_us)
{
	return (struct feedback){
		.decision = action->decision,
		.kind = action->kind,
		.at_us = at_us,
		.cgroup_id = action->cgroup_id,
		.pid = action->pid,
	};
}

static enum became outcome_of(const struct action *action, int r)
{
	if (r < 0)
		return OUTCOME_FAILED;
	return action->kind == ACTION_TERM || action->kind == ACTION_KILL ? OUTCOME_PENDING :
									    OUTCOME_DONE;
}

void act_do(struct hand *hand, const struct action *action, const char *directory,
	    uint64_t at_us)
{
	struct feedback feedback = feedback_of(action, at_us);
	int r;

	feedback.outcome = OUTCOME_DRY;
	if (!hand->dry) {
		r = do_it(hand, action, directory, at_us);
		feedback.outcome = outcome_of(action, r);
		feedback.error = r < 0 ? -r : 0;
	}
	say(hand, &feedback);
}

static void look_at_dying(struct hand *hand, uint64_t at_us)
{
	for (size_t i = 0; i < DYING_MAX; i++) {
		struct dying *dying = &hand->dying[i];

		if (!dying->used || !dying_is_dead(hand, dying))
			continue;
		say(hand, &(struct feedback){
				  .decision = dying->decision,
				  .kind = dying->kind,
				  .outcome = OUTCOME_DONE,
				  .at_us = at_us,
				  .cgroup_id = dying->cgroup_id,
				  .pid = dying->pid,
			  });
		dying_end(dying);
	}
}

size_t act_collect(struct hand *hand, uint64_t at_us, struct feedback out[FEEDBACK_MAX])
{
	size_t count;

	look_at_dying(hand, at_us);
	count = hand->feedback_count;
	memcpy(out, hand->feedback, count * sizeof(*out));
	hand->feedback_count = 0;
	return count;
}
