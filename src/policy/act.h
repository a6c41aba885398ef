#pragma once
/*
 * The hand: the only code that writes to the machine. It does what plan says, tells how it
 * went, and waits for nothing. The dry hand is the same code with nothing behind it.
 */
#include <stdatomic.h>

#include "model/sampler.h"
#include "policy/plan.h"

/* A process or cgroup whose death is awaited. */
struct dying {
	uint64_t decision;
	uint64_t cgroup_id;
	uint64_t start_ticks;
	uint64_t at_us;
	enum action_kind kind;
	uint32_t pid; /* 0: the whole cgroup */
	int pidfd;    /* owned; -1: the kernel (< 5.3) has none, /proc is looked at */
	int events;   /* owned: cgroup.events of a whole cgroup, or its cgroup.procs; -1 */
	bool by_procs;
	bool used;
};
#define DYING_MAX 16

/* pidfds of those who may be next, opened before they are needed. */
struct held {
	uint32_t pid;
	uint64_t start_ticks;
	int pidfd; /* owned; -1 */
	bool used;
};
#define HELD_MAX 16

/*
 * What may have to wait: process_mrelease() for the victim's mmap lock, a write that lowers
 * memory.high for the reclaim that it begins. A thread of its own does it with act_wait().
 */
struct waiting {
	_Atomic int state; /* enum waiting_state */
	int fd;		   /* owned: a pidfd, or a file that is open for writing */
	char text[24];	   /* "": process_mrelease */
};
#define WAITING_MAX 8

struct hand {
	bool dry; /* may change while it runs: what is held or dying then stays so */
	const struct root *root;
	struct dying dying[DYING_MAX];
	struct held held[HELD_MAX];
	size_t held_next; /* the place that is given away next */
	struct waiting waiting[WAITING_MAX];
	int wake; /* owned: eventfd that act_wait() sleeps on */
	_Atomic int
		release_error; /* errno of process_mrelease where the kernel has none of it */
	struct feedback feedback[FEEDBACK_MAX]; /* since the last act_collect() */
	size_t feedback_count;
};

/* 0 or -errno. */
must_check int act_init(struct hand *hand, const struct root *root, bool dry);
void act_done(struct hand *hand);

/* Opens pidfds of the candidates and checks their start time: pid reuse is noticed here. */
void act_hold(struct hand *hand, const struct ranking *ranking);

/*
 * directory of a cgroup in the newest snapshot: mount point and path, below the root; NULL when
 * it is not known any more. A hook is not the hand's.
 */
void act_do(struct hand *hand, const struct action *action, const char *directory,
	    uint64_t at_us);

/* Looks, without waiting, who has died; feedback since the last call goes to out. */
size_t act_collect(struct hand *hand, uint64_t at_us, struct feedback out[FEEDBACK_MAX]);

/* For a thread of its own: sleeps until there is something that may have to wait, and does it.
 */
void act_wait(struct hand *hand);

/* True while it has something left to do. */
bool act_is_waiting(const struct hand *hand);
