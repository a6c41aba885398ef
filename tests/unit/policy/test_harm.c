/* When there is something to do about a domain, and why not. */
#include "test.h"

#include "policy/harm.h"

#include "analysis/made.h"
#include "stage.h"

#define M (1024.0 * 1024)

struct harm_case {
	const char *when;
	struct turn turns[6];
	enum because because;
	bool act;
};

static void check(enum limit_kind kind, const struct turn *base, const struct harm_case *cases,
		  size_t count)
{
	size_t bad = 0;

	for (size_t i = 0; i < count; i++) {
		struct stage *stage = stage_new(kind);
		struct harm harm;

		stage_turn(stage, base);
		stage_turn(stage, cases[i].turns);
		harm = harm_of(&stage->input, &stage->scene->domain);
		if (harm.because == cases[i].because && harm.act == cases[i].act)
			continue;
		print_error("when %s: \"%s\" (%d) instead of \"%s\"\n", cases[i].when,
			    because_words(harm.because), harm.act,
			    because_words(cases[i].because));
		bad++;
	}
	assert_int_equal(bad, 0);
}
#define CHECK(kind, base, cases) check(kind, base, cases, ARRAY_LEN(cases))

static void harm_is_imminent_when_one_grower_will_fill_the_rest_at_once(void **state)
{
	static const struct turn base[] = { { NO_KNOB, 0 } };
	static const struct harm_case cases[] = {
		{ "all holds", { { 0 } }, BECAUSE_IMMINENT, true },
		{ "there is swap", { { MACHINE(SWAP_FREE), 100 * M } }, BECAUSE_CALM, false },
		{ "swap left is less than a batch fills",
		  { { MACHINE(SWAP_FREE), 15 * M } },
		  BECAUSE_IMMINENT,
		  true },
		{ "how much swap is left is not known",
		  { { MACHINE(SWAP_FREE), NAN } },
		  BECAUSE_CALM,
		  false },
		{ "half of the cache is cold",
		  { { MACHINE(MAPPED), 40 * M }, { MACHINE(FILE_INACTIVE), 50 * M } },
		  BECAUSE_SOON,
		  false },
		{ "free memory is far above the watermark",
		  { { MACHINE(FREE), 90 * M } },
		  BECAUSE_SOON,
		  false },
		{ "nobody grows", { { GROWTH, 0 } }, BECAUSE_CALM, false },
		{ "the grower was larger before", { { BELOW_PEAK, 1 } }, BECAUSE_SOON, false },
		{ "it has stopped growing", { { GROWTH_RECENT, 0 } }, BECAUSE_CALM, false },
		{ "there is no slope yet", { { FRAMES, 2 } }, BECAUSE_SOON, false },
		{ "reclaim has not begun and free memory is above the high watermark",
		  { { MACHINE(SCAN_GLOBAL), 0 }, { MACHINE(FREE), 67 * M } },
		  BECAUSE_SOON,
		  false },
		{ "reclaim has not begun and free memory is below the high watermark",
		  { { MACHINE(SCAN_GLOBAL), 0 } },
		  BECAUSE_IMMINENT,
		  true },
	};

	CHECK(LIMIT_RAM, base, cases);
}

static void many_growers_together_are_nobody_in_particular(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->scene->domain.grow_rate = 20 * M / 0.59;
	assert_false(harm_of(&stage->input, &stage->scene->domain).act);
	stage->scene->domain.grow_rate = 20 * M / 0.61;
	assert_true(harm_of(&stage->input, &stage->scene->domain).act);
}

static void imminent_harm_can_be_switched_off(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->config.options.imminent_us = 0;
	assert_false(harm_of(&stage->input, &stage->scene->domain).act);
}

