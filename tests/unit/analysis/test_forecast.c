#include "test.h"

#include "analysis/forecast.h"
#include "made.h"
#include "scene.h"

#define M (1024.0 * 1024)

static struct forecast forecast_with(enum verdict_class class, enum severity severity,
				     enum limit_kind kind, const struct turn *turns)
{
	struct scene *scene = scene_new(kind);
	struct verdict verdict = {
		.evidence = &scene->evidence,
		.class = class,
		.severity = severity,
		.domain = &scene->domain,
	};

	scene_turn(scene, turns);
	scene->domain.grow_rate = scene->members[SCENE_WORKER].growth.rate;
	forecast_of(&verdict);
	return verdict.forecast;
}

#define FORECAST(class, severity, kind, ...) \
	forecast_with(class, severity, kind, \
		      (const struct turn[]){ __VA_ARGS__, { NO_KNOB, 0 } })

static void expect(struct forecast forecast, enum next next, double low_s, double high_s,
		   int line)
{
	if (forecast.next != next)
		print_error("next is %d, not %d\n", (int)forecast.next, (int)next);
	if (forecast.next != next)
		_fail(__FILE__, line);
	if (isnan(low_s) && isnan(forecast.low_s) && isnan(forecast.high_s))
		return;
	expect_near(forecast.low_s, low_s, __FILE__, line);
	expect_near(forecast.high_s, high_s, __FILE__, line);
}

#define EXPECT(forecast, next, low_s, high_s) expect(forecast, next, low_s, high_s, __LINE__)

#define LEAK                  \
	{                     \
		GROWTH, 2 * M \
	}
#define ROOM                                                               \
	{ S(AVAILABLE), 40 * M }, { S(FREE), 30 * M }, { S(LOW), 10 * M }, \
	{                                                                  \
		S(FILE_LRU), 60 * M                                        \
	}

static void without_swap_harm_ends_with_the_oom_killer(void **state)
{
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_RAM, LEAK, ROOM,
			{ S(SWAP_FREE), 0 }),
	       NEXT_OOM, 20, 40);
}

static void without_harm_it_begins_when_nothing_is_available(void **state)
{
	EXPECT(FORECAST(CLASS_ANON_GROWTH, SEV_NOTE, LIMIT_RAM, LEAK, ROOM,
			{ S(SWAP_FREE), 0 }),
	       NEXT_FREEZE, 20, 40);
	EXPECT(FORECAST(CLASS_LOCKED, SEV_WARN, LIMIT_RAM, LEAK, ROOM, { S(SWAP_FREE), 0 }),
	       NEXT_FREEZE, 20, 40);
}

static void swap_is_filled_first(void **state)
{
	EXPECT(FORECAST(CLASS_COLD_SWAP, SEV_NOTE, LIMIT_RAM, LEAK, ROOM,
			{ S(SWAP_FREE), 100 * M }),
	       NEXT_SWAP_FULL, 50, 90);
}

/* The OOM killer waits until the cache is gone, or until what is available is. */
static void the_longer_of_cache_and_available_is_the_upper_bound(void **state)
{
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_RAM, LEAK, { S(AVAILABLE), 90 * M },
			{ S(FREE), 5 * M }, { S(LOW), 10 * M }, { S(FILE_LRU), 60 * M },
			{ S(SWAP_FREE), 0 }),
	       NEXT_OOM, 45, 45);
}

static void room_that_is_unknown_is_not_none(void **state)
{
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_RAM, LEAK, { S(SWAP_FREE), 0 }),
	       NEXT_UNKNOWN, NAN, NAN);
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_RAM, LEAK, ROOM), NEXT_UNKNOWN, NAN,
	       NAN);
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_MAX, LEAK, { S(SWAP_FREE), 0 },
			{ LIMIT, 100 * M }),
	       NEXT_UNKNOWN, NAN, NAN);
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_MAX, LEAK, { S(SWAP_FREE), 0 },
			{ S(HARD), 1 * M }),
	       NEXT_UNKNOWN, NAN, NAN);
	EXPECT(FORECAST(CLASS_FILE_REFAULT, SEV_HARM, LIMIT_MAX, LEAK, { S(HARD), 1 * M },
			{ LIMIT, 100 * M }),
	       NEXT_UNKNOWN, NAN, NAN);
}

static void a_limit_ends_with_the_oom_killer_when_what_cannot_leave_fills_it(void **state)
{
	EXPECT(FORECAST(CLASS_MAX_LOOP, SEV_HARM, LIMIT_MAX, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 60 * M }, { S(SWAP_FREE), 0 }),
	       NEXT_OOM, 20, 20);
	EXPECT(FORECAST(CLASS_MAX_LOOP, SEV_HARM, LIMIT_MAX, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 101 * M }, { S(SWAP_FREE), 0 }),
	       NEXT_OOM, 0, 0);
}

static void a_limit_with_swap_fills_it_first(void **state)
{
	EXPECT(FORECAST(CLASS_SWAP_THRASH, SEV_HARM, LIMIT_MAX, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 60 * M }, { S(SWAP_FREE), 10 * M }),
	       NEXT_SWAP_FULL, 5, 25);
	EXPECT(FORECAST(CLASS_SWAP_THRASH, SEV_HARM, LIMIT_HIGH, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 60 * M }, { S(SWAP_FREE), 10 * M }),
	       NEXT_SWAP_FULL, 5, 25);
}

