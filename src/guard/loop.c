#include "guard/loop.h"

#include <errno.h>

#include "guard/hook.h"
#include "policy/others.h"

/* All processes are swept at most so often; between, those of the last sweep are kept. */
#define TASKS_US SECOND_US
#define TAPE_US SECOND_US
#define STATUS_US (SECOND_US / 5)

/* A pace is kept for so long after the last reason for it. */
#define PACE_US (5 * SECOND_US)

/* A full sample each second tells a shortage from a wave. */
#define STIR_US SECOND_US

/* Shares of a CPU: 0.33 % while calm, 2 % while something stirs, half of one in an alarm. */
#define CALM_COSTS 300
#define STIR_COSTS 50
#define ALARM_COSTS 2

/* A heartbeat comes at least so often, whatever the configuration says. */
#define SLEEP_US (SECOND_US / 2)

/* So late, evidence has a hole: it is said. */
#define LATE_US (2 * SECOND_US)

static uint64_t clock_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

int loop_init(struct loop *loop)
{
	int r = sampler_init(&loop->sampler);

	if (r == 0)
		r = engine_init(&loop->engine);
	if (r == 0)
		r = act_init(&loop->hand, &loop->root, true);
	gate_init(&loop->gate);
	tape_open(&loop->tape, loop->shared);
	return r;
}

void loop_done(struct loop *loop)
{
	act_done(&loop->hand);
	gate_done(&loop->gate);
	engine_done(&loop->engine);
	sampler_done(&loop->sampler);
}

uint64_t loop_wait_us(const struct guard_options *options, enum loop_pace pace, bool is_blind,
		      uint64_t cost_us)
{
	switch (pace) {
	case LOOP_ALARM:
		return MAX(options->interval_us, cost_us * ALARM_COSTS);
	case LOOP_STIR:
		return MAX(STIR_US, cost_us * STIR_COSTS);
	case LOOP_CALM:
		break;
	}
	/* What the gate does not see is looked for more often, as far as it is cheap. */
	return MAX(is_blind ? STIR_US : options->sample_interval_us, cost_us * CALM_COSTS);
}

bool frame_is_sane(const struct snapshot *snapshot, uint64_t before_us)
{
	return snapshot->host.has_time && snapshot->host.at_us > before_us &&
	       snapshot->state[MI_TOTAL] == OK && snapshot->value[MI_TOTAL] > 0 &&
	       (snapshot->state[MI_AVAILABLE] != OK ||
		snapshot->value[MI_AVAILABLE] <= snapshot->value[MI_TOTAL]);
}

static void wake_front(const struct loop *loop)
{
	const uint64_t one = 1;

	/* The front made it non-blocking: when it is full, the front has enough to do. */
	if (loop->wake >= 0 && write(loop->wake, &one, sizeof(one)) < 0)
		return;
}

void loop_say(struct loop *loop, enum record_kind kind, const char *text)
{
	struct guard_record record = record_blank(kind);

	record.at_us = clock_us(CLOCK_BOOTTIME);
	record.wall_us = clock_us(CLOCK_REALTIME);
	record.dry = loop->hand.dry;
	snprintf(record.text, sizeof(record.text), "%s", text);
	publish_record(loop->shared, &record, record.wall_us);
	wake_front(loop);
}

static bool is_dry(const struct loop *loop)
{
	return loop->shared->dry || loop->config.options.mode == MODE_OBSERVE;
}

/* What was set while it acted is taken back before it only observes. */
static void take_config(struct loop *loop)
{
	uint64_t index = atomic_load(&loop->shared->config_current);
	const struct guard_config *config = &loop->shared->config[index % 2];

	if (loop->has_config && index == loop->config_index)
		return;
	if (!loop->hand.dry && config->options.mode == MODE_OBSERVE)
		loop_restore(loop);
	loop->config = *config;
	loop->config.rows = MIN(loop->config.rows, POLICY_ROWS_MAX);
	loop->config_index = index;
	loop->hand.dry = is_dry(loop);
	if (loop->has_config)
		loop_say(loop, RECORD_RELOAD, "a new configuration holds");
	loop->has_config = true;
}

static enum loop_pace pace_at(const struct loop *loop, uint64_t now_us)
{
	if (now_us < loop->alarm_us)
		return LOOP_ALARM;
	return now_us < loop->stir_us ? LOOP_STIR : LOOP_CALM;
}

static bool is_blind(const struct loop *loop)
{
	bool has_pressure = loop->reading.has_pressure && loop->reading.has_io_pressure;

	return loop->gate.is_blind || (loop->reading.at_us > 0 && !has_pressure);
}

