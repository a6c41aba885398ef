#include "view/watch_lines.h"

#include "view/cell.h"
#include "view/clock.h"
#include "view/fit.h"
#include "view/words.h"

#define LINE_SIZE 8192

/* So many lines after each other are read without the titles. */
#define TITLE_EVERY 20

/* Names are as wide as that where nothing limits them, and no narrower where something does. */
#define NAME_WIDTH 28
#define NAME_MIN 14

static const char *const COLORS[] = {
	[SEV_NONE] = "\033[32m", [SEV_INFO] = "\033[36m",   [SEV_NOTE] = "\033[33m",
	[SEV_WARN] = "\033[33m", [SEV_HARM] = "\033[1;31m",
};

static const struct member *sufferer(const struct verdict *verdict)
{
	if (verdict->sufferers == 0)
		return NULL;
	return &verdict->evidence->members[verdict->sufferer[0].member];
}

static void add_time(struct text *text, const struct verdict *verdict)
{
	clock_add(text, &verdict->evidence->pair.now->host);
}

static void add_class(struct text *text, const struct verdict *verdict)
{
	text_add(text, "%s", class_row(verdict->class)->word);
}

static void add_sufferer(struct text *text, const struct verdict *verdict)
{
	if (verdict->sufferers == 0)
		text_add(text, UNKNOWN_CELL);
	else
		words_cgroup(text, verdict->evidence->pair.now, verdict->sufferer[0].member);
}

static void add_loss(struct text *text, const struct verdict *verdict)
{
	const struct member *member = sufferer(verdict);
	const struct cell cell = {
		.first = member ? member->loss.lower : (double)NAN,
		.second = member ? member->loss.upper : (double)NAN,
	};

	cell_range(text, &cell);
}

/* Of the sufferer; when nobody suffers, of the machine. */
static void add_reread(struct text *text, const struct verdict *verdict)
{
	const struct member *member = sufferer(verdict);
	const struct signals *signals = member ? &member->signals : &verdict->evidence->machine;
	const struct cell cell = { .first = reread_of(signals) };

	cell_bytes(text, &cell);
}

static void add_culprit(struct text *text, const struct verdict *verdict)
{
	if (verdict->culprits == 0)
		text_add(text, UNKNOWN_CELL);
	else
		words_cgroup(text, verdict->evidence->pair.now, verdict->culprit[0].member);
}

static void add_growth(struct text *text, const struct verdict *verdict)
{
	struct cell cell = { .first = (double)NAN };

	if (verdict->culprits > 0)
		cell.first = verdict->evidence->members[verdict->culprit[0].member].growth.rate;
	cell_bytes(text, &cell);
}

static void add_available(struct text *text, const struct verdict *verdict)
{
	const struct cell cell = { .first = signal_of(&verdict->evidence->machine,
						      SIG_AVAILABLE) };

	cell_bytes(text, &cell);
}

static void add_memory(struct text *text, const struct verdict *verdict)
{
	const struct signals *machine = &verdict->evidence->machine;
	const struct cell cell = { signal_of(machine, SIG_MEM_FULL),
				   signal_of(machine, SIG_MEM_SOME), NULL };

	cell_shares(text, &cell);
}

static void add_io(struct text *text, const struct verdict *verdict)
{
	const struct signals *machine = &verdict->evidence->machine;
	const struct cell cell = { signal_of(machine, SIG_IO_FULL),
				   signal_of(machine, SIG_IO_SOME), NULL };

	cell_shares(text, &cell);
}

/* A width of 0 is a name: it gets what is left. */
static const struct line_column {
	const char *title;
	size_t width;
	void (*add)(struct text *text, const struct verdict *verdict);
} COLUMNS[] = {
	{ "TIME", 8, add_time },	{ "VERDICT", 17, add_class },
	{ "SUFFERS", 0, add_sufferer }, { "LOST", 8, add_loss },
	{ "REREAD/s", 8, add_reread },	{ "CAUSED BY", 0, add_culprit },
	{ "GROWTH/s", 9, add_growth },	{ "AVAILABLE", 9, add_available },
	{ "MEM PSI", 9, add_memory },	{ "IO PSI", 9, add_io },
};

