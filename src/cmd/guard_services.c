#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "cmd/guard_front.h"

/*
 * Who serves a socket: sock_diag(7) names the cgroup of each listening socket since Linux 5.9,
 * so that nobody's descriptors need be looked at. A socket that the service manager opened for
 * a unit belongs to the manager's cgroup; such a unit is known by the service manager only.
 */
#define LOOK_US (60 * SECOND_US)
#define ANSWER_MS 500

/* Netlink pads all to 4 bytes; the kernel's macros for that have signs. */
static size_t padded(size_t length)
{
	return (length + 3) / 4 * 4;
}

void service_add(struct service_list *list, uint64_t id)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (list->id[i] == id)
			return;
	if (list->count < PROTECTED_MAX)
		list->id[list->count++] = id;
}

static int ask(int fd, uint8_t family)
{
	const struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 body;
	} request = {
		.head = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
		.body = {
			.sdiag_family = family,
			.sdiag_protocol = IPPROTO_TCP,
			.idiag_states = 1u << TCP_LISTEN,
		},
	};

	return send(fd, &request, sizeof(request), MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void take_attributes(const char *at, size_t left, struct service_list *list)
{
	struct nlattr head;
	uint64_t id;

	while (left >= sizeof(head)) {
		size_t length;

		memcpy(&head, at, sizeof(head));
		length = head.nla_len;
		if (length < sizeof(head) || length > left)
			return;
		if (head.nla_type == INET_DIAG_CGROUP_ID &&
		    length >= sizeof(head) + sizeof(id)) {
			memcpy(&id, at + sizeof(head), sizeof(id));
			service_add(list, id);
		}
		length = MIN(padded(length), left);
		at += length;
		left -= length;
	}
}

/* True at the end of the dump. */
static bool take_messages(const char *at, size_t left, struct service_list *list)
{
	const size_t before =
		padded(sizeof(struct nlmsghdr)) + padded(sizeof(struct inet_diag_msg));
	struct nlmsghdr head;

	while (left >= sizeof(head)) {
		size_t length;

		memcpy(&head, at, sizeof(head));
		length = head.nlmsg_len;
		if (head.nlmsg_type == NLMSG_DONE || head.nlmsg_type == NLMSG_ERROR ||
		    length < sizeof(head) || length > left)
			return true;
		if (length > before)
			take_attributes(at + before, length - before, list);
		length = MIN(padded(length), left);
		at += length;
		left -= length;
	}
	return false;
}

static void list_family(int fd, uint8_t family, struct service_list *list)
{
	static char buffer[1 << 15];
	ssize_t n;

	if (ask(fd, family) < 0)
		return;
	do {
		n = recv(fd, buffer, sizeof(buffer), 0);
		if (n <= 0)
			return;
	} while (!take_messages(buffer, (size_t)n, list));
}

static void list_sockets(struct service_list *list)
{
	const struct timeval limit = { .tv_usec = ANSWER_MS * 1000L };
	auto_fd fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0)
		return;
	list_family(fd, AF_INET, list);
	list_family(fd, AF_INET6, list);
}

static void publish(struct shared *shared, const struct service_list *list)
{
	atomic_fetch_add(&shared->services_sequence, 1);
	shared->services = *list;
	atomic_fetch_add(&shared->services_sequence, 1);
}

void services_look(struct front *front)
{
	struct shared *shared = front->shared;
	struct service_list list = { 0 };
	uint64_t now = monotonic_us();

	if (front->services_at_us > 0 && now - front->services_at_us < LOOK_US)
		return;
	if (shared->status.pace == PACE_ALERT)
		return;
	front->services_at_us = now;
	if (shared->status.other_guard[0])
		atomic_store(&shared->other_guard_scope, bus_oomd_scope());
	if (front_config(front)->options.protect_who != PROTECT_SERVICES)
		return;
	list_sockets(&list);
	bus_services(&list);
	publish(shared, &list);
}
