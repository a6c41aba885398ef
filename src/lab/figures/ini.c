#include "lab/figures/ini.h"

static bool heading(struct span line, struct span *name)
{
	line = span_trim(line);
	if (span_len(line) < 2 || *line.at != '[' || line.end[-1] != ']')
		return false;
	*name = span_trim((struct span){ line.at + 1, line.end - 1 });
	return true;
}

/* The lines up to the next heading. */
static struct span body(struct span *text)
{
	struct span lines = { text->at, text->at };
	struct span rest = *text;
	struct span line;
	struct span name;

	while (span_line(&rest, &line) && !heading(line, &name)) {
		lines.end = rest.at;
		*text = rest;
	}
	return lines;
}

bool ini_section(struct span *text, struct span *name, struct span *lines)
{
	struct span line;

	while (span_line(text, &line)) {
		if (!heading(line, name))
			continue;
		*lines = body(text);
		return true;
	}
	return false;
}

static struct span unquoted(struct span value)
{
	value = span_trim(value);
	if (span_len(value) >= 2 && *value.at == '"' && value.end[-1] == '"')
		return (struct span){ value.at + 1, value.end - 1 };
	return value;
}

/* A value goes on in lines that begin with a blank and hold no pair of their own. */
static void take_rest(struct span *lines, struct span *value)
{
	struct span rest = *lines;
	struct span line;

	while (span_line(&rest, &line)) {
		struct span trimmed = span_trim(line);

		if (span_empty(trimmed) || (*line.at != ' ' && *line.at != '\t') ||
		    memchr(line.at, '=', span_len(line)) || span_starts(trimmed, "#") ||
		    span_starts(trimmed, ";"))
			return;
		value->end = line.end;
		*lines = rest;
	}
}

bool ini_pair(struct span *lines, struct span *key, struct span *value)
{
	struct span line;

	while (span_line(lines, &line)) {
		struct span left;
		struct span right;

		line = span_trim(line);
		if (span_starts(line, "#") || span_starts(line, ";") ||
		    !span_split(line, '=', &left, &right))
			continue;
		take_rest(lines, &right);
		*key = span_trim(left);
		*value = unquoted(right);
		return true;
	}
	return false;
}

bool ini_find(struct span text, const char *section, const char *key, struct span *out)
{
	struct span name;
	struct span lines;
	struct span left;
	struct span right;
	bool found = false;

	while (ini_section(&text, &name, &lines)) {
		if (!span_eq(name, section))
			continue;
		while (ini_pair(&lines, &left, &right)) {
			if (!span_eq(left, key))
				continue;
			*out = right;
			found = true;
		}
	}
	return found;
}

void ini_copy(struct span text, const char *section, const char *key, struct buffer out)
{
	struct span value = span_cstr("");

	ini_find(text, section, key, &value);
	span_copy(value, out.at, out.size);
}
