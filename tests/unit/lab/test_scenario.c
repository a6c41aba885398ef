#include "test.h"

#include <math.h>

#include "lab/scenario/plan_text.h"
#include "lab/scenario/set.h"

#define BASE                                \
	"[scenario]\n"                      \
	"title = A test\n"                  \
	"[group api]\n"                     \
	"path = system.slice/api.service\n" \
	"[load api]\n"                      \
	"kind = service\n"                  \
	"group = api\n"                     \
	"[load worker]\n"                   \
	"kind = leak\n"                     \
	"group = api\n"                     \
	"rate = 1M\n"                       \
	"[phase calm]\n"                    \
	"start = api\n"                     \
	"wait = 6s\n"                       \
	"[phase leak]\n"                    \
	"start = worker\n"                  \
	"until = killed worker\n"           \
	"limit = 30s\n"

static const struct scenario_choice NONE = { 0 };
static struct scenario_set opened;

static const struct scenario_set *set_with(const char *text,
					   const struct scenario_choice *choice)
{
	struct lab_error error = { "" };
	int r;

	scenario_set_done(&opened);
	r = scenario_set_parse(span_cstr(text), "x.ini", choice, &opened, &error);
	if (r < 0)
		print_message("%s\n", error.text);
	assert_int_equal(r, 0);
	return &opened;
}

static const struct scenario *only(const char *text)
{
	const struct scenario_set *set = set_with(text, &NONE);

	assert_int_equal(set->arms, 1);
	return &set->arm[0];
}

static const struct scenario *arm(const struct scenario_set *set, const char *name)
{
	const struct scenario *found = scenario_set_arm(set, span_cstr(name));

	assert_non_null(found);
	return found;
}

static const char *value(const struct scenario *scenario, enum section section,
			 const char *name, const char *key)
{
	const struct setting *row = settings_find(&scenario->settings, section, name, key);

	return row ? row->value : "(not set)";
}

static const char *plan(const struct scenario *scenario)
{
	static char buffer[16384];
	struct text text = text_on(buffer, sizeof(buffer));

	plan_print(scenario, 7, &text);
	return buffer;
}

static void keys_that_are_not_given_have_their_defaults(void **state)
{
	const struct scenario *scenario = only(BASE);

	assert_string_equal(scenario->name, "x");
	assert_string_equal(scenario->arm, "base");
	assert_int_equal(scenario->machine.ram, 512 << 20);
	assert_int_equal(scenario->machine.disk_bps, 40 << 20);
	assert_int_equal(scenario->machine.swap, SWAP_NONE);
	assert_int_equal(scenario->interval_us, SECOND_US);
	assert_string_equal(scenario->truth.class, "");
	assert_string_equal(scenario->truth.onset, "harm");
	assert_string_equal(scenario->load[1].program, "worker");
	assert_int_equal(scenario->phase[1].limit_us, 30 * SECOND_US);
	assert_true(scenario->phase[1].wait_us == VALUE_UNSET);
}

static void a_value_may_go_on_in_indented_lines(void **state)
{
	assert_string_equal(
		only(BASE "[machine]\ncmdline = one\n\ttwo\n  three\n")->machine.cmdline,
		"one two three");
}

static void a_key_named_as_the_one_before_it_in_another_section_is_kept(void **state)
{
	/* libeconf 0.5.1 leaves it out of its list. */
	assert_int_equal(only(BASE "[phase more]\nlimit = 7s\nwait = 1s\n")->phase[2].limit_us,
			 7 * SECOND_US);
}

static void the_measured_part_is_the_phase_of_that_name_or_the_last(void **state)
{
	assert_string_equal(only(BASE)->measure.from, "leak");
	assert_string_equal(
		only(BASE "[phase measure]\nwait = 1s\n[phase end]\nwait = 1s\n")->measure.from,
		"measure");
	assert_string_equal(only(BASE "[measure]\nfrom = calm\n")->measure.from, "calm");
}

static void the_plan_says_what_the_guest_does_in_order(void **state)
{
	assert_string_equal(plan(only(BASE)),
			    "seed 7\n"
			    "need memcg\n"
			    "mount data /data ro\n"
			    "group system.slice/api.service\n"
			    "load api system.slice/api.service api service\n"
			    "load worker system.slice/api.service worker leak rate=1048576\n"
			    "observe 1000000\n"
			    "phase calm\n"
			    "start api\n"
			    "wait 6000000\n"
			    "phase leak\n"
			    "start worker\n"
			    "until killed worker limit 30000000\n"
			    "end\n");
}

