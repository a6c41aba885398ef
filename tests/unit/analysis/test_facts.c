#include "test.h"

#include "analysis/facts.h"
#include "made.h"
#include "scene.h"

#define M MIB

static struct scene *turned(enum limit_kind kind, const struct turn *turns)
{
	struct scene *scene = scene_new(kind);

	scene_turn(scene, turns);
	return scene;
}

#define SCENE(kind, ...) turned(kind, (const struct turn[]){ __VA_ARGS__, { NO_KNOB, 0 } })

static bool is_short_with(const struct turn *turns)
{
	return is_short(&turned(LIMIT_RAM, turns)->domain);
}

#define SHORT(...) is_short_with((const struct turn[]){ __VA_ARGS__, { NO_KNOB, 0 } })

static void a_machine_is_short_when_a_tenth_of_reclaim_is_for_it(void **state)
{
	assert_true(SHORT({ S(SCAN_GLOBAL), 10 }, { S(SCAN), 100 }));
	assert_false(SHORT({ S(SCAN_GLOBAL), 9.9 }, { S(SCAN), 100 }));
	assert_false(SHORT({ S(SCAN_GLOBAL), 0 }, { S(SCAN), 0 }));
	assert_false(SHORT({ S(SCAN_GLOBAL), NAN }, { S(SCAN), 100 }));
	assert_false(SHORT({ S(SCAN_GLOBAL), 10 }, { S(SCAN), NAN }));
}

static void a_machine_is_short_below_its_low_watermarks(void **state)
{
	assert_true(SHORT({ S(FREE), 99 }, { S(LOW), 100 }));
	assert_false(SHORT({ S(FREE), 100 }, { S(LOW), 100 }));
	assert_false(SHORT({ S(FREE), 99 }, { S(LOW), NAN }));
}

static void a_limit_is_short_by_definition(void **state)
{
	assert_true(is_short(&scene_new(LIMIT_HIGH)->domain));
	assert_true(is_short(&scene_new(LIMIT_MAX)->domain));
	assert_true(is_machine(&scene_new(LIMIT_RAM)->domain));
	assert_false(is_machine(&scene_new(LIMIT_MAX)->domain));
}

static bool hurts(double lower, double upper)
{
	const struct loss loss = { .lower = lower, .upper = upper };

	return is_hurt(&loss);
}

static void a_tenth_of_the_time_hurts(void **state)
{
	assert_true(hurts(0.10, 0.10));
	assert_false(hurts(0.099, 0.199));
	assert_false(hurts(NAN, NAN));
}

static void a_little_that_is_perhaps_a_fifth_hurts_as_well(void **state)
{
	assert_true(hurts(0.05, 0.20));
	assert_false(hurts(0.049, 0.90));
	assert_false(hurts(0.05, 0.199));
}

static bool hurts_in(const struct scene *scene)
{
	return somebody_hurts(&scene->evidence, &scene->domain);
}

static void who_suffers_most_tells_whether_somebody_hurts(void **state)
{
	assert_true(hurts_in(SCENE(LIMIT_RAM, { LOSS, 0.10 })));
	assert_false(hurts_in(SCENE(LIMIT_RAM, { LOSS, 0.09 })));
	assert_false(hurts_in(SCENE(LIMIT_RAM, { LOSS, 0.10 }, { SUFFERER, -1 })));
	assert_null(member_at(&scene_new(LIMIT_RAM)->evidence, -1));
}

static bool collapsed_in(const struct scene *scene)
{
	return has_collapsed(&scene->evidence, &scene->domain);
}

static void a_collapse_counts_when_it_hurts_inside_the_domain(void **state)
{
	assert_true(collapsed_in(SCENE(LIMIT_MAX, { COLLAPSED, 1 }, { LOSS, 0.10 })));
	assert_false(collapsed_in(SCENE(LIMIT_MAX, { COLLAPSED, 1 }, { LOSS, 0.09 })));
	assert_false(collapsed_in(SCENE(LIMIT_MAX, { COLLAPSED, 0 }, { LOSS, 0.10 })));
	assert_false(collapsed_in(SCENE(LIMIT_MAX, { OUTSIDE_COLLAPSED_LOSS, 0.10 })));
	assert_true(collapsed_in(SCENE(LIMIT_RAM, { OUTSIDE_COLLAPSED_LOSS, 0.10 })));
}

static double reread_in(const struct scene *scene)
{
	return reread(&scene->evidence, &scene->domain);
}

