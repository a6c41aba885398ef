#include "fixture.h"

#include "audit/rules.h"

static void emits_nothing(struct audit *audit)
{
}

static void fails_twice(struct audit *audit)
{
	result_level(audit_fail(audit, "b", "too much: %d", 7), LEVEL_CRIT);
	audit_warn(audit, "a", "perhaps meant");
}

static void floods(struct audit *audit)
{
	for (size_t i = 0; i < AUDIT_PER_RULE + 50; i++)
		audit_fail(audit, facts_format(audit->facts, "unit %zu", i), "again");
}

static void needs(struct audit *audit)
{
	static const enum state states[] = { OK, UNLIMITED, ABSENT, DENIED, DISABLED, GARBLED };

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		const struct fact fact = { .state = states[i], .path = "proc/x", .text = "" };

		assert_int_equal(audit_has(audit, &fact, "this kernel has no x"), i < 2);
	}
}

static const struct rule GRADE_A_RULE = {
	.id = "X-001", .level = LEVEL_MED, .grade = GRADE_A, .test = fails_twice
};
static const struct rule GRADE_C_RULE = {
	.id = "X-002", .level = LEVEL_HIGH, .grade = GRADE_C, .test = fails_twice
};
static const struct rule QUIET = { .id = "X-003", .test = emits_nothing };
static const struct rule FLOOD = { .id = "X-004", .test = floods };
static const struct rule NEEDS = { .id = "X-005", .test = needs };

static struct looked looked;

static int set_up(void **state)
{
	looked_open(TREE({ "proc/vmstat", "oom_kill 0\n" }), NULL, &looked);
	return 0;
}

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

static void a_rule_that_emits_nothing_has_passed(void **state)
{
	audit_rule(&looked.audit, &QUIET);
	assert_int_equal(looked.audit.results, 1);
	assert_int_equal(looked.audit.result[0].state, AUDIT_PASS);
}

static void a_result_has_the_level_of_its_rule_unless_another_is_given(void **state)
{
	audit_rule(&looked.audit, &GRADE_A_RULE);
	assert_int_equal(looked.audit.result[0].level, LEVEL_CRIT);
	assert_int_equal(looked.audit.result[1].level, LEVEL_MED);
	assert_string_equal(looked.audit.result[0].said, "too much: 7");
}

static void one_vendors_opinion_is_never_above_low(void **state)
{
	audit_rule(&looked.audit, &GRADE_C_RULE);
	assert_int_equal(looked.audit.result[0].level, LEVEL_LOW);
	assert_int_equal(looked.audit.result[1].level, LEVEL_LOW);
}

static void a_rule_cannot_flood_the_results_of_others(void **state)
{
	audit_rule(&looked.audit, &FLOOD);
	audit_rule(&looked.audit, &QUIET);
	assert_int_equal(looked.audit.results, AUDIT_PER_RULE + 1);
	assert_true(looked.audit.cut);
	assert_ptr_equal(looked.audit.result[AUDIT_PER_RULE].rule, &QUIET);
}

static void what_could_not_be_read_is_never_a_pass(void **state)
{
	static const enum audit_state wanted[] = { AUDIT_SKIP, AUDIT_UNKNOWN, AUDIT_SKIP,
						   AUDIT_UNKNOWN };

	audit_rule(&looked.audit, &NEEDS);
	assert_int_equal(looked.audit.results, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_int_equal(looked.audit.result[i].state, wanted[i]);
	assert_string_equal(looked.audit.result[0].said, "this kernel has no x");
	assert_string_equal(looked.audit.result[1].need, "root");
}

static void what_a_tree_without_a_running_kernel_lacks_is_unknown(void **state)
{
	looked.facts.is_foreign = true;
	audit_rule(&looked.audit, &NEEDS);
	assert_int_equal(looked.audit.result[0].state, AUDIT_UNKNOWN);
}

static void a_fingerprint_is_of_rule_and_subject_only(void **state)
{
	const struct result *result = looked.audit.result;

	audit_rule(&looked.audit, &GRADE_A_RULE);
	audit_rule(&looked.audit, &GRADE_A_RULE);
	audit_rule(&looked.audit, &GRADE_C_RULE);
	assert_true(result[0].fingerprint == result[2].fingerprint);
	assert_true(result[0].fingerprint != result[1].fingerprint);
	assert_true(result[0].fingerprint != result[4].fingerprint);
}

static void what_fires_hardest_comes_first(void **state)
{
	audit_rule(&looked.audit, &QUIET);
	audit_rule(&looked.audit, &NEEDS);
	audit_rule(&looked.audit, &GRADE_A_RULE);
	audit_sort(&looked.audit);
	assert_int_equal(looked.audit.result[0].level, LEVEL_CRIT);
	assert_int_equal(looked.audit.result[1].state, AUDIT_WARN);
	assert_int_equal(looked.audit.result[2].state, AUDIT_UNKNOWN);
	assert_int_equal(looked.audit.result[looked.audit.results - 1].state, AUDIT_PASS);
}

static void more_cites_than_there_is_room_for_are_left_out(void **state)
{
	struct result *result;

	audit_rule(&looked.audit, &GRADE_A_RULE);
	result = &looked.audit.result[0];
	for (size_t i = 0; i < AUDIT_CITES + 3; i++)
		result_cite(&looked.audit, result, "n", "proc/n", "%zu", i);
	assert_int_equal(result->cites, AUDIT_CITES);
	for (size_t i = 0; i < AUDIT_FIXES + 3; i++)
		result_fix(result, (struct fix_step){ .kind = FIX_PRINT });
	assert_int_equal(result->fixes, AUDIT_FIXES);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_rule_that_emits_nothing_has_passed),
		TEST(a_result_has_the_level_of_its_rule_unless_another_is_given),
		TEST(one_vendors_opinion_is_never_above_low),
		TEST(a_rule_cannot_flood_the_results_of_others),
		TEST(what_could_not_be_read_is_never_a_pass),
		TEST(what_a_tree_without_a_running_kernel_lacks_is_unknown),
		TEST(a_fingerprint_is_of_rule_and_subject_only),
		TEST(what_fires_hardest_comes_first),
		TEST(more_cites_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