static void a_phase_turns_knobs_sets_stops_starts_and_then_waits(void **state)
{
	const char *text = plan(only(BASE "[phase more]\n"
					  "wait = 1s\n"
					  "until = current api > 1M\n"
					  "start = api\n"
					  "stop = api\n"
					  "set.api.memory.max = 2M\n"
					  "knob.swappiness = 0\n"));

	assert_non_null(
		strstr(text, "phase more\n"
			     "write /proc/sys/vm/swappiness 0\n"
			     "set system.slice/api.service memory.max 2097152\n"
			     "stop api\n"
			     "start api\n"
			     "until current system.slice/api.service > 1048576 limit 60000000\n"
			     "wait 1000000\n"
			     "end\n"));
}

static void each_kind_of_swap_has_its_line(void **state)
{
	static const struct {
		const char *keys;
		const char *line;
	} cases[] = {
		{ "swap = file\n",
		  "mount scratch /scratch rw\nswap file /scratch/swapfile 67108864\n" },
		{ "swap = partition\n", "mount data /data ro\nswap disk swap\n" },
		{ "swap = partition\nswap_delay = 3ms\n", "delay swap 3000\nswap disk swap\n" },
		{ "swap = zram\n", "need swap\nneed zram\n" },
		{ "swap = zram\n", "swap zram 67108864 -\n" },
		{ "swap = zswap\ncompressor = lz4\n", "swap zswap swap lz4 20\n" },
		{ "disk_delay = 100us\n", "delay data 100\nmount data /data ro\n" },
	};
	char text[2048];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i].line);
		snprintf(text, sizeof(text), "%s[machine]\nswap_size = 64M\n%s", BASE,
			 cases[i].keys);
		assert_non_null(strstr(plan(only(text)), cases[i].line));
	}
}

static void a_feature_is_asked_for_once(void **state)
{
	const char *text =
		plan(only(BASE "[knobs]\nthp = always\nthp_defrag = always\nmglru = 1\n"));
	const char *first = strstr(text, "need thp\n");

	assert_non_null(first);
	assert_null(strstr(first + 1, "need thp\n"));
	assert_non_null(strstr(text, "need mglru\n"));
}

static void a_program_has_the_largest_code_of_its_loads(void **state)
{
	const struct scenario *scenario = only(BASE "[load more]\n"
						    "kind = service\n"
						    "group = api\n"
						    "program = api\n"
						    "code = 32M\n"
						    "[load probe]\n"
						    "kind = prober\n"
						    "group = api\n"
						    "[phase more]\n"
						    "start = more probe\n"
						    "[file /data/a]\n"
						    "size = 1M\n");
	struct machine machine;

	assert_int_equal(scenario_machine(scenario, 1, &machine), 0);
	free(machine.plan);
	assert_int_equal(machine.programs, 4);
	assert_string_equal(machine.program[0].name, "api");
	assert_int_equal(machine.program[0].code_bytes, 32 << 20);
	assert_int_equal(machine.program[1].code_bytes, 8 << 20);
	assert_string_equal(machine.program[3].name, "true");
	assert_string_equal(machine.program[3].host, "/bin/true");
	assert_int_equal(machine.files, 1);
	assert_int_equal(machine.file[0].bytes, 1 << 20);
}

static void a_foreign_program_is_no_copy_of_the_guest(void **state)
{
	const struct scenario *scenario = only(BASE "[load earlyoom]\n"
						    "kind = program\n"
						    "group = api\n"
						    "exec = /data/bin/earlyoom\n"
						    "[phase more]\n"
						    "start = earlyoom\n"
						    "[program earlyoom]\n"
						    "package = earlyoom\n");
	struct machine machine;

	assert_int_equal(scenario_machine(scenario, 1, &machine), 0);
	free(machine.plan);
	assert_int_equal(machine.programs, 3);
	assert_string_equal(machine.program[2].package, "earlyoom");
	assert_string_equal(machine.program[2].host, "");
}

