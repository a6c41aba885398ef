#include "test.h"

#include <errno.h>

#include "lab/boot/process.h"

#define ARGV(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void what_a_program_prints_is_read(void **state)
{
	char space[64];
	struct span got;
	struct program program = { .argv = ARGV("pwd"), .folder = "/" };

	assert_int_equal(program_read(&program, NULL, (struct buffer){ space, 64 }, &got), 0);
	assert_span_equal(got, "/\n");
	assert_int_equal(program_read(&program, NULL, (struct buffer){ space, 2 }, &got),
			 -EFBIG);
	program = (struct program){ .argv = ARGV("printenv", "A"), .variable = "A=b c" };
	assert_int_equal(program_read(&program, NULL, (struct buffer){ space, 64 }, &got), 0);
	assert_span_equal(got, "b c\n");
}

static void how_it_ended_is_told(void **state)
{
	struct program program = { .argv = ARGV("true") };

	assert_int_equal(program_run(&program, NULL), 0);
	program.argv = ARGV("false");
	assert_int_equal(program_run(&program, NULL), -EIO);
	program.argv = ARGV("/none/such/program");
	assert_int_equal(program_run(&program, NULL), -ENOENT);
}

static void it_is_known_beforehand_whether_there_is_one(void **state)
{
	assert_true(program_is_there("true"));
	assert_true(program_is_there("mkfs.ext4") || access("/sbin/mkfs.ext4", X_OK) != 0);
	assert_false(program_is_there("none-such"));
}

static void a_stop_ends_it(void **state)
{
	static const volatile sig_atomic_t stop = 1;
	struct program program = { .argv = ARGV("sleep", "1000") };

	assert_int_equal(program_run(&program, &stop), -ECANCELED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_program_prints_is_read),
		cmocka_unit_test(how_it_ended_is_told),
		cmocka_unit_test(it_is_known_beforehand_whether_there_is_one),
		cmocka_unit_test(a_stop_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
