#include "view/table.h"

#include <fnmatch.h>

#include "view/fit.h"

/* The marks "SC" of a row and a blank. */
#define MARKS_WIDTH 3

/* Less of a name tells nothing. */
#define NAME_MIN 18

#define GLOB_SIZE 260

void table_init(struct table *table, const struct layout *layout, size_t rows,
		struct arena *arena)
{
	*table = (struct table){ .layout = layout, .sort = layout->sort };
	table->row = arena_raw(arena, rows * sizeof(*table->row));
	table->order = arena_raw(arena, rows * sizeof(*table->order));
	table->cut = !table->row || !table->order;
	table->room = table->cut ? 0 : rows;
}

struct row *table_add(struct table *table, const struct evidence *evidence, size_t index)
{
	const struct layout *layout = table->layout;
	struct row *row;

	if (table->rows == table->room) {
		table->cut = true;
		return NULL;
	}
	row = &table->row[table->rows++];
	*row = (struct row){ .index = (int32_t)index, .owner = { -1, -1 } };
	for (size_t i = 0; i < layout->columns; i++)
		row->cell[i] = layout->column[i].cell(evidence, index);
	return row;
}

/* A number that grows as the value falls; unknown values come last. */
static uint64_t falling(double value)
{
	const uint64_t sign = 1ull << 63;
	uint64_t bits;

	if (isnan(value))
		return UINT64_MAX;
	value += 0.0; /* -0 is 0 */
	memcpy(&bits, &value, sizeof(bits));
	return bits & sign ? bits : ~(bits | sign);
}

/* The tie, then the order of the rows themselves: those that are alike stay in place. */
static uint64_t minor_of(double tie, size_t index)
{
	return (falling(tie) & ~(uint64_t)0xffff) | (index & 0xffff);
}

static void glob_of(const char *glob, char *buffer, size_t size)
{
	struct text text = text_on(buffer, size);
	bool is_plain = strpbrk(glob, "*?[") == NULL;

	text_add(&text, "%s%s%s", is_plain ? "*" : "", glob, is_plain ? "*" : "");
}

void table_query(struct table *table, const struct query *query)
{
	char glob[GLOB_SIZE];

	glob_of(query->glob, glob, sizeof(glob));
	table->sort = query->sort;
	table->shown = 0;
	table->widest = 0;
	for (size_t i = 0; i < table->rows; i++) {
		const struct row *row = &table->row[i];

		if (query->has && !query->has(query->context, row))
			continue;
		if (query->glob[0] && fnmatch(glob, row->path, 0) != 0)
			continue;
		table->order[table->shown++] = (struct sort_key){
			.major = falling(row->cell[table->sort].first),
			.minor = minor_of(row->cell[table->layout->tie].first, i),
			.index = (uint32_t)i,
		};
		table->widest = MAX(table->widest, fit_width(span_cstr(row->name)));
	}
	sort_keys(table->order, table->shown);
}

size_t table_find(const struct table *table, uint64_t id, uint64_t generation)
{
	for (size_t i = 0; i < table->shown; i++) {
		const struct row *row = table_row(table, i);

		if (row->id == id && row->generation == generation)
			return i;
	}
	return table->shown;
}

static struct fitting fit_with(const struct layout *layout, size_t width, size_t gap)
{
	struct fitting fitting = { .gap = gap };
	size_t used = MARKS_WIDTH + (layout->name_at > 0) + NAME_MIN;

	while (fitting.columns < layout->columns &&
	       used + gap + layout->column[fitting.columns].width <= width) {
		used += gap + layout->column[fitting.columns].width;
		fitting.columns++;
	}
	fitting.name_width = NAME_MIN + (width > used ? width - used : 0);
	return fitting;
}

struct fitting table_fit(const struct table *table, size_t width)
{
	struct fitting fitting = fit_with(table->layout, width, 2);

	if (fitting.columns < table->layout->columns || fitting.name_width < table->widest)
		fitting = fit_with(table->layout, width, 1);
	fitting.name_width = MIN(fitting.name_width, MAX(table->widest, (size_t)NAME_MIN));
	return fitting;
}

/* Behind a number a blank is missing. */
static void add_name(struct text *out, const struct table *table, const struct fitting *fitting,
		     const char *name)
{
	text_add(out, "%s", table->layout->name_at > 0 ? " " : "");
	fit_padded(out, name, fitting->name_width);
}

static void add_right(struct text *out, const char *text, size_t width)
{
	size_t used = fit_width(span_cstr(text));

	text_add(out, "%*s%s", (int)(width - MIN(used, width)), "", text);
}

static void add_title(struct text *out, const struct table *table,
		      const struct fitting *fitting, size_t i)
{
	const struct column *column = &table->layout->column[i];
	char buffer[64];
	struct text text = text_on(buffer, sizeof(buffer));

	/* The mark of what is sorted by may stand in the gap. */
	text_add(&text, "%s%s", i == table->sort ? "▼" : "", column->title);
	add_right(out, buffer, fitting->gap + column->width);
}

void table_title(const struct table *table, const struct fitting *fitting, struct text *out)
{
	text_add(out, "%*s", MARKS_WIDTH, "");
	for (size_t i = 0; i <= fitting->columns; i++) {
		if (i == table->layout->name_at)
			add_name(out, table, fitting, table->layout->name_title);
		if (i < fitting->columns)
			add_title(out, table, fitting, i);
	}
}

static void add_cell(struct text *out, const struct column *column, const struct cell *cell,
		     size_t gap)
{
	char buffer[64];
	struct text text = text_on(buffer, sizeof(buffer));

	column->format(&text, cell);
	add_right(out, buffer, gap + column->width);
}

void table_line(const struct table *table, const struct fitting *fitting, const struct row *row,
		struct text *out)
{
	text_add(out, "%c%c ", row->marks & MARK_SUFFERS ? 'S' : ' ',
		 row->marks & MARK_CAUSES ? 'C' : ' ');
	for (size_t i = 0; i <= fitting->columns; i++) {
		if (i == table->layout->name_at)
			add_name(out, table, fitting, row->name);
		if (i < fitting->columns)
			add_cell(out, &table->layout->column[i], &row->cell[i], fitting->gap);
	}
}
