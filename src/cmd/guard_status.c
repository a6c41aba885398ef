#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "cmd/guard_front.h"

/* The guard answers at once; one that does not is stuck. */
#define ANSWER_S 5

static int dial(const char *directory, int *out)
{
	const struct timeval limit = { .tv_sec = ANSWER_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct text path = text_on(address.sun_path, sizeof(address.sun_path));
	auto_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	text_add(&path, "%s/%s", directory, GUARD_SOCKET);
	if (path.cut)
		return -ENAMETOOLONG;
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0 ||
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	*out = take_fd(&fd);
	return 0;
}

static int print_answer(int fd)
{
	char buffer[4096];
	ssize_t n;
	size_t all = 0;

	while ((n = recv(fd, buffer, sizeof(buffer), 0)) > 0) {
		fwrite(buffer, 1, (size_t)n, stdout);
		all += (size_t)n;
	}
	return n < 0 ? -errno : all > 0 ? 0 : -ENODATA;
}

static const char *reason(int r)
{
	switch (-r) {
	case ENOENT:
	case ECONNREFUSED:
		return "no guard is running";
	case EACCES:
		return "only root may ask";
	case ENODATA:
	case ECONNRESET:
	case EPIPE:
		return "the guard gave no answer: only root may ask";
	case EAGAIN:
		return "the guard does not answer";
	default:
		return strerror(-r);
	}
}

int guard_ask(const struct guard_arguments *arguments)
{
	char request[512];
	struct text text = text_on(request, sizeof(request));
	auto_fd fd = -1;
	int r = -EINVAL;

	if (!arguments->why)
		text_add(&text, arguments->json ? "status json\n" : "status\n");
	else
		text_add(&text, "%s %s\n", arguments->json ? "why-json" : "why",
			 arguments->why);
	if (!text.cut && strchr(request, '\n') == request + text.used - 1)
		r = dial(arguments->run_directory, &fd);
	if (r == 0 && send(fd, request, text.used, MSG_NOSIGNAL) != (ssize_t)text.used)
		r = -errno;
	if (r == 0)
		r = print_answer(fd);
	if (r == 0)
		return EXIT_FINE;
	cmd_error("%s/%s: %s", arguments->run_directory, GUARD_SOCKET, reason(r));
	return EXIT_NOT_MEASURED;
}
