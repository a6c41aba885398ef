/* Step by step: what is done, in which order, and what must be seen before the next step. */
#include "test.h"

#include <errno.h>

#include "stage.h"

#define M (1024.0 * 1024)

static const struct turn CALM[] = {
	{ GROWTH, 0 },
	{ MACHINE(FREE), 400 * M },
	{ MACHINE(SCAN_GLOBAL), 0 },
	{ MACHINE(SCAN), 0 },
	{ LOSS, 0 },
	{ NO_KNOB, 0 },
};
static const struct turn SUFFERS[] = { { LOSS, 0.8 }, { NO_KNOB, 0 } };

static void who_fills_memory_is_asked_to_end_and_killed_two_seconds_later(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_next(stage, 100);
	assert_non_null(stage_action(stage, ACTION_TERM));
	assert_int_equal(stage_action(stage, ACTION_TERM)->cgroup_id,
			 stage->scene->cgroups[SCENE_WORKER].id);
	stage_next(stage, 1999);
	assert_int_equal(stage->out.actions, 0);
	stage_next(stage, 1);
	assert_non_null(stage_action(stage, ACTION_KILL));
	assert_non_null(stage_record(stage, RECORD_KILL));
}

static void without_a_time_for_sigterm_it_is_killed_at_once(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.term_us = 0;
	stage_next(stage, 100);
	assert_null(stage_action(stage, ACTION_TERM));
	assert_non_null(stage_action(stage, ACTION_KILL));
}

