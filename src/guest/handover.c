/*
 * The end of a run: what was only in memory goes to the results disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>

#include "guest/feature.h"
#include "guest/file.h"
#include "guest/guest.h"
#include "guest/moment.h"

static char room[(size_t)2 << 20];

static void put_slots(struct guest *guest, const struct child *child, uint64_t now)
{
	uint64_t end_us = child->state == CHILD_ENDED ? child->ended_us : now;
	struct text text = text_on(room, sizeof(room));
	char path[CHILD_NAME + 16];
	struct event event;

	for (size_t i = 0; progress_event(child->progress, i, &event); i++)
		event_print(&text, &event);
	for (uint64_t i = 0; !text.cut && progress_lost(child->progress, end_us, i, &event);
	     i++)
		event_print(&text, &event);
	snprintf(path, sizeof(path), "slots/%s", child->name);
	stream_put(&guest->stream, path, span_of(room, text.used));
	if (child->progress->slots > child->progress->listed)
		guest_mark(guest, "note", "%s: %u slots are not listed", child->name,
			   child->progress->slots - child->progress->listed);
}

/* "6,339,5140900,-;text" and lines of more about it, which begin with a blank. */
static void print_record(struct span record, struct text *text)
{
	struct span head;
	struct span line;
	struct span part;
	uint64_t at_us = 0;

	if (!span_split(record, ';', &head, &line) || !span_line(&line, &part))
		return;
	for (int i = 0; i < 3; i++) {
		struct span number;

		if (span_cut(&head, ',', &number) && i == 2 && span_u64(number, &at_us) < 0)
			at_us = 0;
	}
	text_add(text, "[%6ju.%06ju] %.*s\n", (uintmax_t)(at_us / SECOND_US),
		 (uintmax_t)(at_us % SECOND_US), (int)span_len(part), part.at);
}

static void put_kernel_log(struct guest *guest)
{
	auto_fd fd = file_open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	struct text text = text_on(room, sizeof(room));
	char record[8192];

	while (fd >= 0) {
		ssize_t n = read(fd, record, sizeof(record));

		if (n > 0)
			print_record(span_of(record, (size_t)n), &text);
		else if (n == 0 || errno != EPIPE) /* EPIPE: older records are gone */
			break;
	}
	stream_put(&guest->stream, "kmsg", span_of(room, text.used));
}

/* What foreign programs have said; of more than there is room for, the beginning. */
static void put_output(struct guest *guest, const struct child *child)
{
	char from[CHILD_NAME + 16];
	char path[CHILD_NAME + 16];
	struct span bytes;

	snprintf(from, sizeof(from), "/run/output/%s", child->name);
	snprintf(path, sizeof(path), "output/%s", child->name);
	if (file_read(from, (struct buffer){ room, sizeof(room) }, &bytes) == 0)
		stream_put(&guest->stream, path, bytes);
}

static void put_facts(struct guest *guest)
{
	const struct observer *observer = &guest->observer;
	struct text text = text_on(room, sizeof(room));
	struct utsname name;

	uname(&name);
	text_add(&text, "release=%s\nmem_total_bytes=%ju\nswap_total_bytes=%ju\n", name.release,
		 (uintmax_t)meminfo_bytes("/proc/meminfo", "MemTotal"),
		 (uintmax_t)meminfo_bytes("/proc/meminfo", "SwapTotal"));
	feature_print(&text);
	text_add(&text,
		 "calibration_mib_s=%ju\nobserver_frames=%u\nobserver_missed=%ju\n"
		 "observer_locked_bytes=%ju\nobserver_max_late_us=%ju\n"
		 "observer_cut_files=%ju\nobserver_faults=%ju\n",
		 (uintmax_t)guest->calibration_mib_s, observer->frames,
		 (uintmax_t)observer->missed, (uintmax_t)observer->locked_bytes,
		 (uintmax_t)observer->max_late_us, (uintmax_t)observer->cut_files,
		 (uintmax_t)observer->faults);
	stream_put(&guest->stream, "guest", span_of(room, text.used));
}

void guest_hand_over(struct guest *guest)
{
	uint64_t end_us = now_us();

	/* Nobody waits for them to end: the machine does. */
	for (size_t i = 0; i < guest->children; i++)
		child_stop(&guest->child[i]);
	for (size_t i = 0; i < guest->children; i++)
		if (guest->child[i].state != CHILD_WAITING)
			put_slots(guest, &guest->child[i], end_us);
	for (size_t i = 0; i < guest->children; i++)
		if (guest->child[i].kind == KIND_program)
			put_output(guest, &guest->child[i]);
	put_kernel_log(guest);
	put_facts(guest);
	stream_put(&guest->stream, "done", (struct span){ 0 });
}
