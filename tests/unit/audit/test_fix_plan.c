#include "fixture.h"

#include "fix/plan.h"

static struct looked looked;
static struct fix_plan plan;
static struct fix_step step[4];
static size_t steps;

static void emit(struct audit *audit)
{
	struct result *result = audit_fail(audit, "", "it fires");

	for (size_t i = 0; i < steps; i++)
		result_fix(result, step[i]);
}

static const struct rule ONE = {
	.id = "ONE-001", .title = "One", .level = LEVEL_HIGH, .test = emit
};
static const struct rule TWO = {
	.id = "TWO-001", .title = "Two", .level = LEVEL_LOW, .test = emit
};

static void look(const char *tree)
{
	looked_open(tree, NULL, &looked);
}

/* One rule that fires with these steps. */
static void fires(const struct rule *rule, const struct fix_step *list, size_t count)
{
	assert_true(count <= ARRAY_LEN(step));
	for (size_t i = 0; i < count; i++)
		step[i] = list[i];
	steps = count;
	audit_rule(&looked.audit, rule);
}
#define FIRES(rule, ...)                                      \
	fires(rule, (const struct fix_step[]){ __VA_ARGS__ }, \
	      sizeof((const struct fix_step[]){ __VA_ARGS__ }) / sizeof(struct fix_step))

static const char *after(const char *path)
{
	fix_plan_make(&looked.audit, LEVEL_INFO, &plan);
	for (size_t i = 0; i < plan.files; i++)
		if (strcmp(plan.file[i].path, path) == 0)
			return plan.file[i].after ? plan.file[i].after : "(nothing)";
	return "(none)";
}

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

#define EMPTY() TREE({ "proc/vmstat", "oom_kill 0\n" })
#define SYSCTL "etc/sysctl.d/90-refault.conf"

static void a_setting_has_its_rule_and_the_value_before_beside_it(void **state)
{
	look(EMPTY());
	FIRES(&ONE, { .kind = FIX_SYSCTL,
		      .key = "vm/swappiness",
		      .value = "10",
		      .previous = "0",
		      .computed = "because" });
	assert_string_equal(after(SYSCTL), FIX_MARK "\n# ONE-001: One\n# because\n# before: 0\n"
						    "vm/swappiness = 10\n");
}

static void settings_of_earlier_runs_stay_and_the_same_one_is_replaced(void **state)
{
	look(TREE({ SYSCTL, FIX_MARK "\n# A\nvm/a = 1\n\n# B\nvm/b = 2\n" }));
	FIRES(&ONE, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "9" });
	assert_string_equal(after(SYSCTL),
			    FIX_MARK "\n# ONE-001: One\nvm/a = 9\n\n# B\nvm/b = 2\n");
}

static void a_unit_gets_a_drop_in_with_its_section(void **state)
{
	look(EMPTY());
	FIRES(&ONE,
	      { .kind = FIX_UNIT,
		.name = "a.service",
		.section = "Service",
		.key = "MemoryMin",
		.value = "5M" },
	      { .kind = FIX_UNIT,
		.name = "a.service",
		.section = "Service",
		.key = "MemoryMax",
		.value = "9M" });
	assert_string_equal(after("etc/systemd/system/a.service.d/90-refault.conf"),
			    FIX_MARK "\n# ONE-001: One\n[Service]\nMemoryMin=5M\n\n"
				     "# ONE-001: One\n[Service]\nMemoryMax=9M\n");
}

static void the_kubelets_drop_in_is_a_configuration_of_its_own(void **state)
{
	look(EMPTY());
	FIRES(&ONE, { .kind = FIX_KUBELET,
		      .name = "etc/kubernetes/kubelet.conf.d",
		      .key = "memorySwap.swapBehavior",
		      .value = "LimitedSwap" });
	assert_non_null(strstr(after("etc/kubernetes/kubelet.conf.d/90-refault.conf"),
			       "kind: KubeletConfiguration\n"));
	assert_non_null(strstr(after("etc/kubernetes/kubelet.conf.d/90-refault.conf"),
			       "memorySwap:\n  \"swapBehavior\": LimitedSwap\n"));
}

