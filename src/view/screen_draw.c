#include "view/fit.h"
#include "view/screen_panes.h"

#define LINE_SIZE 2048
#define LABEL_WIDTH 11

static const enum ink SEVERITY_INKS[] = {
	[SEV_NONE] = INK_FINE, [SEV_INFO] = INK_INFO, [SEV_NOTE] = INK_NOTE,
	[SEV_WARN] = INK_WARN, [SEV_HARM] = INK_HARM,
};

/* From the tallest terminal to the smallest. */
static const struct {
	int least; /* lines */
	int sayings;
	int plot;
} SIZES[] = {
	{ 56, SAYINGS, 4 }, { 44, SAYINGS, 3 }, { 34, SAYINGS, 2 }, { 24, SAYINGS, 1 },
	{ 20, 3, 1 },	    { 16, 3, 0 },	{ 0, 1, 0 },
};

struct panes panes_of(int height, bool has_heading)
{
	struct panes panes;
	size_t i = 0;
	int used;

	while (height < SIZES[i].least)
		i++;
	/* The machine, the headline, the titles of the table, and the status. */
	used = 4 + SIZES[i].sayings + has_heading;
	if (SIZES[i].plot > 0)
		used += 1 + SERIES * SIZES[i].plot;
	panes = (struct panes){ .sayings = SIZES[i].sayings, .plot = SIZES[i].plot };
	panes.table = MAX(height - used, 0);
	return panes;
}

/* Who suffers comes first, then why and what next; where and what to do need room. */
static bool is_said(enum say say, int count)
{
	switch (say) {
	case SAY_SUFFERS:
		return true;
	case SAY_CAUSED:
	case SAY_NEXT:
		return count >= 3;
	case SAY_WHERE:
	case SAY_NOW:
	case SAYINGS:
		break;
	}
	return count >= SAYINGS;
}

void paint_sayings(const struct canvas *canvas, int row, const struct scene *scene, int count)
{
	paint(canvas, row++, 0, SEVERITY_INKS[scene->severity], scene->headline);
	for (enum say say = 0; say < SAYINGS && scene->is_judged; say++) {
		if (!is_said(say, count))
			continue;
		paint(canvas, row, 1, INK_FAINT, scene->say[say].label);
		paint(canvas, row++, LABEL_WIDTH, INK_PLAIN, scene->say[say].text);
	}
}

static enum ink ink_of(const struct row *row, bool is_at_cursor)
{
	if (is_at_cursor)
		return INK_CURSOR;
	if (row->marks & MARK_SUFFERS)
		return INK_HARM;
	return row->marks & MARK_CAUSES ? INK_NOTE : INK_PLAIN;
}

/* Why the table is empty. */
static const char *empty_reason(const struct screen *screen, const struct table *table)
{
	const struct scene *scene = &screen->scene;

	if (!scene->is_filled)
		return "";
	if (table->cut)
		return "there is no memory to show this";
	if (table == &scene->cgroups)
		return table->rows > 0 ? "no cgroup matches the filter" :
					 "no cgroup matches --cgroup";
	if (scene->tasks_state != OK)
		return "the processes could not be read";
	if (!browse_opened(&screen->browse, scene))
		return "this cgroup is gone";
	return screen->browse.look[PAGE_TASKS].glob[0] ? "no process matches the filter" :
							 "no processes";
}

void paint_table(const struct canvas *canvas, int row, struct screen *screen, int count)
{
	const struct table *table = browse_table(&screen->browse, &screen->scene);
	const struct look *look = &screen->browse.look[screen->browse.page];
	struct fitting fitting = table_fit(table, (size_t)canvas->width);
	char buffer[LINE_SIZE];
	struct text line = text_on(buffer, sizeof(buffer));

	table_title(table, &fitting, &line);
	paint_line(canvas, row++, INK_TITLE, buffer);
	if (table->shown == 0)
		paint(canvas, row, LABEL_WIDTH, INK_FAINT, empty_reason(screen, table));
	for (size_t i = look->top; i < table->shown && i < look->top + (size_t)count; i++) {
		const struct row *shown = table_row(table, i);
		enum ink ink = ink_of(shown, i == look->at);

		line = text_on(buffer, sizeof(buffer));
		table_line(table, &fitting, shown, &line);
		if (ink == INK_CURSOR)
			paint_line(canvas, row++, ink, buffer);
		else
			paint(canvas, row++, 0, ink, buffer);
	}
}

/* Whose processes these are. */
static void paint_heading(const struct canvas *canvas, int row, const struct screen *screen)
{
	const struct row *opened = browse_opened(&screen->browse, &screen->scene);
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "processes of ");
	fit_name(&text, span_cstr(opened ? opened->name : "a cgroup that is gone"),
		 (size_t)canvas->width - text.used);
	paint(canvas, row, 0, INK_WARN, buffer);
}

static void paint_table_page(const struct canvas *canvas, struct screen *screen)
{
	struct browse *browse = &screen->browse;
	bool has_heading = browse->page == PAGE_TASKS;
	struct panes panes = panes_of(canvas->height, has_heading);
	int row = 0;

	browse->height = (size_t)panes.table;
	browse_refresh(browse, &screen->scene);
	paint(canvas, row++, 0, INK_PLAIN, screen->scene.machine);
	paint_sayings(canvas, row, &screen->scene, panes.sayings);
	row += 1 + panes.sayings;
	if (has_heading)
		paint_heading(canvas, row++, screen);
	paint_table(canvas, row, screen, panes.table);
	row += 1 + panes.table;
	if (panes.plot > 0)
		paint_plots(canvas, row, screen, panes.plot);
}

static void paint_page(const struct canvas *canvas, struct screen *screen)
{
	if (screen->browse.page < TABLE_PAGES)
		paint_table_page(canvas, screen);
	else
		paint_sheet(canvas, 0, screen, canvas->height - 1);
	paint_status(canvas, canvas->height - 1, screen);
}

static void paint_too_small(const struct canvas *canvas)
{
	char buffer[64];
	struct text text = text_on(buffer, sizeof(buffer));

	paint(canvas, 0, 0, INK_WARN, "too small");
	text_add(&text, "%dx%d of %dx%d", canvas->width, canvas->height, SCREEN_MIN_WIDTH,
		 SCREEN_MIN_HEIGHT);
	paint(canvas, 1, 0, INK_PLAIN, buffer);
}

void screen_draw(struct screen *screen)
{
	struct canvas canvas = canvas_new(screen->color, screen->ascii);

	if (canvas.width < SCREEN_MIN_WIDTH || canvas.height < SCREEN_MIN_HEIGHT)
		paint_too_small(&canvas);
	else
		paint_page(&canvas, screen);
	refresh();
}
