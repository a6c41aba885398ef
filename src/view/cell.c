#include "view/cell.h"

static void add_unknown(struct text *text)
{
	text_add(text, UNKNOWN_CELL);
}

/* As text_share(), without the sign. */
static void add_percent(struct text *text, double share)
{
	double percent = share * 100;

	if (isnan(percent))
		add_unknown(text);
	else
		text_add(text, "%.*f", percent > 0.05 && percent < 9.95 ? 1 : 0, percent);
}

void cell_range(struct text *text, const struct cell *cell)
{
	double lower = cell->first * 100;
	double upper = cell->second * 100;

	if (isnan(lower))
		add_unknown(text);
	else if (upper - lower >= 1)
		text_add(text, "%.0f-%.0f %%", lower, upper);
	else
		text_share(text, cell->first);
}

void cell_share(struct text *text, const struct cell *cell)
{
	if (isnan(cell->first))
		add_unknown(text);
	else
		text_share(text, cell->first);
}

void cell_shares(struct text *text, const struct cell *cell)
{
	if (isnan(cell->first) && isnan(cell->second)) {
		add_unknown(text);
		return;
	}
	add_percent(text, cell->first);
	text_add(text, "/");
	add_percent(text, cell->second);
	text_add(text, " %%");
}

void cell_bytes(struct text *text, const struct cell *cell)
{
	if (isnan(cell->first))
		add_unknown(text);
	else
		text_bytes(text, cell->first);
}

/* As text_bytes() has them; a zero has none. */
static int decimals_of(double value, size_t unit)
{
	return unit > 0 && value > 0 && value < 99.95;
}

/* Both in the unit of the larger one. */
static void add_pair(struct text *text, double first, double second)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	double scale = 1;
	size_t i = 0;

	while (fmax(first, second) / scale >= 1024 && i + 1 < ARRAY_LEN(units)) {
		scale *= 1024;
		i++;
	}
	text_add(text, "%.*f/%.*f %s", decimals_of(first / scale, i), first / scale,
		 decimals_of(second / scale, i), second / scale, units[i]);
}

void cell_bytes_pair(struct text *text, const struct cell *cell)
{
	if (isnan(cell->first) || isnan(cell->second)) {
		cell_bytes(text, cell);
		return;
	}
	add_pair(text, cell->first, cell->second);
	if (cell->note)
		text_add(text, " %s", cell->note);
}

void cell_count(struct text *text, const struct cell *cell)
{
	if (isnan(cell->first))
		add_unknown(text);
	else if (cell->first < 0)
		text_add(text, "%.0f", cell->first);
	else
		text_count(text, cell->first);
}

void cell_number(struct text *text, const struct cell *cell)
{
	text_add(text, "%.0f", cell->first);
}

void cell_letter(struct text *text, const struct cell *cell)
{
	bool is_letter = cell->first >= 'A' && cell->first <= 'z';

	text_add(text, "%c", is_letter ? (char)cell->first : '?');
}
