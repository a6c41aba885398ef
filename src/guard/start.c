#include "guard/start.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guard/watchdog.h"

/* linux/prctl.h, since Linux 5.6. */
#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static bool is_ours(const struct shared *shared)
{
	return shared->magic == SHARED_MAGIC && shared->size == sizeof(struct shared);
}

int start_attach(struct loop *loop)
{
	struct stat st;
	void *shared;

	if (fstat(SHARED_FD, &st) < 0)
		return -errno;
	if (st.st_size != (off_t)sizeof(struct shared))
		return -EBADMSG;
	shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      SHARED_FD, 0);
	if (shared == MAP_FAILED)
		return -errno;
	loop->shared = shared;
	loop->wake = fcntl(SHARED_WAKE_FD, F_GETFD) < 0 ? -1 : SHARED_WAKE_FD;
	syscall(SYS_close_range, SHARED_WAKE_FD + 1, ~0U, 0);
	return is_ours(loop->shared) ? 0 : -EBADMSG;
}

#define WATCHDOG_STEP_NS 250000000
#define STACK ((size_t)64 << 10)
static _Alignas(16) char watchdog_stack[STACK];
static _Alignas(16) char waiting_stack[STACK];

static void *watchdog_run(void *data)
{
	struct loop *loop = data;
	const struct timespec step = { .tv_nsec = WATCHDOG_STEP_NS };

	for (;;) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		watchdog_look(loop->shared,
			      (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000);
		nanosleep(&step, NULL);
	}
	return NULL;
}

static void *waiting_run(void *data)
{
	struct loop *loop = data;

	for (;;)
		act_wait(&loop->hand);
	return NULL;
}

/* Signals are the main thread's. */
static int start_thread(void *(*run)(void *), char *stack, struct loop *loop)
{
	pthread_attr_t how;
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&how);
	pthread_attr_setstack(&how, stack, STACK);
	r = -pthread_create(&thread, &how, run, loop);
	pthread_attr_destroy(&how);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

int start_threads(struct loop *loop)
{
	int r;

	memset(watchdog_stack, 0, sizeof(watchdog_stack));
	memset(waiting_stack, 0, sizeof(waiting_stack));
	r = start_thread(watchdog_run, watchdog_stack, loop);
	return r < 0 ? r : start_thread(waiting_run, waiting_stack, loop);
}

/* linux/oom.h: so that the kernel's killer takes nearly all others first. */
static void be_last_to_be_killed(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	/* Not allowed: as it is. */
	if (fd >= 0 && span_write(fd, span_cstr("-900")) < 0)
		errno = 0;
	fd_done(&fd);
}

void start_small(void)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

/*
 * Only what is touched is locked (since 4.4): arenas and lists are for 65536 cgroups. The loop
 * touches what it needs before it begins. A real-time task also may dip into the reserve below
 * the min watermark, and its reads and writes must not wait for what reclaim writes.
 */
void start_lock(struct loop *loop)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	loop->health.locked = mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
	loop->health.realtime = sched_setscheduler(0, SCHED_RR, &lowest) == 0;
	if (!loop->health.realtime)
		setpriority(PRIO_PROCESS, 0, -20);
	prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
	be_last_to_be_killed();
}

/* By the linker, of a static program. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the name is the linker's */
extern const char __executable_start[];
extern char end[];

#define PAGE 4096

static void touch_program(void)
{
	for (const char *at = __executable_start; at < end; at += PAGE)
		(void)*(const volatile char *)at;
}

/* Paths and the text of files; the deepest call was seen to need a third of it. */
static void touch_stack(void)
{
	volatile char room[(size_t)192 << 10];

	for (size_t i = 0; i < sizeof(room); i += PAGE)
		room[i] = 0;
}

static uint64_t locked_bytes(const struct loop *loop)
{
	char text[4096];
	struct span rest;
	struct span line;
	struct span word;
	uint64_t kib = 0;

	if (root_read(&loop->root, "proc/self/smaps_rollup",
		      (struct buffer){ text, sizeof(text) }, &rest) < 0)
		return 0;
	while (span_line(&rest, &line)) {
		if (!span_word(&line, &word) || !span_eq(word, "Locked:") ||
		    !span_word(&line, &word))
			continue;
		return span_u64(word, &kib) < 0 ? 0 : kib * 1024;
	}
	return 0;
}

/* The ring of the tape too, lest its first frame comes in a bad moment. */
void start_touch(struct loop *loop)
{
	touch_program();
	touch_stack();
	memset(loop->shared->record, 0, sizeof(loop->shared->record));
	memset(&loop->shared->status, 0, sizeof(loop->shared->status));
	if (atomic_load(&loop->shared->tape_wanted))
		memset(loop->shared->tape, 0, sizeof(loop->shared->tape));
	loop->health.locked_bytes = locked_bytes(loop);
}
