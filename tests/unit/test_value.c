#include "test.h"

#include "kernel/value.h"

struct value_case {
	const char *text;
	enum state wanted;
	uint64_t value;
};

static void check_values(enum form form, const struct value_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct numbers numbers = NUMBERS(1);

		case_of(cases[i].text);
		value_parse_as(span_cstr(cases[i].text), form, 0, numbers);
		assert_state(numbers, 0, cases[i].wanted);
		assert_int_equal(numbers.value[0], cases[i].value);
	}
}

/* L25, M9: v2 says max, v1 the largest page below 2^63, whatever the size of pages. */
static void a_number_may_be_unlimited(void **state)
{
	static const struct value_case cases[] = {
		{ "0\n", OK, 0 },
		{ "60", OK, 60 },
		{ " 60 \n", OK, 60 },
		{ "max\n", UNLIMITED, UINT64_MAX },
		{ "9223372036854771712\n", UNLIMITED, UINT64_MAX }, /* pages of 4 KiB */
		{ "9223372036854710272\n", UNLIMITED, UINT64_MAX }, /* 64 KiB */
		{ "9223372036853727232\n", UNLIMITED, UINT64_MAX }, /* 1 MiB */
		{ "9223372036853727231\n", OK, 9223372036853727231u },
		{ "18446744073709551615\n", UNLIMITED, UINT64_MAX },
		{ "18446744073709551616\n", GARBLED, 0 },
		{ "", GARBLED, 0 },
		{ "\n", GARBLED, 0 },
		{ "MAX\n", GARBLED, 0 },
		{ "maximum\n", GARBLED, 0 },
		{ "-1\n", GARBLED, 0 },
		{ "1 2\n", GARBLED, 0 },
		{ "1\n2\n", GARBLED, 0 },
		{ "1 kB\n", GARBLED, 0 },
	};

	check_values(FORM_U64, cases, ARRAY_LEN(cases));
}

static void a_mask_is_hexadecimal_and_never_unlimited(void **state)
{
	static const struct value_case cases[] = {
		{ "0x0007\n", OK, 7 },	 { "0x0000\n", OK, 0 },
		{ "7\n", OK, 7 },	 { "0xffffffffffffffff\n", OK, UINT64_MAX },
		{ "y\n", GARBLED, 0 },	 { "\n", GARBLED, 0 },
		{ "max\n", GARBLED, 0 },
	};

	check_values(FORM_HEX, cases, ARRAY_LEN(cases));
}

static void a_flag_is_a_letter_or_a_digit(void **state)
{
	static const struct value_case cases[] = {
		{ "Y\n", OK, 1 },	 { "N\n", OK, 0 },	{ "1\n", OK, 1 },
		{ "0", OK, 0 },		 { "2\n", GARBLED, 0 }, { "y\n", GARBLED, 0 },
		{ "Yes\n", GARBLED, 0 }, { "", GARBLED, 0 },
	};

	check_values(FORM_FLAG, cases, ARRAY_LEN(cases));
}

static void a_choice_is_the_word_in_brackets(void **state)
{
	static const struct value_case cases[] = {
		{ "[always] madvise never\n", OK, CHOICE_ALWAYS },
		{ "always [madvise] never\n", OK, CHOICE_MADVISE },
		{ "always madvise [never]\n", OK, CHOICE_NEVER },
		{ "always defer [defer+madvise] madvise never\n", OK, CHOICE_DEFER_MADVISE },
		{ "always within_size [advise] never deny force\n", OK, CHOICE_ADVISE },
		{ "always within_size advise never [deny] force\n", OK, CHOICE_DENY },
		{ "always madvise never\n", GARBLED, 0 },
		{ "always [madvise never\n", GARBLED, 0 },
		{ "always madvise] never\n", GARBLED, 0 },
		{ "[] always\n", GARBLED, 0 },
		{ "[sometimes]\n", GARBLED, 0 },
		{ "[Always]\n", GARBLED, 0 },
		{ "[?]\n", GARBLED, 0 },
		{ "", GARBLED, 0 },
	};

	check_values(FORM_CHOICE, cases, ARRAY_LEN(cases));
}

static void every_choice_is_read(void **state)
{
	for (uint64_t i = 0; i < CHOICES; i++) {
		struct numbers numbers = NUMBERS(1);
		char text[64];

		snprintf(text, sizeof(text), "x [%s] y\n", choice_name(i));
		value_parse_as(span_cstr(text), FORM_CHOICE, 0, numbers);
		assert_number(numbers, 0, i);
	}
}

static void tunables_have_a_state_each(void **state)
{
	struct root root = root_of(TREE(
		{ "proc/sys/vm/swappiness", "60\n" }, { "proc/sys/vm/min_free_kbytes", "x\n" },
		{ "proc/sys/vm/overcommit_memory.errno", "EACCES\n" },
		{ "sys/kernel/mm/lru_gen/enabled", "0x0007\n" },
		{ "sys/kernel/mm/lru_gen/min_ttl_ms", "0\n" },
		{ "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n" },
		{ "sys/module/zswap/parameters/enabled", "N\n" }));
	struct numbers numbers = NUMBERS(MACHINE_FIELDS);

	tunables_read(&root, any_buffer(), numbers);
	assert_number(numbers, TUN_SWAPPINESS, 60);
	assert_state(numbers, TUN_MIN_FREE, GARBLED);
	assert_state(numbers, TUN_OVERCOMMIT, DENIED);
	assert_number(numbers, TUN_LRU_GEN, 7);
	assert_number(numbers, TUN_MIN_TTL, 0);
	assert_number(numbers, TUN_THP, CHOICE_MADVISE);
	assert_number(numbers, TUN_ZSWAP, 0);
	assert_state(numbers, TUN_PAGE_CLUSTER, ABSENT);
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_may_be_unlimited),
		cmocka_unit_test(a_mask_is_hexadecimal_and_never_unlimited),
		cmocka_unit_test(a_flag_is_a_letter_or_a_digit),
		cmocka_unit_test(a_choice_is_the_word_in_brackets),
		cmocka_unit_test(every_choice_is_read),
		cmocka_unit_test(tunables_have_a_state_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
