#include "config/tmpfiles.h"

#include <errno.h>

/* Type, path, mode, user, group, age; the rest of the line is the argument. */
#define FIELDS 6

static int note_line(const struct lines *lines, const char *what)
{
	const struct config_note note = { lines->file, lines->number, EBADMSG, what };

	return config_note(lines->reader, lines->config, &note);
}

/* One field, quoted or not; false when its quote is not closed or it is too long. */
static bool cut_field(struct span *rest, char *out, size_t size)
{
	char quote = '\0';
	size_t used = 0;

	*rest = span_trim(*rest);
	if (!span_empty(*rest) && (*rest->at == '"' || *rest->at == '\''))
		quote = *rest->at++;
	while (!span_empty(*rest)) {
		char c = *rest->at++;

		if (quote ? c == quote : c == ' ' || c == '\t') {
			quote = '\0';
			break;
		}
		if (used + 1 == size)
			return false;
		out[used++] = c;
	}
	out[used] = '\0';
	return quote == '\0';
}

/* "%%" is a percent sign; other specifiers stand for what only the running system knows. */
static bool expand(const char *text, char *out, size_t size)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++) {
		if (*text == '%' && text[1] != '%')
			return false;
		text += *text == '%';
		out[used++] = *text;
	}
	out[used] = '\0';
	return !*text;
}

static int take_line(struct lines *lines, struct span line)
{
	char field[FIELDS][1024];
	char path[1024];
	char value[1024];
	char text[1024];
	struct config_row row = { .file = lines->file,
				  .line = lines->number,
				  .section = field[0],
				  .key = path,
				  .value = value };

	for (size_t i = 0; i < FIELDS; i++)
		if (!cut_field(&line, field[i], sizeof(field[i])))
			return note_line(
				lines, "has a quote that is not closed, or a very long field");
	line = span_trim(line);
	if (field[1][0] != '/')
		return note_line(lines, "has no path");
	if (!span_copy(line, text, sizeof(text)) || !expand(field[1] + 1, path, sizeof(path)) ||
	    !expand(text, value, sizeof(value)))
		return note_line(lines, "has a specifier that is not followed here");
	return config_add(lines->reader, lines->config, &row);
}

int tmpfiles_parse(const struct reader *reader, const char *file, struct span text,
		   struct config *out)
{
	struct lines lines = { reader, out, file, text, 0 };
	struct span line;
	int r = 0;

	while (r == 0 && lines_next(&lines, &line)) {
		line = span_trim(line);
		if (!span_empty(line) && *line.at != '#')
			r = take_line(&lines, line);
	}
	return r;
}

static const char *const FOLDERS[] = { "etc/tmpfiles.d",	   "run/tmpfiles.d",
				       "usr/local/lib/tmpfiles.d", "usr/lib/tmpfiles.d",
				       "lib/tmpfiles.d",	   NULL };

int tmpfiles_read(const struct reader *reader, struct config *out)
{
	return config_take_all(reader, FOLDERS, ".conf", tmpfiles_parse, out);
}

const struct config_row *tmpfiles_find(const struct config *config, const char *path)
{
	for (size_t i = config->rows; i-- > 0;) {
		const struct config_row *row = &config->row[i];

		if (row->section[0] == 'w' && strcmp(row->key, path) == 0)
			return row;
	}
	return NULL;
}
