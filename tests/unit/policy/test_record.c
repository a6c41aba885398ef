#include "test.h"

#include "policy/record.h"

static bool is_id(const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if (!strchr("0123456789abcdef", text[i]))
			return false;
	return length == 32;
}

static void each_kind_has_a_word_an_id_a_level_and_help(void **state)
{
	for (enum record_kind i = 0; i < RECORD_KINDS; i++) {
		const struct record_row *row = record_row(i);

		case_of(row->word);
		assert_true(strlen(row->word) > 0);
		assert_true(is_id(row->message_id));
		assert_in_range(row->level, 0, 7);
		assert_int_equal(row->help[strlen(row->help) - 1], '.');
	}
}

static void no_two_kinds_have_the_same_word_or_id(void **state)
{
	for (enum record_kind i = 0; i < RECORD_KINDS; i++) {
		for (enum record_kind j = 0; j < i; j++) {
			assert_string_not_equal(record_row(i)->word, record_row(j)->word);
			assert_string_not_equal(record_row(i)->message_id,
						record_row(j)->message_id);
		}
	}
}

static void a_kind_of_a_later_version_has_no_word(void **state)
{
	assert_string_equal(record_row(RECORD_KINDS)->word, "");
	assert_string_equal(record_row((enum record_kind)9999)->message_id, "");
}

static void a_row_is_that_of_its_kind(void **state)
{
	assert_string_equal(record_row(RECORD_START)->word, "start");
	assert_string_equal(record_row(RECORD_NEAR_MISS)->word, "near-miss");
	assert_string_equal(record_row(RECORD_FORECAST)->word, "forecast");
	assert_int_equal(record_row(RECORD_KILL)->level, 3);
}

static void each_reason_has_words_of_its_own(void **state)
{
	assert_string_equal(because_words(BECAUSE_NONE), "");
	for (enum because i = BECAUSE_NONE + 1; i < BECAUSES; i++) {
		assert_true(strlen(because_words(i)) > 8);
		for (enum because j = 0; j < i; j++)
			assert_string_not_equal(because_words(i), because_words(j));
	}
	assert_string_equal(because_words(BECAUSES), "");
	assert_string_equal(because_words((enum because)9999), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_a_word_an_id_a_level_and_help),
		cmocka_unit_test(no_two_kinds_have_the_same_word_or_id),
		cmocka_unit_test(a_kind_of_a_later_version_has_no_word),
		cmocka_unit_test(a_row_is_that_of_its_kind),
		cmocka_unit_test(each_reason_has_words_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
