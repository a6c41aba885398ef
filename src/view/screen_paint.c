#include "view/screen_paint.h"

#include <wchar.h>

#include "view/fit.h"

/* More characters than any line on a terminal shows. */
#define LINE_GLYPHS 2048

static const struct {
	short color; /* COLOR_…; -1 as the terminal has it */
	attr_t attributes;
	attr_t without_color;
} INK_ROWS[INKS] = {
	[INK_PLAIN] = { -1, A_NORMAL, A_NORMAL },
	[INK_FINE] = { COLOR_GREEN, A_NORMAL, A_NORMAL },
	[INK_INFO] = { COLOR_CYAN, A_NORMAL, A_NORMAL },
	[INK_NOTE] = { COLOR_YELLOW, A_NORMAL, A_NORMAL },
	[INK_WARN] = { COLOR_YELLOW, A_BOLD, A_BOLD },
	[INK_HARM] = { COLOR_RED, A_BOLD, A_BOLD },
	[INK_FAINT] = { -1, A_DIM, A_NORMAL },
	[INK_TITLE] = { -1, A_BOLD | A_UNDERLINE, A_BOLD | A_UNDERLINE },
	[INK_CURSOR] = { -1, A_REVERSE, A_REVERSE },
};

void inks_init(void)
{
	if (start_color() == ERR)
		return;
	use_default_colors();
	for (size_t i = 0; i < INKS; i++)
		init_pair((short)(i + 1), INK_ROWS[i].color, -1);
}

struct canvas canvas_new(bool color, bool ascii)
{
	struct canvas canvas = { .color = color, .ascii = ascii };

	erase();
	getmaxyx(stdscr, canvas.height, canvas.width);
	return canvas;
}

static wchar_t ascii_of(wchar_t point)
{
	static const struct {
		wchar_t from;
		wchar_t to;
	} alike[] = {
		{ L'·', L'-' }, { L'…', L'~' }, { L'▼', L'v' }, { L'─', L'-' },
		{ L'↑', L'^' }, { L'↓', L'v' }, { L'×', L'x' }, { L'−', L'-' },
	};

	if (point < 0x80)
		return point;
	for (size_t i = 0; i < ARRAY_LEN(alike); i++)
		if (alike[i].from == point)
			return alike[i].to;
	return L'?';
}

static size_t wide_of(const struct canvas *canvas, struct span text, wchar_t *out, size_t size)
{
	struct glyph glyph;
	size_t count = 0;

	while (count + 1 < size && glyph_next(&text, &glyph)) {
		if (canvas->ascii)
			out[count++] = ascii_of(glyph.point);
		else
			out[count++] = wcwidth(glyph.point) < 0 ? L'?' : glyph.point;
	}
	out[count] = L'\0';
	return count;
}

static void use_ink(const struct canvas *canvas, enum ink ink)
{
	if (canvas->color)
		attr_set(INK_ROWS[ink].attributes, (short)(ink + 1), NULL);
	else
		attr_set(INK_ROWS[ink].without_color, 0, NULL);
}

void paint_span(const struct canvas *canvas, int row, int column, enum ink ink,
		struct span text)
{
	char buffer[LINE_GLYPHS * 4];
	wchar_t wide[LINE_GLYPHS];
	struct text fitted = text_on(buffer, sizeof(buffer));

	if (row < 0 || row >= canvas->height || column < 0 || column >= canvas->width)
		return;
	fit_end(&fitted, text, (size_t)(canvas->width - column));
	wide_of(canvas, span_of(buffer, fitted.used), wide, ARRAY_LEN(wide));
	use_ink(canvas, ink);
	mvaddwstr(row, column, wide);
	use_ink(canvas, INK_PLAIN);
}

void paint(const struct canvas *canvas, int row, int column, enum ink ink, const char *text)
{
	paint_span(canvas, row, column, ink, span_cstr(text));
}

void paint_line(const struct canvas *canvas, int row, enum ink ink, const char *text)
{
	if (row < 0 || row >= canvas->height)
		return;
	use_ink(canvas, ink);
	mvhline(row, 0, ' ', canvas->width);
	use_ink(canvas, INK_PLAIN);
	paint(canvas, row, 0, ink, text);
}
