#pragma once
/*
 * The parts of the full screen, from top to bottom, and how many lines each gets.
 */
#include "view/screen.h"
#include "view/screen_paint.h"

/* Below this nothing sensible can be shown. */
#define SCREEN_MIN_WIDTH 40
#define SCREEN_MIN_HEIGHT 10

struct panes {
	int sayings; /* lines of the verdict below its headline */
	int table;   /* rows of the table */
	int plot;    /* rows of each plot; 0 is no plots */
};
struct panes panes_of(int height, bool has_heading);

/* Each draws from that line on. */
void paint_sayings(const struct canvas *canvas, int row, const struct scene *scene, int count);
void paint_table(const struct canvas *canvas, int row, struct screen *screen, int count);
void paint_plots(const struct canvas *canvas, int row, struct screen *screen, int rows);
void paint_sheet(const struct canvas *canvas, int row, struct screen *screen, int count);
void paint_status(const struct canvas *canvas, int row, struct screen *screen);
