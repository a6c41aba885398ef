#pragma once
/*
 * The loop: looks at the gate, takes full samples when they are due, has the engine decide,
 * lets the hand act and publishes. After loop_ready() it allocates nothing and waits for
 * nobody.
 */
#include "guard/gate.h"
#include "guard/publish.h"
#include "guard/tape.h"
#include "policy/act.h"
#include "policy/engine.h"

/* How often full samples are taken. */
enum loop_pace {
	LOOP_CALM,
	LOOP_STIR,
	LOOP_ALARM,
};

struct loop {
	struct shared *shared; /* borrowed */
	struct root root;      /* owned */
	int wake;	       /* eventfd of the front, borrowed; -1 none */
	struct sampler sampler;
	struct engine engine;
	struct hand hand;
	struct gate gate;
	struct tape_writer tape;
	struct guard_config config;
	uint64_t config_index;
	bool has_config;
	struct service_list services;
	bool has_services;
	struct plan_output output;
	struct feedback feedback[FEEDBACK_MAX + 1]; /* and the hook's */
	size_t feedback_count;
	struct gate_reading reading; /* the last */
	struct shared_health health;
	const char *other_guard;
	uint64_t frame_us; /* CLOCK_BOOTTIME of the last frame that made sense */

	/* The caller's clock, which begins anywhere but at 0. */
	uint64_t due_us;    /* when this tick was to begin; 0 the first */
	uint64_t gate_us;   /* of the last look */
	uint64_t sample_us; /* of the last full sample; 0 none */
	uint64_t tasks_us;  /* of the last sweep of all processes */
	uint64_t tape_us;   /* of the last frame for the tape */
	uint64_t status_us; /* of the last status */
	uint64_t stir_us;   /* until then that pace */
	uint64_t alarm_us;
	uint64_t cost_us; /* CPU that the last full sample took, all that came of it included */
};

/* shared and root are set. 0 or -errno. */
must_check int loop_init(struct loop *loop);
void loop_done(struct loop *loop);

/* Takes what memory the loop will need and forgets what it saw by it. 0 or -errno. */
must_check int loop_ready(struct loop *loop);

/* One tick; returns when the next is due. */
uint64_t loop_tick(struct loop *loop, uint64_t now_us);

/* Takes back what the guard has set: protection, raised limits, frozen cgroups. */
void loop_restore(struct loop *loop);

/* A record of the loop's own. */
void loop_say(struct loop *loop, enum record_kind kind, const char *text);

/* Pure: the least time between the last full sample and the next. */
uint64_t loop_wait_us(const struct guard_options *options, enum loop_pace pace, bool is_blind,
		      uint64_t cost_us);

/* Pure: a frame that may be judged. before_us is the time of the one before; 0 none. */
bool frame_is_sane(const struct snapshot *snapshot, uint64_t before_us);
