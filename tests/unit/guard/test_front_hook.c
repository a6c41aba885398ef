#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "cmd/guard_front.h"
#include "test.h"

/* The front's hook with a shared memory of its own, and no loop. */
static struct shared shared;
static struct front front;

const struct guard_config *front_config(const struct front *of)
{
	return &of->shared->config[0];
}

static int front_new(void **state)
{
	sigset_t child;

	(void)state;
	memset(&shared, 0, sizeof(shared));
	memset(&front, 0, sizeof(front));
	front.shared = &shared;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	assert_true(sd_event_new(&front.event) >= 0);
	return 0;
}

static int front_end(void **state)
{
	(void)state;
	hook_close(&front);
	sd_event_unref(front.event);
	return 0;
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

/* Words, each ended with NUL, as the configuration has them. */
static void ask_for(const char *argv, size_t size, uint64_t within_us)
{
	struct policy_row *row = &shared.config[0].row[0];

	shared.config[0].rows = 1;
	row->kinds = 1u << POLICY_HOOK;
	memcpy(row->argv, argv, size);
	shared.hook.deadline_us = now_us() + within_us;
	shared.hook.pid = 321;
	span_copy(span_cstr("leak $(x).service"), shared.hook.victim,
		  sizeof(shared.hook.victim));
	atomic_store(&shared.hook.decision, 7);
	hook_look(&front);
}
#define ASK(argv, within_us) ask_for(argv, sizeof(argv), within_us)

static void wait_done(void)
{
	for (int i = 0; i < 100 && atomic_load(&shared.hook.done) != 7; i++)
		assert_true(sd_event_run(front.event, 100000) >= 0);
	assert_int_equal(atomic_load(&shared.hook.done), 7);
}

static void a_hook_that_ends_well_is_done(void **state)
{
	skip_under_valgrind();
	(void)state;
	ASK("/bin/true\0", 10 * SECOND_US);
	wait_done();
	assert_int_equal(shared.hook.error, 0);
}

static void a_hook_that_fails_says_so(void **state)
{
	skip_under_valgrind();
	(void)state;
	ASK("/bin/false\0", 10 * SECOND_US);
	wait_done();
	assert_int_equal(shared.hook.error, -EIO);
}

static void a_hook_that_is_not_there_says_so(void **state)
{
	skip_under_valgrind();
	(void)state;
	ASK("/no/such/program\0", 10 * SECOND_US);
	assert_int_equal(atomic_load(&shared.hook.done), 7);
	assert_int_equal(shared.hook.error, -ENOENT);
}

/* It hides behind a child that would hold on. */
static void a_hook_that_takes_too_long_is_killed_with_all_it_started(void **state)
{
	uint64_t begin = now_us();
	struct pollfd held = { .events = POLLIN };
	int ends[2];

	skip_under_valgrind();

	(void)state;
	/* Whoever it started has the other end too. */
	assert_int_equal(pipe(ends), 0);
	ASK("/bin/sh\0-c\0sleep 20; true\0", SECOND_US / 5);
	close(ends[1]);
	wait_done();
	held.fd = ends[0];
	assert_int_equal(poll(&held, 1, 5000), 1);
	assert_true(held.revents & POLLHUP);
	close(ends[0]);
	assert_int_equal(shared.hook.error, -ETIMEDOUT);
	assert_true(now_us() - begin < 5 * SECOND_US);
}

static void a_dry_run_runs_no_hook(void **state)
{
	const char *folder = folder_new();
	char argv[POLICY_ARGV] = "/usr/bin/touch";

	skip_under_valgrind();

	(void)state;
	span_copy(span_cstr(path_in(folder, "touched")), argv + strlen(argv) + 1, 256);
	shared.dry = true;
	ask_for(argv, sizeof(argv), 10 * SECOND_US);
	assert_int_equal(shared.hook.error, -ECANCELED);
	assert_int_equal(access(path_in(folder, "touched"), F_OK), -1);
}

static void no_shell_reads_the_words_of_a_row(void **state)
{
	skip_under_valgrind();
	static const char name[] = "a $(touch b); touch 'c' *";
	const char *folder = folder_new();
	char argv[POLICY_ARGV] = "/usr/bin/touch";

	(void)state;
	span_copy(span_cstr(path_in(folder, name)), argv + strlen(argv) + 1, 256);
	ask_for(argv, sizeof(argv), 10 * SECOND_US);
	wait_done();
	assert_int_equal(shared.hook.error, 0);
	assert_int_equal(access(path_in(folder, name), F_OK), 0);
}

/* What a hook writes to its first argument. */
static const char *hook_writes(const char *script)
{
	static char buffer[4096];
	const char *path = path_in(folder_new(), "written");
	char argv[POLICY_ARGV] = "/bin/sh";
	struct text text = text_on(argv, sizeof(argv));
	auto_fd fd = -1;
	ssize_t n;

	text_add(&text, "/bin/sh%c-c%c%s%c%s", 0, 0, script, 0, path);
	ask_for(argv, sizeof(argv), 10 * SECOND_US);
	wait_done();
	fd = open(path, O_RDONLY);
	n = read(fd, buffer, sizeof(buffer) - 1);
	buffer[n < 0 ? 0 : n] = '\0';
	return buffer;
}

static void a_hook_knows_what_it_is_run_for(void **state)
{
	const char *got = hook_writes("env >$0");

	skip_under_valgrind();

	(void)state;
	assert_non_null(strstr(got, "REFAULT_DECISION=7\n"));
	assert_non_null(strstr(got, "REFAULT_VICTIM_PID=321\n"));
	assert_non_null(strstr(got, "REFAULT_VICTIM=leak $(x).service\n"));
}

static void a_hook_gets_nothing_of_the_guards_own_environment(void **state)
{
	skip_under_valgrind();
	(void)state;
	setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1);
	assert_null(strstr(hook_writes("env >$0"), "NOTIFY_SOCKET"));
	unsetenv("NOTIFY_SOCKET");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define HOOK_TEST(name) cmocka_unit_test_setup_teardown(name, front_new, front_end)
		HOOK_TEST(a_hook_that_ends_well_is_done),
		HOOK_TEST(a_hook_that_fails_says_so),
		HOOK_TEST(a_hook_that_is_not_there_says_so),
		HOOK_TEST(a_hook_that_takes_too_long_is_killed_with_all_it_started),
		HOOK_TEST(a_dry_run_runs_no_hook),
		HOOK_TEST(no_shell_reads_the_words_of_a_row),
		HOOK_TEST(a_hook_knows_what_it_is_run_for),
		HOOK_TEST(a_hook_gets_nothing_of_the_guards_own_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
