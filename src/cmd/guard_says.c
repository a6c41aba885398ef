#include <errno.h>
#include <inttypes.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "cmd/guard_front.h"
#include "view/clock.h"

/* $JOURNAL_STREAM is DEVICE:INODE of what systemd connected to the journal. */
static bool is_journal(int fd)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct span device;
	struct span inode;
	uint64_t number[2];
	struct stat stat;

	return stream && span_split(span_cstr(stream), ':', &device, &inode) &&
	       span_u64(device, &number[0]) == 0 && span_u64(inode, &number[1]) == 0 &&
	       fstat(fd, &stat) == 0 && stat.st_dev == number[0] && stat.st_ino == number[1];
}

/*
 * The journal's own protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): sd_journal_sendv() waits
 * where the journal does not keep up, and on a machine without memory it may not.
 */
static int journal_open(void)
{
	const struct sockaddr_un address = {
		.sun_family = AF_UNIX,
		.sun_path = "/run/systemd/journal/socket",
	};
	auto_fd fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return take_fd(&fd);
}

void says_init(struct says *says, bool json)
{
	*says = (struct says){ .json = json, .journal = -1 };
	if (!json && is_journal(STDOUT_FILENO))
		says->journal = journal_open();
}

void says_done(struct says *says)
{
	says_again(says);
	if (says->journal >= 0)
		close(says->journal);
	says->journal = -1;
}

/* Values hold no newline: record_journal() escapes them. */
static int journal_send(int fd, const struct guard_record *record)
{
	static char buffer[RECORD_JOURNAL_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	struct iovec field[RECORD_FIELDS];
	struct iovec line[2 * RECORD_FIELDS];
	struct msghdr message = { .msg_iov = line };
	size_t fields = record_journal(&text, record, field);
	static char end[] = "\n";

	for (size_t i = 0; i < fields; i++) {
		line[2 * i] = field[i];
		line[2 * i + 1] = (struct iovec){ end, 1 };
	}
	message.msg_iovlen = 2 * fields;
	return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

void says_again(struct says *says)
{
	if (says->journal < 0)
		return;
	if (says->count - says->said > RECORDS_KEPT)
		says->said = says->count - RECORDS_KEPT;
	while (says->said < says->count) {
		if (journal_send(says->journal, &says->kept[says->said % RECORDS_KEPT]) ==
		    -EAGAIN)
			return;
		says->said++;
	}
}

static void print_line(const struct guard_record *record)
{
	const struct host host = {
		.at_us = record->at_us,
		.wall_us = record->wall_us,
		.has_time = record->at_us > 0,
	};
	char line[2048];
	struct text text = text_on(line, sizeof(line));

	clock_add(&text, &host);
	text_add(&text, " ");
	record_line(&text, record);
	puts(line);
}

void says_record(struct says *says, const struct guard_record *record)
{
	says->kept[says->count++ % RECORDS_KEPT] = *record;
	if (says->journal >= 0) {
		says_again(says);
		return;
	}
	if (says->json) {
		struct json json = json_on(stdout, false);

		record_json(&json, NULL, record);
	} else {
		print_line(record);
	}
	fflush(stdout);
}

size_t says_kept(const struct says *says, struct guard_record out[RECORDS_KEPT])
{
	uint64_t first = says->count > RECORDS_KEPT ? says->count - RECORDS_KEPT : 0;

	for (uint64_t i = first; i < says->count; i++)
		out[i - first] = says->kept[i % RECORDS_KEPT];
	return (size_t)(says->count - first);
}
