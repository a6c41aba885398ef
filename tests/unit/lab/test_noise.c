#include "test.h"

#include <errno.h>

#include "lab/boot/noise.h"

static void only_the_threads_that_are_processors_count(void **state)
{
	struct root root = root_of(TREE({ "proc/7/task/7/comm", "qemu-system-x86\n" },
					{ "proc/7/task/7/schedstat", "1 1000 1\n" },
					{ "proc/7/task/8/comm", "CPU 0/TCG\n" },
					{ "proc/7/task/8/schedstat", "9 20 1\n" },
					{ "proc/7/task/9/comm", "CPU 1/TCG\n" },
					{ "proc/7/task/9/schedstat", "9 30 1\n" },
					{ "proc/7/task/10/comm", "CPU 2/TCG\n" },
					{ "proc/7/task/10/schedstat", "9 x\n" },
					{ "proc/8/task/8/comm", "sh\n" },
					{ "proc/8/task/8/schedstat", "1 1 1\n" }));
	uint64_t delay_ns = 5;

	assert_int_equal(noise_read(&root, 8, &delay_ns), -ENOENT);
	assert_int_equal(noise_read(&root, 9, &delay_ns), -ENOENT);
	assert_int_equal(delay_ns, 5);
	assert_int_equal(noise_read(&root, 7, &delay_ns), 0);
	assert_int_equal(delay_ns, 50);
	root_done(&root);
}

static void noise_is_a_share_of_each_processors_time(void **state)
{
	assert_true(noise_percent(SECOND_US * 1000, 10 * SECOND_US, 2) == 5.0);
	assert_true(noise_percent(1000, 0, 2) == 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_threads_that_are_processors_count),
		cmocka_unit_test(noise_is_a_share_of_each_processors_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
