#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/units.h"
#include "cmd/cmd.h"

void cmd_error(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("refault: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

int out_of_memory(void)
{
	cmd_error("cannot reserve memory for samples");
	return EXIT_INTERNAL;
}

bool wants_color(const struct common *common)
{
	return isatty(STDOUT_FILENO) && !common->no_color && !getenv("NO_COLOR");
}

size_t terminal_width(size_t least)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < least)
		return 80;
	return size.ws_col;
}

enum {
	OPTION_NO_COLOR = 0x100
};

static const struct argp_option COMMON_OPTIONS[] = {
	{ "root", 'r', "DIR", 0,
	  "Read the kernel's files below DIR: a captured tree, or another machine's file "
	  "systems",
	  10 },
	{ "from", 'f', "PATH", 0,
	  "Replay PATH: a folder of frames, a captured tree, or a recording", 10 },
	{ "interval", 'i', "TIME", 0, "Time between two samples: 500ms, 1s, 2m (default 1s)",
	  10 },
	{ "json", 'j', NULL, 0, "Print JSON", 10 },
	{ "no-color", OPTION_NO_COLOR, NULL, 0,
	  "Print without colour; so does NO_COLOR in the environment", 10 },
	{ 0 },
};

uint64_t option_time(struct argp_state *state, const char *option, const char *text,
		     uint64_t min_us, uint64_t max_us)
{
	uint64_t us = 0;

	if (time_parse(span_cstr(text), min_us, max_us, &us) < 0) {
		char limits[64];
		struct text words = text_on(limits, sizeof(limits));

		text_add(&words, "%g s to %g s", (double)min_us / SECOND_US,
			 (double)max_us / SECOND_US);
		argp_error(state,
			   "--%s: '%.64s' is not a time such as 500ms, 5s or 2m, from %s",
			   option, text, limits);
	}
	return us;
}

uint64_t option_count(struct argp_state *state, const char *option, const char *text,
		      uint64_t min, uint64_t max)
{
	uint64_t count = 0;

	if (span_u64(span_cstr(text), &count) < 0 || count < min || count > max)
		argp_error(state, "--%s: '%.64s' is not a whole number from %llu to %llu",
			   option, text, (unsigned long long)min, (unsigned long long)max);
	return count;
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
	struct common *common = state->input;

	switch (key) {
	case 'r':
		common->root = argument;
		return 0;
	case 'f':
		common->from = argument;
		return 0;
	case 'i':
		common->interval_us = option_time(state, "interval", argument, INTERVAL_MIN_US,
						  INTERVAL_MAX_US);
		return 0;
	case 'j':
		common->json = true;
		return 0;
	case OPTION_NO_COLOR:
		common->no_color = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp common_argp = { .options = COMMON_OPTIONS, .parser = parse_common };

static const char *reason(int r)
{
	switch (-r) {
	case EBADMSG:
		return "neither a folder of frames, nor a captured tree, nor a tar of frames";
	case ENODATA:
		return "holds no frame: expected proc/ and sys/, or folders 000000, 000001 … "
		       "of them";
	case EFBIG:
		return "is too large to be a recording";
	default:
		return strerror(-r);
	}
}

int session_open(const struct common *common, struct session *out)
{
	const char *path = common->from ? common->from : common->root;
	int r = source_open(common->from, common->root, &out->source);

	if (r < 0) {
		cmd_error("%s: %s", path, reason(r));
		return EXIT_NOT_MEASURED;
	}
	if (out->source.pack.cut)
		cmd_error("%s: the recording is cut off; its %zu whole frames are used", path,
			  out->source.frames);
	out->interval_us = common->interval_us;
	out->due_us = 0;
	r = sampler_init(&out->sampler);
	if (r < 0) {
		source_done(&out->source);
		return out_of_memory();
	}
	return 0;
}

void session_close(struct session *session)
{
	sampler_done(&session->sampler);
	source_done(&session->source);
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

/* Ticks stay on their grid; one that was missed is not made up for. */
static void next_tick(struct session *session, uint64_t now)
{
	while (session->due_us <= now)
		session->due_us += session->interval_us;
}

enum wait session_wait(struct session *session, int input, const sigset_t *mask)
{
	uint64_t now = now_us();
	uint64_t left = session->due_us > now ? session->due_us - now : 0;
	struct pollfd watched = { .fd = input, .events = POLLIN };
	const struct timespec until = {
		.tv_sec = (time_t)(left / SECOND_US),
		.tv_nsec = (long)(left % SECOND_US * 1000),
	};
	int ready;

	if (session->due_us == 0) {
		session->due_us = now + session->interval_us;
		return WAIT_TICK;
	}
	ready = ppoll(&watched, 1, &until, mask);
	if (ready < 0)
		return WAIT_SIGNAL;
	if (ready > 0)
		return watched.revents & (POLLHUP | POLLERR | POLLNVAL) ? WAIT_HANGUP :
									  WAIT_INPUT;
	next_tick(session, now_us());
	return WAIT_TICK;
}

int session_take(struct session *session, enum sampling how, struct arena *arena,
		 struct snapshot **out)
{
	int r = source_next(&session->source);

	if (r == SOURCE_END)
		return SESSION_END;
	if (r == 0)
		r = sampler_take(&session->sampler, &session->source.root, how, arena, out);
	return r;
}

int session_failed(int r)
{
	cmd_error("cannot take a sample: %s", strerror(-r));
	return EXIT_NOT_MEASURED;
}

int session_next(struct session *session, enum sampling how, struct arena *arena,
		 struct snapshot **out)
{
	int r;

	while (session->source.kind == SOURCE_LIVE &&
	       session_wait(session, NO_INPUT, NULL) != WAIT_TICK)
		;
	r = session_take(session, how, arena, out);
	return r < 0 ? session_failed(r) : r;
}
