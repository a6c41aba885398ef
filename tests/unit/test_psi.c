#include "test.h"

#include "kernel/psi.h"

#define SOME "some avg10=1.50 avg60=0.25 avg300=0.05 total=123\n"
#define FULL "full avg10=100.00 avg60=0.00 avg300=0.00 total=18446744073709551615\n"

static struct numbers psi_of(const char *text)
{
	static uint64_t value[PSI_ROWS + 1];
	static uint8_t known[PSI_ROWS + 1];
	struct numbers numbers = { value, known };

	memset(value, 0, sizeof(value));
	memset(known, 0, sizeof(known));
	psi_parse(span_cstr(text), 0, numbers);
	assert_state(numbers, PSI_ROWS, ABSENT);
	return numbers;
}

static void averages_are_hundredths_and_totals_microseconds(void **state)
{
	struct numbers numbers = psi_of(SOME FULL);

	assert_number(numbers, PSI_SOME_AVG10, 150);
	assert_number(numbers, PSI_SOME_TOTAL, 123);
	assert_number(numbers, PSI_FULL_AVG10, 10000);
	assert_number(numbers, PSI_FULL_TOTAL, UINT64_MAX);
}

/* L10 (cpu before 5.13), L11 (irq), L13: a line that is missing is no zero, and never the
 * other. */
static void each_line_may_be_missing(void **state)
{
	struct numbers numbers = psi_of(SOME);

	assert_number(numbers, PSI_SOME_TOTAL, 123);
	assert_state(numbers, PSI_FULL_AVG10, ABSENT);
	assert_state(numbers, PSI_FULL_TOTAL, ABSENT);
	numbers = psi_of(FULL);
	assert_state(numbers, PSI_SOME_AVG10, ABSENT);
	assert_state(numbers, PSI_SOME_TOTAL, ABSENT);
	assert_number(numbers, PSI_FULL_AVG10, 10000);
	numbers = psi_of("");
	assert_state(numbers, PSI_SOME_AVG10, ABSENT);
	assert_state(numbers, PSI_FULL_TOTAL, ABSENT);
}

static void lines_may_come_in_any_order(void **state)
{
	struct numbers numbers = psi_of(FULL SOME);

	assert_number(numbers, PSI_SOME_AVG10, 150);
	assert_number(numbers, PSI_FULL_AVG10, 10000);
}

static void unknown_lines_and_words_are_skipped(void **state)
{
	struct numbers numbers = psi_of("\n  \nmost avg10=1.00 total=1\n"
					"some avg1=7.00 avg10=1.50 total=123 extra=5\n\n");

	assert_number(numbers, PSI_SOME_AVG10, 150);
	assert_number(numbers, PSI_SOME_TOTAL, 123);
	assert_state(numbers, PSI_FULL_AVG10, ABSENT);
}

static void a_malformed_line_is_garbled_and_spoils_no_other(void **state)
{
	static const char *const lines[] = {
		"some\n",
		"some avg10=1.50\n",
		"some total=123\n",
		"some avg10=1.50 total=\n",
		"some avg10=1.50 total=12x\n",
		"some avg10=1.50 total=-1\n",
		"some avg10=1.50 total=18446744073709551616\n",
		"some avg10=nan total=1\n",
		"some avg10=-1.00 total=1\n",
		"some avg10= total=1\n",
		"some avg10=1,50 total=1\n",
		"some avg10=1.50 total=123 word\n",
		"some word avg10=1.50 total=123\n",
		SOME SOME,
		SOME "some\n" SOME,
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct numbers numbers;
		char text[512];

		case_of(lines[i]);
		snprintf(text, sizeof(text), "%s%s", lines[i], FULL);
		numbers = psi_of(text);
		assert_state(numbers, PSI_SOME_AVG10, GARBLED);
		assert_state(numbers, PSI_SOME_TOTAL, GARBLED);
		assert_number(numbers, PSI_FULL_AVG10, 10000);
	}
}

static void the_machine_has_four_files_with_a_state_each(void **state)
{
	struct root root = root_of(TREE(
		{ "proc/pressure/cpu", SOME }, { "proc/pressure/memory", SOME FULL },
		{ "proc/pressure/io.errno", "EOPNOTSUPP\n" }, { "proc/pressure/irq", FULL }));
	struct numbers numbers = NUMBERS(MACHINE_FIELDS);

	psi_read(&root, any_buffer(), numbers);
	assert_number(numbers, PSI_CPU_SOME_AVG10, 150);
	assert_state(numbers, PSI_CPU_FULL_AVG10, ABSENT);
	assert_number(numbers, PSI_MEM_SOME_TOTAL, 123);
	assert_number(numbers, PSI_MEM_FULL_AVG10, 10000);
	for (size_t id = PSI_IO_SOME_AVG10; id <= PSI_IO_FULL_TOTAL; id++)
		assert_state(numbers, id, DISABLED);
	assert_state(numbers, PSI_IRQ_SOME_AVG10, ABSENT);
	assert_number(numbers, PSI_IRQ_FULL_AVG10, 10000);
	root_done(&root);
}

/* L12, M11: switched off (psi=0) is not zero and not missing. */
static void pressure_that_is_switched_off_is_disabled(void **state)
{
	struct root root = root_of(TREE({ "proc/pressure/memory.errno", "EOPNOTSUPP" }));
	struct numbers numbers = NUMBERS(MACHINE_FIELDS);

	psi_read(&root, any_buffer(), numbers);
	assert_state(numbers, PSI_MEM_SOME_AVG10, DISABLED);
	assert_state(numbers, PSI_MEM_FULL_TOTAL, DISABLED);
	assert_state(numbers, PSI_CPU_SOME_AVG10, ABSENT);
	assert_state(numbers, TUNABLES_BASE, ABSENT);
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_are_hundredths_and_totals_microseconds),
		cmocka_unit_test(each_line_may_be_missing),
		cmocka_unit_test(lines_may_come_in_any_order),
		cmocka_unit_test(unknown_lines_and_words_are_skipped),
		cmocka_unit_test(a_malformed_line_is_garbled_and_spoils_no_other),
		cmocka_unit_test(the_machine_has_four_files_with_a_state_each),
		cmocka_unit_test(pressure_that_is_switched_off_is_disabled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