/* memory.high never calls the OOM killer, whatever the class. */
static void the_high_limit_never_ends(void **state)
{
	EXPECT(FORECAST(CLASS_HIGH_THROTTLE, SEV_HARM, LIMIT_HIGH, LEAK,
			{ S(SWAP_FREE), 10 * M }),
	       NEXT_NEVER, NAN, NAN);
	EXPECT(FORECAST(CLASS_ANON_GROWTH, SEV_NOTE, LIMIT_HIGH, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 60 * M }, { S(SWAP_FREE), 0 }),
	       NEXT_NEVER, NAN, NAN);
}

static void without_growth_it_stays_as_it_is(void **state)
{
	EXPECT(FORECAST(CLASS_HEALTHY, SEV_NONE, LIMIT_RAM, { GROWTH, 0 }, ROOM,
			{ S(SWAP_FREE), 0 }),
	       NEXT_NOTHING, NAN, NAN);
	EXPECT(FORECAST(CLASS_HEALTHY, SEV_NONE, LIMIT_RAM, ROOM, { GROWTH, 47.9 * 1024 },
			{ S(SWAP_FREE), 0 }),
	       NEXT_NOTHING, NAN, NAN);
	EXPECT(FORECAST(CLASS_HEALTHY, SEV_NONE, LIMIT_RAM, { GROWTH, 48 * 1024 },
			{ S(AVAILABLE), 96 * 1024 }, { S(SWAP_FREE), 0 }),
	       NEXT_FREEZE, 2, 2);
}

static void growth_that_is_unknown_is_not_none(void **state)
{
	EXPECT(FORECAST(CLASS_HEALTHY, SEV_NONE, LIMIT_RAM, ROOM, { S(SWAP_FREE), 0 }),
	       NEXT_UNKNOWN, NAN, NAN);
	EXPECT(FORECAST(CLASS_MAX_LOOP, SEV_HARM, LIMIT_MAX, ROOM, { GROWN_RATE, 0 }),
	       NEXT_UNKNOWN, NAN, NAN);
	/* Of the machine all of it together tells. */
	EXPECT(FORECAST(CLASS_HEALTHY, SEV_NONE, LIMIT_RAM, ROOM, { GROWN_RATE, 0 }),
	       NEXT_NOTHING, NAN, NAN);
}

static void what_cannot_be_told_has_no_forecast(void **state)
{
	EXPECT(FORECAST(CLASS_UNKNOWN, SEV_WARN, LIMIT_RAM, LEAK, ROOM, { S(SWAP_FREE), 0 }),
	       NEXT_UNKNOWN, NAN, NAN);
}

/* What no cgroup shows fills the machine too; a limit knows only its own. */
static void growth_of_the_machine_counts_for_the_machine_alone(void **state)
{
	EXPECT(FORECAST(CLASS_SHMEM_GROWTH, SEV_NOTE, LIMIT_RAM, LEAK, ROOM,
			{ S(SWAP_FREE), 0 }, { GROWN_RATE, 4 * M }),
	       NEXT_FREEZE, 10, 20);
	EXPECT(FORECAST(CLASS_MAX_LOOP, SEV_HARM, LIMIT_MAX, LEAK, { LIMIT, 100 * M },
			{ S(HARD), 60 * M }, { S(SWAP_FREE), 0 }, { GROWN_RATE, 4 * M }),
	       NEXT_OOM, 20, 20);
}

static void kernel_memory_counts_when_it_is_the_leak(void **state)
{
	EXPECT(FORECAST(CLASS_KERNEL_LEAK, SEV_NOTE, LIMIT_RAM, ROOM, { S(SWAP_FREE), 0 },
			{ KERNEL_RATE, 4 * M }),
	       NEXT_FREEZE, 10, 20);
	EXPECT(FORECAST(CLASS_ANON_GROWTH, SEV_NOTE, LIMIT_RAM, LEAK, ROOM, { S(SWAP_FREE), 0 },
			{ KERNEL_RATE, 4 * M }),
	       NEXT_FREEZE, 20, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_swap_harm_ends_with_the_oom_killer),
		cmocka_unit_test(without_harm_it_begins_when_nothing_is_available),
		cmocka_unit_test(swap_is_filled_first),
		cmocka_unit_test(the_longer_of_cache_and_available_is_the_upper_bound),
		cmocka_unit_test(room_that_is_unknown_is_not_none),
		cmocka_unit_test(
			a_limit_ends_with_the_oom_killer_when_what_cannot_leave_fills_it),
		cmocka_unit_test(a_limit_with_swap_fills_it_first),
		cmocka_unit_test(the_high_limit_never_ends),
		cmocka_unit_test(without_growth_it_stays_as_it_is),
		cmocka_unit_test(growth_that_is_unknown_is_not_none),
		cmocka_unit_test(what_cannot_be_told_has_no_forecast),
		cmocka_unit_test(growth_of_the_machine_counts_for_the_machine_alone),
		cmocka_unit_test(kernel_memory_counts_when_it_is_the_leak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
