#include "test.h"

#include "analysis/number.h"
#include "made.h"

#define COUNT_OK(value) ((struct reading){ value, OK })

static struct number rate_of(uint64_t before, uint64_t now, double seconds)
{
	return number_rate(COUNT_OK(before), COUNT_OK(now), seconds, 1);
}

static void a_counter_gives_its_growth_per_second(void **state)
{
	struct number rate = number_rate(COUNT_OK(900), COUNT_OK(1900), 5, 4096);

	assert_int_equal(rate.why, WHY_KNOWN);
	assert_near(rate.value, 200 * 4096.0);
	assert_near(rate_of(7, 7, 5).value, 0);
}

static void a_counter_that_went_back_gives_no_rate(void **state)
{
	struct number rate = rate_of(900, 899, 5);

	assert_int_equal(rate.why, WHY_RESET);
	assert_true(isnan(rate.value));
}

static void a_counter_keeps_all_its_bits(void **state)
{
	assert_near(rate_of(UINT64_MAX - 10, UINT64_MAX, 1).value, 10);
	assert_int_equal(rate_of(UINT64_MAX, 0, 1).why, WHY_RESET);
}

static void without_time_there_is_no_rate(void **state)
{
	static const double times[] = { 0, -1, NAN };

	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		assert_int_equal(rate_of(1, 2, times[i]).why, WHY_NO_TIME);
		assert_true(isnan(rate_of(1, 2, times[i]).value));
	}
}

static void a_counter_that_was_not_there_is_a_baseline(void **state)
{
	static const enum state states[] = { ABSENT, DENIED, DISABLED, GARBLED, UNLIMITED };

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		struct number rate =
			number_rate((struct reading){ 0, states[i] }, COUNT_OK(1u << 30), 5, 1);

		assert_int_equal(rate.why, WHY_BASELINE);
		assert_true(isnan(rate.value));
	}
}

static const struct {
	enum state state;
	enum why why;
} REASONS[] = {
	{ ABSENT, WHY_ABSENT },	  { DENIED, WHY_DENIED },	{ DISABLED, WHY_DISABLED },
	{ GARBLED, WHY_GARBLED }, { UNLIMITED, WHY_UNLIMITED },
};

static void a_counter_that_is_not_there_now_says_why(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(REASONS); i++) {
		struct number rate =
			number_rate(COUNT_OK(1), (struct reading){ 2, REASONS[i].state }, 5, 1);

		assert_int_equal(rate.why, REASONS[i].why);
		assert_true(isnan(rate.value));
	}
}

static void a_level_stands_or_says_why_not(void **state)
{
	assert_near(number_level(COUNT_OK(3), 4096).value, 12288);
	assert_int_equal(number_level(COUNT_OK(3), 1).why, WHY_KNOWN);
	for (size_t i = 0; i < ARRAY_LEN(REASONS); i++) {
		struct number level = number_level((struct reading){ 3, REASONS[i].state }, 1);

		assert_int_equal(level.why, REASONS[i].why);
		assert_true(isnan(level.value));
	}
}

static void a_sum_is_known_when_both_parts_are(void **state)
{
	struct number one = number_known(1);
	struct number denied = number_unknown(WHY_DENIED);
	struct number reset = number_unknown(WHY_RESET);

	assert_near(number_sum(one, number_known(2)).value, 3);
	assert_int_equal(number_sum(one, denied).why, WHY_DENIED);
	assert_int_equal(number_sum(reset, one).why, WHY_RESET);
	assert_int_equal(number_sum(reset, denied).why, WHY_RESET);
	assert_true(isnan(number_sum(one, denied).value));
}

static void every_reason_has_its_own_name(void **state)
{
	for (enum why i = WHY_KNOWN; i <= WHY_NOT_APPLICABLE; i++) {
		assert_true(strlen(why_name(i)) > 0);
		for (enum why j = WHY_KNOWN; j < i; j++)
			assert_string_not_equal(why_name(i), why_name(j));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_gives_its_growth_per_second),
		cmocka_unit_test(a_counter_that_went_back_gives_no_rate),
		cmocka_unit_test(a_counter_keeps_all_its_bits),
		cmocka_unit_test(without_time_there_is_no_rate),
		cmocka_unit_test(a_counter_that_was_not_there_is_a_baseline),
		cmocka_unit_test(a_counter_that_is_not_there_now_says_why),
		cmocka_unit_test(a_level_stands_or_says_why_not),
		cmocka_unit_test(a_sum_is_known_when_both_parts_are),
		cmocka_unit_test(every_reason_has_its_own_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
