#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <systemd/sd-daemon.h>

#include "cmd/guard_front.h"
#include "kernel/host.h"

/* How often what has no descriptor is looked at. */
#define TICK_US 250000

static uint64_t clock_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

uint64_t boottime_us(void)
{
	return clock_us(CLOCK_BOOTTIME);
}

uint64_t monotonic_us(void)
{
	return clock_us(CLOCK_MONOTONIC);
}

struct guard_record front_record(enum record_kind kind)
{
	struct guard_record record = record_blank(kind);

	record.at_us = boottime_us();
	record.wall_us = clock_us(CLOCK_REALTIME);
	return record;
}

const struct guard_config *front_config(const struct front *front)
{
	return &front->shared->config[atomic_load(&front->shared->config_current) & 1];
}

/* What the loop has written since the last look. A record that was overwritten meanwhile is
 * lost. */
static void take_records(struct front *front)
{
	struct shared *shared = front->shared;
	uint64_t count = atomic_load_explicit(&shared->records, memory_order_acquire);

	if (count - front->seen > RECORDS_KEPT)
		front->seen = count - RECORDS_KEPT;
	for (; front->seen < count; front->seen++) {
		struct guard_record record = shared->record[front->seen % RECORDS_KEPT];

		atomic_thread_fence(memory_order_acquire);
		if (atomic_load(&shared->records) - front->seen >= RECORDS_KEPT)
			continue;
		says_record(&front->says, &record);
		box_record(front, &record);
	}
}

static void look(struct front *front)
{
	take_records(front);
	box_drain(front);
	hook_look(front);
}

static int on_wake(sd_event_source *source, int fd, uint32_t events, void *data)
{
	uint64_t count;

	(void)source;
	(void)events;
	if (read(fd, &count, sizeof(count)) > 0)
		look(data);
	return 0;
}

/* A loop that stands still is said once; the watchdog is fed only while it goes round. */
static void watch_loop(struct front *front, uint64_t now)
{
	uint64_t beat = atomic_load(&front->shared->heartbeat_us);
	uint64_t age = now > beat ? now - beat : 0;
	uint64_t allowed = front_config(front)->options.calm_interval_us + SECOND_US;
	struct guard_record record;
	struct text text;

	if (age < allowed) {
		front->stalled = false;
		if (front->watchdog_us > 0)
			sd_notify(0, "WATCHDOG=1");
		return;
	}
	if (front->stalled)
		return;
	front->stalled = true;
	record = front_record(RECORD_LATE);
	text = text_on(record.text, sizeof(record.text));
	text_add(&text, "its last sign is %.1f s old", (double)age / SECOND_US);
	says_record(&front->says, &record);
}

static int on_tick(sd_event_source *source, uint64_t due, void *data)
{
	struct front *front = data;
	uint64_t now = monotonic_us();

	look(front);
	watch_loop(front, now);
	says_again(&front->says);
	box_write_due(front);
	services_look(front);
	return sd_event_source_set_time(source, MAX(now, due) + TICK_US);
}

static int on_end(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct front *front = data;

	(void)source;
	(void)info;
	return sd_event_exit(front->event, EXIT_FINE);
}

/* The loop may still go by the one before last until it has looked again. */
static bool has_switched(const struct front *front)
{
	const struct timespec step = { .tv_nsec = 10000000 };

	for (int i = 0; i < 300; i++) {
		if (atomic_load(&front->shared->heartbeat_us) >= front->switched_us)
			return true;
		nanosleep(&step, NULL);
	}
	return false;
}

/* That a new one holds is said by the loop, once it goes by it. */
static void reload(struct front *front)
{
	struct shared *shared = front->shared;
	uint64_t other = (atomic_load(&shared->config_current) + 1) & 1;
	uint64_t generation = front_config(front)->generation;
	struct guard_record record = front_record(RECORD_RELOAD);
	struct text text = text_on(record.text, sizeof(record.text));
	struct guard_config *fresh = xalloc(1, sizeof(*fresh));

	if (!has_switched(front)) {
		text_add(&text, "the loop stands still");
		record.error = -EBUSY;
		says_record(&front->says, &record);
	} else if (guard_config_load(front->arguments, fresh, &text)) {
		fresh->generation = generation + 1;
		if (front->observe)
			fresh->options.mode = MODE_OBSERVE;
		shared->config[other] = *fresh;
		atomic_store(&shared->config_current, other);
		front->switched_us = monotonic_us();
	} else {
		record.error = -EINVAL;
		says_record(&front->says, &record);
	}
	free(fresh);
}

static int on_reload(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	(void)source;
	(void)info;
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)monotonic_us());
	reload(data);
	sd_notify(0, "READY=1");
	return 0;
}

static int on_dump(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	(void)source;
	(void)info;
	box_drain(data);
	box_dump(data);
	return 0;
}