enum {
	COLUMN_VERDICT = 1
};

/* Columns from the left that a line has room for, and what that leaves for each name. */
struct line_fitting {
	size_t columns;
	size_t name_width;
};

static struct line_fitting line_fit(size_t width)
{
	struct line_fitting fitting = { ARRAY_LEN(COLUMNS), NAME_WIDTH };
	size_t used = 2; /* the mark of a change behind the verdict */
	size_t names = 0;

	if (width == 0)
		return fitting;
	fitting.columns = 0;
	for (size_t i = 0; i < ARRAY_LEN(COLUMNS); i++) {
		bool is_name = COLUMNS[i].width == 0;
		size_t wanted = (is_name ? NAME_MIN : COLUMNS[i].width) + (i > 0);

		if (used + wanted > width)
			break;
		used += wanted;
		names += is_name;
		fitting.columns++;
	}
	if (names > 0)
		fitting.name_width = NAME_MIN + (width - used) / names;
	return fitting;
}

static bool is_left(size_t column)
{
	return COLUMNS[column].width == 0 || column <= COLUMN_VERDICT;
}

static void put_padding(FILE *file, const char *shown, size_t width)
{
	size_t used = fit_width(span_cstr(shown));

	fprintf(file, "%*s", (int)(width - MIN(used, width)), "");
}

static void put_column(const struct watch_lines *lines, const struct line_fitting *fitting,
		       size_t column, const char *shown, const char *color)
{
	size_t width = COLUMNS[column].width ? COLUMNS[column].width : fitting->name_width;
	char buffer[LINE_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	bool is_last = column + 1 == fitting->columns;

	if (lines->width > 0)
		fit_name(&text, span_cstr(shown), width);
	else
		text_add(&text, "%s", shown);
	if (column > 0)
		fputc(' ', lines->file);
	if (!is_left(column))
		put_padding(lines->file, buffer, width);
	fprintf(lines->file, "%s%s%s", color, buffer, color[0] ? "\033[0m" : "");
	if (is_left(column) && !is_last)
		put_padding(lines->file, buffer, width);
}

static void put_titles(const struct watch_lines *lines, const struct line_fitting *fitting)
{
	const char *bold = lines->color ? "\033[1m" : "";

	for (size_t i = 0; i < fitting->columns; i++) {
		put_column(lines, fitting, i, COLUMNS[i].title, bold);
		if (i == COLUMN_VERDICT)
			fputs("  ", lines->file);
	}
	fputc('\n', lines->file);
}

struct watch_lines watch_lines_on(FILE *file, size_t width, bool color)
{
	return (struct watch_lines){ .file = file, .width = width, .color = color };
}

void watch_lines_print(struct watch_lines *lines, const struct verdict *verdict)
{
	const struct line_fitting fitting = line_fit(lines->width);
	bool has_changed = lines->printed > 0 && verdict->class != lines->previous;

	if (lines->width > 0 && lines->printed % TITLE_EVERY == 0)
		put_titles(lines, &fitting);
	for (size_t i = 0; i < fitting.columns; i++) {
		const char *color =
			i == COLUMN_VERDICT && lines->color ? COLORS[verdict->severity] : "";
		char buffer[LINE_SIZE];
		struct text text = text_on(buffer, sizeof(buffer));

		COLUMNS[i].add(&text, verdict);
		put_column(lines, &fitting, i, buffer, color);
		if (i == COLUMN_VERDICT)
			fputs(has_changed ? " !" : "  ", lines->file);
	}
	fputc('\n', lines->file);
	lines->previous = verdict->class;
	lines->printed++;
}