static uint64_t sample_due(const struct loop *loop, uint64_t now_us)
{
	if (loop->sample_us == 0)
		return now_us;
	return loop->sample_us + loop_wait_us(&loop->config.options, pace_at(loop, now_us),
					      is_blind(loop), loop->cost_us);
}

static void look_at_gate(struct loop *loop, uint64_t now_us)
{
	uint64_t due_us = sample_due(loop, now_us);
	struct gate_reading now;

	gate_read(&loop->gate, &loop->root, now_us, &now);
	switch (gate_judge(&loop->reading, &now, due_us > now_us ? due_us - now_us : 0)) {
	case GATE_ALARM:
		loop->alarm_us = now_us + PACE_US;
		break;
	case GATE_STIR:
		loop->stir_us = now_us + PACE_US;
		break;
	case GATE_QUIET:
		break;
	}
	loop->reading = now;
	loop->gate_us = now_us;
}

static void collect(struct loop *loop, uint64_t at_us)
{
	loop->feedback_count = act_collect(&loop->hand, at_us, loop->feedback);
	if (hook_end(&loop->shared->hook, at_us, &loop->feedback[loop->feedback_count]))
		loop->feedback_count++;
}

static const struct guard_record *record_of(const struct loop *loop, uint64_t decision)
{
	for (size_t i = 0; i < loop->output.records; i++)
		if (loop->output.record[i].id == decision)
			return &loop->output.record[i];
	return NULL;
}

/* Told by the hand's own list, so that it comes back as everything else does. */
static void begin_hook(struct loop *loop, const struct action *action, uint64_t at_us)
{
	struct hook_order order = {
		.action = action,
		.record = record_of(loop, action->decision),
		.deadline_us = at_us + loop->config.options.hook_us,
	};

	if (loop->hand.dry || hook_begin(&loop->shared->hook, &order) < 0)
		act_do(&loop->hand, action, NULL, at_us);
}

static const char *directory_of(const struct loop *loop, const struct snapshot *snapshot,
				const struct action *action)
{
	uint64_t id = action->cgroup_id ? action->cgroup_id : action->write.id;
	enum hierarchy hierarchy = HIERARCHY_V2;

	if (action->member >= 0 && (size_t)action->member < snapshot->cgroup_count &&
	    snapshot->cgroups[action->member].id == id)
		hierarchy = snapshot->cgroups[action->member].hierarchy;
	return sampler_directory(&loop->sampler, hierarchy, id);
}

static void act(struct loop *loop, const struct snapshot *snapshot)
{
	uint64_t at_us = snapshot->host.at_us;

	for (size_t i = 0; i < loop->output.actions; i++) {
		const struct action *action = &loop->output.action[i];

		if (action->kind == ACTION_HOOK)
			begin_hook(loop, action, at_us);
		else
			act_do(&loop->hand, action, directory_of(loop, snapshot, action),
			       at_us);
	}
}

static void hold(struct loop *loop)
{
	for (size_t i = 0; i < PLAN_DOMAINS; i++) {
		const struct domain_state *state = &loop->engine.plan.domain[i];

		if (state->used && state->because != BECAUSE_CALM)
			act_hold(&loop->hand, &state->ranking);
	}
}

static void publish_records(struct loop *loop, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < loop->output.records; i++) {
		struct guard_record *record = &loop->output.record[i];

		record->dry = record->dry || loop->hand.dry;
		publish_record(loop->shared, record, snapshot->host.wall_us);
	}
	if (loop->output.records > 0)
		wake_front(loop);
}

static void publish(struct loop *loop, const struct snapshot *snapshot, uint64_t now_us)
{
	const struct publication publication = {
		.engine = &loop->engine,
		.snapshot = snapshot,
		.other_guard = loop->other_guard,
		.pace = loop->output.pace,
		.health = &loop->health,
	};

	publish_records(loop, snapshot);
	if (now_us < loop->status_us + STATUS_US)
		return;
	loop->status_us = now_us;
	loop->health.cpu_us = clock_us(CLOCK_PROCESS_CPUTIME_ID);
	publish_status(loop->shared, &publication);
}

static bool is_other_machine(struct loop *loop, const struct snapshot *snapshot)
{
	enum other_scope scope = OTHER_NOWHERE;
	uint32_t told = atomic_load(&loop->shared->other_guard_scope);

	loop->other_guard = other_guard_of(snapshot, &scope);
	return other_guard_is_machine(loop->other_guard, scope, (enum other_scope)told);
}