static void two_rules_that_disagree_write_neither(void **state)
{
	look(EMPTY());
	FIRES(&ONE, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" },
	      { .kind = FIX_SYSCTL, .key = "vm/b", .value = "1" });
	FIRES(&TWO, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "2" });
	assert_string_equal(after(SYSCTL), FIX_MARK "\n# ONE-001: One\nvm/b = 1\n");
	assert_int_equal(plan.lefts, 1);
	assert_non_null(strstr(plan.left[0].text, "ONE-001 wants 1 and TWO-001 wants 2"));
}

static void two_rules_that_agree_write_it_once(void **state)
{
	look(EMPTY());
	FIRES(&ONE, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" });
	FIRES(&TWO, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" });
	assert_string_equal(after(SYSCTL), FIX_MARK "\n# TWO-001: Two\nvm/a = 1\n");
	assert_int_equal(plan.lefts, 0);
}

static void a_file_without_our_mark_is_left_alone(void **state)
{
	look(TREE({ SYSCTL, "vm.a = 5\n" }));
	FIRES(&ONE, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" });
	assert_string_equal(after(SYSCTL), "vm.a = 5\n");
	assert_int_equal(plan.lefts, 1);
	assert_true(fix_plan_is_empty(&plan));
}

static void what_a_later_file_sets_is_not_written(void **state)
{
	look(TREE({ "etc/sysctl.d/99-z.conf", "vm.a = 5\n" }, { "proc/sys/vm/a", "5\n" }));
	FIRES(&ONE, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" });
	assert_string_equal(after(SYSCTL), "(none)");
	assert_non_null(strstr(plan.left[0].text, "etc/sysctl.d/99-z.conf:1"));
}

static void names_and_values_that_would_be_more_than_one_line_are_refused(void **state)
{
	look(EMPTY());
	FIRES(&ONE,
	      { .kind = FIX_UNIT,
		.name = "a\n.service",
		.section = "Service",
		.key = "A",
		.value = "1" },
	      { .kind = FIX_UNIT,
		.name = "../a.service",
		.section = "Service",
		.key = "A",
		.value = "1" },
	      { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1\nkernel.x = 2" },
	      { .kind = FIX_SYSCTL, .key = "../../x", .value = "1" });
	fix_plan_make(&looked.audit, LEVEL_INFO, &plan);
	assert_int_equal(plan.files, 0);
	assert_int_equal(plan.lefts, 4);
}

static void what_is_less_than_asked_for_is_left_out(void **state)
{
	look(EMPTY());
	FIRES(&TWO, { .kind = FIX_SYSCTL, .key = "vm/a", .value = "1" });
	fix_plan_make(&looked.audit, LEVEL_MED, &plan);
	assert_int_equal(plan.files, 0);
	assert_true(fix_plan_is_empty(&plan));
}

static void a_swap_file_that_is_there_is_not_ours_to_make(void **state)
{
	look(TREE({ "swapfile", "x" }, { "proc/vmstat", "" }));
	FIRES(&ONE, { .kind = FIX_SWAPFILE, .name = "swapfile", .value = "1048576" });
	fix_plan_make(&looked.audit, LEVEL_INFO, &plan);
	assert_null(plan.swapfile);
	assert_int_equal(plan.lefts, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_setting_has_its_rule_and_the_value_before_beside_it),
		TEST(settings_of_earlier_runs_stay_and_the_same_one_is_replaced),
		TEST(a_unit_gets_a_drop_in_with_its_section),
		TEST(the_kubelets_drop_in_is_a_configuration_of_its_own),
		TEST(two_rules_that_disagree_write_neither),
		TEST(two_rules_that_agree_write_it_once),
		TEST(a_file_without_our_mark_is_left_alone),
		TEST(what_a_later_file_sets_is_not_written),
		TEST(names_and_values_that_would_be_more_than_one_line_are_refused),
		TEST(what_is_less_than_asked_for_is_left_out),
		TEST(a_swap_file_that_is_there_is_not_ours_to_make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
