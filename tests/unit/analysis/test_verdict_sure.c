/* How sure a verdict is, and why not more. */
#include "test.h"

#include "calm.h"

/* One snapshot: no rates, so nothing that needs one can be told. */
static void of_one_snapshot_little_can_be_told(void **state)
{
	static struct verdict verdict;

	verdict_of(EVIDENCE(calm_machine()), &verdict);
	assert_int_equal(verdict.class, CLASS_UNKNOWN);
	assert_true(verdict.untolds > 5);
	assert_int_equal(verdict.confidence, CONFIDENCE_LOW);
	assert_string_equal(verdict.confidence_why, "less than three seconds were sampled");
}

static void too_short_a_time_makes_it_unsure(void **state)
{
	const struct snapshot *before = calm_machine();

	assert_int_equal(verdict_between(before, later(before, 2.9))->confidence,
			 CONFIDENCE_LOW);
	assert_int_equal(verdict_between(before, later(before, 3.0))->confidence,
			 CONFIDENCE_HIGH);
}

static void a_gap_makes_it_unsure(void **state)
{
	const struct snapshot *before = calm_machine();
	static struct verdict verdict;

	verdict_of(EVIDENCE(before, later(before, 3.9), later(before, 10)), &verdict);
	assert_int_equal(verdict.confidence, CONFIDENCE_LOW);
	assert_string_equal(verdict.confidence_why,
			    "most of the time passed between two samples");
	verdict_of(EVIDENCE(before, later(before, 4.1), later(before, 10)), &verdict);
	assert_int_equal(verdict.confidence, CONFIDENCE_HIGH);
}

static void a_loss_near_the_threshold_is_less_sure(void **state)
{
	const struct snapshot *before = calm_machine();
	const struct verdict *verdict = verdict_between(before, freeze_later(before, 19));

	assert_string_equal(class_row(verdict->class)->name, "file-refault");
	assert_int_equal(verdict->severity, SEV_HARM);
	assert_int_equal(verdict->confidence, CONFIDENCE_MEDIUM);
	assert_string_equal(verdict->confidence_why, "the lost time is near the threshold");
	verdict = verdict_between(before, freeze_later(before, 21));
	assert_int_equal(verdict->confidence, CONFIDENCE_HIGH);
}

static void pressure_that_is_borrowed_is_less_sure(void **state)
{
	struct snapshot *before = calm_machine();
	struct snapshot *now;
	const struct verdict *verdict;

	before->cgroups[SERVICE].pressure = -1;
	now = freeze_later(before, 0);
	machine_more(now, PSI_MEM_SOME_TOTAL, SECONDS * 500000);
	verdict = verdict_between(before, now);
	assert_string_equal(class_row(verdict->class)->name, "file-refault");
	assert_int_equal(verdict->confidence, CONFIDENCE_MEDIUM);
	assert_string_equal(verdict->confidence_why,
			    "the machine's pressure stands in for the cgroup's");
}

static void harm_is_sure_whatever_else_cannot_be_told(void **state)
{
	struct snapshot *before = calm_machine();
	const struct verdict *verdict;

	machine_is(before, MI_UNEVICTABLE, ABSENT);
	own_is(before, SERVICE, CG_UNEVICTABLE, ABSENT);
	verdict = verdict_between(before, freeze_later(before, 50));
	assert_int_equal(verdict->class, CLASS_FILE_REFAULT);
	assert_true(verdict->untolds > 0);
	assert_int_equal(verdict->confidence, CONFIDENCE_HIGH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_one_snapshot_little_can_be_told),
		cmocka_unit_test(too_short_a_time_makes_it_unsure),
		cmocka_unit_test(a_gap_makes_it_unsure),
		cmocka_unit_test(a_loss_near_the_threshold_is_less_sure),
		cmocka_unit_test(pressure_that_is_borrowed_is_less_sure),
		cmocka_unit_test(harm_is_sure_whatever_else_cannot_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
