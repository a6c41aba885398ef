#include "view/fit.h"
#include "view/screen_keys.h"
#include "view/screen_panes.h"

#define HELP_SIZE 8192

/* Where the text behind a label begins: lines that go on are indented as far. */
#define REPORT_INDENT 13
#define HELP_INDENT 18

static void add_layout(struct text *out, const char *title, const struct layout *layout)
{
	text_add(out, "\n%s\n  %-*s%s\n", title, HELP_INDENT - 2, layout->name_title,
		 layout->name_help);
	for (size_t i = 0; i < layout->columns; i++)
		text_add(out, "  %-*s%s\n", HELP_INDENT - 2, layout->column[i].title,
			 layout->column[i].help);
}

static void help_text(struct text *out)
{
	text_add(out, "KEYS\n");
	for (size_t i = 0; i < SCREEN_KEY_COUNT; i++)
		text_add(out, "  %-*s%s\n", HELP_INDENT - 2, SCREEN_KEYS[i].shown,
			 SCREEN_KEYS[i].help);
	text_add(out, "\n\"-\" is a number that is not known: this kernel does not have it, it "
		      "may not "
		      "be read, or a rate needs a second sample. It is never 0.\n");
	add_layout(out, "CGROUPS: those with processes, and those at their limit",
		   &CGROUP_LAYOUT);
	add_layout(out, "PROCESSES", &TASK_LAYOUT);
	text_add(out, "\nMore: refault explain NAME, refault-watch(1), refault-verdicts(7).\n");
}

/* Paints the lines that are on the screen, and returns how many there are in all. */
static size_t paint_lines(const struct canvas *canvas, int row, const char *text,
			  const struct browse *browse)
{
	size_t label = browse->page == PAGE_HELP ? HELP_INDENT : REPORT_INDENT;
	struct span rest = span_cstr(text);
	struct span line;
	size_t count = 0;

	for (;;) {
		bool goes_on = rest.at > text && rest.at[-1] != '\n';
		size_t indent = goes_on ? label : 0;

		if (!fit_line(&rest, (size_t)canvas->width - indent, &line))
			return count;
		if (count >= browse->scrolled && count < browse->scrolled + browse->height)
			paint_span(canvas, row + (int)(count - browse->scrolled), (int)indent,
				   INK_PLAIN, line);
		count++;
	}
}

void paint_sheet(const struct canvas *canvas, int row, struct screen *screen, int count)
{
	struct browse *browse = &screen->browse;
	char buffer[HELP_SIZE];
	struct text help = text_on(buffer, sizeof(buffer));
	const char *text = screen->scene.report;

	if (browse->page == PAGE_HELP) {
		help_text(&help);
		text = buffer;
	}
	/* Nothing is painted at a height of 0: the lines are counted, and then it is known how
	 * far down one can be. */
	browse->height = 0;
	browse->lines = paint_lines(canvas, row, text, browse);
	browse->height = (size_t)count;
	browse_refresh(browse, &screen->scene);
	paint_lines(canvas, row, text, browse);
}