static void the_machine_is_harmed_when_another_than_the_culprit_loses_half(void **state)
{
	/* Much is free, so nothing is imminent. */
	static const struct turn base[] = {
		{ MACHINE(FREE), 90 * M }, { LOSS, 0.3 }, { LOSS_UPPER, 0.7 }, { NO_KNOB, 0 }
	};
	static const struct harm_case cases[] = {
		{ "all holds", { { 0 } }, BECAUSE_HARM, true },
		{ "it loses half for sure", { { LOSS, 0.5 } }, BECAUSE_HARM, true },
		{ "it cannot have lost half", { { LOSS, 0.49 } }, BECAUSE_LITTLE, false },
		{ "a third of it is not sure",
		  { { LOSS, 0.16 }, { LOSS_UPPER, 0.7 } },
		  BECAUSE_LITTLE,
		  false },
		{ "its loss is not known", { { LOSS, NAN } }, BECAUSE_SOON, false },
		{ "the machine is not short",
		  { { MACHINE(SCAN_GLOBAL), 0 } },
		  BECAUSE_SOON,
		  false },
		{ "there is much cold cache",
		  { { MACHINE(FILE_LRU), 400 * M }, { MACHINE(FILE_INACTIVE), 312 * M } },
		  BECAUSE_COLD_LEFT,
		  false },
		{ "nobody grows, and it does not last",
		  { { GROWTH, 0 }, { SECONDS, 1 } },
		  BECAUSE_NO_GROWER,
		  false },
		{ "it lasts a second", { { SECONDS, 1 } }, BECAUSE_HARM, true },
		{ "it has not lasted a second", { { SECONDS, 0.5 } }, BECAUSE_NOT_LONG, false },
		{ "there is swap, and half is lost for sure and for long",
		  { { MACHINE(SWAP_FREE), 100 * M }, { LOSS, 0.5 } },
		  BECAUSE_HARM,
		  true },
		{ "there is swap, and less is sure",
		  { { MACHINE(SWAP_FREE), 100 * M } },
		  BECAUSE_LITTLE,
		  false },
		{ "there is swap, and it has lasted a second",
		  { { MACHINE(SWAP_FREE), 100 * M }, { LOSS, 0.5 }, { SECONDS, 1 } },
		  BECAUSE_SWAP_LEFT,
		  false },
	};

	CHECK(LIMIT_RAM, base, cases);
}

static void where_nobody_grows_the_kind_of_pressure_says_whether_a_kill_would_help(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_turn(stage,
		   (const struct turn[]){ { GROWTH, 0 }, { LOSS, 0.6 }, { NO_KNOB, 0 } });
	stage->verdict.class = CLASS_HUGETLB;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because,
			 BECAUSE_NO_GROWER);
	stage->verdict.class = CLASS_FILE_REFAULT;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because, BECAUSE_HARM);
	stage_turn(stage, (const struct turn[]){ { SECONDS, 1 }, { NO_KNOB, 0 } });
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because,
			 BECAUSE_NO_GROWER);
}

static void who_grows_and_waits_alone_is_let_be_while_it_can_be_swapped(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);
	struct harm harm;

	stage_turn(stage,
		   (const struct turn[]){ { MACHINE(SWAP_FREE), 100 * M }, { NO_KNOB, 0 } });
	stage->scene->members[SCENE_WORKER].loss.lower = 0.9;
	harm = harm_of(&stage->input, &stage->scene->domain);
	assert_int_equal(harm.because, BECAUSE_ONLY_CULPRIT);
	assert_false(harm.act);
}

static void who_grows_and_rereads_its_own_code_goes_where_there_is_no_swap(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_turn(stage, (const struct turn[]){ { MACHINE(FREE), 90 * M }, { NO_KNOB, 0 } });
	stage->scene->members[SCENE_WORKER].loss.lower = 0.2;
	stage->scene->members[SCENE_WORKER].loss.upper = 0.5;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because, BECAUSE_SELF);
	stage->scene->members[SCENE_WORKER].loss.upper = 0.49;
	assert_false(harm_of(&stage->input, &stage->scene->domain).act);
}

static void a_cgroup_at_memory_high_is_harmed_when_somebody_in_it_loses_half(void **state)
{
	static const struct turn base[] = { { LOSS, 0.6 }, { NO_KNOB, 0 } };
	static const struct harm_case cases[] = {
		{ "it lasts", { { 0 } }, BECAUSE_HARM, true },
		{ "it has not lasted five seconds",
		  { { SECONDS, 4 } },
		  BECAUSE_NOT_LONG,
		  false },
		{ "it loses less", { { LOSS, 0.49 } }, BECAUSE_LITTLE, false },
		{ "it is not at its limit", { { S(EV_HIGH), 0 } }, BECAUSE_CALM, false },
		{ "memory.max is met too", { { S(EV_MAX), 1 } }, BECAUSE_CALM, false },
	};

	CHECK(LIMIT_HIGH, base, cases);
}

