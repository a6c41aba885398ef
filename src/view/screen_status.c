#include "view/fit.h"
#include "view/screen_keys.h"
#include "view/screen_panes.h"

#define LINE_SIZE 1024

static void add_state(struct text *text, const struct screen *screen)
{
	if (screen->state)
		text_add(text, "[%s] ", screen->state);
	if (screen->browse.is_paused)
		text_add(text, "[paused] ");
}

static void add_filter(struct text *text, const struct look *look)
{
	if (!look->glob[0])
		return;
	text_add(text, "[filter ");
	text_name(text, span_cstr(look->glob));
	text_add(text, "] ");
}

static bool is_of_use(enum action action, enum page page)
{
	if (action == ACT_OPEN)
		return page == PAGE_CGROUPS;
	if (action == ACT_SORT_RIGHT || action == ACT_FILTER)
		return page < TABLE_PAGES;
	return true;
}

static void add_keys(struct text *text, enum page page)
{
	for (size_t i = 0; i < SCREEN_KEY_COUNT; i++) {
		const struct key_row *row = &SCREEN_KEYS[i];
		int length = (int)strcspn(row->shown, ",");

		if (row->brief && is_of_use(row->action, page))
			text_add(text, "%.*s %s  ", length, row->shown,
				 page >= TABLE_PAGES && row->action == ACT_QUIT ? "close" :
										  row->brief);
	}
}

/* What is sorted by, when its column has no room. */
static void add_hidden_sort(struct text *text, const struct table *table, size_t width)
{
	const struct fitting fitting = table_fit(table, width);

	if (table->sort >= fitting.columns)
		text_add(text, "by %s ", table->layout->column[table->sort].title);
}

/* Where the cursor is, and the time; at the right edge. */
static void add_place(struct text *text, const struct canvas *canvas, struct screen *screen)
{
	const struct browse *browse = &screen->browse;
	const struct table *table = browse_table(browse, &screen->scene);

	if (browse->page < TABLE_PAGES && table->shown > 0) {
		text_add(text, " %zu of %zu%s ", browse->look[browse->page].at + 1,
			 table->shown, table->cut ? ", more left out" : "");
		add_hidden_sort(text, table, (size_t)canvas->width);
	} else if (browse->page >= TABLE_PAGES && browse->lines > browse->height) {
		text_add(text, " lines %zu-%zu of %zu ", browse->scrolled + 1,
			 MIN(browse->scrolled + browse->height, browse->lines), browse->lines);
	}
	text_add(text, " %s", screen->scene.clock);
}

static void paint_dialog(const struct canvas *canvas, int row, const struct screen *screen)
{
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));

	text_add(&text, "filter: ");
	text_name(&text, span_cstr(screen->browse.look[screen->browse.page].glob));
	text_add(&text, "_   (a glob or a part; enter keeps it, esc clears)");
	paint_line(canvas, row, INK_CURSOR, buffer);
}

void paint_status(const struct canvas *canvas, int row, struct screen *screen)
{
	char left[LINE_SIZE];
	char right[LINE_SIZE];
	char line[LINE_SIZE];
	struct text fitted = text_on(line, sizeof(line));
	struct text keys = text_on(left, sizeof(left));
	struct text place = text_on(right, sizeof(right));
	int width;

	if (screen->browse.is_typing) {
		paint_dialog(canvas, row, screen);
		return;
	}
	add_state(&keys, screen);
	if (screen->browse.page < TABLE_PAGES)
		add_filter(&keys, &screen->browse.look[screen->browse.page]);
	add_keys(&keys, screen->browse.page);
	add_place(&place, canvas, screen);
	width = MIN((int)fit_width(span_cstr(right)), canvas->width);
	fit_end(&fitted, span_cstr(left), (size_t)(canvas->width - width));
	paint(canvas, row, 0, INK_PLAIN, line);
	paint(canvas, row, canvas->width - width, INK_FAINT, right);
}
