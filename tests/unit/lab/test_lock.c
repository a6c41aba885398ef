#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "lab/boot/files.h"

static bool is_held(const char *path)
{
	auto_fd fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	return flock(fd, LOCK_EX | LOCK_NB) < 0;
}

static void a_stop_ends_the_wait(void **state)
{
	static const volatile sig_atomic_t stop = 1;
	const char *path = path_in(folder_new(), "lock");
	auto_fd held = lock_take(path, &stop); /* a free one needs no wait */

	assert_true(held >= 0);
	assert_int_equal(lock_take(path, &stop), -ECANCELED);
}

static void who_waits_comes_before_who_had_it(void **state)
{
	const char *path = path_in(folder_new(), "lock");
	char name[4096];
	int ends[2];
	int held = lock_take(path, NULL);
	pid_t child;
	char byte = 0;

	snprintf(name, sizeof(name), "%s.turn", path);
	assert_true(held >= 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
	child = fork();
	if (child == 0) {
		close(held); /* else it would hold what it waits for */
		if (lock_take(path, NULL) < 0 || write(ends[1], "x", 1) != 1)
			_exit(1);
		_exit(0); /* gives it back */
	}
	while (!is_held(name))
		sched_yield();
	close(held);
	held = lock_take(path, NULL);
	assert_true(held >= 0);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(held);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stop_ends_the_wait),
		cmocka_unit_test(who_waits_comes_before_who_had_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