static int on_loop(sd_event_source *source, const siginfo_t *info, void *data)
{
	struct front *front = data;

	(void)source;
	front->loop = 0;
	take_records(front);
	cmd_error("refault-guard ended by itself (%s %d)",
		  info->si_code == CLD_EXITED ? "status" : "signal", info->si_status);
	return sd_event_exit(front->event, EXIT_INTERNAL);
}

static void block_signals(void)
{
	static const int handled[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		sigaddset(&blocked, handled[i]);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int add_sources(struct front *front)
{
	sd_event *event = front->event;
	int r = sd_event_add_signal(event, NULL, SIGTERM, on_end, front);

	if (r >= 0)
		r = sd_event_add_signal(event, NULL, SIGINT, on_end, front);
	if (r >= 0)
		r = sd_event_add_signal(event, NULL, SIGHUP, on_reload, front);
	if (r >= 0)
		r = sd_event_add_signal(event, NULL, SIGUSR1, on_dump, front);
	if (r >= 0)
		r = sd_event_add_child(event, NULL, front->loop, WEXITED, on_loop, front);
	if (r >= 0)
		r = sd_event_add_io(event, NULL, front->wake, EPOLLIN, on_wake, front);
	return r < 0 ? r : 0;
}

static int add_tick(struct front *front)
{
	sd_event_source *tick;
	int r = sd_event_add_time(front->event, &tick, CLOCK_MONOTONIC, 0, TICK_US / 5, on_tick,
				  front);

	if (r < 0)
		return r;
	r = sd_event_source_set_enabled(tick, SD_EVENT_ON);
	sd_event_source_set_floating(tick, 1);
	sd_event_source_unref(tick);
	return r;
}

static int serve(struct front *front)
{
	int r = add_sources(front);

	if (r >= 0)
		r = socket_serve(front);
	if (r >= 0)
		r = add_tick(front);
	if (r < 0) {
		cmd_error("cannot wait for events: %s", strerror(-r));
		return EXIT_INTERNAL;
	}
	if (sd_watchdog_enabled(0, &front->watchdog_us) <= 0)
		front->watchdog_us = 0;
	sd_notifyf(0, "READY=1\nSTATUS=%s",
		   front_config(front)->options.mode == MODE_ACT && !front->shared->dry ?
			   "acts" :
			   "observes");
	r = sd_event_loop(front->event);
	sd_notify(0, "STOPPING=1");
	return r < 0 ? EXIT_INTERNAL : r;
}

/* What the loop does before its end is said too. */
static void end(struct front *front)
{
	loop_end(front);
	take_records(front);
	hook_close(front);
	socket_close(front);
	box_write_due(front);
	box_close(front);
	says_done(&front->says);
}

static int run(struct front *front)
{
	int r = socket_open(front);

	if (r != 0)
		return r;
	r = sd_event_default(&front->event);
	if (r < 0) {
		cmd_error("cannot wait for events: %s", strerror(-r));
		return EXIT_INTERNAL;
	}
	box_open(front);
	r = loop_start(front);
	if (r == 0)
		r = serve(front);
	end(front);
	sd_event_unref(front->event);
	return r;
}

/* A container sees a part of the machine only, and may be wrong about the rest. */
static bool is_contained(void)
{
	static char buffer[1 << 16];
	struct host host = { 0 };
	struct mounts mounts = { 0 };
	struct root root;

	if (root_open("/", &root) < 0)
		return false;
	host_read(&root, (struct buffer){ buffer, sizeof(buffer) }, &host);
	mounts_read(&root, (struct buffer){ buffer, sizeof(buffer) }, &mounts);
	root_done(&root);
	return host.container[0] || mounts.lxcfs || mounts.v2_root[0];
}

static int begin(struct front *front)
{
	struct guard_config *config = &front->shared->config[0];
	char buffer[512];
	struct text complaint = text_on(buffer, sizeof(buffer));

	if (!guard_config_load(front->arguments, config, &complaint)) {
		cmd_error("%s", buffer);
		return EXIT_USAGE;
	}
	front->observe = is_contained();
	if (front->observe && config->options.mode == MODE_ACT && !front->arguments->dry)
		cmd_error("this is a container: it only observes, for what it cannot see it "
			  "does not touch");
	if (front->observe)
		config->options.mode = MODE_OBSERVE;
	front->shared->dry = front->arguments->dry;
	atomic_store(&front->shared->tape_wanted, config->options.tapes > 0);
	front_warn_limits();
	return 0;
}

int guard_live(const struct guard_arguments *arguments)
{
	struct front *front;
	int r;

	if (geteuid() != 0 && !arguments->dry) {
		cmd_error("only root can guard a machine; --dry-run says what would be done");
		return EXIT_NOT_MEASURED;
	}
	front = xalloc(1, sizeof(*front));
	*front = (struct front){
		.arguments = arguments,
		.memory = -1,
		.wake = -1,
		.listener = -1,
		.box = { .directory = -1 },
	};
	says_init(&front->says, arguments->json);
	block_signals();
	r = shared_open(front);
	if (r == 0)
		r = begin(front);
	if (r == 0)
		r = run(front);
	shared_close(front);
	free(front);
	return r;
}
