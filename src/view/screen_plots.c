#include "view/plot.h"
#include "view/screen_panes.h"
#include "view/words.h"

/* More columns than a terminal has. */
#define POINTS_MAX 1024

#define LABEL_WIDTH 23

/* How much time the plots show to begin with. */
#define STRETCH_S 120.0

/* A full bar stands for no less, or a few KiB/s would look like a storm. */
#define REREAD_LEAST (1024.0 * 1024)

static const struct series_row {
	const char *label;
	cell_format *format;
	enum ink ink;
} ROWS[SERIES] = {
	[SERIES_LOSS] = { "worst loss", cell_share, INK_HARM },
	[SERIES_REREAD] = { "re-reads/s", cell_bytes, INK_NOTE },
	[SERIES_AVAILABLE] = { "available", cell_bytes, INK_INFO },
};

/* What all plots have in common. */
struct graph {
	struct stretch stretch;
	int rows; /* of each */
};

static double top_of(const struct screen *screen, enum series series, const double *values,
		     size_t count)
{
	switch (series) {
	case SERIES_LOSS:
		return 1;
	case SERIES_REREAD:
		return plot_top(values, count, REREAD_LEAST);
	case SERIES_AVAILABLE:
		if (screen->scene.total_bytes > 0)
			return screen->scene.total_bytes;
		break;
	case SERIES:
		break;
	}
	return plot_top(values, count, REREAD_LEAST);
}

/* The name and the newest value; below them what a full bar is, where there is room. */
static void paint_label(const struct canvas *canvas, int row, const struct plot *plot,
			const struct series_row *series, double value)
{
	const struct cell newest = { .first = value };
	const struct cell top = { .first = plot->top };
	char buffer[64];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "%-11s", series->label);
	series->format(&text, &newest);
	paint(canvas, row, 1, INK_PLAIN, buffer);
	if (plot->rows < 2)
		return;
	text = text_on(buffer, sizeof(buffer));
	text_add(&text, "full bar   ");
	series->format(&text, &top);
	paint(canvas, row + 1, 1, INK_FAINT, buffer);
}

static void paint_series(const struct canvas *canvas, int row, const struct screen *screen,
			 const struct graph *graph, enum series series)
{
	double values[POINTS_MAX];
	struct plot plot = {
		.values = values,
		.rows = (size_t)graph->rows,
		.ascii = canvas->ascii,
	};

	plot.count = history_read(&screen->history, series, &graph->stretch, values);
	plot.top = top_of(screen, series, values, plot.count);
	paint_label(canvas, row, &plot, &ROWS[series],
		    history_newest(&screen->history, series, graph->stretch.end));
	for (size_t i = 0; i < plot.rows; i++) {
		char buffer[POINTS_MAX * 4];
		struct text text = text_on(buffer, sizeof(buffer));

		plot_row(&plot, i, &text);
		paint(canvas, row + (int)i, canvas->width - (int)plot.count, ROWS[series].ink,
		      buffer);
	}
}

static void paint_stretch(const struct canvas *canvas, int row, const struct screen *screen,
			  const struct stretch *stretch)
{
	double seconds = history_span(&screen->history, stretch);
	char buffer[POINTS_MAX * 4];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "── ");
	if (seconds > 0) {
		text_add(&text, "last ");
		text_time(&text, seconds);
		text_add(&text, ", a column is %zu sample%s ", stretch->each,
			 stretch->each == 1 ? "" : "s");
	} else {
		text_add(&text, "history ");
	}
	while (text_width(buffer) < (size_t)canvas->width && !text.cut)
		text_add(&text, "─");
	paint(canvas, row, 0, INK_FAINT, buffer);
}

/* The finest that shows all there is, up to two minutes, unless somebody chose otherwise. */
static void choose_zoom(struct screen *screen, size_t columns)
{
	struct browse *browse = &screen->browse;
	double moments = fmin((double)screen->scene.moments, STRETCH_S / screen->interval_s);

	if (screen->is_zoomed)
		return;
	browse->zoom = 0;
	while (browse->zoom + 1 < ZOOMS && (double)(columns * browse_each(browse)) < moments)
		browse->zoom++;
}

void paint_plots(const struct canvas *canvas, int row, struct screen *screen, int rows)
{
	struct graph graph = { .rows = rows };
	size_t columns = MIN((size_t)canvas->width - LABEL_WIDTH, (size_t)POINTS_MAX);

	choose_zoom(screen, columns);
	graph.stretch = (struct stretch){
		.end = screen->scene.moments,
		.each = browse_each(&screen->browse),
		.columns = columns,
	};
	paint_stretch(canvas, row++, screen, &graph.stretch);
	for (enum series series = 0; series < SERIES; series++) {
		paint_series(canvas, row, screen, &graph, series);
		row += rows;
	}
}
