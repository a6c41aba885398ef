#pragma once
/*
 * Puts text on the terminal: UTF-8 where it has that, else the nearest ASCII. Nothing is ever
 * written past an edge.
 */
#include <curses.h>

#include "base/span.h"

enum ink {
	INK_PLAIN,
	INK_FINE,
	INK_INFO,
	INK_NOTE,
	INK_WARN,
	INK_HARM,
	INK_FAINT, /* labels */
	INK_TITLE,
	INK_CURSOR,
	INKS,
};

struct canvas {
	int height;
	int width;
	bool color;
	bool ascii;
};

/* Ready to draw on: empty, of the size that the terminal has now. */
struct canvas canvas_new(bool color, bool ascii);

/* At most up to the right edge; what is longer ends with "…". */
void paint(const struct canvas *canvas, int row, int column, enum ink ink, const char *text);
void paint_span(const struct canvas *canvas, int row, int column, enum ink ink,
		struct span text);

/* The whole line, filled up with blanks. */
void paint_line(const struct canvas *canvas, int row, enum ink ink, const char *text);

/* Once, behind newterm(3). */
void inks_init(void);