static void a_foreign_program_that_no_phase_starts_need_not_be_had(void **state)
{
	const struct scenario *scenario = only(BASE "[load earlyoom]\n"
						    "kind = program\n"
						    "group = api\n"
						    "exec = /data/bin/earlyoom\n"
						    "[program earlyoom]\n"
						    "package = earlyoom\n");
	struct machine machine;

	assert_int_equal(scenario_machine(scenario, 1, &machine), 0);
	free(machine.plan);
	assert_int_equal(machine.programs, 2);
}

static void a_swap_file_brings_the_disk_it_lies_on(void **state)
{
	const struct scenario *scenario =
		only(BASE "[machine]\nswap = file\nswap_size = 256M\n");
	struct machine machine;

	assert_int_equal(scenario_machine(scenario, 1, &machine), 0);
	free(machine.plan);
	assert_true(machine.scratch_bytes > (uint64_t)256 << 20);
	assert_int_equal(machine.swap, SWAP_FILE);
}

static void a_machine_may_have_a_root_of_its_own(void **state)
{
	struct machine machine;

	assert_int_equal(scenario_machine(only(BASE), 1, &machine), 0);
	free(machine.plan);
	assert_string_equal(machine.root, "");
	assert_int_equal(scenario_machine(only(BASE "[machine]\nroot = peers\n"), 1, &machine),
			 0);
	free(machine.plan);
	assert_string_equal(machine.root, "peers");
}

static void arms_change_keys_and_take_them_away(void **state)
{
	const struct scenario_set *set = set_with(BASE "[arm slow]\n"
						       "title = Slowly\n"
						       "load.worker.rate = 0.25M\n"
						       "[arm calm]\n"
						       "base = yes\n"
						       "phase.leak.start =\n"
						       "phase.leak.until =\n"
						       "phase.leak.wait = 5s\n",
						  &NONE);

	assert_int_equal(set->arms, 2);
	assert_string_equal(value(arm(set, "slow"), SECTION_LOAD, "worker", "rate"), "0.25M");
	assert_string_equal(arm(set, "slow")->arm_title, "Slowly");
	assert_string_equal(arm(set, "calm")->phase[1].start, "");
	assert_ptr_equal(scenario_set_base(set), arm(set, "calm"));
	assert_string_equal(value(arm(set, "calm"), SECTION_LOAD, "worker", "rate"), "1M");
}

static void an_arm_may_bring_loads_and_groups_of_its_own(void **state)
{
	const struct scenario_set *set = set_with(BASE "[arm guarded]\n"
						       "group.guard.path = guard.slice\n"
						       "load.guard.kind = idle\n"
						       "load.guard.group = guard\n"
						       "phase.calm.start = guard api\n",
						  &NONE);

	assert_int_equal(arm(set, "guarded")->loads, 3);
	assert_string_equal(arm(set, "guarded")->load[2].group->path, "guard.slice");
}

static void a_matrix_makes_every_arm_with_every_value(void **state)
{
	const struct scenario_set *set = set_with(BASE "[arm a]\n"
						       "title = A\n"
						       "[arm b]\n"
						       "title = B\n"
						       "[matrix]\n"
						       "load.worker.rate = 1M 0.25M 20M\n"
						       "knob.swappiness = 0 60\n",
						  &NONE);

	assert_int_equal(set->arms, 12);
	assert_string_equal(set->arm[0].arm, "a.1M.0");
	assert_string_equal(set->arm[1].arm, "a.1M.60");
	assert_string_equal(set->arm[11].arm, "b.20M.60");
	assert_string_equal(value(arm(set, "b.0.25M.60"), SECTION_LOAD, "worker", "rate"),
			    "0.25M");
	assert_string_equal(value(arm(set, "b.0.25M.60"), SECTION_KNOBS, "", "swappiness"),
			    "60");
	assert_string_equal(arm(set, "b.0.25M.60")->arm_title, "B");
}

static void a_matrix_without_arms_is_named_by_its_values(void **state)
{
	const struct scenario_set *set =
		set_with(BASE "[matrix]\nknob.thp_defrag = always defer+madvise\n", &NONE);

	assert_int_equal(set->arms, 2);
	assert_string_equal(set->arm[1].arm, "defer+madvise");
}

static void a_matrix_without_values_is_none(void **state)
{
	assert_string_equal(only(BASE "[matrix]\nmachine.ram =\n")->arm, "base");
}

