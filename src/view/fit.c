#include "view/fit.h"

#include <wchar.h>

#define ELLIPSIS "…"
#define REPLACEMENT 0xfffd

/* The code point of a sequence that utf8_length() found whole. */
static wchar_t point_of(const char *at, size_t length)
{
	unsigned char first = (unsigned char)*at;
	uint32_t point = length == 1 ? first : first & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		point = point << 6 | ((unsigned char)at[i] & 0x3f);
	return (wchar_t)point;
}

/* What the locale does not know takes one column: it is shown as "?". */
static size_t columns_of(wchar_t point)
{
	int width = wcwidth(point);

	return width < 0 ? 1 : (size_t)width;
}

bool glyph_next(struct span *text, struct glyph *out)
{
	size_t length = utf8_length(*text);

	if (span_empty(*text))
		return false;
	out->point = length > 0 ? point_of(text->at, length) : REPLACEMENT;
	out->width = columns_of(out->point);
	out->bytes = span_of(text->at, MAX(length, (size_t)1));
	text->at = out->bytes.end;
	return true;
}

size_t fit_width(struct span text)
{
	struct glyph glyph;
	size_t width = 0;

	while (glyph_next(&text, &glyph))
		width += glyph.width;
	return width;
}

/* The longest front that takes at most width columns. */
static struct span front_of(struct span text, size_t width)
{
	struct span rest = text;
	struct glyph glyph;
	size_t used = 0;

	while (glyph_next(&rest, &glyph)) {
		used += glyph.width;
		if (used > width)
			return (struct span){ text.at, glyph.bytes.at };
	}
	return text;
}

/* The longest end that takes at most width columns. */
static struct span back_of(struct span text, size_t width)
{
	size_t used = fit_width(text);
	struct glyph glyph;

	while (used > width && glyph_next(&text, &glyph))
		used -= glyph.width;
	/* An accent belongs to what was cut away. */
	for (struct span rest = text; glyph_next(&rest, &glyph) && glyph.width == 0;)
		text = rest;
	return text;
}

static void put(struct text *out, struct span piece)
{
	text_put(out, piece.at, span_len(piece));
}

void fit_end(struct text *out, struct span text, size_t width)
{
	if (fit_width(text) <= width) {
		put(out, text);
		return;
	}
	if (width == 0)
		return;
	put(out, front_of(text, width - 1));
	put(out, span_cstr(ELLIPSIS));
}

static void cut_middle(struct text *out, struct span text, size_t front, size_t back)
{
	put(out, front_of(text, front));
	put(out, span_cstr(ELLIPSIS));
	put(out, back_of(text, back));
}

/* The last part of a path says most: it stays whole, or is what is shown of the path. */
void fit_name(struct text *out, struct span name, size_t width)
{
	struct span above;
	struct span last;
	size_t needed;

	if (fit_width(name) <= width) {
		put(out, name);
		return;
	}
	if (width == 0)
		return;
	if (!span_rsplit(name, '/', &above, &last)) {
		cut_middle(out, name, width / 2, (width - 1) / 2);
		return;
	}
	needed = fit_width(last) + 1; /* its slash */
	if (needed < width)
		cut_middle(out, name, width - 1 - needed, needed);
	else
		fit_name(out, last, width);
}

void fit_padded(struct text *out, const char *text, size_t width)
{
	size_t before = out->used;
	size_t used;

	fit_name(out, span_cstr(text), width);
	used = fit_width((struct span){ out->at + before, out->at + out->used });
	text_add(out, "%*s", (int)(width - MIN(used, width)), "");
}

/* Where to break: behind the last blank, else in the middle of a long word. */
static const char *break_of(struct span line)
{
	for (const char *at = line.end; at > line.at; at--)
		if (at[-1] == ' ' && span_len(span_trim((struct span){ line.at, at })) > 0)
			return at;
	return line.end;
}

bool fit_line(struct span *text, size_t width, struct span *line)
{
	struct span rest = *text;
	struct span whole;
	const char *at;

	if (!span_line(&rest, &whole))
		return false;
	*line = front_of(whole, MAX(width, (size_t)2));
	if (line->end < whole.end && *line->end != ' ')
		line->end = break_of(*line);
	at = line->end;
	while (at < whole.end && *at == ' ')
		at++;
	if (at == whole.end)
		*text = rest;
	else
		text->at = at;
	return true;
}
