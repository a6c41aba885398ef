/*
 * More cgroups and processes than anybody needs, made by somebody who wants the guard to be
 * busy with them: each of the cgroups is empty, costs next to nothing, and stands at its
 * memory.max of 0.
 */
#include "test.h"

#include "analysis/domain.h"
#include "policy/engine.h"

#define CROWD 20000
#define GROUPS (CROWD + 4)
#define TASKS 10000

enum {
	TOP,
	GIVEN, /* to a user */
	API,
	LEAK,
	FIRST,
};

/* A look that takes so long is none; with sanitizers it takes ten times as long as without. */
#define LOOK_US (20 * SECOND_US)

#define MIB ((uint64_t)1 << 20)

struct moment {
	struct snapshot snapshot;
	struct zones zones;
	struct devices devices;
	struct cgroup cgroups[GROUPS];
	struct task tasks[TASKS];
};
static struct moment moments[2];

static void put(struct cgroup *cgroup, enum cgroup_field field, uint64_t value)
{
	cgroup->state[field] = OK;
	cgroup->value[field] = value;
}

static void add(struct moment *moment, const char *path, int32_t parent, uint64_t anon)
{
	struct snapshot *now = &moment->snapshot;
	struct cgroup *cgroup = &moment->cgroups[now->cgroup_count];

	*cgroup = (struct cgroup){
		.id = 1 + now->cgroup_count,
		.hierarchy = HIERARCHY_V2,
		.path = path,
		.parent = parent,
		.local_events = true,
		.pressure = (int32_t)now->cgroup_count,
	};
	if (parent >= 0)
		moment->cgroups[parent].has_children = true;
	put(cgroup, CG_ANON, anon);
	put(cgroup, CG_CURRENT, anon);
	put(cgroup, CG_MEM_SOME_TOTAL, 0);
	put(cgroup, CG_EV_HIGH, 0);
	put(cgroup, CG_EV_MAX, 0);
	now->cgroup_count++;
}

static void fill(struct moment *moment, uint64_t at_us)
{
	*moment = (struct moment){ 0 };
	moment->zones.nodes = 1;
	moment->snapshot = (struct snapshot){
		.host = { .at_us = at_us,
			  .page_bytes = 4096,
			  .cpus = 2,
			  .has_time = true,
			  .boot_id = "first" },
		.mounts.mode = CGROUPS_V2,
		.zones = &moment->zones,
		.zones_state = OK,
		.devices = &moment->devices,
		.cgroups = moment->cgroups,
		.cgroups_state = OK,
		.tasks = moment->tasks,
		.tasks_state = OK,
	};
	moment->snapshot.state[MI_TOTAL] = OK;
	moment->snapshot.value[MI_TOTAL] = (uint64_t)1 << 30;
	add(moment, "", -1, 0);
	add(moment, "user@1000.service", TOP, 0);
	add(moment, "api.service", TOP, 16 * MIB);
	add(moment, "leak.service", TOP, 64 * MIB);
	moment->cgroups[GIVEN].owner = 1000;
	for (size_t i = 0; i < CROWD; i++) {
		add(moment, "user@1000.service/crowd", GIVEN, 0);
		put(&moment->cgroups[FIRST + i], CG_MAX, 0);
		moment->cgroups[FIRST + i].owner = 1000;
	}
}

static uint64_t used_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

/* Both moments are looked at, and it takes no longer than it may. */
static struct engine *look_at_both(void)
{
	static struct engine engine;
	static struct plan_output out;
	struct guard_config config;
	struct engine_input input = { .config = &config };
	uint64_t begin_us = used_us();

	config_defaults(&config);
	assert_int_equal(engine_init(&engine), 0);
	for (size_t i = 0; i < ARRAY_LEN(moments); i++)
		assert_int_equal(engine_next(&engine, &moments[i].snapshot, &input, &out), 0);
	assert_true(used_us() - begin_us < 2 * LOOK_US);
	return &engine;
}

static void a_crowd_at_its_limits_does_not_stop_the_guard(void **state)
{
	struct engine *engine;

	(void)state;
	fill(&moments[0], 100 * SECOND_US);
	fill(&moments[1], 101 * SECOND_US);
	engine = look_at_both();
	assert_int_equal(engine->longer.domains, 1 + DOMAINS_OF_PART);
	assert_true(engine->plan.domain[0].used);
	engine_done(engine);
}

/* One in another, each at its limit, and in the last one as many cgroups as come after it. */
#define DEPTH 30
#define LEAVES 2000

