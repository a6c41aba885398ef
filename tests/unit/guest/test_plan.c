#include "test.h"

#include <errno.h>

#include "guest/plan.h"

static struct step step_of(const char *line)
{
	struct step step = { 0 };

	case_of(line);
	assert_int_equal(plan_parse(span_cstr(line), &step), 0);
	return step;
}

static void each_verb_is_read_as_its_row_says(void **state)
{
	static const struct {
		const char *line;
		enum verb verb;
	} cases[] = {
		{ "seed 7", VERB_SEED },
		{ "need dm-delay", VERB_NEED },
		{ "mount data /data ro", VERB_MOUNT },
		{ "delay swap 3000", VERB_DELAY },
		{ "swap disk swap", VERB_SWAP_DISK },
		{ "swap file /scratch/swap 1048576", VERB_SWAP_FILE },
		{ "swap zram 1048576 -", VERB_SWAP_ZRAM },
		{ "swap zswap swap zstd 20", VERB_SWAP_ZSWAP },
		{ "write /proc/sys/vm/swappiness 60", VERB_WRITE },
		{ "renice kswapd0 19", VERB_RENICE },
		{ "group system.slice/api.service", VERB_GROUP },
		{ "set app.slice memory.max 1048576", VERB_SET },
		{ "load a app.slice prog leak rate=1 base=2", VERB_LOAD },
		{ "load a app.slice prog idle", VERB_LOAD },
		{ "observe 1000000", VERB_OBSERVE },
		{ "phase calm", VERB_PHASE },
		{ "start a", VERB_START },
		{ "stop a", VERB_STOP },
		{ "wait 5", VERB_WAIT },
		{ "append /etc/refault/guard.conf [policy api]", VERB_APPEND },
		{ "suspend data", VERB_SUSPEND },
		{ "resume data", VERB_RESUME },
		{ "until available < 10 limit 20", VERB_UNTIL_MACHINE },
		{ "until node-free 1 < 10 limit 20", VERB_UNTIL_NODE },
		{ "until rounds a > 10 limit 20", VERB_UNTIL_LOAD },
		{ "until needs app.slice > 10 limit 20", VERB_UNTIL_GROUP },
		{ "until killed a limit 20", VERB_UNTIL_KILLED },
		{ "end", VERB_END },
	};
	bool seen[VERBS] = { false };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(step_of(cases[i].line).verb, cases[i].verb);
		seen[cases[i].verb] = true;
	}
	for (enum verb verb = 0; verb < VERBS; verb++) {
		case_of(verb_grammar(verb));
		assert_true(seen[verb]);
	}
}

static void large_words_and_choices_are_kept_in_their_order(void **state)
{
	struct step step = step_of("until size worker > 1048576 limit 500");

	assert_int_equal(step.number[0], 0);
	assert_span_equal(step.word[1], "worker");
	assert_int_equal(step.number[2], 1);
	assert_int_equal(step.number[3], 1048576);
	assert_int_equal(step.number[4], 500);
	step = step_of("mount data /data rw");
	assert_int_equal(step.number[2], 1);
	step = step_of("until swapped < 1 limit 2");
	assert_int_equal(step.number[0], 2);
	assert_int_equal(step.number[1], 0);
}

static void the_rest_of_a_line_is_one_value(void **state)
{
	struct step step = step_of("set db cpu.max 20000 100000 ");

	assert_span_equal(step.word[0], "db");
	assert_span_equal(step.word[1], "cpu.max");
	assert_span_equal(step.word[2], "20000 100000");
}

static void a_nice_value_may_be_below_zero(void **state)
{
	assert_int_equal(step_of("renice kswapd0 -5").integer, -5);
}

static void what_no_verb_is_called_is_not_found(void **state)
{
	static const char *const lines[] = {
		"reboot", "until", "swap", "swap tape x", "Seed 7", "until happy < 1 limit 2"
	};
	struct step step;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		case_of(lines[i]);
		assert_true(plan_parse(span_cstr(lines[i]), &step) < 0);
	}
	assert_int_equal(plan_parse(span_cstr("reboot"), &step), -ENOENT);
	assert_int_equal(plan_parse(span_cstr("until happy < 1 limit 2"), &step), -ENOENT);
}

static void a_wrong_argument_is_invalid(void **state)
{
	static const char *const lines[] = {
		"seed",
		"seed x",
		"seed -1",
		"seed 1 2",
		"seed 99999999999999999999",
		"mount data /data",
		"mount data /data rwx",
		"mount ../x /data ro",
		"mount data /a/../b ro",
		"mount data / ro",
		"load a/b app prog idle",
		"load .. app prog idle",
		"start 0123456789012345678901234567890123456789012345678901234567890123456789",
		"until available = 1 limit 2",
		"until available < 1 limits 2",
		"until killed a limit",
		"renice kswapd0 high",
		"end now",
	};
	struct step step;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		case_of(lines[i]);
		assert_int_equal(plan_parse(span_cstr(lines[i]), &step), -EINVAL);
	}
}

static void empty_lines_are_no_steps(void **state)
{
	struct span text = span_cstr("\n  \nseed 1\n\nend");
	struct step step = { 0 };

	assert_int_equal(plan_next(&text, &step), 1);
	assert_int_equal(step.verb, VERB_SEED);
	assert_int_equal(plan_next(&text, &step), 1);
	assert_int_equal(step.verb, VERB_END);
	assert_int_equal(plan_next(&text, &step), 0);
}

static void a_wrong_line_is_named(void **state)
{
	struct span text = span_cstr("seed 1\nseeed 1\n");
	struct step step = { 0 };

	assert_int_equal(plan_next(&text, &step), 1);
	assert_int_equal(plan_next(&text, &step), -ENOENT);
	assert_span_equal(step.line, "seeed 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_verb_is_read_as_its_row_says),
		cmocka_unit_test(large_words_and_choices_are_kept_in_their_order),
		cmocka_unit_test(the_rest_of_a_line_is_one_value),
		cmocka_unit_test(a_nice_value_may_be_below_zero),
		cmocka_unit_test(what_no_verb_is_called_is_not_found),
		cmocka_unit_test(a_wrong_argument_is_invalid),
		cmocka_unit_test(empty_lines_are_no_steps),
		cmocka_unit_test(a_wrong_line_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