static void a_cgroup_that_waits_and_does_nothing_else_is_stuck(void **state)
{
	static const struct turn base[] = { { LOSS, 0 },
					    { SERVICE(MEM_SOME), 0.97 },
					    { SERVICE(CPU_USE), 0 },
					    { SERVICE(FAULT), 31 },
					    { NO_KNOB, 0 } };
	static const struct harm_case cases[] = {
		{ "all holds", { { 0 } }, BECAUSE_NO_WORK, true },
		{ "it waits less", { { SERVICE(MEM_SOME), 0.49 } }, BECAUSE_CALM, false },
		{ "a busy sibling halves what PSI says",
		  { { SERVICE(MEM_SOME), 0.488 }, { SERVICE(CPU_USE), 1 } },
		  BECAUSE_NO_WORK,
		  true },
		{ "it swaps and makes progress",
		  { { SERVICE(FAULT), 4455 } },
		  BECAUSE_CALM,
		  false },
		{ "there is swap to go to",
		  { { S(SWAP_FREE), 100 * M } },
		  BECAUSE_CALM,
		  false },
	};

	CHECK(LIMIT_HIGH, base, cases);
}

static void
who_is_stuck_at_memory_high_does_not_grow_so_the_largest_in_it_is_the_cause(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage_turn(stage, (const struct turn[]){ { GROWTH, 0 }, { NO_KNOB, 0 } });
	stage->scene->members[SCENE_OUTSIDE].growth.level = 900 * M;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).culprit, SCENE_WORKER);
	stage->scene->members[SCENE_SERVICE].growth.level = 801 * M;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).culprit, SCENE_SERVICE);
	stage = stage_new(LIMIT_RAM);
	stage_turn(stage, (const struct turn[]){ { GROWTH, 0 }, { NO_KNOB, 0 } });
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).culprit, -1);
}

static void the_same_place_is_found_by_the_id_of_its_cgroup(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);
	struct domain domains[3] = {
		{ .kind = LIMIT_RAM, .cgroup = -1 },
		{ .kind = LIMIT_MAX, .cgroup = SCENE_OUTSIDE },
		{ .kind = LIMIT_HIGH, .cgroup = SCENE_APP },
	};
	struct evidence evidence = stage->scene->evidence;

	evidence.domain = domains;
	evidence.domains = 3;
	assert_ptr_equal(domain_like(&evidence, &stage->scene->domain, &stage->scene->evidence),
			 &domains[2]);
	assert_ptr_equal(domain_like(&evidence, &domains[0], &evidence), &domains[0]);
	evidence.domains = 2;
	assert_null(domain_like(&evidence, &stage->scene->domain, &stage->scene->evidence));
}

static void a_fast_burst_is_not_imminent_while_a_twentieth_of_ram_is_left(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage->scene->domain.grow_rate = 170 * M;
	stage_turn(stage, (const struct turn[]){ { GROWTH, 170 * M },
						 { GROWTH_RECENT, 170 * M },
						 { MACHINE(FREE), 102 * M },
						 { NO_KNOB, 0 } });
	assert_true(harm_of(&stage->input, &stage->scene->domain).act);
	stage_turn(stage, (const struct turn[]){ { MACHINE(FREE), 106 * M }, { NO_KNOB, 0 } });
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because, BECAUSE_SOON);
}

static void half_of_what_is_harm_is_near_it(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	stage_turn(stage, (const struct turn[]){ { LOSS, 0.25 }, { NO_KNOB, 0 } });
	assert_true(harm_of(&stage->input, &stage->scene->domain).near);
	stage_turn(stage, (const struct turn[]){ { LOSS, 0.24 }, { NO_KNOB, 0 } });
	assert_false(harm_of(&stage->input, &stage->scene->domain).near);
}

