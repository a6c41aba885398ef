#include "test.h"

#include <errno.h>

#include "guest/kinds.h"

static void every_default_can_be_read(void **state)
{
	for (enum arg_id id = 0; id < ARGS; id++) {
		const struct arg *row = &ARG_ROWS[id];
		uint64_t number;

		case_of(row->key);
		assert_int_equal(arg_parse(row->type, span_cstr(row->value), &number), 0);
		assert_true(row->help[0] != '\0');
	}
}

static void a_key_belongs_to_one_kind(void **state)
{
	for (enum arg_id id = 0; id < ARGS; id++)
		assert_int_equal(arg_find(ARG_ROWS[id].kind, span_cstr(ARG_ROWS[id].key)), id);
	assert_int_equal(arg_find(KIND_idle, span_cstr("rate")), ARGS);
	assert_int_equal(arg_find(KIND_leak, span_cstr("rat")), ARGS);
}

static void kinds_are_found_by_their_whole_name(void **state)
{
	assert_int_equal(kind_find(span_cstr("leak")), KIND_leak);
	assert_int_equal(kind_find(span_cstr("leaks")), KINDS);
	assert_int_equal(kind_find(span_cstr("")), KINDS);
}

static void values_are_numbers_with_the_units_of_their_type(void **state)
{
	static const struct {
		enum arg_type type;
		const char *text;
		uint64_t number;
	} cases[] = {
		{ TYPE_SIZE, "24M", 25165824 },
		{ TYPE_SIZE, "25165824", 25165824 },
		{ TYPE_SIZE, "1.5K", 1536 },
		{ TYPE_SIZE, "1T", (uint64_t)1 << 40 },
		{ TYPE_RATE, "0.25M", 262144 },
		{ TYPE_TIME, "100ms", 100000 },
		{ TYPE_TIME, "2s", 2000000 },
		{ TYPE_TIME, "1m", 60000000 },
		{ TYPE_TIME, "7us", 7 },
		{ TYPE_TIME, "7", 7 },
		{ TYPE_COUNT, "12", 12 },
		{ TYPE_PERCENT, "100", 100 },
		{ TYPE_PERCENT, "50%", 50 },
		{ TYPE_TEXT, "anything", 0 },
		{ TYPE_YESNO, "no", 0 },
		{ TYPE_YESNO, "yes", 1 },
		{ TYPE_ACCESS, "read", ACCESS_READ },
		{ TYPE_ACCESS, "sequential", ACCESS_SEQUENTIAL },
		{ TYPE_ORDER, "random", ORDER_RANDOM },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t number = UINT64_MAX;

		case_of(cases[i].text);
		assert_int_equal(arg_parse(cases[i].type, span_cstr(cases[i].text), &number),
				 0);
		assert_int_equal(number, cases[i].number);
	}
}

static void what_is_no_value_of_the_type_is_refused(void **state)
{
	static const struct {
		enum arg_type type;
		const char *text;
		int error;
	} cases[] = {
		{ TYPE_SIZE, "", -EBADMSG },
		{ TYPE_SIZE, "M", -EBADMSG },
		{ TYPE_SIZE, "24MB", -EBADMSG },
		{ TYPE_SIZE, "24 M", -EBADMSG },
		{ TYPE_SIZE, "-1", -EBADMSG },
		{ TYPE_SIZE, "1.5", -EBADMSG },
		{ TYPE_SIZE, "99999999T", -ERANGE },
		{ TYPE_SIZE, "18446744073709551615", -ERANGE },
		{ TYPE_SIZE, "99999999999999999999", -ERANGE },
		{ TYPE_TIME, "1h", -EBADMSG },
		{ TYPE_COUNT, "1K", -EBADMSG },
		{ TYPE_PERCENT, "101", -ERANGE },
		{ TYPE_YESNO, "maybe", -EBADMSG },
		{ TYPE_YESNO, "", -EBADMSG },
		{ TYPE_ORDER, "read", -EBADMSG },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t number = 42;

		case_of(cases[i].text);
		assert_int_equal(arg_parse(cases[i].type, span_cstr(cases[i].text), &number),
				 cases[i].error);
		assert_int_equal(number, 42);
	}
}

static void arguments_begin_with_their_defaults(void **state)
{
	struct args args;

	args_init(KIND_service, &args);
	assert_int_equal(args.number[ARG_service_period], 100000);
	assert_int_equal(args.number[ARG_service_code], 24 << 20);
	assert_span_equal(args.text[ARG_service_file], "");
	assert_int_equal(args.number[ARG_leak_rate], 0);
}

static void an_argument_replaces_the_default(void **state)
{
	struct args args;

	args_init(KIND_service, &args);
	assert_int_equal(args_add(KIND_service, span_cstr("code=1M"), &args), 0);
	assert_int_equal(args_add(KIND_service, span_cstr("file=/data/a=b"), &args), 0);
	assert_int_equal(args.number[ARG_service_code], 1 << 20);
	assert_span_equal(args.text[ARG_service_file], "/data/a=b");
}

static void an_argument_that_is_not_the_kinds_is_refused(void **state)
{
	struct args args;

	args_init(KIND_idle, &args);
	assert_int_equal(args_add(KIND_idle, span_cstr("rate=1"), &args), -ENOENT);
	assert_int_equal(args_add(KIND_idle, span_cstr("rate"), &args), -EBADMSG);
	assert_int_equal(args_add(KIND_leak, span_cstr("rate=fast"), &args), -EBADMSG);
}

static void each_type_says_how_it_is_written(void **state)
{
	for (enum arg_type type = 0; type < ARG_TYPES; type++)
		assert_non_null(arg_type_help(type));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_default_can_be_read),
		cmocka_unit_test(a_key_belongs_to_one_kind),
		cmocka_unit_test(kinds_are_found_by_their_whole_name),
		cmocka_unit_test(values_are_numbers_with_the_units_of_their_type),
		cmocka_unit_test(what_is_no_value_of_the_type_is_refused),
		cmocka_unit_test(arguments_begin_with_their_defaults),
		cmocka_unit_test(an_argument_replaces_the_default),
		cmocka_unit_test(an_argument_that_is_not_the_kinds_is_refused),
		cmocka_unit_test(each_type_says_how_it_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