static void later_overrides_win(void **state)
{
	static const char text[] = BASE "[machine]\n"
					"ram = 256M\n"
					"[arm a]\n"
					"machine.ram = 384M\n"
					"[quick]\n"
					"machine.ram = 192M\n";
	static const char *const given[] = { "machine.ram = 1G" };
	const struct scenario_choice quick = { .quick = true };
	const struct scenario_choice both = { .quick = true, .set = given, .sets = 1 };

	assert_int_equal(set_with(text, &NONE)->arm[0].machine.ram, 384 << 20);
	assert_int_equal(set_with(text, &quick)->arm[0].machine.ram, 192 << 20);
	assert_int_equal(set_with(text, &both)->arm[0].machine.ram, 1 << 30);
}

static void quick_runs_only_its_arms_and_their_shapes(void **state)
{
	static const char text[] = BASE "[arm a-1]\n"
					"title = 1\n"
					"[arm a-2]\n"
					"title = 2\n"
					"[arm b]\n"
					"title = b\n"
					"[quick]\n"
					"arms = a-*\n"
					"[shape]\n"
					"with-b = a-1.phase < b.phase\n"
					"without = a-1.phase < a-2.phase * 2\n";
	const struct scenario_choice quick = { .quick = true };
	const struct scenario_set *set = set_with(text, &NONE);

	assert_int_equal(set->arms, 3);
	assert_int_equal(set->shapes, 2);
	set = set_with(text, &quick);
	assert_int_equal(set->arms, 2);
	assert_int_equal(set->shapes, 1);
	assert_string_equal(set->shape[0].name, "without");
	assert_ptr_equal(set->shape[0].right, arm(set, "a-2"));
	assert_true(fabs(set->shape[0].factor - 2) < 1e-9);
}

static void a_shape_may_have_a_number_on_its_right(void **state)
{
	const struct scenario_set *set =
		set_with(BASE "[shape]\nmany = base.reread > 1.5G\n", &NONE);

	assert_int_equal(set->shapes, 1);
	assert_null(set->shape[0].right);
	assert_string_equal(set->shape[0].left_figure, "reread");
	assert_int_equal(set->shape[0].comparison, '>');
	assert_true(fabs(set->shape[0].factor - 1.5 * (1 << 30)) < 1);
}

static void anchors_are_numbers_ranges_open_or_none(void **state)
{
	const struct scenario *scenario = only(BASE "[anchors]\n"
						    "a = 78\n"
						    "b = 5-7\n"
						    "c = < 2\n"
						    "d = > 2M\n"
						    "e = none\n"
						    "source = table 1\n");
	const struct scenario_anchor *anchor = scenario->anchor;

	assert_int_equal(scenario->anchors, 5);
	assert_true(fabs(anchor[0].low - 78) + fabs(anchor[0].high - 78) < 1e-9);
	assert_true(fabs(anchor[1].low - 5) + fabs(anchor[1].high - 7) < 1e-9);
	assert_true(isinf(anchor[2].low) && fabs(anchor[2].high - 2) < 1e-9);
	assert_true(isinf(anchor[3].high) && fabs(anchor[3].low - 2097152) < 0.5);
	assert_true(isnan(anchor[4].low) && isnan(anchor[4].high));
	assert_string_equal(scenario->anchor_source, "table 1");
}

static const struct scenario_set *opened_from(const char *path)
{
	struct lab_error error = { "" };
	int r;

	scenario_set_done(&opened);
	r = scenario_set_open(path, &NONE, &opened, &error);
	if (r < 0)
		print_message("%s\n", error.text);
	assert_int_equal(r, 0);
	return &opened;
}

static void a_scenario_like_another_changes_what_it_says(void **state)
{
	const char *folder = TREE({ "parent.ini", BASE "[arm a]\ntitle = A\n" },
				  { "child.ini", "[scenario]\n"
						 "like = parent\n"
						 "[load worker]\n"
						 "rate =\n"
						 "base = 5M\n"
						 "[phase more]\n"
						 "wait = 1s\n" });
	const struct scenario_set *set = opened_from(path_in(folder, "child.ini"));
	const struct scenario *child = arm(set, "a");

	assert_string_equal(child->name, "child");
	assert_string_equal(child->title, "");
	assert_int_equal(child->loads, 2);
	assert_string_equal(value(child, SECTION_LOAD, "worker", "rate"), "(not set)");
	assert_string_equal(value(child, SECTION_LOAD, "worker", "base"), "5M");
	assert_string_equal(child->phase[2].name, "more");
	assert_string_equal(value(child, SECTION_SCENARIO, "", "like"), "(not set)");
}

