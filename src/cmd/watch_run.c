#include <errno.h>
#include <stdio_ext.h>

#include "cmd/watch.h"
#include "view/report.h"
#include "view/screen.h"
#include "view/watch_lines.h"

/* False when nobody reads any more, which is a way to end and no error. */
static bool flush(void)
{
	if (fflush(stdout) == 0)
		return true;
	if (errno != EPIPE)
		return false; /* main() says so */
	__fpurge(stdout);
	clearerr(stdout);
	return false;
}

static bool print(const struct watch *watch, struct watch_lines *lines)
{
	if (!watch_has_verdict(watch))
		return true;
	if (watch->options->common.json) {
		report_json(stdout, false, &watch->verdict);
	} else {
		lines->width = terminal_width(1);
		watch_lines_print(lines, &watch->verdict);
	}
	return flush();
}

/* A recording is played as fast as it can be read. */
int watch_in_lines(struct watch *watch)
{
	struct watch_lines lines =
		watch_lines_on(stdout, 0, wants_color(&watch->options->common));
	bool is_live = watch->session.source.kind == SOURCE_LIVE;
	int r = 0;

	while (r == 0 && !watch_is_over(watch)) {
		if (is_live &&
		    session_wait(&watch->session, NO_INPUT, &watch->mask) != WAIT_TICK)
			continue;
		r = watch_next(watch);
		if (r == 0 && !print(watch, &lines))
			break;
	}
	return watch_status(watch, r);
}

static int show_next(struct watch *watch, struct screen *screen)
{
	int r = watch_next(watch);

	if (r != 0)
		return r;
	if (watch_has_verdict(watch))
		screen_remember(screen, &watch->evidence);
	if (!screen->browse.is_paused)
		screen_take(screen, &watch->verdict);
	return 0;
}

/* What a tick means: nothing at the end of a recording, or while that is paused. */
static int tick(struct watch *watch, struct screen *screen)
{
	bool is_live = watch->session.source.kind == SOURCE_LIVE;
	int r;

	if (screen->state || (screen->browse.is_paused && !is_live))
		return 0;
	r = show_next(watch, screen);
	if (r != SESSION_END)
		return r;
	screen->state = "end of recording";
	return 0;
}

static void take_keys(struct watch *watch, struct screen *screen)
{
	bool was_paused = screen->browse.is_paused;

	screen_keys(screen);
	if (was_paused && !screen->browse.is_paused && watch->window.frames > 0)
		screen_take(screen, &watch->verdict);
}

static int play(struct watch *watch, struct screen *screen)
{
	int r = 0;

	while (r == 0 && !watch_is_over(watch) && !screen->browse.is_done) {
		screen_draw(screen);
		switch (session_wait(&watch->session, STDIN_FILENO, &watch->mask)) {
		case WAIT_TICK:
			r = tick(watch, screen);
			break;
		case WAIT_INPUT:
		case WAIT_SIGNAL:
			take_keys(watch, screen);
			break;
		case WAIT_HANGUP:
			watch->hung_up = true;
			break;
		}
	}
	return r;
}

int watch_on_screen(struct watch *watch)
{
	/* Too large for the stack. */
	static struct screen screen;
	double interval_s = (double)watch->options->common.interval_us / SECOND_US;
	int r = screen_open(&screen, interval_s, wants_color(&watch->options->common));

	if (r == -ENOTTY)
		return watch_in_lines(watch);
	if (r == 0)
		r = play(watch, &screen);
	if (screen.state && r == 0 && watch->verdicts == 0)
		r = SESSION_END;
	screen_close(&screen);
	return watch_status(watch, r);
}
