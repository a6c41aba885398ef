#include "run.h"

#include <errno.h>

#include "lab/figures/compare.h"

static const enum figure_id COLUMNS[] = { FIG_PHASE, FIG_REREAD };
static char text[1 << 16];
static struct lab_error error;

static int compare(const char *a, const char *b, bool forced)
{
	const struct compare both = { a, b, COLUMNS, ARRAY_LEN(COLUMNS), forced };
	FILE *file = fmemopen(text, sizeof(text), "w");
	int r = compare_print(&both, file, &error);

	fclose(file);
	return r;
}

static void expect(const char *part)
{
	case_of(part);
	if (!strstr(text, part))
		fail_msg("not in:\n%s", text);
}

#define KVM "[run]\narm=plain\nstatus=done\n[host]\naccelerator=kvm\n[guest]\nrelease=7.2.13\n"

static void the_same_run_twice_has_no_differences(void **state)
{
	const char *run = RUN_OF({ 0 });

	assert_int_equal(compare(run, run, false), 0);
	expect("Both were run in the same way.");
	expect("plain (6.12) x1");
	expect("1.00");
	expect("Pressure phase");
	assert_null(strstr(text, "differs"));
}

static void what_was_set_differently_is_named(void **state)
{
	static const char a[] =
		"[scenario]\ntitle=x\n[machine]\nram=512M\ncpus=2\n[knobs]\nonly=a\n";
	static const char b[] =
		"[scenario]\ntitle=y\n[machine]\nram=1G\ncpus=2\n[knobs]\nother=\x1b\n";

	assert_int_equal(
		compare(RUN_OF({ "scenario.ini", a }), RUN_OF({ "scenario.ini", b }), false),
		0);
	expect("  differs  machine.ram: 512M -> 1G\n");
	expect("  differs  knobs.only: a -> -\n");
	expect("  differs  knobs.other: - -> \\x1b\n");
	assert_null(strstr(text, "title"));
	assert_null(strstr(text, "cpus"));
}

static void runs_of_different_accelerators_are_not_compared_unless_forced(void **state)
{
	const char *tcg = RUN_OF({ 0 });
	const char *kvm = RUN_OF({ "run.ini", KVM });

	assert_int_equal(compare(tcg, kvm, false), -EXDEV);
	assert_non_null(strstr(error.text, "one ran under tcg and the other under kvm"));
	assert_int_equal(compare(tcg, kvm, true), 0);
	expect("  differs  host.accelerator: tcg -> kvm\n");
	expect("  differs  guest.release: 6.12.117+deb13-cloud-amd64 -> 7.2.13\n");
}

static void sets_are_compared_arm_by_arm(void **state)
{
	const char *one = RUN_OF({ "run.ini", "[run]\narm=one\nstatus=done\n" });
	const char *two = RUN_OF({ "run.ini", "[run]\narm=two\nstatus=done\n" });
	const char *lost = TREE({ "run.ini", "[run]\narm=two\nstatus=lost\n" });
	char links[3][300];
	const char *a;
	const char *b;

	snprintf(links[0], sizeof(links[0]), "->%s", one);
	snprintf(links[1], sizeof(links[1]), "->%s", two);
	snprintf(links[2], sizeof(links[2]), "->%s", lost);
	a = TREE({ "1", links[0] }, { "2", links[1] });
	b = TREE({ "1", links[1] }, { "2", links[0] });
	assert_int_equal(compare(a, b, false), 0);
	expect("A: one () x1   B: one () x1");
	expect("A: two () x1   B: two () x1");
	assert_null(strstr(text, "A: one () x1   B: two"));
	/* Single arms are compared whatever their names; of what was lost there is nothing. */
	assert_int_equal(compare(one, two, false), 0);
	expect("A: one () x1   B: two () x1");
	assert_int_equal(compare(a, lost, false), -ENODATA);
	assert_non_null(strstr(error.text, "no arm in common"));
	assert_int_equal(compare(a, "/nowhere/at/all", false), -ENOENT);
	assert_int_equal(compare("/nowhere/at/all", b, false), -ENOENT);
}

static void kernels_of_one_set_are_kept_apart(void **state)
{
	char links[2][300];
	const char *set;

	snprintf(links[0], sizeof(links[0]), "->%s", RUN_OF({ 0 }));
	snprintf(links[1], sizeof(links[1]), "->%s",
		 RUN_OF({ "run.ini", "[run]\narm=plain\nstatus=done\n[host]\naccelerator=tcg\n"
				     "[guest]\nrelease=7.2.13\n" }));
	set = TREE({ "1", links[0] }, { "2", links[1] });
	assert_int_equal(compare(set, set, false), 0);
	expect("A: plain (6.12) x1   B: plain (6.12) x1");
	expect("A: plain (7.2) x1   B: plain (7.2) x1");
	assert_null(strstr(text, "A: plain (6.12) x1   B: plain (7.2)"));
}

static void json_has_the_differences_too(void **state)
{
	const char *a = RUN_OF({ "scenario.ini", "[machine]\nram=512M\n" });
	const char *b = RUN_OF({ "scenario.ini", "[machine]\nram=1G\n" });
	const struct compare both = { a, b, COLUMNS, ARRAY_LEN(COLUMNS), false };
	FILE *file = fmemopen(text, sizeof(text), "w");
	struct json json = json_on(file, false);

	assert_int_equal(compare_json(&both, &json, &error), 0);
	fclose(file);
	expect("{\"section\":\"machine\",\"key\":\"ram\",\"a\":\"512M\",\"b\":\"1G\"}");
	expect("\"reread\":{\"a\":");
	expect("\"ratio\":1,");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_run_twice_has_no_differences),
		cmocka_unit_test(what_was_set_differently_is_named),
		cmocka_unit_test(runs_of_different_accelerators_are_not_compared_unless_forced),
		cmocka_unit_test(sets_are_compared_arm_by_arm),
		cmocka_unit_test(kernels_of_one_set_are_kept_apart),
		cmocka_unit_test(json_has_the_differences_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
