#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "cmd/guard_front.h"

/* Below the folder of the program: as installed, as built, or beside it. */
static const char *const PROGRAMS[] = {
	"../libexec/refault/refault-guard",
	"../guard/refault-guard",
	"refault-guard",
};

/* The loop locks its memory and opens every cgroup before it says that it is ready. */
#define READY_US (20 * SECOND_US)
#define READY_STEP_US 10000

static int find_program(char *buffer, size_t size)
{
	char folder[1024];
	ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	char *slash;

	if (length < 0)
		return -errno;
	folder[length] = '\0';
	slash = strrchr(folder, '/');
	if (!slash)
		return -ENOENT;
	*slash = '\0';
	for (size_t i = 0; i < ARRAY_LEN(PROGRAMS); i++) {
		struct text path = text_on(buffer, size);

		text_add(&path, "%s/%s", folder, PROGRAMS[i]);
		if (!path.cut && access(buffer, X_OK) == 0)
			return 0;
	}
	return -ENOENT;
}

/* A descriptor above those that the loop has by number, so that none is in another's way. */
static int above(int fd)
{
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10);

	if (fd >= 0)
		close(fd);
	return copy;
}

static int open_shared(struct front *front)
{
	front->shared_size = sizeof(struct shared);
	front->memory = above(memfd_create("refault-guard", MFD_CLOEXEC));
	front->wake = above(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	if (front->memory < 0 || front->wake < 0 ||
	    ftruncate(front->memory, (off_t)front->shared_size) < 0)
		return -errno;
	front->shared = mmap(NULL, front->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			     front->memory, 0);
	if (front->shared == MAP_FAILED) {
		front->shared = NULL;
		return -errno;
	}
	front->shared->magic = SHARED_MAGIC;
	front->shared->size = sizeof(struct shared);
	front->shared->front_pid = (uint32_t)getpid();
	return 0;
}

/* All signals as at the start of a program: the front has blocked those that it waits for. */
static int spawn(struct front *front, char *program)
{
	char *argv[] = { program, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	sigset_t all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, front->memory, SHARED_FD);
	posix_spawn_file_actions_adddup2(&files, front->wake, SHARED_WAKE_FD);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	r = posix_spawn(&front->loop, program, &files, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return -r;
}

/* 0, or an exit status after one sentence. */
static int wait_ready(struct front *front)
{
	const struct timespec step = { .tv_nsec = READY_STEP_US * 1000L };

	for (uint64_t waited = 0; waited < READY_US; waited += READY_STEP_US) {
		int status;

		if (atomic_load(&front->shared->ready))
			return 0;
		if (waitpid(front->loop, &status, WNOHANG) == front->loop) {
			front->loop = 0;
			cmd_error("refault-guard ended before it was ready (status %d)",
				  WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
			return EXIT_INTERNAL;
		}
		nanosleep(&step, NULL);
	}
	cmd_error("refault-guard was not ready within %u s", (unsigned)(READY_US / SECOND_US));
	return EXIT_INTERNAL;
}

int loop_start(struct front *front)
{
	char program[2048];
	int r = find_program(program, sizeof(program));

	if (r == 0)
		r = spawn(front, program);
	if (r < 0) {
		cmd_error("cannot start refault-guard: %s", strerror(-r));
		return EXIT_INTERNAL;
	}
	return wait_ready(front);
}

int shared_open(struct front *front)
{
	int r = open_shared(front);

	if (r == 0)
		return 0;
	cmd_error("cannot make the memory that is shared with refault-guard: %s", strerror(-r));
	return EXIT_INTERNAL;
}

/* What it raised it takes back before it ends; if it does not it is ended. */
#define END_US (10 * SECOND_US)

void loop_end(struct front *front)
{
	const struct timespec step = { .tv_nsec = READY_STEP_US * 1000L };

	if (front->loop > 0) {
		atomic_store(&front->shared->must_end, true);
		for (uint64_t waited = 0; front->loop > 0 && waited < END_US;
		     waited += READY_STEP_US) {
			if (waitpid(front->loop, NULL, WNOHANG) == front->loop)
				front->loop = 0;
			else
				nanosleep(&step, NULL);
		}
	}
	if (front->loop > 0) {
		cmd_error("refault-guard did not end within %u s and is killed",
			  (unsigned)(END_US / SECOND_US));
		kill(front->loop, SIGKILL);
		waitpid(front->loop, NULL, 0);
		front->loop = 0;
	}
}

void shared_close(struct front *front)
{
	if (front->shared)
		munmap(front->shared, front->shared_size);
	front->shared = NULL;
	fd_done(&front->memory);
	fd_done(&front->wake);
}
