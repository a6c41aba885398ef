#pragma once
/*
 * The full screen of refault watch. Only the files screen*.c know the terminal.
 */
#include "view/browse.h"
#include "view/history.h"

struct screen {
	struct scene scene;
	struct browse browse;
	struct history history;
	double interval_s;
	bool is_open;
	bool color;
	bool ascii;	   /* the locale has no UTF-8 */
	bool is_zoomed;	   /* somebody chose the stretch of the plots */
	const char *state; /* "end of recording"; NULL none */
};

/*
 * Takes over the terminal. 0; -ENOTTY when it is none, or none that can move its cursor;
 * -ENOMEM. Signals that the caller does not handle are left to ncurses.
 */
must_check int screen_open(struct screen *screen, double interval_s, bool color);

/* Gives the terminal back as it was; harmless twice. */
void screen_close(struct screen *screen);

/* Keeps a moment for the plots; does not show anything. */
void screen_remember(struct screen *screen, const struct evidence *evidence);

/* From now on this verdict is shown. */
void screen_take(struct screen *screen, const struct verdict *verdict);

/* Does what was typed, and notices a new size of the terminal. Never waits. */
void screen_keys(struct screen *screen);
void screen_draw(struct screen *screen);