static int decide(struct loop *loop, const struct snapshot *snapshot)
{
	struct engine_input input = {
		.config = &loop->config,
		.services = loop->has_services ? &loop->services : NULL,
		.feedback = loop->feedback,
		.feedback_count = loop->feedback_count,
		.other_guard_machine = is_other_machine(loop, snapshot),
	};

	input.other_guard = loop->other_guard;
	loop->output.actions = 0;
	loop->output.records = 0;
	return engine_next(&loop->engine, snapshot, &input, &loop->output);
}

/* Whoever wants a tape gets all processes too. Only such a frame has a tee: it costs a walk. */
static int take(struct loop *loop, uint64_t now_us, struct snapshot **out)
{
	bool is_taped = atomic_load(&loop->shared->tape_wanted) &&
			(loop->tape_us == 0 || now_us >= loop->tape_us + TAPE_US);
	bool all = is_taped || loop->tasks_us == 0 || now_us >= loop->tasks_us + TASKS_US;
	int r;

	if (is_taped) {
		tape_begin(&loop->tape);
		loop->root.tee = &loop->tape.sink;
		loop->tape_us = now_us;
	}
	r = sampler_take(&loop->sampler, &loop->root, all ? SAMPLE_ALL : SAMPLE_KEEP_TASKS,
			 engine_arena(&loop->engine), out);
	loop->root.tee = NULL;
	if (all)
		loop->tasks_us = now_us;
	if (is_taped && (r < 0 || !tape_end(&loop->tape, (*out)->host.at_us)))
		loop->health.tape_dropped++;
	if (is_taped)
		wake_front(loop);
	return r;
}

/* What cannot be read or makes no sense is dropped and counted, and the next one comes. */
static void sample(struct loop *loop, uint64_t now_us)
{
	struct snapshot *snapshot;
	int r = take(loop, now_us, &snapshot);

	loop->health.samples++;
	if (r < 0 || !frame_is_sane(snapshot, loop->frame_us)) {
		loop->health.dropped++;
		if (r == 0)
			loop->frame_us = 0; /* time that went back is the time from now on */
		return;
	}
	loop->frame_us = snapshot->host.at_us;
	collect(loop, snapshot->host.at_us);
	loop->has_services |= services_copy(loop->shared, &loop->services);
	if (decide(loop, snapshot) < 0) {
		loop->health.dropped++;
		return;
	}
	act(loop, snapshot);
	hold(loop);
	gate_follow(&loop->gate, &loop->sampler, snapshot);
	publish(loop, snapshot, now_us);
	if (loop->output.pace == PACE_ALERT)
		loop->alarm_us = now_us + PACE_US;
}

static void sample_measured(struct loop *loop, uint64_t now_us)
{
	uint64_t begin_us = clock_us(CLOCK_THREAD_CPUTIME_ID);

	sample(loop, now_us);
	loop->sample_us = now_us;
	loop->cost_us = clock_us(CLOCK_THREAD_CPUTIME_ID) - begin_us;
}

static void note_late(struct loop *loop, uint64_t now_us)
{
	uint64_t late_us =
		loop->due_us > 0 && now_us > loop->due_us ? now_us - loop->due_us : 0;
	char text[80];

	loop->health.late_us_max = MAX(loop->health.late_us_max, late_us);
	loop->health.missed += late_us / MAX(loop->config.options.calm_interval_us, 1);
	if (late_us < LATE_US)
		return;
	snprintf(text, sizeof(text), "the loop stood still for %llu ms",
		 (unsigned long long)(late_us / 1000));
	loop_say(loop, RECORD_LATE, text);
}

static uint64_t next_due(const struct loop *loop, uint64_t now_us)
{
	uint64_t due_us = MIN(sample_due(loop, now_us),
			      loop->gate_us + loop->config.options.calm_interval_us);

	return MAX(MIN(due_us, now_us + SLEEP_US), now_us + 1);
}

uint64_t loop_tick(struct loop *loop, uint64_t now_us)
{
	uint64_t begin_us = clock_us(CLOCK_MONOTONIC);

	atomic_store(&loop->shared->heartbeat_us, begin_us);
	take_config(loop);
	note_late(loop, now_us);
	loop->health.ticks++;
	if (now_us >= loop->gate_us + loop->config.options.calm_interval_us)
		look_at_gate(loop, now_us);
	if (now_us >= sample_due(loop, now_us))
		sample_measured(loop, now_us);
	loop->health.loop_us_last = clock_us(CLOCK_MONOTONIC) - begin_us;
	loop->health.loop_us_max = MAX(loop->health.loop_us_max, loop->health.loop_us_last);
	atomic_store(&loop->shared->heartbeat_us, begin_us + loop->health.loop_us_last);
	loop->due_us = next_due(loop, now_us);
	return loop->due_us;
}