static void nobody_else_is_killed_until_the_first_is_dead_and_its_effect_known(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_next(stage, 100);
	stage_answer(stage, ACTION_TERM, OUTCOME_DONE, 0);
	stage_next(stage, 100);
	assert_non_null(stage_record(stage, RECORD_EFFECT));
	assert_int_equal(stage->out.actions, 0);
	stage_next(stage, 500);
	assert_int_equal(stage->out.actions, 0);
	stage_next(stage, 600);
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void who_does_not_die_is_left_out_and_reported(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.term_us = 0;
	stage_next(stage, 100);
	stage_next(stage, 5000);
	assert_non_null(stage_record(stage, RECORD_STUCK));
	assert_int_equal(stage->plan.tried_count, 1);
	assert_true(stage->plan.tried[0].stuck);
	stage_next(stage, 2000);
	assert_null(stage_action(stage, ACTION_KILL));
}

static void what_failed_because_it_was_gone_is_no_failure(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_next(stage, 100);
	stage_answer(stage, ACTION_TERM, OUTCOME_FAILED, ESRCH);
	stage_next(stage, 100);
	assert_non_null(stage_record(stage, RECORD_EFFECT));
	assert_null(stage_record(stage, RECORD_STUCK));
}

static void a_dry_run_says_it_once_and_rests_until_all_is_calm(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.mode = MODE_OBSERVE;
	stage_next(stage, 100);
	assert_true(stage_record(stage, RECORD_TERM)->dry);
	stage_answer(stage, ACTION_TERM, OUTCOME_DRY, 0);
	for (int i = 0; i < 100; i++) {
		stage_next(stage, 1000);
		assert_int_equal(stage->out.actions, 0);
	}
	stage_turn(stage, CALM);
	stage_next(stage, 1000);
	stage_next(stage, 11000);
	assert_int_equal(stage->plan.domain[0].rung, RUNG_WATCH);
}

struct forbidden_case {
	const char *when;
	void (*make)(struct stage *stage);
	enum because because;
};

static void in_a_container(struct stage *stage)
{
	stage->input.in_container = true;
}

static void kill_off(struct stage *stage)
{
	stage->config.options.kill = 0;
}

static void warm_up(struct stage *stage)
{
	stage->config.options.warm_up_us = 5 * SECOND_US;
}

static void other_guard(struct stage *stage)
{
	stage->input.other_guard = "earlyoom";
	stage->input.other_guard_machine = true;
}

static void nobody_is_killed_where_it_is_forbidden(void **state)
{
	static const struct forbidden_case cases[] = {
		{ "in a container", in_a_container, BECAUSE_CONTAINER },
		{ "killing is off", kill_off, BECAUSE_KILL_OFF },
		{ "the guard has just started", warm_up, BECAUSE_WARM_UP },
		{ "another guard may kill", other_guard, BECAUSE_OTHER_GUARD },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stage *stage = stage_new(LIMIT_RAM);

		case_of(cases[i].when);
		cases[i].make(stage);
		stage_next(stage, 100);
		assert_null(stage_action(stage, ACTION_TERM));
		stage_next(stage, 1100);
		assert_non_null(stage_record(stage, RECORD_NEAR_MISS));
		assert_int_equal(stage_record(stage, RECORD_NEAR_MISS)->because,
				 cases[i].because);
		stage_next(stage, 1100);
		assert_null(stage_record(stage, RECORD_NEAR_MISS));
	}
}

static void it_acts_beside_another_guard_when_it_is_told_to(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	other_guard(stage);
	stage->config.options.on_other_guard = OTHER_WARN;
	stage_next(stage, 100);
	assert_non_null(stage_record(stage, RECORD_OTHER_GUARD));
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void after_too_many_kills_the_domain_is_left_alone(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);
	bool is_storm = false;

	stage->config.options.storm_kills = 2;
	for (int i = 0; i < 3; i++) {
		stage_next(stage, 2000);
		assert_non_null(stage_action(stage, ACTION_TERM));
		is_storm |= stage_record(stage, RECORD_STORM) != NULL;
		stage_answer(stage, ACTION_TERM, OUTCOME_DONE, 0);
		stage_next(stage, 100);
	}
	assert_true(is_storm);
	stage_next(stage, 2000);
	assert_null(stage_action(stage, ACTION_TERM));
	assert_int_equal(stage->plan.domain[0].because, BECAUSE_STORM);
	stage_next(stage, 601000);
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void nobody_dies_when_no_end_would_be_enough(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->scene->cgroups[SCENE_WORKER].value[CG_ANON] = 39 << 20;
	stage->scene->snapshot.tasks[1].value[TASK_RSS_ANON] = 39 << 20;
	stage_turn(stage, (const struct turn[]){ { GROWTH_LEVEL, 39 * M }, { NO_KNOB, 0 } });
	stage_next(stage, 100);
	assert_null(stage_action(stage, ACTION_TERM));
	assert_non_null(stage_record(stage, RECORD_NOBODY));
	assert_int_equal(stage_record(stage, RECORD_NOBODY)->because, BECAUSE_NOT_ENOUGH);
	stage_next(stage, 100);
	assert_null(stage_record(stage, RECORD_NOBODY));
}

static void the_culprit_is_frozen_first_where_a_pause_is_the_answer(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.first_answer = ANSWER_PAUSE;
	stage_next(stage, 100);
	assert_int_equal(stage_action(stage, ACTION_FREEZE)->value, 1);
	assert_null(stage_action(stage, ACTION_TERM));
	stage_next(stage, 999);
	assert_int_equal(stage->out.actions, 0);
	stage_next(stage, 1);
	assert_int_equal(stage_action(stage, ACTION_FREEZE)->value, 0);
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void who_suffers_is_not_frozen_even_if_it_is_the_one_to_go(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.freeze = 1;
	stage->scene->cgroups[SCENE_SERVICE].value[CG_ANON] = 900 << 20;
	stage->scene->snapshot.tasks[0].value[TASK_RSS_ANON] = 900 << 20;
	stage->scene->members[SCENE_SERVICE].growth.level = 900 * M;
	stage->verdict.class = CLASS_FILE_REFAULT;
	stage_turn(stage, (const struct turn[]){ { GROWTH, 0 },
						 { GROWTH_RECENT, 0 },
						 { LOSS, 0.9 },
						 { NO_KNOB, 0 } });
	stage_next(stage, 100);
	assert_null(stage_action(stage, ACTION_FREEZE));
	assert_int_equal(stage_action(stage, ACTION_TERM)->cgroup_id,
			 stage->scene->cgroups[SCENE_SERVICE].id);
}

static void the_cgroup_at_its_limit_is_not_frozen_as_a_whole(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage->config.options.freeze = 1;
	stage->scene->domain.cgroup = SCENE_WORKER;
	stage->scene->members[SCENE_WORKER].loss.lower = 0.9;
	stage->scene->members[SCENE_WORKER].loss.upper = 0.9;
	stage_next(stage, 100);
	assert_null(stage_action(stage, ACTION_FREEZE));
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void memory_high_is_raised_half_way_to_memory_max_at_most(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage_turn(stage, SUFFERS);
	stage_turn(stage, (const struct turn[]){ { GROWTH, 100 * 1024.0 },
						 { S(LIMIT_MAX), 520 * M },
						 { MACHINE(AVAILABLE), 400 * M },
						 { NO_KNOB, 0 } });
	stage_next(stage, 100);
	assert_int_equal(stage_action(stage, ACTION_HIGH)->value, (uint64_t)(510 * M));
}

static void memory_high_is_raised_first_where_nobody_grows_and_taken_back(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);
	const struct action *action;

	stage_turn(stage, SUFFERS);
	stage_turn(stage, (const struct turn[]){ { GROWTH, 100 * 1024.0 },
						 { MACHINE(AVAILABLE), 400 * M },
						 { NO_KNOB, 0 } });
	stage_next(stage, 100);
	action = stage_action(stage, ACTION_HIGH);
	assert_non_null(action);
	/* A quarter of what is available is less than a quarter of the limit. */
	assert_int_equal(action->value, (uint64_t)(600 * M));
	assert_int_equal(action->write.from, (uint64_t)(500 * M));
	stage_next(stage, 4000);
	assert_int_equal(stage->out.actions, 0);
	stage_turn(stage, (const struct turn[]){ { LOSS, 0 }, { NO_KNOB, 0 } });
	stage_next(stage, 57000);
	action = stage_action(stage, ACTION_HIGH);
	assert_non_null(action);
	assert_int_equal(action->value, (uint64_t)(500 * M));
	assert_int_equal(action->write.from, (uint64_t)(600 * M));
}

static void who_fills_what_memory_high_was_raised_by_is_ended_soon(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage_turn(stage, (const struct turn[]){ { GROWTH, 100 * 1024.0 },
						 { SERVICE(MEM_SOME), 0.97 },
						 { SERVICE(FAULT), 31 },
						 { SERVICE(CPU_USE), 0 },
						 { MACHINE(AVAILABLE), 400 * M },
						 { NO_KNOB, 0 } });
	stage->scene->members[SCENE_WORKER].loss.lower = 0.9;
	stage->scene->members[SCENE_WORKER].loss.upper = 0.9;
	stage_next(stage, 100);
	assert_non_null(stage_action(stage, ACTION_HIGH));
	stage_turn(stage, (const struct turn[]){ { LIMIT, 600 * M }, { NO_KNOB, 0 } });
	stage_next(stage, 2000);
	assert_int_equal(stage->out.actions, 0);
	stage_turn(stage, (const struct turn[]){ { S(USAGE), 590 * M }, { NO_KNOB, 0 } });
	stage_next(stage, 100);
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void memory_high_is_not_raised_for_who_grows(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage_turn(stage, SUFFERS);
	stage_next(stage, 100);
	assert_null(stage_action(stage, ACTION_HIGH));
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void a_hook_has_its_time_before_the_kill(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.row[0] =
		(struct policy_row){ .kinds = 1u << POLICY_HOOK, .cgroup = "app/worker" };
	stage->config.rows = 1;
	stage_next(stage, 100);
	assert_non_null(stage_action(stage, ACTION_HOOK));
	assert_null(stage_action(stage, ACTION_TERM));
	stage_next(stage, 1900);
	assert_int_equal(stage->out.actions, 0);
	stage_next(stage, 100);
	assert_non_null(stage_record(stage, RECORD_HOOK_DONE));
	assert_int_equal(stage_record(stage, RECORD_HOOK_DONE)->error, ETIMEDOUT);
	assert_non_null(stage_action(stage, ACTION_TERM));
}

static void calm_ends_an_episode_and_nothing_is_said(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_turn(stage, CALM);
	for (int i = 0; i < 30; i++) {
		stage_next(stage, 1000);
		assert_int_equal(stage->out.actions, 0);
		assert_int_equal(stage->out.records, 0);
		assert_int_equal(stage->out.pace, PACE_CALM);
	}
}

static bool is_asked(const struct stage *stage, int member)
{
	for (size_t i = 0; i < PROTECTED_MAX; i++)
		if (stage->plan.protection.list[i].is_asked &&
		    stage->plan.protection.list[i].id == stage->scene->cgroups[member].id)
			return true;
	return false;
}

/* The service begins to suffer at memory.high; "app" is given to that user. */
static struct stage *begins_to_suffer(uint32_t owner)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage->config.options.protect_enabled = 1;
	for (size_t i = SCENE_APP; i <= SCENE_WORKER; i++) {
		stage->scene->cgroups[i].owner = owner;
		stage->scene->cgroups[i].state[CG_MIN] = OK;
	}
	stage->scene->snapshot.cgroups_state = OK;
	stage_turn(stage, (const struct turn[]){ { LOSS, 0.10 }, { NO_KNOB, 0 } });
	return stage;
}

static void who_begins_to_suffer_is_protected(void **state)
{
	struct stage *stage = begins_to_suffer(0);

	stage_next(stage, 100);
	assert_true(is_asked(stage, SCENE_SERVICE));
}

static void a_crowd_that_suffered_in_a_users_part_leaves_him_no_more_places(void **state)
{
	struct stage *stage = begins_to_suffer(1000);

	for (size_t i = 0; i < PROTECTED_GIVEN; i++)
		stage->plan.protection.list[i] =
			(struct protected){ .id = 900 + i, .is_asked = true, .is_given = true };
	stage_next(stage, 100);
	assert_false(is_asked(stage, SCENE_SERVICE));
	stage = begins_to_suffer(1000);
	stage_next(stage, 100);
	assert_true(is_asked(stage, SCENE_SERVICE));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_fills_memory_is_asked_to_end_and_killed_two_seconds_later),
		cmocka_unit_test(without_a_time_for_sigterm_it_is_killed_at_once),
		cmocka_unit_test(
			nobody_else_is_killed_until_the_first_is_dead_and_its_effect_known),
		cmocka_unit_test(who_does_not_die_is_left_out_and_reported),
		cmocka_unit_test(what_failed_because_it_was_gone_is_no_failure),
		cmocka_unit_test(a_dry_run_says_it_once_and_rests_until_all_is_calm),
		cmocka_unit_test(nobody_is_killed_where_it_is_forbidden),
		cmocka_unit_test(it_acts_beside_another_guard_when_it_is_told_to),
		cmocka_unit_test(after_too_many_kills_the_domain_is_left_alone),
		cmocka_unit_test(nobody_dies_when_no_end_would_be_enough),
		cmocka_unit_test(the_culprit_is_frozen_first_where_a_pause_is_the_answer),
		cmocka_unit_test(memory_high_is_raised_first_where_nobody_grows_and_taken_back),
		cmocka_unit_test(who_suffers_is_not_frozen_even_if_it_is_the_one_to_go),
		cmocka_unit_test(the_cgroup_at_its_limit_is_not_frozen_as_a_whole),
		cmocka_unit_test(memory_high_is_raised_half_way_to_memory_max_at_most),
		cmocka_unit_test(who_fills_what_memory_high_was_raised_by_is_ended_soon),
		cmocka_unit_test(memory_high_is_not_raised_for_who_grows),
		cmocka_unit_test(a_hook_has_its_time_before_the_kill),
		cmocka_unit_test(who_begins_to_suffer_is_protected),
		cmocka_unit_test(
			a_crowd_that_suffered_in_a_users_part_leaves_him_no_more_places),
		cmocka_unit_test(calm_ends_an_episode_and_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
