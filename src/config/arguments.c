#include "config/arguments.h"

#include <errno.h>

#define WORDS_MAX 4096

/* What is cut and where it goes: the result is never longer than the text. */
struct cutter {
	struct span rest;
	char *at;
	char quote; /* that is open; 0 for none */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A backslash keeps what follows; within '' it is itself, within "" only before these. */
static bool takes_escape(const struct cutter *cutter, char next)
{
	if (cutter->quote == '\'')
		return false;
	return cutter->quote == 0 || next == '"' || next == '\\' || next == '$' || next == '`';
}

/* One byte of the text; quotes are dropped. */
static void take_byte(struct cutter *cutter)
{
	char c = *cutter->rest.at++;

	if (c == '\\' && !span_empty(cutter->rest) && takes_escape(cutter, *cutter->rest.at)) {
		*cutter->at++ = *cutter->rest.at++;
		return;
	}
	if (cutter->quote == c) {
		cutter->quote = 0;
		return;
	}
	if (cutter->quote == 0 && (c == '"' || c == '\'')) {
		cutter->quote = c;
		return;
	}
	*cutter->at++ = c;
}

static int take_word(struct cutter *cutter)
{
	while (!span_empty(cutter->rest) && (cutter->quote || !is_blank(*cutter->rest.at)))
		take_byte(cutter);
	if (cutter->quote)
		return -EBADMSG;
	*cutter->at++ = '\0';
	return 0;
}

int words_cut(const struct reader *reader, struct span text, struct words *out)
{
	struct cutter cutter = { .rest = text };
	size_t room = MIN(span_len(text) / 2 + 1, (size_t)WORDS_MAX);
	struct words words = { .word = arena_alloc(reader->arena, room * sizeof(*words.word)) };

	cutter.at = arena_raw(reader->arena, span_len(text) + 1);
	if (!cutter.at || !words.word)
		return -ENOMEM;
	while (words.count < room) {
		while (!span_empty(cutter.rest) && is_blank(*cutter.rest.at))
			cutter.rest.at++;
		if (span_empty(cutter.rest))
			break;
		words.word[words.count++] = cutter.at;
		if (take_word(&cutter) < 0)
			return -EBADMSG;
	}
	*out = words;
	return 0;
}

/* Letters, digits and "_"; no digit first. */
static bool is_name(struct span name)
{
	if (span_empty(name) || (*name.at >= '0' && *name.at <= '9'))
		return false;
	for (; name.at < name.end; name.at++) {
		char c = *name.at;

		if (c != '_' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
		    !(c >= 'A' && c <= 'Z'))
			return false;
	}
	return true;
}

/*
 * The value up to a comment, without its quotes. Blanks between words stay, as systemd's
 * EnvironmentFile= has it; a shell would run the second word.
 */
static int take_value(const struct reader *reader, struct span text, const char **value)
{
	struct cutter cutter = { .rest = span_trim(text) };
	char *start = arena_raw(reader->arena, span_len(text) + 1);

	if (!start)
		return -ENOMEM;
	cutter.at = start;
	while (!span_empty(cutter.rest)) {
		if (!cutter.quote && *cutter.rest.at == '#' && cutter.at > start &&
		    is_blank(cutter.at[-1]))
			break;
		take_byte(&cutter);
	}
	if (cutter.quote)
		return -EBADMSG;
	while (cutter.at > start && is_blank(cutter.at[-1]))
		cutter.at--;
	*cutter.at = '\0';
	*value = start;
	return 0;
}

static int take_line(struct lines *lines, struct span line)
{
	const struct config_note note = { lines->file, lines->number, EBADMSG,
					  "has a quote that is not closed" };
	struct config_row row = { .file = lines->file, .line = lines->number, .section = "" };
	struct span name;
	struct span value;
	int r;

	line = span_trim(line);
	if (span_starts(line, "export "))
		line = span_trim(span_of(line.at + 7, span_len(line) - 7));
	if (!span_split(line, '=', &name, &value) || !is_name(name))
		return 0;
	row.key = arena_text(lines->reader->arena, name.at, span_len(name));
	if (!row.key)
		return -ENOMEM;
	r = take_value(lines->reader, value, &row.value);
	if (r == -EBADMSG)
		return config_note(lines->reader, lines->config, &note);
	return r < 0 ? r : config_add(lines->reader, lines->config, &row);
}

int assignments_parse(const struct reader *reader, const char *file, struct span text,
		      struct config *out)
{
	struct lines lines = { reader, out, file, text, 0 };
	struct span line;

	while (lines_next(&lines, &line))
		if (take_line(&lines, line) < 0)
			return -ENOMEM;
	return 0;
}

int assignments_read(const struct reader *reader, const char *path, struct config *out)
{
	struct span text;
	int r = config_text(reader, path, out, &text);

	if (r == 0)
		return assignments_parse(reader, path, text, out);
	return r == -ENOMEM ? r : 0;
}
