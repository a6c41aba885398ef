#include "guest/guest.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>

#include "guest/file.h"
#include "guest/moment.h"

void guest_mark(struct guest *guest, const char *kind, const char *format, ...)
{
	char line[400];
	char console[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	stream_mark(&guest->stream, kind, line);
	snprintf(console, sizeof(console), "guest: %s %s\n", kind, line);
	if (span_write(STDERR_FILENO, span_cstr(console)) < 0)
		return; /* a console that is not there is no loss */
}

struct child *guest_child(struct guest *guest, struct span name)
{
	for (size_t i = 0; i < guest->children; i++)
		if (span_eq(name, guest->child[i].name))
			return &guest->child[i];
	return NULL;
}

static void note_ending(struct guest *guest, struct child *child, int status)
{
	char line[128];
	struct text text = text_on(line, sizeof(line));

	child->status = status;
	child->ended_us = now_us();
	child->state = CHILD_ENDED;
	if (child->is_stopped)
		return;
	child_ending(child, &text);
	guest_mark(guest, "ended", "%s", line);
	if (child->progress->error[0])
		guest_mark(guest, "note", "%s: %.100s", child->name, child->progress->error);
}

void guest_reap(struct guest *guest)
{
	int status;
	pid_t pid;

	for (pid = waitpid(-1, &status, WNOHANG); pid > 0; pid = waitpid(-1, &status, WNOHANG))
		for (size_t i = 0; i < guest->children; i++)
			if (guest->child[i].state == CHILD_RUNNING &&
			    guest->child[i].pid == pid)
				note_ending(guest, &guest->child[i], status);
}

/* A load's end is noticed at most so late. */
#define POLL_US (SECOND_US / 50)

void guest_sleep_until(struct guest *guest, uint64_t at_us)
{
	while (now_us() < at_us) {
		sleep_until(MIN(at_us, now_us() + POLL_US));
		guest_reap(guest);
	}
}

void guest_print_loads(const struct guest *guest, uint64_t now_us, struct text *text)
{
	for (size_t i = 0; i < guest->children; i++) {
		const struct child *child = &guest->child[i];
		bool has_ended = child->state == CHILD_ENDED;
		struct progress now;

		progress_now(child->progress, has_ended ? child->ended_us : now_us, &now);
		text_add(text, "%s %s %ju %ju %ju %ju %ju %ju\n", child->name,
			 child_state_name(child->state), (uintmax_t)now.due,
			 (uintmax_t)now.done, (uintmax_t)now.late, (uintmax_t)now.longest_us,
			 (uintmax_t)now.size_bytes, (uintmax_t)now.extra);
	}
}
