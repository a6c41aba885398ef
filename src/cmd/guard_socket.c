#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "cmd/guard_front.h"

/*
 * One line in, one answer out: "status", "status json", "why PATH", "why-json PATH". Only root,
 * or who runs the guard, may ask: names of units are nobody else's business. A client that is
 * slow is waited for in the event loop, and not for long.
 */
#define CLIENT_US (5 * SECOND_US)

static void client_close(struct client *client)
{
	sd_event_source_disable_unref(client->io);
	sd_event_source_disable_unref(client->timer);
	fd_done(&client->fd);
	free(client->answer);
	*client = (struct client){ .fd = -1 };
}

/* The loop's last word, read again when it wrote meanwhile. */
static void copy_status(const struct shared *shared, struct shared_status *out)
{
	for (int tries = 0; tries < 1000; tries++) {
		uint64_t before =
			atomic_load_explicit(&shared->status_sequence, memory_order_acquire);

		memcpy(out, &shared->status, sizeof(*out));
		atomic_thread_fence(memory_order_acquire);
		if (before % 2 == 0 && atomic_load(&shared->status_sequence) == before)
			return;
	}
}

static bool answer_with(FILE *file, const struct shown *shown, struct span request)
{
	static char buffer[SHOWN_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	struct json json = json_on(file, true);
	char path[RECORD_PATH];
	struct span word;
	struct span rest = { request.end, request.end };

	if (!span_split(request, ' ', &word, &rest))
		word = request;
	if (!span_copy(rest, path, sizeof(path)))
		return false;
	if (span_eq(request, "status"))
		status_text(&text, shown);
	else if (span_eq(request, "status json"))
		status_json(&json, shown);
	else if (span_eq(word, "why"))
		why_text(&text, shown, path);
	else if (span_eq(word, "why-json"))
		why_json(&json, shown, path);
	else
		return false;
	fwrite(buffer, 1, text.used, file);
	return true;
}

/* What is asked about, copied so that the answer is of one moment. */
struct copies {
	struct shared_status status;
	struct guard_record kept[RECORDS_KEPT];
};

static bool make_answer(struct client *client, struct span request)
{
	struct front *front = client->front;
	struct copies *copies = xalloc(1, sizeof(*copies));
	struct shown shown = {
		.status = &copies->status,
		.config = front_config(front),
		.record = copies->kept,
		.dry = front->shared->dry,
		.observe = front->observe,
		.now_us = boottime_us(),
	};
	FILE *file = open_memstream(&client->answer, &client->size);
	bool ok = false;

	if (file) {
		copy_status(front->shared, &copies->status);
		shown.records = says_kept(&front->says, copies->kept);
		ok = answer_with(file, &shown, request);
		if (fclose(file) != 0)
			ok = false;
	}
	free(copies);
	return ok;
}

static int on_writable(struct client *client)
{
	ssize_t n = send(client->fd, client->answer + client->sent, client->size - client->sent,
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n > 0)
		client->sent += (size_t)n;
	if (n <= 0 || client->sent == client->size)
		client_close(client);
	return 0;
}

static int on_readable(struct client *client)
{
	char *at = client->request + client->got;
	ssize_t n = recv(client->fd, at, sizeof(client->request) - client->got, MSG_DONTWAIT);
	const char *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		client_close(client);
		return 0;
	}
	client->got += (size_t)n;
	end = memchr(client->request, '\n', client->got);
	if (!end) {
		if (client->got == sizeof(client->request))
			client_close(client);
		return 0;
	}
	if (make_answer(client, (struct span){ client->request, end }))
		sd_event_source_set_io_events(client->io, EPOLLOUT);
	else
		client_close(client);
	return 0;
}

static int on_client(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct client *client = data;

	(void)source;
	(void)fd;
	if (client->answer)
		return on_writable(client);
	if (events & EPOLLIN)
		return on_readable(client);
	client_close(client);
	return 0;
}

static int on_late(sd_event_source *source, uint64_t due, void *data)
{
	(void)source;
	(void)due;
	client_close(data);
	return 0;
}

static bool may_ask(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
	       (who.uid == 0 || who.uid == geteuid());
}

static struct client *client_new(struct front *front, int fd)
{
	for (size_t i = 0; i < CLIENTS_MAX; i++) {
		struct client *client = &front->client[i];

		if (client->front)
			continue;
		*client = (struct client){ .front = front, .fd = fd };
		return client;
	}
	return NULL;
}

static int on_connect(sd_event_source *source, int listener, uint32_t events, void *data)
{
	struct front *front = data;
	auto_fd fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct client *client;
	int r;

	(void)source;
	(void)events;
	if (fd < 0 || !may_ask(fd))
		return 0;
	client = client_new(front, fd);
	if (!client)
		return 0;
	take_fd(&fd);
	r = sd_event_add_io(front->event, &client->io, client->fd, EPOLLIN, on_client, client);
	if (r >= 0)
		r = sd_event_add_time_relative(front->event, &client->timer, CLOCK_MONOTONIC,
					       CLIENT_US, 0, on_late, client);
	if (r < 0)
		client_close(client);
	return 0;
}

/* True when a guard has it, be it one that is too busy: what was left behind refuses. */
static bool is_served(const struct sockaddr_un *address)
{
	auto_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd >= 0 &&
	       (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ||
		errno == EAGAIN);
}

static int bind_socket(struct front *front, const struct sockaddr_un *address)
{
	mode_t before = umask(0177);
	int r = 0;

	unlink(address->sun_path);
	if (bind(front->listener, (const struct sockaddr *)address, sizeof(*address)) < 0 ||
	    listen(front->listener, CLIENTS_MAX) < 0)
		r = -errno;
	umask(before);
	return r;
}

/* Without it nobody can ask, and all else goes on; but there is one guard only. */
int socket_open(struct front *front)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct text path = text_on(address.sun_path, sizeof(address.sun_path));
	int r = 0;

	make_folders(front->arguments->run_directory);
	text_add(&path, "%s/%s", front->arguments->run_directory, GUARD_SOCKET);
	if (path.cut)
		r = -ENAMETOOLONG;
	else if (is_served(&address)) {
		cmd_error("another guard is running: %s answers", address.sun_path);
		return EXIT_NOT_MEASURED;
	}
	front->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (r == 0)
		r = front->listener < 0 ? -errno : bind_socket(front, &address);
	if (r == 0) {
		span_copy(span_cstr(address.sun_path), front->socket, sizeof(front->socket));
		return 0;
	}
	cmd_error("%s: cannot listen, status cannot be asked for: %s", address.sun_path,
		  strerror(-r));
	fd_done(&front->listener);
	front->listener = -1;
	return 0;
}

int socket_serve(struct front *front)
{
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		front->client[i].fd = -1;
	if (front->listener < 0)
		return 0;
	return sd_event_add_io(front->event, NULL, front->listener, EPOLLIN, on_connect, front);
}

void socket_close(struct front *front)
{
	for (size_t i = 0; i < CLIENTS_MAX; i++)
		if (front->client[i].front)
			client_close(&front->client[i]);
	fd_done(&front->listener);
	front->listener = -1;
	if (front->socket[0])
		unlink(front->socket);
}
