#pragma once
/*
 * What to do: a state machine over evidence, one state for each domain whose limit is being
 * hit. Pure: (state, configuration, evidence, time) to actions and records. Nothing is read,
 * nothing is written, no clock is asked.
 */
#include "analysis/verdict.h"
#include "policy/protect.h"
#include "policy/record.h"
#include "policy/victim.h"

enum action_kind {
	ACTION_MIN,    /* write memory.min: .write */
	ACTION_HIGH,   /* write memory.high: .value */
	ACTION_FREEZE, /* cgroup.freeze of the cgroup: .value 1, or 0 to go on */
	ACTION_TERM,   /* SIGTERM to the process, or to each of the cgroup */
	ACTION_KILL,   /* SIGKILL and process_mrelease; cgroup.kill when .pid is 0 */
	ACTION_HOOK,   /* .hook: a policy row */
};

struct action {
	enum action_kind kind;
	uint64_t decision; /* id; a record with the same has the words */
	int32_t member;	   /* index into the newest snapshot's cgroups; -1 none */
	uint64_t cgroup_id;
	uint32_t pid; /* 0: the whole cgroup */
	uint64_t start_ticks;
	uint64_t value;
	struct min_write write;
	uint32_t hook; /* index of a policy row */
};

/* How the last actions went, by the hand. */
enum became {
	OUTCOME_PENDING, /* signalled, not dead yet; hook runs */
	OUTCOME_DONE,	 /* written; dead; hook ended well */
	OUTCOME_FAILED,	 /* .error */
	OUTCOME_DRY,	 /* nothing was done, on purpose */
};
struct feedback {
	uint64_t decision;
	uint64_t at_us;
	uint64_t cgroup_id; /* of the action: one decision may have several */
	enum action_kind kind;
	enum became outcome;
	int32_t error;
	uint32_t pid;
};
#define FEEDBACK_MAX 64

#define PLAN_DOMAINS 32
#define PLAN_ACTIONS 48
#define PLAN_RECORDS 16
#define PLAN_KILLS 16

enum rung {
	RUNG_WATCH,
	RUNG_PROTECT,
	RUNG_HOOK,
	RUNG_RELAX,
	RUNG_FREEZE,
	RUNG_TERM,
	RUNG_KILL,
	RUNG_REST, /* dry run said what it would do; left alone until calm */
};
const char *rung_name(enum rung rung);

/* Values that are raised for a time are taken back after so much calm. */
#define CALM_US (10ull * SECOND_US)
#define RELAXED_US (60ull * SECOND_US)

/* A write of memory.min whose outcome is not known yet, or in a dry run what was said last. */
struct min_pending {
	uint64_t decision;
	struct min_write write;
};

/* One place whose limit is being hit. */
struct domain_state {
	bool used;
	uint64_t id;   /* kernfs id; 0 the machine */
	uint64_t part; /* of the tree, cgroup_part(); of the machine's place 0 */
	char path[RECORD_PATH];
	enum limit_kind kind;
	enum rung rung;
	enum because because; /* the state now, in words */
	uint64_t decision;
	uint64_t began_us; /* of the episode; 0 none */
	uint64_t step_us;  /* of the last step */
	uint64_t seen_us;
	double loss;	     /* of whoever lost most in it at the last look; 0 unknown */
	uint64_t calm_us;    /* since when nothing is near; 0 something is */
	bool near_missed;    /* the episode has its record */
	bool nobody_said;    /* likewise that there is nobody to kill */
	bool protected;	     /* the step was taken in this episode */
	bool relaxed;	     /* likewise */
	bool frozen_once;    /* likewise */
	uint32_t hooked;     /* 1 + policy row whose hook ran in this episode; 0 none */
	bool acted;	     /* something was done or said in this episode */
	struct tried victim; /* who is dying; cgroup_id 0 nobody */
	double victim_gain;
	uint64_t victim_us;
	uint64_t high_found; /* memory.high before relaxing; 0 none */
	uint64_t high_set;
	uint64_t high_us;
	uint64_t frozen_id; /* cgroup that is frozen; 0 none */
	uint64_t frozen_us;
	uint64_t kill_us[PLAN_KILLS];
	size_t kills;
	bool storm;
	struct ranking ranking; /* of the last tick; its pointers are valid in that tick only */
};

struct plan {
	struct domain_state domain[PLAN_DOMAINS]; /* the machine first */
	struct tried tried[TRIED_MAX];		  /* a ring once it is full */
	size_t tried_count;
	struct protection protection;
	uint64_t started_us; /* of the first input; 0 before */
	uint64_t looked_us;  /* of the input before this one */
	uint64_t next_decision;
	bool said_other_guard;
	struct min_pending pending[PLAN_ACTIONS];
	size_t pending_count;
	struct min_write said[PROTECTED_MAX]; /* dry: what would have been written */
	size_t said_count;
	uint64_t forecast_us;	    /* when the last forecast was recorded */
	uint64_t forecast_since_us; /* since when there is one; 0 there is none */
};

struct plan_input {
	const struct guard_config *config;
	const uint64_t *rows; /* as in victim_query: each path is matched once a look */
	const struct evidence *recent;	     /* over machine.for (1 s) */
	const struct evidence *longer;	     /* over limit.for (5 s) */
	const struct verdict *verdict;	     /* of longer */
	const struct service_list *services; /* may be NULL */
	const struct feedback *feedback;
	size_t feedback_count;
	uint32_t self_pid;
	bool in_container;
	bool other_guard_machine; /* another guard may kill machine-wide */
	const char *other_guard;  /* its name; NULL none */
	uint64_t at_us;
};

enum pace {
	PACE_CALM,
	PACE_ALERT, /* look as often as allowed */
};

struct plan_output {
	struct action action[PLAN_ACTIONS];
	size_t actions;
	struct guard_record record[PLAN_RECORDS];
	size_t records;
	enum pace pace;
};

/* A candidate as a record keeps it, but for its path: without one the top is meant. */
struct record_candidate candidate_kept(const struct candidate *candidate);

void plan_init(struct plan *plan);
void plan_next(struct plan *plan, const struct plan_input *input, struct plan_output *out);