static void what_is_read_again_is_what_the_kernel_counts(void **state)
{
	assert_near(reread_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 3 }, { S(STEAL_FILE), 50 },
				    { S(READ), 40 })),
		    3);
	assert_true(isnan(reread_in(SCENE(LIMIT_RAM, { S(STEAL_FILE), 50 }, { S(READ), 40 }))));
}

/* MGLRU of 6.1 counts one in ten: what was stolen and read in the same time stands in. */
static void where_refaults_are_undercounted_steals_and_reads_stand_in(void **state)
{
	assert_near(reread_in(SCENE(LIMIT_RAM, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(STEAL_FILE), 50 }, { S(READ), 40 })),
		    40);
	assert_near(reread_in(SCENE(LIMIT_RAM, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(STEAL_FILE), 30 }, { S(READ), 40 })),
		    30);
	assert_near(reread_in(SCENE(LIMIT_RAM, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 60 },
				    { S(STEAL_FILE), 30 }, { S(READ), 40 })),
		    60);
	assert_near(reread_in(SCENE(LIMIT_RAM, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(READ), 40 })),
		    3);
}

/* A cgroup counts what was stolen of it in one number; its reads may be the machine's. */
static void in_a_limit_all_that_was_stolen_stands_in(void **state)
{
	assert_near(reread_in(SCENE(LIMIT_MAX, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(STEAL), 0 }, { S(READ), 40 })),
		    3);
	assert_near(reread_in(SCENE(LIMIT_MAX, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(STEAL), 20 }, { S(READ), 40 })),
		    20);
	assert_near(reread_in(SCENE(LIMIT_MAX, { UNDERCOUNTED, 1 }, { S(REFAULT_FILE), 3 },
				    { S(STEAL), 20 }, { MACHINE(READ), 10 })),
		    10);
}

static bool rereading_in(const struct scene *scene)
{
	return is_rereading(&scene->evidence, &scene->domain);
}

static void rereading_is_a_mebibyte_a_second(void **state)
{
	assert_true(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), M }, { S(READ), M },
				       { S(FILE_LRU), 10 * M })));
	assert_false(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 0.99 * M },
					{ S(READ), M }, { S(FILE_LRU), 10 * M })));
	assert_false(rereading_in(SCENE(LIMIT_RAM, { S(READ), M }, { S(FILE_LRU), 10 * M })));
}

static void rereading_is_half_of_what_is_read(void **state)
{
	assert_true(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 5 * M },
				       { S(READ), 10 * M }, { S(FILE_LRU), 10 * M })));
	assert_false(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 4.9 * M },
					{ S(READ), 10 * M }, { S(FILE_LRU), 10 * M })));
	assert_true(
		rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 1.7 * M }, { S(READ), 10 * M },
				   { S(FILE_LRU), 10 * M }, { UNDERSTATED, 1 })));
	assert_false(
		rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 1.6 * M }, { S(READ), 10 * M },
				   { S(FILE_LRU), 10 * M }, { UNDERSTATED, 1 })));
}

static void rereading_turns_the_cache_over_in_twenty_seconds(void **state)
{
	assert_true(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 5 * M },
				       { S(READ), 5 * M }, { S(FILE_LRU), 99 * M })));
	assert_false(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 5 * M },
					{ S(READ), 5 * M }, { S(FILE_LRU), 101 * M })));
	assert_true(rereading_in(SCENE(LIMIT_RAM, { S(REFAULT_FILE), 5 * M },
				       { S(READ), 5 * M }, { S(FILE_LRU), 0 })));
}

static void a_slope_needs_three_samples_and_some_seconds(void **state)
{
	assert_true(has_slope(&SCENE(LIMIT_RAM, { FRAMES, 3 }, { SECONDS, 2.5 })->evidence));
	assert_false(has_slope(&SCENE(LIMIT_RAM, { FRAMES, 2 }, { SECONDS, 2.5 })->evidence));
	assert_false(has_slope(&SCENE(LIMIT_RAM, { FRAMES, 3 }, { SECONDS, 2.4 })->evidence));
	assert_false(has_slope(&SCENE(LIMIT_RAM, { FRAMES, 3 }, { SECONDS, NAN })->evidence));
}

#define READS_IN_CIRCLE                                                          \
	{ S(REFAULT_FILE), 5 * M }, { S(READ), 5 * M }, { S(FILE_LRU), 90 * M }, \
		{ LIMIT, 200 * M },                                              \
	{                                                                        \
		S(HARD), 99 * M                                                  \
	}

static bool scans_in(const struct scene *scene)
{
	return is_loop_scan(&scene->evidence, &scene->domain);
}

