/* Many places at their limits at once, and what is said of them. */
#include "test.h"

#include "stage.h"

#define CROWD 40

/* Forty cgroups at memory.high; the last of them freezes. */
struct crowded {
	struct stage *stage;
	struct cgroup cgroups[CROWD];
	struct member members[CROWD];
	struct domain domains[CROWD + 1];
};

static struct crowded *crowded_new(void)
{
	static struct crowded crowded;
	struct scene *scene;

	crowded.stage = stage_new(LIMIT_HIGH);
	scene = crowded.stage->scene;
	crowded.domains[0] = (struct domain){
		.kind = LIMIT_RAM,
		.cgroup = -1,
		.signals = &scene->evidence.machine,
		.sufferer = -1,
		.culprit = -1,
		.bystander = -1,
	};
	for (int32_t i = 0; i < CROWD; i++) {
		crowded.cgroups[i] = scene->cgroups[SCENE_SERVICE];
		crowded.cgroups[i].id = 1000 + (uint64_t)i;
		crowded.cgroups[i].path = i + 1 < CROWD ? "crowd" : "freezes";
		crowded.cgroups[i].parent = -1;
		crowded.cgroups[i].tasks = 0;
		crowded.members[i] = scene->members[SCENE_SERVICE];
		crowded.domains[i + 1] = scene->domain;
		crowded.domains[i + 1].cgroup = i;
		crowded.domains[i + 1].loss = i + 1 < CROWD ? 0.01 : 0.9;
		crowded.domains[i + 1].signals = &crowded.members[i].signals;
	}
	scene->evidence.members = crowded.members;
	scene->evidence.member_count = CROWD;
	scene->evidence.domain = crowded.domains;
	scene->evidence.domains = CROWD + 1;
	scene->snapshot.cgroups = crowded.cgroups;
	scene->snapshot.cgroup_count = CROWD;
	scene->snapshot.task_count = 0;
	return &crowded;
}

static const struct domain_state *place_of(const struct stage *stage, const char *path)
{
	for (size_t i = 0; i < PLAN_DOMAINS; i++)
		if (stage->plan.domain[i].used && strcmp(stage->plan.domain[i].path, path) == 0)
			return &stage->plan.domain[i];
	return NULL;
}

static void a_crowd_at_its_limits_does_not_hide_who_freezes(void **state)
{
	struct stage *stage = crowded_new()->stage;

	stage_next(stage, 100);
	assert_non_null(place_of(stage, "freezes"));
	assert_non_null(place_of(stage, "machine"));
	assert_true(stage->plan.domain[0].used);
}

static void who_is_dying_keeps_his_place(void **state)
{
	struct stage *stage = crowded_new()->stage;

	for (size_t i = 1; i < PLAN_DOMAINS; i++)
		stage->plan.domain[i] = (struct domain_state){
			.used = true,
			.id = i,
			.rung = RUNG_KILL,
			.victim = { .cgroup_id = i, .pid = 1 },
			.victim_us = stage->input.at_us,
		};
	stage_next(stage, 100);
	assert_null(place_of(stage, "freezes"));
}

static void who_suffers_in_many_places_does_not_hide_another(void **state)
{
	struct crowded *crowded = crowded_new();
	struct stage *stage = crowded->stage;
	const struct domain_state *place;

	/* The first is given to a user, who has made the others in it. */
	for (size_t i = 0; i + 1 < CROWD; i++) {
		crowded->cgroups[i].owner = 1000;
		crowded->cgroups[i].parent = i == 0 ? -1 : 0;
		crowded->domains[i + 1].loss = 1;
	}
	stage_next(stage, 100);
	place = place_of(stage, "freezes");
	assert_non_null(place);
	for (int i = 0; i < 5; i++) {
		stage_next(stage, 100);
		assert_ptr_equal(place_of(stage, "freezes"), place);
	}
}

static void what_was_lost_before_it_left_its_limit_keeps_no_place(void **state)
{
	struct stage *stage = crowded_new()->stage;

	for (size_t i = 1; i < PLAN_DOMAINS; i++)
		stage->plan.domain[i] = (struct domain_state){
			.used = true,
			.id = i,
			.loss = 1,
			.seen_us = stage->input.at_us - 1,
		};
	stage->plan.looked_us = stage->input.at_us;
	stage_next(stage, 100);
	assert_non_null(place_of(stage, "freezes"));
}

static void a_memory_high_that_was_raised_keeps_no_place_and_is_taken_back(void **state)
{
	struct crowded *crowded = crowded_new();
	struct stage *stage = crowded->stage;
	const struct action *action;

	crowded->stage->scene->evidence.domains = 2;
	crowded->domains[1] = crowded->domains[CROWD];
	for (size_t i = 1; i < PLAN_DOMAINS; i++)
		stage->plan.domain[i] = (struct domain_state){
			.used = true,
			.id = i,
			.high_found = 1 << 20,
			.high_set = 2 << 20,
			.high_us = stage->input.at_us,
		};
	stage->plan.looked_us = stage->input.at_us;
	stage_next(stage, 100);
	assert_non_null(place_of(stage, "freezes"));
	action = stage_action(stage, ACTION_HIGH);
	assert_non_null(action);
	assert_int_equal(action->cgroup_id, 1);
	assert_int_equal(action->value, 1 << 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crowd_at_its_limits_does_not_hide_who_freezes),
		cmocka_unit_test(who_is_dying_keeps_his_place),
		cmocka_unit_test(who_suffers_in_many_places_does_not_hide_another),
		cmocka_unit_test(what_was_lost_before_it_left_its_limit_keeps_no_place),
		cmocka_unit_test(
			a_memory_high_that_was_raised_keeps_no_place_and_is_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
