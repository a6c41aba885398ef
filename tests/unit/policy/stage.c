#include "test.h"

#include "stage.h"

#define M (1024.0 * 1024)

/* Short of memory, no swap, no cold cache; nobody suffers yet. */
static const struct turn SHORT_MACHINE[] = {
	{ LIMIT, 1000 * M },
	{ LOSS, 0 },
	{ FRAMES, 5 },
	{ GROWTH, 20 * M },
	{ GROWTH_RECENT, 20 * M },
	{ GROWTH_LEVEL, 800 * M },
	{ GROWTH_RISING, 1 },
	{ MACHINE(TOTAL), 1000 * M },
	{ MACHINE(AVAILABLE), 50 * M },
	{ MACHINE(FREE), 60 * M },
	{ MACHINE(LOW), 55 * M },
	{ MACHINE(HIGH), 66 * M },
	{ MACHINE(FILE_LRU), 90 * M },
	{ MACHINE(FILE_INACTIVE), 2 * M },
	{ MACHINE(MAPPED), 88 * M },
	{ MACHINE(SCAN_GLOBAL), 10 * M },
	{ MACHINE(SCAN), 10 * M },
	{ MACHINE(SWAP_FREE), 0 },
	{ NO_KNOB, 0 },
};

/* "app" stands at its memory.high, and there is no swap. */
static const struct turn AT_HIGH[] = {
	{ LIMIT, 500 * M },    { S(EV_HIGH), 20 }, { S(SWAP_FREE), 0 },
	{ S(USAGE), 500 * M }, { NO_KNOB, 0 },
};

/* One process each. */
static void fill_tasks(struct stage *stage)
{
	static struct task tasks[2];
	struct snapshot *now = &stage->scene->snapshot;

	for (uint32_t i = 0; i < ARRAY_LEN(tasks); i++) {
		int32_t member = i == 0 ? SCENE_SERVICE : SCENE_WORKER;
		struct task *task = &tasks[i];

		*task = (struct task){ .pid = 100 + i,
				       .parent = 1,
				       .start_ticks = 1,
				       .run_state = 'S',
				       .uid = 1000,
				       .cgroup = member,
				       .cgroup_memory = -1 };
		snprintf(task->name, sizeof(task->name), "%s", i == 0 ? "service" : "worker");
		task->state[TASK_RSS_ANON] = task->state[TASK_OOM_ADJ] = OK;
		task->value[TASK_RSS_ANON] = stage->scene->cgroups[member].value[CG_ANON];
		task->value[TASK_OOM_ADJ] = 1000;
		stage->scene->cgroups[member].tasks = 1;
	}
	now->tasks = tasks;
	now->task_count = ARRAY_LEN(tasks);
	now->tasks_state = OK;
}

static void fill_cgroups(struct stage *stage)
{
	for (size_t i = 0; i < SCENE_MEMBERS; i++) {
		struct cgroup *cgroup = &stage->scene->cgroups[i];

		cgroup->state[CG_ANON] = OK;
		cgroup->value[CG_ANON] = i == SCENE_WORKER ? (uint64_t)(800 * M) : 16 << 20;
		stage->scene->members[i].growth.level = (double)cgroup->value[CG_ANON];
		cgroup->owner = 0;
	}
}

struct stage *stage_new(enum limit_kind kind)
{
	static struct stage stage;

	stage = (struct stage){ .scene = scene_new(kind) };
	stage.config.options = (struct guard_options){
#define OPTION(section, key, id, type, value, ...) .id = (value),
#include "policy/options.def"
	};
	stage.config.options.mode = MODE_ACT;
	stage.config.options.warm_up_us = 0;
	stage.config.options.protect_enabled = 0;
	stage.scene->snapshot.host.at_us = 100 * SECOND_US;
	stage.scene->snapshot.profile.lru = LRU_MGLRU;
	stage.verdict = (struct verdict){ .evidence = &stage.scene->evidence };
	stage.input = (struct plan_input){
		.config = &stage.config,
		.recent = &stage.scene->evidence,
		.longer = &stage.scene->evidence,
		.verdict = &stage.verdict,
		.feedback = stage.feedback,
		.at_us = 100 * SECOND_US,
	};
	plan_init(&stage.plan);
	fill_cgroups(&stage);
	fill_tasks(&stage);
	stage.scene->snapshot.mounts.mode = CGROUPS_V2;
	stage_turn(&stage, SHORT_MACHINE);
	stage.scene->domain.grow_rate = 20 * M;
	if (kind != LIMIT_RAM)
		stage_turn(&stage, AT_HIGH);
	return &stage;
}

void stage_turn(struct stage *stage, const struct turn *turns)
{
	scene_turn(stage->scene, turns);
}

void stage_next(struct stage *stage, uint64_t later_ms)
{
	stage->input.at_us += later_ms * 1000;
	stage->scene->snapshot.host.at_us = stage->input.at_us;
	plan_next(&stage->plan, &stage->input, &stage->out);
	stage->input.feedback_count = 0;
}

void stage_answer(struct stage *stage, enum action_kind kind, enum became outcome, int error)
{
	const struct action *action = stage_action(stage, kind);

	assert_non_null(action);
	stage->feedback[stage->input.feedback_count++] = (struct feedback){
		.decision = action->decision,
		.kind = kind,
		.outcome = outcome,
		.error = error,
		.at_us = stage->input.at_us,
	};
}

const struct action *stage_action(const struct stage *stage, enum action_kind kind)
{
	for (size_t i = 0; i < stage->out.actions; i++)
		if (stage->out.action[i].kind == kind)
			return &stage->out.action[i];
	return NULL;
}

const struct guard_record *stage_record(const struct stage *stage, enum record_kind kind)
{
	for (size_t i = 0; i < stage->out.records; i++)
		if (stage->out.record[i].kind == kind)
			return &stage->out.record[i];
	return NULL;
}
