#include "test.h"

#include "lab/scenario/plan_text.h"
#include "lab/scenario/print.h"

static const struct scenario_choice NONE = { 0 };

/* What a function prints; lives until the next call. */
static char *printed;
#define PRINTED(call)                                     \
	__extension__({                                   \
		size_t length = 0;                        \
		FILE *file;                               \
                                                          \
		free(printed);                            \
		printed = NULL;                           \
		file = open_memstream(&printed, &length); \
		call;                                     \
		fclose(file);                             \
		(const char *)printed;                    \
	})

static void set_open(const char *path, struct scenario_set *out)
{
	struct lab_error error = { "" };
	int r = scenario_set_open(path, &NONE, out, &error);

	if (r < 0)
		print_message("%s\n", error.text);
	assert_int_equal(r, 0);
}

static const char *file_of(const char *name)
{
	char file[128];

	snprintf(file, sizeof(file), "%s.ini", name);
	return path_in(SCENARIOS, file);
}

static void plan_of(const struct scenario *scenario, char *buffer, size_t size)
{
	struct text text = text_on(buffer, size);

	plan_print(scenario, 1, &text);
	assert_false(text.cut);
}

/* Written, read, and written again: the same arm, the same plan, the same text. */
static void check_round_trip(const struct scenario *scenario)
{
	static char plans[2][65536];
	struct scenario_set again;
	struct lab_error error = { "" };
	char *first = strdup(PRINTED(scenario_write(scenario, file)));
	int r = scenario_set_parse(span_cstr(first), "scenario.ini", &NONE, &again, &error);

	if (r < 0)
		print_message("%s\n", error.text);
	assert_int_equal(r, 0);
	assert_int_equal(again.arms, 1);
	assert_string_equal(again.arm[0].name, scenario->name);
	assert_string_equal(again.arm[0].arm, scenario->arm);
	assert_string_equal(again.arm[0].arm_title, scenario->arm_title);
	assert_int_equal(again.arm[0].base, scenario->base);
	plan_of(scenario, plans[0], sizeof(plans[0]));
	plan_of(&again.arm[0], plans[1], sizeof(plans[1]));
	assert_string_equal(plans[0], plans[1]);
	assert_string_equal(PRINTED(scenario_write(&again.arm[0], file)), first);
	scenario_set_done(&again);
	free(first);
}

static void every_shipped_scenario_resolves_has_a_plan_and_reads_back(void **state)
{
	struct shipped shipped;
	struct lab_error error = { "" };

	assert_int_equal(shipped_open(SCENARIOS, &shipped, &error), 0);
	assert_true(shipped.rows >= 35);
	for (size_t i = 0; i < shipped.rows; i++) {
		struct scenario_set set;

		case_of(shipped.row[i].name);
		set_open(file_of(shipped.row[i].name), &set);
		for (size_t k = 0; k < set.arms; k++)
			check_round_trip(&set.arm[k]);
		scenario_set_done(&set);
	}
	shipped_done(&shipped);
}

static void every_scenario_to_verify_has_an_id_and_a_truth(void **state)
{
	struct shipped shipped;
	struct lab_error error = { "" };

	assert_int_equal(shipped_open(SCENARIOS, &shipped, &error), 0);
	for (size_t i = 0; i < shipped.rows; i++) {
		struct scenario_set set;

		if (!words_have(shipped.row[i].tags, "verify"))
			continue;
		case_of(shipped.row[i].name);
		set_open(file_of(shipped.row[i].name), &set);
		assert_int_equal(set.arm[0].id[0], 'V');
		assert_string_not_equal(set.arm[0].truth.class, "");
		assert_string_not_equal(set.arm[0].title, "");
		assert_string_equal(set.arm[0].measure.from, "measure");
		scenario_set_done(&set);
	}
	shipped_done(&shipped);
}

static void a_scenario_is_shown_with_all_its_parts(void **state)
{
	struct scenario_set set;
	struct lab_error error = { "" };
	const char *text;

	assert_int_equal(
		scenario_set_parse(seed("scenario/arms.ini"), "arms.ini", &NONE, &set, &error),
		0);
	text = PRINTED(scenario_show(&set, file));
	assert_non_null(strstr(text, "arms, X1: Everything that a file may say\n"));
	assert_non_null(strstr(text, "Machine     1G of memory, 2 processors, 2 nodes\n"));
	assert_non_null(strstr(text, "zswap before a partition of 64M, lz4"));
	assert_non_null(strstr(text, "Course      calm; start api probe guard; wait 2s\n"));
	assert_non_null(strstr(text, "until killed leak, at most 10s"));
	assert_non_null(
		strstr(text, "Truth       file-refault in a.slice, within 5s of leak\n"));
	assert_non_null(strstr(text, "published: phase 5-7, pause > 1, ticks 28%"));
	assert_non_null(strstr(text, "phase.after.stop is not set\n"));
	assert_non_null(strstr(text, "Must hold   slower: "));
	scenario_set_done(&set);
}

static void the_manual_has_every_key_load_knob_and_condition(void **state)
{
	const char *text = PRINTED(scenario_manual(file));

	for (size_t i = 0; i < LOAD_KIND_COUNT; i++)
		assert_non_null(strstr(text, LOAD_KINDS[i].name));
	assert_non_null(strstr(text, "*disk\\_bps*\n"));
	assert_non_null(strstr(text, "*compaction\\_proactiveness*\n"));
	assert_non_null(strstr(text, "*node-free 1 \\< 30M*\n"));
	assert_non_null(strstr(text, "## staircase\n"));
	assert_non_null(strstr(text, "It must be given."));
}

static int forget(void **state)
{
	free(printed);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_scenario_resolves_has_a_plan_and_reads_back),
		cmocka_unit_test(every_scenario_to_verify_has_an_id_and_a_truth),
		cmocka_unit_test(a_scenario_is_shown_with_all_its_parts),
		cmocka_unit_test(the_manual_has_every_key_load_knob_and_condition),
	};

	return cmocka_run_group_tests(tests, NULL, forget);
}
