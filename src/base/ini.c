#include "base/ini.h"

#include <errno.h>
#include <libeconf.h>
#include <libeconf_ext.h>
#include <stdarg.h>
#include <sys/mman.h>

/* Foreign text in a sentence: cut to what fits, and made harmless. */
struct shown {
	char text[64];
};

static struct shown show(struct span text)
{
	struct shown shown;
	struct text out = text_on(shown.text, sizeof(shown.text));

	text_name(&out, text);
	return shown;
}
#define SHOWN(string) (show(span_cstr(string)).text)

/*
 * What the lines so far have shown. libeconf 0.5.1 is not asked which keys there are: it leaves
 * out one that has the name of the key before it, in another section.
 */
struct scan {
	const struct ini_file *file;
	unsigned int line;
	const char *section; /* name of the current one; NULL before the first */
	unsigned int section_line;
	bool section_has_key;
	bool is_lost;	/* the line that began this section is wrong: its keys belong nowhere */
	bool after_key; /* the line before was a key or went on with one */
	bool is_wrong;	/* something was complained about */
	struct ini *ini;
	struct arena *arena;
	struct text *error;
};

static int fail_at(const struct scan *scan, unsigned int line, const char *format, ...)
	printf_like(3, 4);

/* "FILE:LINE: sentence" */
static int fail_at(const struct scan *scan, unsigned int line, const char *format, ...)
{
	char sentence[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	text_name(scan->error, span_cstr(scan->file->name));
	if (line > 0)
		text_add(scan->error, ":%u", line);
	text_add(scan->error, ": %s", sentence);
	return -EINVAL;
}

static bool has_control(struct span line)
{
	for (const char *at = line.at; at < line.end; at++)
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
			return true;
	return false;
}

static bool has_other_bytes(struct span line)
{
	while (!span_empty(line)) {
		size_t length = utf8_length(line);

		if (length == 0)
			return true;
		line.at += length;
	}
	return false;
}

static int scan_end_section(const struct scan *scan)
{
	if (!scan->section || scan->section_has_key || scan->file->may_be_empty)
		return 0;
	return fail_at(scan, scan->section_line,
		       "[%s] is empty: expected at least one KEY = VALUE",
		       SHOWN(scan->section));
}

static const struct ini_section *section_find(const struct ini *ini, const char *name)
{
	for (size_t i = 0; i < ini->sections; i++)
		if (strcmp(ini->section[i].name, name) == 0)
			return &ini->section[i];
	return NULL;
}

static const struct ini_row *row_find(const struct ini *ini, const struct ini_row *like)
{
	for (size_t i = 0; i < ini->rows; i++)
		if (strcmp(ini->row[i].section, like->section) == 0 &&
		    strcmp(ini->row[i].key, like->key) == 0)
			return &ini->row[i];
	return NULL;
}

static int scan_begin_section(struct scan *scan, struct span name)
{
	struct ini *ini = scan->ini;
	const struct ini_section *before;
	const char *text = arena_text(scan->arena, name.at, span_len(name));

	if (!text)
		return -ENOMEM;
	before = section_find(ini, text);
	if (before)
		return fail_at(
			scan, scan->line,
			"[%s] was there before, in line %u; expected all its keys in one place",
			SHOWN(text), before->line);
	if (ini->sections == INI_SECTIONS)
		return fail_at(scan, scan->line, "expected at most %d sections", INI_SECTIONS);
	ini->section[ini->sections++] =
		(struct ini_section){ .name = text, .line = scan->line };
	scan->section = text;
	scan->section_line = scan->line;
	scan->section_has_key = false;
	scan->is_lost = false;
	return 0;
}

static int scan_section(struct scan *scan, struct span line)
{
	int r = scan_end_section(scan);

	scan->after_key = false;
	scan->is_lost = true;
	scan->section = NULL;
	if (r < 0)
		return r;
	line = span_trim(line);
	if (line.end[-1] != ']' || span_len(line) < 3 ||
	    memchr(line.at + 1, '[', span_len(line) - 1) ||
	    memchr(line.at, ']', span_len(line) - 1))
		return fail_at(scan, scan->line,
			       "'%s': expected [SECTION] or [SECTION NAME] and nothing else",
			       show(line).text);
	return scan_begin_section(scan, span_of(line.at + 1, span_len(line) - 2));
}

static int scan_more(const struct scan *scan, struct span line)
{
	if (!scan->after_key)
		return fail_at(scan, scan->line,
			       "'%s': a line that begins with a blank goes on with the value "
			       "above; expected KEY = VALUE at the start of a line",
			       show(span_trim(line)).text);
	if (memchr(line.at, '=', span_len(line)))
		return fail_at(
			scan, scan->line,
			"'%s': a line that goes on with a value has no '='; expected KEY "
			"= VALUE at the start of a line",
			show(span_trim(line)).text);
	return 0;
}

static int scan_keep(struct scan *scan, struct span key)
{
	struct ini_row *row = &scan->ini->row[scan->ini->rows];
	const struct ini_row *before;

	if (scan->is_lost)
		return 0;
	if (!scan->section)
		return fail_at(scan, scan->line,
			       "%s: expected a [SECTION] before the first key", show(key).text);
	if (scan->ini->rows == INI_ROWS)
		return fail_at(scan, scan->line, "expected at most %d keys", INI_ROWS);
	*row = (struct ini_row){ .section = scan->section,
				 .key = arena_text(scan->arena, key.at, span_len(key)),
				 .line = scan->line };
	if (!row->key)
		return -ENOMEM;
	before = row_find(scan->ini, row);
	if (before)
		return fail_at(scan, scan->line,
			       "%s: was given in line %u already; expected one value",
			       SHOWN(row->key), before->line);
	scan->ini->rows++;
	scan->section_has_key = true;
	return 0;
}

static int scan_key(struct scan *scan, struct span line)
{
	struct span key;
	struct span value;
	struct span word;

	scan->after_key = true; /* also of a key that is wrong */
	if (!span_split(line, '=', &key, &value))
		return fail_at(scan, scan->line,
			       "'%s': expected KEY = VALUE, [SECTION] or # COMMENT",
			       show(line).text);
	value = span_trim(value);
	word = span_trim(key);
	if (span_empty(word) || memchr(word.at, ' ', span_len(word)) ||
	    memchr(word.at, '\t', span_len(word)))
		return fail_at(scan, scan->line, "'%s': expected one word before the '='",
			       show(key).text);
	if (!span_empty(value) && *value.at == '"')
		return fail_at(scan, scan->line, "%s: expected a value without quotes",
			       show(word).text);
	return scan_keep(scan, word);
}

static int scan_line(struct scan *scan, struct span line)
{
	struct span words = span_trim(line);

	if (span_len(line) > INI_LINE)
		return fail_at(scan, scan->line, "expected at most %d bytes in a line",
			       INI_LINE);
	if (has_control(line))
		return fail_at(scan, scan->line, "expected text, found a control character");
	if (scan->file->is_utf8 && has_other_bytes(line))
		return fail_at(scan, scan->line, "expected text in UTF-8, found other bytes");
	if (span_empty(words) || *line.at == '#') {
		scan->after_key = false;
		return 0;
	}
	if (memchr(line.at, '#', span_len(line)))
		return fail_at(scan, scan->line,
			       "'%s': expected a comment on a line of its own",
			       show(words).text);
	if (*line.at == '[')
		return scan_section(scan, line);
	if (words.at > line.at)
		return scan_more(scan, line);
	return scan_key(scan, line);
}

/* Says what fail_at() wrote, so that the lines behind it are looked at too. */
static int scan_complain(struct scan *scan, int r)
{
	if (r != -EINVAL || !scan->file->complain)
		return r;
	scan->file->complain(scan->file->whom, scan->error->at);
	*scan->error = text_on(scan->error->at, scan->error->size);
	scan->is_wrong = true;
	return 0;
}

static int scan_lines(struct scan *scan, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		int r;

		scan->line++;
		r = scan_complain(scan, scan_line(scan, line));
		if (r < 0)
			return r;
	}
	return scan_complain(scan, scan_end_section(scan));
}

