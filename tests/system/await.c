/*
 * await FILE COLUMN LEAST SECONDS: waits until a column of the one line that a load keeps in
 * its report, counted from 1, is at least LEAST. Wakes up when the file is written, not before.
 * Ends with 1 when that takes longer.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

struct wanted {
	const char *path;
	unsigned long column;
	unsigned long least;
};

static bool is_there(const struct wanted *wanted)
{
	char line[256];
	char *at = line;
	int fd = open(wanted->path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	unsigned long value = 0;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	line[n] = '\0';
	for (unsigned long i = 0; i < wanted->column; i++)
		value = strtoul(at, &at, 10);
	return value >= wanted->least;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void drain(int fd)
{
	char events[4096];

	while (read(fd, events, sizeof(events)) > 0)
		;
}

int main(int argc, char **argv)
{
	struct wanted wanted;
	struct pollfd poller = { .events = POLLIN };
	int64_t end;

	if (argc != 5)
		return 2;
	wanted = (struct wanted){ argv[1], strtoul(argv[2], NULL, 10),
				  strtoul(argv[3], NULL, 10) };
	end = now_ms() + (int64_t)strtoul(argv[4], NULL, 10) * 1000;
	poller.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (poller.fd < 0 || inotify_add_watch(poller.fd, argv[1], IN_MODIFY) < 0) {
		perror(argv[1]);
		return 2;
	}
	while (!is_there(&wanted)) {
		int64_t left = end - now_ms();

		if (left <= 0 || poll(&poller, 1, (int)left) <= 0)
			return 1;
		drain(poller.fd);
	}
	return 0;
}
