#include "test.h"

#include "policy/protect_state.h"

static struct saved saved[4];

static void a_line_is_read_as_it_was_written(void **state)
{
	static const struct saved written[] = {
		{ .id = 12, .path = "system.slice/api.service", .found = 0, .set = 4096 },
		{ .id = 13, .path = "a b  c 7", .found = UINT64_MAX, .set = UINT64_MAX - 1 },
	};
	char buffer[512];
	struct text text = text_on(buffer, sizeof(buffer));

	for (size_t i = 0; i < ARRAY_LEN(written); i++)
		saved_print(&text, &written[i]);
	assert_int_equal(saved_parse(span_cstr(buffer), saved, ARRAY_LEN(saved)), 2);
	for (size_t i = 0; i < ARRAY_LEN(written); i++) {
		assert_int_equal(saved[i].id, written[i].id);
		assert_string_equal(saved[i].path, written[i].path);
		assert_int_equal(saved[i].found, written[i].found);
		assert_int_equal(saved[i].set, written[i].set);
	}
}

static void lines_that_are_not_as_they_should_be_are_skipped(void **state)
{
	static const char *const bad[] = {
		"",
		"12",
		"12 a",
		"12 a 1",
		"x a 1 2",
		"0 a 1 2",
		"12 a -1 2",
		"12 a 1 2x",
		"12  1 2",
		"12 a 1 ",
		"12 a max1 2",
		"99999999999999999999 a 1 2",
		"12 a 1 99999999999999999999",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char buffer[128];
		struct text text = text_on(buffer, sizeof(buffer));

		case_of(bad[i]);
		text_add(&text, "%s\n7 b 1 2\n", bad[i]);
		assert_int_equal(saved_parse(span_cstr(buffer), saved, ARRAY_LEN(saved)), 1);
		assert_int_equal(saved[0].id, 7);
	}
}

static void no_more_are_read_than_there_is_room_for(void **state)
{
	assert_int_equal(saved_parse(span_cstr("1 a 1 2\n2 a 1 2\n3 a 1 2\n"), saved, 2), 2);
}

static void a_name_that_is_no_units_is_shown_to_no_shell(void **state)
{
	static const char *const plain[] = {
		"ssh.service",
		"getty@tty1.service",
		"system-serial\\x2dgetty.slice",
		"session-1.scope",
	};
	static const char *const others[] = {
		"",
		".service",
		"a'; touch b; '.service",
		"$(touch b).service",
		"-H.service",
		"a b.service",
		"a\x1b[2J.service",
		"a\nb.service",
		"container",
		"system.slice/ssh.service",
	};

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_true(unit_is_plain(plain[i]));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_false(unit_is_plain(others[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_read_as_it_was_written),
		cmocka_unit_test(lines_that_are_not_as_they_should_be_are_skipped),
		cmocka_unit_test(a_name_that_is_no_units_is_shown_to_no_shell),
		cmocka_unit_test(no_more_are_read_than_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