static void whose_last_process_is_gone_suffers_no_more(void **state)
{
	struct stage *stage = stage_new(LIMIT_RAM);

	stage_turn(stage, (const struct turn[]){ { LOSS, 0.9 }, { NO_KNOB, 0 } });
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).sufferer, SCENE_SERVICE);
	stage->scene->cgroups[SCENE_SERVICE].tasks = 0;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).sufferer, -1);
	stage->scene->snapshot.tasks_state = DENIED;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).sufferer, SCENE_SERVICE);
}

static double stalled(double some, double busy)
{
	struct signals signals = { 0 };

	signals.value[SIG_MEM_SOME] = some;
	signals.value[SIG_CPU_USE] = busy;
	return stalled_of(&signals);
}

static void stalled_time_is_not_diluted_by_a_busy_sibling(void **state)
{
	assert_near(stalled(0.5, 1), 1);
	assert_near(stalled(0.25, 1), 1.0 / 3);
	assert_near(stalled(0.9, 0), 0.9);
	assert_near(stalled(1, 0), 1);
	assert_near(stalled(0.9, 3), 1); /* more than one: one is enough to be stuck */
	assert_near(stalled(0.4, (double)NAN), 0.4);
	assert_true(isnan(stalled((double)NAN, 1)));
}

static void a_cgroup_at_memory_max_is_only_reported_unless_asked(void **state)
{
	struct stage *stage = stage_new(LIMIT_MAX);

	stage_turn(stage, (const struct turn[]){ { LOSS, 0.9 }, { NO_KNOB, 0 } });
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because, BECAUSE_AT_MAX);
	stage->config.options.at_max = LIMIT_ACT;
	assert_int_equal(harm_of(&stage->input, &stage->scene->domain).because, BECAUSE_HARM);
}

static void who_begins_to_suffer_may_be_protected_early(void **state)
{
	struct stage *stage = stage_new(LIMIT_HIGH);

	assert_false(harm_of(&stage->input, &stage->scene->domain).early);
	stage_turn(stage, (const struct turn[]){ { LOSS, 0.10 }, { NO_KNOB, 0 } });
	assert_true(harm_of(&stage->input, &stage->scene->domain).early);
	stage_turn(stage, (const struct turn[]){ { LOSS, 0.03 }, { NO_KNOB, 0 } });
	assert_false(harm_of(&stage->input, &stage->scene->domain).early);
	stage_turn(stage, (const struct turn[]){ { COLLAPSED, 1 }, { NO_KNOB, 0 } });
	assert_true(harm_of(&stage->input, &stage->scene->domain).early);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(harm_is_imminent_when_one_grower_will_fill_the_rest_at_once),
		cmocka_unit_test(many_growers_together_are_nobody_in_particular),
		cmocka_unit_test(imminent_harm_can_be_switched_off),
		cmocka_unit_test(
			the_machine_is_harmed_when_another_than_the_culprit_loses_half),
		cmocka_unit_test(
			where_nobody_grows_the_kind_of_pressure_says_whether_a_kill_would_help),
		cmocka_unit_test(who_grows_and_waits_alone_is_let_be_while_it_can_be_swapped),
		cmocka_unit_test(
			who_grows_and_rereads_its_own_code_goes_where_there_is_no_swap),
		cmocka_unit_test(
			a_cgroup_at_memory_high_is_harmed_when_somebody_in_it_loses_half),
		cmocka_unit_test(a_cgroup_that_waits_and_does_nothing_else_is_stuck),
		cmocka_unit_test(
			who_is_stuck_at_memory_high_does_not_grow_so_the_largest_in_it_is_the_cause),
		cmocka_unit_test(the_same_place_is_found_by_the_id_of_its_cgroup),
		cmocka_unit_test(a_fast_burst_is_not_imminent_while_a_twentieth_of_ram_is_left),
		cmocka_unit_test(half_of_what_is_harm_is_near_it),
		cmocka_unit_test(whose_last_process_is_gone_suffers_no_more),
		cmocka_unit_test(stalled_time_is_not_diluted_by_a_busy_sibling),
		cmocka_unit_test(a_cgroup_at_memory_max_is_only_reported_unless_asked),
		cmocka_unit_test(who_begins_to_suffer_may_be_protected_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
