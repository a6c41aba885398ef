#include "test.h"

#include "base/sort.h"

#define COUNT_MAX 1500

static struct sort_key keys[COUNT_MAX];

/* Numerical Recipes' generator: the same keys on every run. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static void fill(size_t count, uint32_t range)
{
	uint32_t at = 1;

	for (size_t i = 0; i < count; i++) {
		uint32_t major = next_random(&at) % range;
		uint32_t minor = next_random(&at) % range;

		keys[i] = (struct sort_key){ major, minor, major * range + minor };
	}
}

static void check_sorted(size_t count, uint32_t range)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(keys[i].index, keys[i].major * range + keys[i].minor);
		if (i == 0)
			continue;
		assert_true(keys[i - 1].major <= keys[i].major);
		if (keys[i - 1].major == keys[i].major)
			assert_true(keys[i - 1].minor <= keys[i].minor);
	}
}

static void any_number_of_keys_is_sorted_and_keeps_its_index(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 100, COUNT_MAX };

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		fill(counts[i], 50);
		sort_keys(keys, counts[i]);
		check_sorted(counts[i], 50);
	}
}

static void keys_that_are_all_equal_stay(void **state)
{
	fill(20, 1);
	sort_keys(keys, 20);
	check_sorted(20, 1);
}

static void keys_in_order_and_in_reverse_are_sorted(void **state)
{
	for (uint32_t i = 0; i < 100; i++)
		keys[i] = (struct sort_key){ 0, i, i };
	sort_keys(keys, 100);
	check_sorted(100, 100);
	for (uint32_t i = 0; i < 100; i++)
		keys[i] = (struct sort_key){ 0, 99 - i, 99 - i };
	sort_keys(keys, 100);
	check_sorted(100, 100);
}

static void large_keys_compare_as_unsigned(void **state)
{
	keys[0] = (struct sort_key){ UINT64_MAX, 0, 2 };
	keys[1] = (struct sort_key){ (uint64_t)1 << 63, UINT64_MAX, 1 };
	keys[2] = (struct sort_key){ 1, 0, 0 };
	sort_keys(keys, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(keys[i].index, i);
}

static void find_gives_the_first_at_or_after(void **state)
{
	static const struct sort_key sorted[] = {
		{ 1, 5, 0 }, { 3, 0, 1 }, { 3, 0, 2 }, { 3, 7, 3 }, { 9, 0, 4 },
	};
	static const struct {
		uint64_t major;
		uint64_t minor;
		size_t at;
	} cases[] = {
		{ 0, 0, 0 }, { 1, 5, 0 }, { 1, 6, 1 }, { 2, 0, 1 }, { 3, 0, 1 },
		{ 3, 1, 3 }, { 3, 7, 3 }, { 3, 8, 4 }, { 9, 0, 4 }, { 9, 1, 5 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(
			sort_find(sorted, ARRAY_LEN(sorted), cases[i].major, cases[i].minor),
			cases[i].at);
	assert_int_equal(sort_find(sorted, 0, 1, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_keys_is_sorted_and_keeps_its_index),
		cmocka_unit_test(keys_that_are_all_equal_stay),
		cmocka_unit_test(keys_in_order_and_in_reverse_are_sorted),
		cmocka_unit_test(large_keys_compare_as_unsigned),
		cmocka_unit_test(find_gives_the_first_at_or_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