static void a_circle_of_scenarios_is_seen(void **state)
{
	const char *folder = TREE({ "a.ini", "[scenario]\nlike = b\n" },
				  { "b.ini", "[scenario]\nlike = c\n" },
				  { "c.ini", "[scenario]\nlike = b\n" });
	struct scenario_set set;
	struct lab_error error = { "" };

	assert_true(scenario_set_open(path_in(folder, "a.ini"), &NONE, &set, &error) < 0);
	assert_non_null(strstr(error.text, "c.ini:2: scenario.like: 'b': leads in a circle"));
}

static void a_file_that_is_not_there_is_said_by_its_name(void **state)
{
	struct scenario_set set;
	struct lab_error error = { "" };

	assert_true(scenario_set_open("/no/such.ini", &NONE, &set, &error) < 0);
	assert_non_null(strstr(error.text, "/no/such.ini: cannot be read: No such file"));
	assert_true(scenario_set_open("no-such", &NONE, &set, &error) < 0);
	assert_non_null(strstr(error.text, "no-such: no scenario of this name"));
}

/* The rooms do not know each other, so the names stand in both. */
static void a_truth_is_any_class_that_a_verdict_has(void **state)
{
	static const char *const classes[] = {
#define X(id, name, ...) name,
#include "analysis/classes.def"
#undef X
	};
	const struct value_rule *rule = &key_find(SECTION_TRUTH, "", "class")->rule;
	uint64_t number;
	size_t words = 0;
	struct span rest = span_cstr(rule->words);
	struct span word;

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		case_of(classes[i]);
		assert_int_equal(value_number(rule, span_cstr(classes[i]), &number), 0);
	}
	while (span_word(&rest, &word))
		words++;
	/* And the two that no rule finds: healthy and unknown. */
	assert_int_equal(words, ARRAY_LEN(classes) + 2);
}

static int forget(void **state)
{
	scenario_set_done(&opened);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_that_are_not_given_have_their_defaults),
		cmocka_unit_test(a_value_may_go_on_in_indented_lines),
		cmocka_unit_test(a_key_named_as_the_one_before_it_in_another_section_is_kept),
		cmocka_unit_test(the_measured_part_is_the_phase_of_that_name_or_the_last),
		cmocka_unit_test(the_plan_says_what_the_guest_does_in_order),
		cmocka_unit_test(a_phase_turns_knobs_sets_stops_starts_and_then_waits),
		cmocka_unit_test(each_kind_of_swap_has_its_line),
		cmocka_unit_test(a_feature_is_asked_for_once),
		cmocka_unit_test(a_program_has_the_largest_code_of_its_loads),
		cmocka_unit_test(a_foreign_program_is_no_copy_of_the_guest),
		cmocka_unit_test(a_foreign_program_that_no_phase_starts_need_not_be_had),
		cmocka_unit_test(a_swap_file_brings_the_disk_it_lies_on),
		cmocka_unit_test(a_machine_may_have_a_root_of_its_own),
		cmocka_unit_test(arms_change_keys_and_take_them_away),
		cmocka_unit_test(an_arm_may_bring_loads_and_groups_of_its_own),
		cmocka_unit_test(a_matrix_makes_every_arm_with_every_value),
		cmocka_unit_test(a_matrix_without_arms_is_named_by_its_values),
		cmocka_unit_test(a_matrix_without_values_is_none),
		cmocka_unit_test(later_overrides_win),
		cmocka_unit_test(quick_runs_only_its_arms_and_their_shapes),
		cmocka_unit_test(a_shape_may_have_a_number_on_its_right),
		cmocka_unit_test(anchors_are_numbers_ranges_open_or_none),
		cmocka_unit_test(a_scenario_like_another_changes_what_it_says),
		cmocka_unit_test(a_circle_of_scenarios_is_seen),
		cmocka_unit_test(a_file_that_is_not_there_is_said_by_its_name),
		cmocka_unit_test(a_truth_is_any_class_that_a_verdict_has),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
