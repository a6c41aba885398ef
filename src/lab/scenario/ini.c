#include "lab/scenario/ini.h"

#include <errno.h>
#include <libeconf.h>
#include <libeconf_ext.h>
#include <sys/mman.h>

/*
 * What the lines so far have shown. libeconf 0.5.1 is not asked which keys there are: it leaves
 * out one that has the name of the key before it, in another section.
 */
struct scan {
	struct lab_place place;
	const char *section; /* name of the current one; NULL before the first */
	unsigned int section_line;
	bool section_has_key;
	bool after_key; /* the line before was a key or went on with one */
	struct ini *ini;
	struct arena *arena;
	struct lab_error *error;
};

static bool has_control(struct span line)
{
	for (const char *at = line.at; at < line.end; at++)
		if ((unsigned char)*at < ' ' && *at != '\t')
			return true;
	return memchr(line.at, 0x7f, span_len(line)) != NULL;
}

static int scan_end_section(const struct scan *scan)
{
	const struct lab_place place = { scan->place.file, scan->section_line };

	if (!scan->section || scan->section_has_key)
		return 0;
	return scenario_fail(scan->error, place,
			     "[%s] is empty: expected at least one KEY = VALUE",
			     SHOWN(scan->section));
}

static const struct ini_row *row_find(const struct ini *ini, const char *section,
				      const char *key)
{
	for (size_t i = 0; i < ini->rows; i++)
		if (strcmp(ini->row[i].section, section) == 0 &&
		    (!key || strcmp(ini->row[i].key, key) == 0))
			return &ini->row[i];
	return NULL;
}

static int scan_begin_section(struct scan *scan, struct span name)
{
	const struct ini_row *before;

	scan->section = arena_text(scan->arena, name.at, span_len(name));
	if (!scan->section)
		return -ENOMEM;
	scan->section_line = scan->place.line;
	scan->section_has_key = false;
	scan->after_key = false;
	before = row_find(scan->ini, scan->section, NULL);
	if (!before)
		return 0;
	return scenario_fail(
		scan->error, scan->place,
		"[%s] was there before, about line %u; expected all its keys in one place",
		SHOWN(scan->section), before->line);
}

static int scan_section(struct scan *scan, struct span line)
{
	int r = scan_end_section(scan);

	if (r < 0)
		return r;
	line = span_trim(line);
	if (line.end[-1] != ']' || span_len(line) < 3 ||
	    memchr(line.at + 1, '[', span_len(line) - 1) ||
	    memchr(line.at, ']', span_len(line) - 1))
		return scenario_fail(
			scan->error, scan->place,
			"'%s': expected [SECTION] or [SECTION NAME] and nothing else",
			lab_show(line).text);
	return scan_begin_section(scan, span_of(line.at + 1, span_len(line) - 2));
}

static int scan_more(const struct scan *scan, struct span line)
{
	if (!scan->after_key)
		return scenario_fail(
			scan->error, scan->place,
			"'%s': a line that begins with a blank goes on with the value "
			"above; expected KEY = VALUE at the start of a line",
			lab_show(span_trim(line)).text);
	if (memchr(line.at, '=', span_len(line)))
		return scenario_fail(
			scan->error, scan->place,
			"'%s': a line that goes on with a value has no '='; expected KEY "
			"= VALUE at the start of a line",
			lab_show(span_trim(line)).text);
	return 0;
}

static int scan_keep(struct scan *scan, struct span key)
{
	struct ini_row *row = &scan->ini->row[scan->ini->rows];
	const struct ini_row *before;

	if (!scan->section)
		return scenario_fail(scan->error, scan->place,
				     "%s: expected a [SECTION] before the first key",
				     lab_show(key).text);
	if (scan->ini->rows == INI_ROWS)
		return scenario_fail(scan->error, scan->place, "expected at most %d keys",
				     INI_ROWS);
	*row = (struct ini_row){ .section = scan->section,
				 .key = arena_text(scan->arena, key.at, span_len(key)),
				 .line = scan->place.line };
	if (!row->key)
		return -ENOMEM;
	before = row_find(scan->ini, row->section, row->key);
	if (before)
		return scenario_fail(scan->error, scan->place,
				     "%s: was given in line %u already; expected one value",
				     SHOWN(row->key), before->line);
	scan->ini->rows++;
	scan->section_has_key = true;
	scan->after_key = true;
	return 0;
}

