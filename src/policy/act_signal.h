#pragma once
/*
 * For the hand only: signals to a process, or to all of a cgroup, and who is dying of them.
 */
#include "policy/act.h"

/* 0 or -errno; who was signalled is among the dying from then on. */
must_check int signal_process(struct hand *hand, const struct action *action, int signal,
			      uint64_t at_us);
must_check int signal_cgroup(struct hand *hand, const struct action *action, int folder,
			     uint64_t at_us);

/* Looks without waiting. */
bool dying_is_dead(const struct hand *hand, const struct dying *dying);
void dying_end(struct dying *dying);

struct held *held_of(struct hand *hand, uint32_t pid, uint64_t start_ticks);
void held_end(struct held *held);

/*
 * For the thread that may wait: a copy of the descriptor, and what to write to it; "" releases
 * the memory of a process. False when all places are taken.
 */
bool act_let_wait(struct hand *hand, int fd, const char *text);

/*
 * A process of a cgroup that was opened by its number in a list. Listed again afterwards: who
 * has the number then is the one that was opened, or that one is dead and gets no signal.
 */
struct listed {
	uint32_t pid;
	int pidfd; /* owned; -errno */
	bool is_there;
};
void listed_again(struct span list, struct listed *batch, size_t count);
must_check int listed_signal(const struct listed *listed, int signal);
