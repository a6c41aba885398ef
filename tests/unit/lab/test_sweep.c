#include "run.h"

#include <math.h>

#include "lab/figures/figures.h"

#define MIB ((uint64_t)1 << 20)

static const char STAIRCASE[] = "[measure]\nfrom=leak\n[load stairs]\nkind=staircase\n";
static const char BEGIN[] = "20000000\tphase\tleak\n";

/* Sweeps of one size; the first two are slow, as first touches are. */
static uint64_t sweeps(struct ticks *ticks, uint64_t at_us, uint64_t mib, uint64_t each_us)
{
	for (int i = 0; i < 5; i++) {
		struct slot slot = { .due_us = at_us, .begun_us = at_us, .value = mib * MIB };

		at_us += i < 2 ? 900000 : each_us;
		slot.done_us = at_us;
		slot.faults = each_us > 100000 ? 5000 : 0;
		tick_of(ticks, "size", &slot);
	}
	return at_us;
}

static void compute(const struct ticks *ticks, struct figure out[FIGURES])
{
	struct series series;

	series_of(RUN_OF({ "scenario.ini", STAIRCASE }, { "marks.tsv", BEGIN },
			 { "slots/stairs.tsv", ticks->text }),
		  &series);
	figures_compute(&series, out);
	series_done(&series);
}

static void expect_near(const struct figure *figures, enum figure_id id, double value)
{
	case_of(figure_row(id)->name);
	assert_null(figures[id].why);
	assert_near(figures[id].value, value, 0.01 * value);
}

static void expect_none(const struct figure *figures, enum figure_id id, const char *why)
{
	case_of(figure_row(id)->name);
	assert_true(isnan(figures[id].value));
	assert_string_equal(figures[id].why, why);
}

/* Up over the limit of 100 MiB and down again, a little later: 100 times slower beyond it. */
static void the_cliff_is_where_speed_changes_its_level(void **state)
{
	static const struct {
		uint64_t mib;
		uint64_t each_us;
	} steps[] = {
		{ 80, 8000 },	  { 90, 9000 },	    { 100, 30000 },
		{ 110, 1100000 }, { 120, 1200000 }, { 110, 1100000 },
		{ 100, 1000000 }, { 90, 9000 },	    { 80, 8000 },
	};
	static struct ticks ticks;
	struct figure figure[FIGURES];
	uint64_t at = 20000000;

	ticks_begin(&ticks);
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		at = sweeps(&ticks, at, steps[i].mib, steps[i].each_us);
	compute(&ticks, figure);
	expect_near(figure, FIG_CLIFF_AT, 100.0 * MIB);
	expect_near(figure, FIG_CLIFF_DOWN_AT, 90.0 * MIB);
	expect_near(figure, FIG_CLIFF_DOWN_RATIO, 100);
	assert_true(figure[FIG_CLIFF_RATIO].value > 60 && figure[FIG_CLIFF_RATIO].value < 100);
	expect_near(figure, FIG_SWEEP_SPEED_FIT, 80.0 * MIB / 0.008);
	expect_near(figure, FIG_SWEEP_SPEED_OVER, 100.0 * MIB);
	expect_near(figure, FIG_SWEEP_FAULTS, 5000);
}

static void a_slope_is_no_cliff(void **state)
{
	static struct ticks ticks;
	struct figure figure[FIGURES];
	uint64_t at = 20000000;

	ticks_begin(&ticks);
	for (uint64_t mib = 50; mib <= 100; mib += 10)
		at = sweeps(&ticks, at, mib, mib * 150);
	compute(&ticks, figure);
	expect_none(figure, FIG_CLIFF_AT, "no cliff");
	expect_near(figure, FIG_CLIFF_RATIO, 1);
	expect_none(figure, FIG_CLIFF_DOWN_AT, "not swept downwards");
	expect_none(figure, FIG_SWEEP_SPEED_OVER, "no cliff");
	expect_near(figure, FIG_SWEEP_SPEED_FIT, (double)MIB / 150e-6);
	assert_near(figure[FIG_SWEEP_FAULTS].value, 0, 0);
}

static void
sizes_that_were_never_swept_whole_and_those_of_the_warm_up_do_not_count(void **state)
{
	static struct ticks ticks;
	struct figure figure[FIGURES];
	struct slot cut = { .due_us = 60000000, .begun_us = 60000000, .value = 300 * MIB };
	uint64_t at;

	ticks_begin(&ticks);
	sweeps(&ticks, 10000000, 10, 900000);
	at = sweeps(&ticks, 20000000, 80, 8000);
	sweeps(&ticks, at, 90, 900000);
	tick_of(&ticks, "size", &cut);
	cut.value = 310 * MIB;
	cut.done_us = cut.begun_us;
	tick_of(&ticks, "size", &cut);
	compute(&ticks, figure);
	expect_near(figure, FIG_CLIFF_AT, 80.0 * MIB);
	expect_none(figure, FIG_CLIFF_DOWN_AT, "not swept downwards");
}

static void one_size_has_a_speed_and_no_cliff(void **state)
{
	static struct ticks ticks;
	struct figure figure[FIGURES];

	ticks_begin(&ticks);
	sweeps(&ticks, 20000000, 80, 8000);
	compute(&ticks, figure);
	expect_none(figure, FIG_CLIFF_RATIO, "one size only");
	expect_none(figure, FIG_CLIFF_AT, "no cliff");
	expect_near(figure, FIG_SWEEP_SPEED_FIT, 80.0 * MIB / 0.008);
}

static void without_sweeps_there_is_no_staircase(void **state)
{
	static const enum figure_id ids[] = { FIG_CLIFF_AT,	   FIG_CLIFF_RATIO,
					      FIG_CLIFF_DOWN_AT,   FIG_CLIFF_DOWN_RATIO,
					      FIG_SWEEP_SPEED_FIT, FIG_SWEEP_SPEED_OVER,
					      FIG_SWEEP_FAULTS };
	static struct ticks ticks;
	struct figure figure[FIGURES];

	ticks_begin(&ticks);
	tick(&ticks, "slot", 20000000, 20000000, 20000001);
	compute(&ticks, figure);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		expect_none(figure, ids[i], "no staircase");
}

/* A single sweep, as where memory ran out of time, is better than none. */
static void fewer_sweeps_than_are_passed_over_still_count(void **state)
{
	static struct ticks ticks;
	struct figure figure[FIGURES];
	struct slot once = { .due_us = 20000000,
			     .begun_us = 20000000,
			     .done_us = 20500000,
			     .value = 100 * MIB };

	ticks_begin(&ticks);
	tick_of(&ticks, "size", &once);
	compute(&ticks, figure);
	expect_near(figure, FIG_SWEEP_SPEED_FIT, 200.0 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cliff_is_where_speed_changes_its_level),
		cmocka_unit_test(a_slope_is_no_cliff),
		cmocka_unit_test(
			sizes_that_were_never_swept_whole_and_those_of_the_warm_up_do_not_count),
		cmocka_unit_test(one_size_has_a_speed_and_no_cliff),
		cmocka_unit_test(without_sweeps_there_is_no_staircase),
		cmocka_unit_test(fewer_sweeps_than_are_passed_over_still_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