static void a_loop_scan_hurts_its_reader_alone(void **state)
{
	assert_true(scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE)));
	assert_true(scans_in(SCENE(LIMIT_MAX, READS_IN_CIRCLE)));
	assert_false(scans_in(SCENE(LIMIT_HIGH, READS_IN_CIRCLE)));
	assert_false(scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE, { S(REFAULT_FILE), 0 })));
	assert_false(scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE, { S(HARD), 100 * M })));
	assert_false(scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE, { S(HARD), NAN })));
	assert_false(
		scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE, { COLLAPSED, 1 }, { LOSS, 0.10 })));
	assert_false(
		scans_in(SCENE(LIMIT_RAM, READS_IN_CIRCLE, { GROWTH, M }, { GROWTH_RECENT, M },
			       { GROWTH_LEVEL, 50 * M }, { GROWTH_RISING, 1 })));
}

static bool swap_in(const struct scene *scene)
{
	return swap_prevails(&scene->domain);
}

static void swap_prevails_when_more_comes_back_from_it(void **state)
{
	assert_true(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), 3 }, { S(REFAULT_FILE), 2 })));
	assert_false(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), 2 }, { S(REFAULT_FILE), 2 })));
	assert_false(
		swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), NAN }, { S(REFAULT_FILE), 2 })));
}

static void with_room_in_swap_a_quarter_is_enough(void **state)
{
	assert_true(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), M / 2 },
				  { S(REFAULT_FILE), 2 * M }, { S(SWAP_FREE), 16.1 * M })));
	assert_false(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), M / 2 },
				   { S(REFAULT_FILE), 2 * M }, { S(SWAP_FREE), 16 * M })));
	assert_false(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), 0.49 * M },
				   { S(REFAULT_FILE), M }, { S(SWAP_FREE), 99 * M })));
	assert_false(swap_in(SCENE(LIMIT_RAM, { S(REFAULT_ANON), M / 2 },
				   { S(REFAULT_FILE), 2.1 * M }, { S(SWAP_FREE), 99 * M })));
}

static bool at_high(const struct scene *scene)
{
	return is_at_high(&scene->domain);
}

static void at_the_high_limit_is_who_meets_no_other(void **state)
{
	assert_true(at_high(SCENE(LIMIT_HIGH, { S(EV_HIGH), 1 })));
	assert_true(at_high(
		SCENE(LIMIT_HIGH, { S(EV_HIGH), 1 }, { S(EV_MAX), 0 }, { S(EV_OOM), 0 })));
	assert_false(at_high(SCENE(LIMIT_MAX, { S(EV_HIGH), 1 })));
	assert_false(at_high(SCENE(LIMIT_HIGH, { S(EV_HIGH), 0 })));
	assert_false(at_high(SCENE(LIMIT_HIGH, { S(EV_HIGH), 1 }, { S(EV_MAX), 1 })));
	assert_false(at_high(SCENE(LIMIT_HIGH, { S(EV_HIGH), 1 }, { S(EV_OOM), 1 })));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_is_short_when_a_tenth_of_reclaim_is_for_it),
		cmocka_unit_test(a_machine_is_short_below_its_low_watermarks),
		cmocka_unit_test(a_limit_is_short_by_definition),
		cmocka_unit_test(a_tenth_of_the_time_hurts),
		cmocka_unit_test(a_little_that_is_perhaps_a_fifth_hurts_as_well),
		cmocka_unit_test(who_suffers_most_tells_whether_somebody_hurts),
		cmocka_unit_test(a_collapse_counts_when_it_hurts_inside_the_domain),
		cmocka_unit_test(what_is_read_again_is_what_the_kernel_counts),
		cmocka_unit_test(where_refaults_are_undercounted_steals_and_reads_stand_in),
		cmocka_unit_test(in_a_limit_all_that_was_stolen_stands_in),
		cmocka_unit_test(rereading_is_a_mebibyte_a_second),
		cmocka_unit_test(rereading_is_half_of_what_is_read),
		cmocka_unit_test(rereading_turns_the_cache_over_in_twenty_seconds),
		cmocka_unit_test(a_slope_needs_three_samples_and_some_seconds),
		cmocka_unit_test(a_loop_scan_hurts_its_reader_alone),
		cmocka_unit_test(swap_prevails_when_more_comes_back_from_it),
		cmocka_unit_test(with_room_in_swap_a_quarter_is_enough),
		cmocka_unit_test(at_the_high_limit_is_who_meets_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
