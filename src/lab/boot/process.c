#include "lab/boot/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define POLL_US 10000
#define NOT_FOUND 127

#define PATH_SIZE 8192

/* mkfs and its kin are not in the PATH of an ordinary user. */
static void search_path(char *out, size_t size)
{
	const char *path = getenv("PATH");

	snprintf(out, size, "%s:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin");
}

bool program_is_there(const char *name)
{
	char all[PATH_SIZE];
	char file[PATH_SIZE];
	const char *at = all;

	search_path(all, sizeof(all));
	while (*at) {
		size_t length = strcspn(at, ":");

		if (path_of(file, sizeof(file), "%.*s/%s", (int)length, at, name) == 0 &&
		    access(file, X_OK) == 0)
			return true;
		at += length;
		at += *at == ':';
	}
	return false;
}

static void set_environment(const struct program *program)
{
	char all[PATH_SIZE];

	search_path(all, sizeof(all));
	setenv("PATH", all, 1);
	setenv("LC_ALL", "C", 1); /* what it prints is read */
	if (program->variable)
		putenv((char *)program->variable);
}

static int set_descriptors(const struct program *program)
{
	auto_fd nowhere = file_open("/dev/null", O_RDWR);
	int out = program->out > 0 ? program->out : nowhere;
	int err = program->err > 0 ? program->err : nowhere;

	if (nowhere < 0 || dup2(nowhere, 0) < 0)
		return -1;
	/* out first moves away from 1 and 2, which are overwritten here. */
	out = fcntl(out, F_DUPFD_CLOEXEC, 10);
	err = fcntl(err, F_DUPFD_CLOEXEC, 10);
	return out < 0 || err < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ? -1 : 0;
}

/* posix_spawn() cannot ask for the signal of PDEATHSIG, so this is fork() and exec(). */
static void become(const struct program *program, pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setpgid(0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		return;
	if (program->folder && chdir(program->folder) < 0)
		return;
	if (set_descriptors(program) < 0)
		return;
	set_environment(program);
	execvp(program->argv[0], (char *const *)program->argv);
}

int program_start(const struct program *program, pid_t *out)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		become(program, parent);
		_exit(NOT_FOUND);
	}
	*out = pid;
	return 0;
}

int program_poll(pid_t pid, int *status)
{
	int raw;
	pid_t got;

	do
		got = waitpid(pid, &raw, WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (got == 0)
		return 0;
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
	return 1;
}

void program_kill(pid_t pid)
{
	/* The group first: it may not exist yet, when the program was started just now. */
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int wait_for(pid_t pid, stop_flag stop)
{
	for (;;) {
		int status = 0;
		int r = program_poll(pid, &status);

		if (r < 0)
			return r;
		if (r > 0 && status == NOT_FOUND)
			return -ENOENT;
		if (r > 0)
			return status == 0 ? 0 : -EIO;
		if (stopped(stop)) {
			program_kill(pid);
			return -ECANCELED;
		}
		usleep(POLL_US);
	}
}

int program_run(const struct program *program, stop_flag stop)
{
	pid_t pid = -1;
	int r = program_start(program, &pid);

	return r < 0 ? r : wait_for(pid, stop);
}

/* Until the end of the output, the end of the buffer, or the stop flag. */
static size_t drain(int fd, struct buffer buffer, stop_flag stop)
{
	size_t used = 0;

	while (used < buffer.size && !stopped(stop)) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (poll(&wait, 1, 100) <= 0)
			continue;
		n = read(fd, buffer.at + used, buffer.size - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	return used;
}

int program_read(const struct program *program, stop_flag stop, struct buffer buffer,
		 struct span *out)
{
	struct program with_pipe = *program;
	int ends[2];
	size_t used;
	pid_t pid = -1;
	int r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	with_pipe.out = ends[1];
	r = program_start(&with_pipe, &pid);
	close(ends[1]);
	used = r < 0 ? 0 : drain(ends[0], buffer, stop);
	close(ends[0]);
	if (r == 0)
		r = wait_for(pid, stop);
	if (used == buffer.size)
		return -EFBIG;
	if (r == 0)
		*out = span_of(buffer.at, used);
	return r;
}
