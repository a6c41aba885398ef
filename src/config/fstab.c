#include "config/fstab.h"

#include <errno.h>

#define ROWS_MAX ((size_t)8192)

/* A field of its own in the arena, octal escapes ("\040") undone. */
static const char *unescaped(const struct reader *reader, struct span field)
{
	char *out = arena_text(reader->arena, field.at, span_len(field));
	size_t used = 0;

	if (!out)
		return NULL;
	for (const char *at = out; *at; at++) {
		if (at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' &&
		    at[2] <= '7' && at[3] >= '0' && at[3] <= '7') {
			out[used++] =
				(char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + at[3] - '0');
			at += 3;
		} else {
			out[used++] = *at;
		}
	}
	out[used] = '\0';
	return out;
}

static const char *without_slash(const char *path)
{
	return path && *path == '/' ? path + 1 : path;
}

static int add_row(const struct reader *reader, struct fs_table *out, const struct fs_row *row)
{
	if (!row->source || !row->target || !row->type || !row->options)
		return -ENOMEM;
	if (!out->row)
		out->row = arena_raw(reader->arena, ROWS_MAX * sizeof(*out->row));
	if (!out->row)
		return -ENOMEM;
	if (out->rows < ROWS_MAX)
		out->row[out->rows++] = *row;
	else
		out->notes.cut = true;
	return 0;
}

static int note_line(const struct lines *lines, const char *what)
{
	const struct config_note note = { lines->file, lines->number, EBADMSG, what };

	return config_note(lines->reader, lines->config, &note);
}

static int take_fstab(struct lines *lines, struct span line, struct fs_table *out)
{
	struct span field[4] = { { 0 }, { 0 }, { 0 }, span_cstr("defaults") };
	size_t count = 0;

	while (count < 4 && span_word(&line, &field[count]))
		count++;
	if (count < 3)
		return note_line(lines, "has no device, place and type");
	return add_row(lines->reader, out,
		       &(struct fs_row){
			       .file = lines->file,
			       .line = lines->number,
			       .source = unescaped(lines->reader, field[0]),
			       .target = without_slash(unescaped(lines->reader, field[1])),
			       .type = unescaped(lines->reader, field[2]),
			       .options = unescaped(lines->reader, field[3]),
		       });
}

int fstab_parse(const struct reader *reader, struct span text, struct fs_table *out)
{
	struct lines lines = { reader, &out->notes, "etc/fstab", text, 0 };
	struct span line;
	int r = 0;

	while (r == 0 && lines_next(&lines, &line)) {
		line = span_trim(line);
		if (!span_empty(line) && *line.at != '#')
			r = take_fstab(&lines, line, out);
	}
	return r;
}

/* "8:1" */
static bool device_number(struct span text, struct fs_row *row)
{
	struct span left;
	struct span right;
	uint64_t major;
	uint64_t minor;

	if (!span_split(text, ':', &left, &right) || span_u64(left, &major) < 0 ||
	    span_u64(right, &minor) < 0 || major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	row->major = (unsigned int)major;
	row->minor = (unsigned int)minor;
	return true;
}

/* "36 35 98:0 /root /mnt options [tag[:value]]... - type source superoptions" */
static int take_mount(struct lines *lines, struct span line, struct fs_table *out)
{
	const struct reader *reader = lines->reader;
	struct fs_row row = { .file = lines->file, .line = lines->number };
	struct span field[6];
	struct span word = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(field); i++)
		if (!span_word(&line, &field[i]))
			return note_line(lines, "is no line of mountinfo");
	while (!span_eq(word, "-"))
		if (!span_word(&line, &word))
			return note_line(lines, "is no line of mountinfo");
	if (!device_number(field[2], &row) || !span_word(&line, &word))
		return note_line(lines, "is no line of mountinfo");
	row.type = unescaped(reader, word);
	word = span_of(line.at, 0);
	(void)!span_word(&line, &word);
	row.source = unescaped(reader, word);
	row.target = without_slash(unescaped(reader, field[4]));
	word = span_of(line.at, 0);
	(void)!span_word(&line, &word);
	/* Those of the file system ("size=") behind those of the mount ("nosuid"). */
	row.options =
		arena_text(reader->arena, field[5].at, span_len(field[5]) + 1 + span_len(word));
	if (row.options) {
		char *end = (char *)row.options + span_len(field[5]);

		*end++ = ',';
		if (!span_empty(word))
			memcpy(end, word.at, span_len(word));
		end[span_len(word)] = '\0';
	}
	return add_row(reader, out, &row);
}

int mountinfo_rows(const struct reader *reader, struct span text, struct fs_table *out)
{
	struct lines lines = { reader, &out->notes, "proc/self/mountinfo", text, 0 };
	struct span line;
	int r = 0;

	while (r == 0 && lines_next(&lines, &line))
		if (!span_empty(span_trim(line)))
			r = take_mount(&lines, line, out);
	return r;
}

int fstab_read(const struct reader *reader, struct fs_table *out)
{
	struct span text;
	int r = config_text(reader, "etc/fstab", &out->notes, &text);

	if (r == 0)
		return fstab_parse(reader, text, out);
	return r == -ENOMEM ? r : 0;
}

int mountinfo_read(const struct reader *reader, struct fs_table *out)
{
	struct span text;
	int r = config_text(reader, "proc/self/mountinfo", &out->notes, &text);

	if (r == 0)
		return mountinfo_rows(reader, text, out);
	return r == -ENOMEM ? r : 0;
}

/* The path is the place itself or lies below it. */
static bool is_below(const char *path, const char *place)
{
	size_t length = strlen(place);

	return length == 0 || (strncmp(path, place, length) == 0 &&
			       (path[length] == '\0' || path[length] == '/'));
}

/* The longest place that fits; of the same the last, which lies over the others. */
const struct fs_row *fs_of(const struct fs_table *mounts, const char *path)
{
	const struct fs_row *best = NULL;

	for (size_t i = 0; i < mounts->rows; i++) {
		const struct fs_row *row = &mounts->row[i];

		if (is_below(path, row->target) &&
		    (!best || strlen(row->target) >= strlen(best->target)))
			best = row;
	}
	return best;
}

const char *fs_option(const struct reader *reader, const char *options, const char *name)
{
	struct span rest = span_cstr(options);
	struct span piece;

	while (span_cut(&rest, ',', &piece)) {
		struct span key = piece;
		struct span value = span_of(piece.end, 0);

		(void)!span_split(piece, '=', &key, &value);
		if (span_eq(key, name))
			return arena_text(reader->arena, value.at, span_len(value));
	}
	return NULL;
}
