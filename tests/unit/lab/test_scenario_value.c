#include "test.h"

#include <errno.h>
#include <math.h>

#include "lab/scenario/number.h"
#include "lab/scenario/value.h"

static const struct value_rule SIZE = { VALUE_SIZE, 4096, (uint64_t)1 << 40, "" };
static const struct value_rule TIME = { VALUE_TIME, 0, 10 * SECOND_US, "" };
static const struct value_rule SHARE = { VALUE_PERCENT, 0, 100, "" };
static const struct value_rule LIMIT = { VALUE_LIMIT, 0, UINT64_MAX, "" };
static const struct value_rule NICE = { VALUE_NICE, 0, 39, "" };
static const struct value_rule WORD = { VALUE_WORD, 0, 0, "none file zram" };
static const struct value_rule NAMES = { VALUE_NAMES, 0, 0, "" };

static uint64_t number(const struct value_rule *rule, const char *text)
{
	uint64_t out = 0;

	assert_int_equal(value_number(rule, span_cstr(text), &out), 0);
	return out;
}

static int refused(const struct value_rule *rule, const char *text)
{
	uint64_t out = 77;
	int r = value_number(rule, span_cstr(text), &out);

	assert_int_equal(out, 77);
	return r;
}

static const char *printed(const struct value_rule *rule, const char *text)
{
	static char buffer[64];
	struct text out = text_on(buffer, sizeof(buffer));

	value_print(rule, span_cstr(text), &out);
	return buffer;
}

static void sizes_have_suffixes_of_1024_and_decimals(void **state)
{
	assert_int_equal(number(&SIZE, "4096"), 4096);
	assert_int_equal(number(&SIZE, "24M"), 24 << 20);
	assert_int_equal(number(&SIZE, "0.25M"), 256 << 10);
	assert_int_equal(number(&SIZE, "1.5G"), (uint64_t)3 << 29);
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const bad[] = { "", "M", "12Q", "-1", "1 M", "0x10", "1M2", "." };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		case_of(bad[i]);
		assert_int_equal(refused(&SIZE, bad[i]), -EBADMSG);
	}
}

static void a_number_outside_its_limits_is_refused(void **state)
{
	assert_int_equal(refused(&SIZE, "4095"), -ERANGE);
	assert_int_equal(refused(&SIZE, "2T"), -ERANGE);
	assert_int_equal(refused(&SIZE, "18446744073709551615T"), -ERANGE);
	assert_int_equal(refused(&TIME, "11s"), -ERANGE);
	assert_int_equal(refused(&SHARE, "101"), -ERANGE);
	assert_int_equal(refused(&NICE, "20"), -ERANGE);
}

static void the_guest_reads_plain_digits(void **state)
{
	assert_string_equal(printed(&SIZE, "24M"), "25165824");
	assert_string_equal(printed(&TIME, "100ms"), "100000");
	assert_string_equal(printed(&SHARE, "50%"), "50");
	assert_string_equal(printed(&NICE, "-5"), "-5");
	assert_string_equal(printed(&NICE, "19"), "19");
	assert_string_equal(printed(&LIMIT, "110M"), "115343360");
	assert_string_equal(printed(&LIMIT, "max"), "max");
	assert_string_equal(printed(&WORD, "zram"), "zram");
}

static void a_word_is_its_place_in_the_list(void **state)
{
	assert_int_equal(number(&WORD, "none"), 0);
	assert_int_equal(number(&WORD, "zram"), 2);
	assert_int_equal(refused(&WORD, "zra"), -EBADMSG);
	assert_int_equal(refused(&WORD, "zramm"), -EBADMSG);
	assert_int_equal(refused(&WORD, ""), -EBADMSG);
}

static void names_have_no_dots_and_no_slashes(void **state)
{
	assert_int_equal(number(&NAMES, "api worker-2 a_b"), 0);
	assert_int_equal(refused(&NAMES, "api ../x"), -EBADMSG);
	assert_int_equal(refused(&NAMES, "a.b"), -EBADMSG);
	assert_false(name_is_plain(span_cstr("")));
	assert_false(name_is_plain(span_cstr("a-name-that-is-longer-than-any-use")));
}

static void sizes_and_times_for_people_read_back(void **state)
{
	static const uint64_t sizes[] = { 4097, 4096, 24 << 20, 1000 << 20, (uint64_t)3 << 30 };
	static const uint64_t times[] = { 0, 1, 100000, 1500000, 6000000 };
	char buffer[64];

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct text text = text_on(buffer, sizeof(buffer));

		text_size(&text, sizes[i]);
		assert_int_equal(number(&SIZE, buffer), sizes[i]);
		text = text_on(buffer, sizeof(buffer));
		text_us(&text, times[i]);
		assert_int_equal(number(&TIME, buffer), times[i]);
	}
}

static void figures_are_in_bytes_seconds_or_as_they_stand(void **state)
{
	double out;

	assert_int_equal(figure_number(span_cstr("2M"), &out), 0);
	assert_true(fabs(out - 2097152) < 0.5);
	assert_int_equal(figure_number(span_cstr("51us"), &out), 0);
	assert_true(fabs(out - 51e-6) < 1e-9);
	assert_int_equal(figure_number(span_cstr("28 %"), &out), 0);
	assert_true(fabs(out - 28) < 1e-9);
	assert_int_equal(figure_number(span_cstr("much"), &out), -EBADMSG);
	assert_int_equal(figure_number(span_cstr(""), &out), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_have_suffixes_of_1024_and_decimals),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(a_number_outside_its_limits_is_refused),
		cmocka_unit_test(the_guest_reads_plain_digits),
		cmocka_unit_test(a_word_is_its_place_in_the_list),
		cmocka_unit_test(names_have_no_dots_and_no_slashes),
		cmocka_unit_test(sizes_and_times_for_people_read_back),
		cmocka_unit_test(figures_are_in_bytes_seconds_or_as_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