static int scan_key(struct scan *scan, struct span line)
{
	struct span key;
	struct span value;
	struct span word;

	if (!span_split(line, '=', &key, &value))
		return scenario_fail(scan->error, scan->place,
				     "'%s': expected KEY = VALUE, [SECTION] or # COMMENT",
				     lab_show(line).text);
	value = span_trim(value);
	word = span_trim(key);
	if (span_empty(word) || memchr(word.at, ' ', span_len(word)) ||
	    memchr(word.at, '\t', span_len(word)))
		return scenario_fail(scan->error, scan->place,
				     "'%s': expected one word before the '='",
				     lab_show(key).text);
	if (!span_empty(value) && *value.at == '"')
		return scenario_fail(scan->error, scan->place,
				     "%s: expected a value without quotes",
				     lab_show(word).text);
	return scan_keep(scan, word);
}

static int scan_line(struct scan *scan, struct span line)
{
	struct span words = span_trim(line);

	if (span_len(line) > INI_LINE)
		return scenario_fail(scan->error, scan->place,
				     "expected at most %d bytes in a line", INI_LINE);
	if (has_control(line))
		return scenario_fail(scan->error, scan->place,
				     "expected text, found a control character");
	if (span_empty(words) || *line.at == '#') {
		scan->after_key = false;
		return 0;
	}
	if (memchr(line.at, '#', span_len(line)))
		return scenario_fail(scan->error, scan->place,
				     "'%s': expected a comment on a line of its own",
				     lab_show(words).text);
	if (*line.at == '[')
		return scan_section(scan, line);
	if (words.at > line.at)
		return scan_more(scan, line);
	return scan_key(scan, line);
}

static int scan_text(struct span text, struct scan *scan)
{
	struct span line;

	if (span_len(text) > INI_BYTES)
		return scenario_fail(scan->error, scan->place, "expected at most %zu KiB",
				     INI_BYTES / 1024);
	while (span_line(&text, &line)) {
		int r;

		scan->place.line++;
		r = scan_line(scan, line);
		if (r < 0)
			return r;
	}
	if (!scan->section)
		return scenario_fail(scan->error, scan->place,
				     "is empty: expected a [scenario]");
	return scan_end_section(scan);
}

/* libeconf reads files only: the text that was checked becomes one in memory. */
static int memory_file(struct span text)
{
	auto_fd fd = memfd_create("scenario", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	while (!span_empty(text)) {
		ssize_t wrote = write(fd, text.at, span_len(text));

		if (wrote < 0)
			return -errno;
		text.at += wrote;
	}
	return take_fd(&fd);
}

static void file_done(econf_file **file)
{
	econf_freeFile(*file);
}

static void value_done(econf_ext_value **value)
{
	if (*value)
		econf_freeExtValue(*value);
}

static int econf_open(int fd, econf_file **out)
{
	char path[64];
	econf_err r;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = econf_readFile(out, path, "=", "#");
	if (r == ECONF_NOMEM)
		return -ENOMEM;
	return r == ECONF_SUCCESS ? 0 : -EIO;
}

/* The lines of one value, joined by blanks. */
static void lines_join(char *const *lines, struct text *out)
{
	for (; lines && *lines; lines++) {
		struct span line = span_trim(span_cstr(*lines));

		if (out->used > 0 && !span_empty(line))
			text_put(out, " ", 1);
		text_put(out, line.at, span_len(line));
	}
}

static int read_value(econf_file *file, const struct scan *scan, struct ini_row *row)
{
	__attribute__((cleanup(value_done))) econf_ext_value *value = NULL;
	char joined[INI_VALUE];
	struct text text = text_on(joined, sizeof(joined));

	if (econf_getExtValue(file, row->section, row->key, &value) != ECONF_SUCCESS)
		return -EIO;
	lines_join(value->values, &text);
	row->value = arena_text(scan->arena, joined, text.used);
	if (text.cut)
		return scenario_fail(
			scan->error, (struct lab_place){ scan->place.file, row->line },
			"%s: expected at most %d bytes", SHOWN(row->key), INI_VALUE);
	return row->value ? 0 : -ENOMEM;
}

static int read_values(struct span text, const struct scan *scan)
{
	__attribute__((cleanup(file_done))) econf_file *econf = NULL;
	auto_fd fd = memory_file(text);
	int r = fd < 0 ? fd : econf_open(fd, &econf);

	for (size_t i = 0; r == 0 && i < scan->ini->rows; i++)
		r = read_value(econf, scan, &scan->ini->row[i]);
	return r;
}

int ini_parse(struct span text, const char *file, struct arena *arena, struct ini *out,
	      struct lab_error *error)
{
	struct scan scan = {
		.place = { file, 0 },
		.ini = out,
		.arena = arena,
		.error = error,
	};
	int r;

	*out = (struct ini){ .row = arena_raw(arena, INI_ROWS * sizeof(*out->row)) };
	if (!out->row)
		return -ENOMEM;
	r = scan_text(text, &scan);
	return r < 0 ? r : read_values(text, &scan);
}