static int scan_text(struct scan *scan)
{
	int r;

	if (span_len(scan->file->text) <= INI_BYTES)
		return scan_lines(scan, scan->file->text);
	r = fail_at(scan, 0, "expected at most %zu KiB", INI_BYTES / 1024);
	return scan_complain(scan, r);
}

/* libeconf reads files only: the text that was checked becomes one in memory. */
static int memory_file(struct span text)
{
	auto_fd fd = memfd_create("ini", MFD_CLOEXEC);

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
		return fail_at(scan, row->line, "%s: expected at most %d bytes",
			       SHOWN(row->key), INI_VALUE);
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

int ini_parse(const struct ini_file *file, struct arena *arena, struct ini *out,
	      struct text *error)
{
	struct scan scan = { .file = file, .ini = out, .arena = arena, .error = error };
	int r;

	*out = (struct ini){
		.row = arena_raw(arena, INI_ROWS * sizeof(*out->row)),
		.section = arena_raw(arena, INI_SECTIONS * sizeof(*out->section)),
	};
	if (!out->row || !out->section)
		return -ENOMEM;
	r = scan_text(&scan);
	if (r == 0 && !scan.is_wrong)
		r = scan_complain(&scan, read_values(file->text, &scan));
	return r == 0 && scan.is_wrong ? -EINVAL : r;
}