static void put_below(struct moment *moment, uint64_t waited_us)
{
	moment->snapshot.cgroup_count = FIRST + DEPTH + LEAVES;
	for (int32_t i = 0; i < DEPTH + LEAVES; i++) {
		struct cgroup *cgroup = &moment->cgroups[FIRST + i];

		cgroup->parent = i == 0 ? GIVEN : FIRST + MIN(i, DEPTH) - 1;
		cgroup->has_children = i < DEPTH;
		put(cgroup, CG_MAX, MIB);
		put(cgroup, CG_CURRENT, MIB);
		put(cgroup, CG_MEM_SOME_TOTAL, waited_us);
	}
	for (uint32_t i = 0; i < TASKS; i++) {
		struct task *task = &moment->tasks[i];

		*task = (struct task){
			.pid = 100 + i,
			.parent = 1,
			.run_state = 'S',
			.uid = 1000,
			.cgroup = FIRST + DEPTH + (int32_t)(i % LEAVES),
			.cgroup_memory = -1,
		};
		task->state[TASK_RSS_ANON] = task->state[TASK_OOM_ADJ] = OK;
		task->value[TASK_RSS_ANON] = 2 * MIB;
		task->value[TASK_OOM_ADJ] = 1000;
		moment->cgroups[task->cgroup].tasks++;
	}
	moment->snapshot.task_count = TASKS;
}

static void a_crowd_of_processes_far_below_does_not_stop_it(void **state)
{
	struct engine *engine;

	(void)state;
	fill(&moments[0], 100 * SECOND_US);
	fill(&moments[1], 101 * SECOND_US);
	put_below(&moments[0], 0);
	put_below(&moments[1], 9 * SECOND_US / 10);
	engine = look_at_both();
	assert_int_equal(engine->longer.domains, 1 + DOMAINS_OF_PART);
	engine_done(engine);
}

/* All of them at their limits, and they lose more time the later they come. */
static struct evidence *all_at_their_limits(struct arena *arena)
{
	static struct member members[GROUPS];
	static struct evidence evidence;

	fill(&moments[0], 100 * SECOND_US);
	evidence = (struct evidence){
		.pair.now = &moments[0].snapshot,
		.members = members,
		.member_count = GROUPS,
	};
	for (size_t i = 0; i < GROUPS; i++) {
		struct member *member = &members[i];

		for (size_t k = 0; k < SIGNALS; k++)
			member->signals.value[k] = (double)NAN;
		member->signals.value[SIG_USAGE] = member->signals.value[SIG_LIMIT_MAX] = 1;
		member->loss.lower = i < FIRST ? 0.01 : 0.5 * (double)i / GROUPS;
		member->growth.rate = (double)NAN;
		member->leaf = i >= API;
	}
	assert_int_equal(arena_init(arena, (size_t)64 << 20), 0);
	return &evidence;
}

static void of_a_part_that_was_given_away_those_count_that_lose_most(void **state)
{
	struct arena arena;
	struct evidence *evidence = all_at_their_limits(&arena);

	(void)state;
	assert_int_equal(domains_of(evidence, &arena), 0);
	/* The machine, four of root's, whose limit is that of the user too, and his last ones.
	 */
	assert_int_equal(evidence->domains, 1 + FIRST + DOMAINS_OF_PART);
	assert_int_equal(evidence->domains_left_out, GROUPS + 1 - evidence->domains);
	assert_int_equal(evidence->domain[0].cgroup, -1);
	assert_int_equal(evidence->domain[0].sufferer, GROUPS - 1);
	for (int32_t i = 0; i < FIRST; i++)
		assert_int_equal(evidence->domain[1 + i].cgroup, i);
	for (int32_t i = 0; i < DOMAINS_OF_PART; i++)
		assert_int_equal(evidence->domain[1 + FIRST + i].cgroup,
				 GROUPS - DOMAINS_OF_PART + i);
	arena_done(&arena);
}

static void what_is_roots_counts_however_much_it_is(void **state)
{
	struct arena arena;
	struct evidence *evidence = all_at_their_limits(&arena);

	(void)state;
	for (size_t i = 0; i < GROUPS; i++)
		moments[0].cgroups[i].owner = i % 2 == 0 ? 0 : UID_UNKNOWN;
	assert_int_equal(domains_of(evidence, &arena), 0);
	assert_int_equal(evidence->domains, GROUPS + 1);
	assert_int_equal(evidence->domains_left_out, 0);
	arena_done(&arena);
}

static void who_gives_his_part_on_has_still_one_part(void **state)
{
	struct arena arena;
	struct evidence *evidence = all_at_their_limits(&arena);

	(void)state;
	for (size_t i = FIRST; i < GROUPS; i++)
		moments[0].cgroups[i].owner = 100000 + (uint32_t)i;
	assert_int_equal(domains_of(evidence, &arena), 0);
	assert_int_equal(evidence->domains, 1 + FIRST + DOMAINS_OF_PART);
	arena_done(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crowd_at_its_limits_does_not_stop_the_guard),
		cmocka_unit_test(a_crowd_of_processes_far_below_does_not_stop_it),
		cmocka_unit_test(of_a_part_that_was_given_away_those_count_that_lose_most),
		cmocka_unit_test(what_is_roots_counts_however_much_it_is),
		cmocka_unit_test(who_gives_his_part_on_has_still_one_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
