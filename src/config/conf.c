#include <errno.h>

#include "config/config.h"

/* What is being cut: a section, and a value that may go on in the next line. */
struct cut {
	struct lines lines;
	char section[256];
	char joined[CONFIG_LINE + 1];
	size_t used;
	unsigned int began; /* line in which the value in joined began; 0 for none */
};

/* False when all lines of a value together are too long. */
static bool join_line(struct cut *cut, struct span line, bool *goes_on)
{
	*goes_on = !span_empty(line) && line.end[-1] == '\\';
	if (*goes_on)
		line.end--;
	if (cut->used + span_len(line) + 1 >= sizeof(cut->joined))
		return false;
	if (!span_empty(line))
		memcpy(cut->joined + cut->used, line.at, span_len(line));
	cut->used += span_len(line);
	if (*goes_on)
		cut->joined[cut->used++] = ' ';
	return true;
}

static int note_line(struct cut *cut, const char *what)
{
	const struct config_note note = { cut->lines.file, cut->lines.number, EBADMSG, what };

	return config_note(cut->lines.reader, cut->lines.config, &note);
}

static int take_section(struct cut *cut, struct span line)
{
	line.at++;
	if (line.end[-1] != ']' || span_empty(line))
		return note_line(cut, "is a section without its closing bracket");
	line.end--;
	if (!span_copy(line, cut->section, sizeof(cut->section)))
		return note_line(cut, "is a section with a very long name");
	return 0;
}

static int take_value(struct cut *cut, struct span line)
{
	char key[256];
	struct span left;
	struct span right;
	struct config_row row = {
		.file = cut->lines.file, .line = cut->began, .section = cut->section, .key = key
	};

	if (!span_split(line, '=', &left, &right))
		return note_line(cut, "is no \"Key=value\"");
	if (!span_copy(span_trim(left), key, sizeof(key)))
		return note_line(cut, "has a very long key");
	right = span_trim(right);
	row.value = arena_text(cut->lines.reader->arena, right.at, span_len(right));
	return row.value ? config_add(cut->lines.reader, cut->lines.config, &row) : -ENOMEM;
}

/* What was joined is a whole value. */
static int end_value(struct cut *cut)
{
	struct span text = span_trim(span_of(cut->joined, cut->used));
	int r = span_empty(text) ? 0 : take_value(cut, text);

	cut->used = cut->began = 0;
	return r;
}

static int take_line(struct cut *cut, struct span line)
{
	struct span text = span_trim(line);
	bool goes_on;

	if (!span_empty(text) && (*text.at == '#' || *text.at == ';'))
		return 0; /* also within a value that goes on */
	if (cut->began == 0 && span_empty(text))
		return 0;
	if (cut->began == 0 && *text.at == '[')
		return take_section(cut, text);
	if (cut->began == 0)
		cut->began = cut->lines.number;
	if (!join_line(cut, text, &goes_on)) {
		cut->used = cut->began = 0;
		return note_line(cut, "goes on for more than 16 KiB");
	}
	return goes_on ? 0 : end_value(cut);
}

int conf_parse(const struct reader *reader, const char *file, struct span text,
	       struct config *out)
{
	struct cut cut = { .lines = { reader, out, file, text, 0 } };
	struct span line;

	while (lines_next(&cut.lines, &line))
		if (take_line(&cut, line) < 0)
			return -ENOMEM;
	return end_value(&cut);
}

static const char *const ROOTS[] = { "etc", "run", "usr/local/lib", "usr/lib" };

/* The first that is there counts, and a link to /dev/null is an empty one. */
static int read_main(const struct reader *reader, const char *name, struct config *out)
{
	char path[512];

	for (size_t i = 0; i < ARRAY_LEN(ROOTS); i++) {
		snprintf(path, sizeof(path), "%s/%s", ROOTS[i], name);
		if (root_has(reader->root, path))
			return config_take(reader, path, conf_parse, out);
	}
	return 0;
}

int conf_read(const struct reader *reader, const char *name, struct config *out)
{
	char folder[ARRAY_LEN(ROOTS)][512];
	const char *folders[ARRAY_LEN(ROOTS) + 1] = { NULL };
	int r = read_main(reader, name, out);

	for (size_t i = 0; i < ARRAY_LEN(ROOTS); i++) {
		snprintf(folder[i], sizeof(folder[i]), "%s/%s.d", ROOTS[i], name);
		folders[i] = folder[i];
	}
	return r == 0 ? config_take_all(reader, folders, ".conf", conf_parse, out) : r;
}
