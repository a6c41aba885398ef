#pragma once
/*
 * Memory that the guard's two processes share. The loop (refault-guard) is locked in memory,
 * does nothing that can wait, and writes; the front (refault guard) reads, and does all that
 * may wait: configuration, journal, status, hooks, tapes, systemd. A memfd, inherited by the
 * loop as SHARED_FD; the front writes config, services and hook results, the loop all the rest.
 */
#include <stdatomic.h>

#include "analysis/capability.h"
#include "policy/plan.h"

#define SHARED_FD 3	 /* the memfd in the loop */
#define SHARED_WAKE_FD 4 /* eventfd: the loop tells the front that there is something */
#define SHARED_MAGIC 0x72656661756c7401ull

#define RECORDS_KEPT 256 /* a ring: the last so many can be asked for */
#define MEMBERS_SHOWN 256
#define TAPE_RING ((size_t)2 << 20)

struct shared_member {
	uint64_t id;
	char path[RECORD_PATH];
	double loss;
	double loss_upper;
	double growth;
	double level; /* anon + shmem + swap, bytes */
	double current;
	double min; /* memory.min; NAN unknown */
	uint32_t exempt;
	int32_t rank;
	double score;
};

struct shared_domain {
	uint64_t id;
	char path[RECORD_PATH];
	uint32_t kind; /* enum limit_kind */
	uint32_t rung;
	uint32_t because;
	double loss;
	char sufferer[RECORD_PATH];
	char culprit[RECORD_PATH];
	double growth;
	double left_s;
	uint32_t kills;
	bool storm;
	struct record_candidate candidate[RECORD_CANDIDATES]; /* who would be next */
	uint32_t candidates;
};

struct shared_protected {
	char path[RECORD_PATH];
	bool is_ancestor;
	uint64_t found, set, wanted, effective;
	double working; /* what was measured; NAN unknown, and then wanted is of before, or 0 */
	double anon, hot_file, kernel;
	char why_not[64];
};

struct shared_health {
	uint64_t ticks;	       /* looks at all */
	uint64_t samples;      /* full ones */
	uint64_t missed;       /* moments that passed unused */
	uint64_t dropped;      /* samples that could not be taken or made no sense */
	uint64_t tape_dropped; /* frames that did not fit into the ring */
	uint64_t records_lost;
	uint64_t loop_us_last; /* time that a tick took */
	uint64_t loop_us_max;
	uint64_t late_us_max;  /* how late a tick began at most */
	uint64_t locked_bytes; /* 0: could not be locked or measured */
	uint64_t cpu_us;       /* of the loop so far */
	bool locked;
	bool realtime;
};

/* What the loop knows now. Under a sequence lock: odd while it is written. */
struct shared_status {
	uint64_t at_us;
	uint64_t wall_us;
	uint32_t class; /* enum verdict_class of the headline */
	uint32_t severity;
	double total, free, available, swap_free;
	uint32_t pace;
	uint8_t capability[CAPABILITIES]; /* enum state by enum capability */
	char other_guard[64];
	bool in_container;
	struct shared_domain domain[PLAN_DOMAINS];
	uint32_t domains;
	struct shared_member member[MEMBERS_SHOWN];
	uint32_t members;
	struct shared_protected protected[PROTECTED_MAX];
	uint32_t protected_count;
	struct shared_health health;
};

struct shared_hook {
	_Atomic uint64_t decision; /* of the request, by the loop */
	uint32_t row;
	char domain[RECORD_PATH];
	char victim[RECORD_PATH];
	uint32_t pid;
	uint64_t deadline_us;
	_Atomic uint64_t done; /* decision, by the front, when .error is there */
	int32_t error;
};

struct shared {
	uint64_t magic;
	uint64_t size;
	bool dry;
	uint32_t
		front_pid; /* when the loop's parent is another, the front is gone; 0 unknown */

	/* by the front */
	_Atomic uint64_t config_current; /* index of the one that holds */
	struct guard_config config[2];
	_Atomic uint64_t services_sequence; /* odd while it is written */
	struct service_list services;
	_Atomic uint32_t other_guard_scope; /* enum other_scope, by what systemd says */
	_Atomic bool must_end;
	_Atomic bool tape_wanted; /* the front drains the ring */

	/* by the loop */
	_Atomic uint64_t heartbeat_us; /* CLOCK_MONOTONIC */
	_Atomic uint64_t
		stuck_us; /* by the watchdog: the loop stands still since; 0 it does not */
	_Atomic bool ready;
	_Atomic uint64_t records; /* how many there have been */
	struct guard_record record[RECORDS_KEPT];
	_Atomic uint64_t status_sequence;
	struct shared_status status;
	struct shared_hook hook;

	/* A ring of frames as the kernel gave them, see guard/tape.h; bytes ever written and
	 * read. */
	_Atomic uint64_t tape_written;
	_Atomic uint64_t tape_read;
	char tape[TAPE_RING];
};
