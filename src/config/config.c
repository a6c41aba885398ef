#include "config/config.h"

#include <errno.h>

static const char *kept_text(const struct reader *reader, const char *text)
{
	return arena_text(reader->arena, text ? text : "", text ? strlen(text) : 0);
}

static int grow_rows(const struct reader *reader, struct config *config)
{
	size_t room = config->room ? config->room * 2 : 64;
	struct config_row *row = arena_alloc(reader->arena, room * sizeof(*row));

	if (!row)
		return -ENOMEM;
	if (config->rows)
		memcpy(row, config->row, config->rows * sizeof(*row));
	config->row = row;
	config->room = room;
	return 0;
}

int config_add(const struct reader *reader, struct config *config, const struct config_row *row)
{
	struct config_row kept = {
		.file = kept_text(reader, row->file),
		.line = row->line,
		.section = kept_text(reader, row->section),
		.key = kept_text(reader, row->key),
		.value = kept_text(reader, row->value),
	};

	if (!kept.file || !kept.section || !kept.key || !kept.value)
		return -ENOMEM;
	if (config->rows == CONFIG_ROWS) {
		config->cut = true;
		return 0;
	}
	if (config->rows == config->room && grow_rows(reader, config) < 0)
		return -ENOMEM;
	config->row[config->rows++] = kept;
	return 0;
}

int config_note(const struct reader *reader, struct config *config,
		const struct config_note *note)
{
	if (!config->note)
		config->note = arena_alloc(reader->arena, CONFIG_NOTES * sizeof(*note));
	if (!config->note)
		return -ENOMEM;
	if (config->notes == CONFIG_NOTES) {
		config->cut = true;
		return 0;
	}
	config->note[config->notes] = *note;
	config->note[config->notes].file = kept_text(reader, note->file);
	config->note[config->notes].what = kept_text(reader, note->what);
	if (!config->note[config->notes].file || !config->note[config->notes].what)
		return -ENOMEM;
	config->notes++;
	return 0;
}

static const char *fault_words(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "may not be read";
	case EFBIG:
		return "is longer than 1 MiB";
	case ELOOP:
		return "is a link in a circle";
	default:
		return "can't be read";
	}
}

int config_text(const struct reader *reader, const char *path, struct config *config,
		struct span *out)
{
	struct span text;
	const char *kept;
	int r = root_read(reader->root, path, reader->buffer, &text);

	if (r == -ENOENT || r == -ENOTDIR)
		return -ENOENT;
	if (r < 0) {
		const struct config_note note = { path, 0, -r, fault_words(-r) };

		return config_note(reader, config, &note) < 0 ? -ENOMEM : r;
	}
	kept = arena_text(reader->arena, text.at, span_len(text));
	if (!kept)
		return -ENOMEM;
	*out = span_of(kept, span_len(text));
	return 0;
}

/* Why a line is left out; NULL for one that is fine. */
static const char *fault_of(struct span line)
{
	if (span_len(line) > CONFIG_LINE)
		return "is a line of more than 16 KiB";
	if (!span_empty(line) && memchr(line.at, '\0', span_len(line)))
		return "is a line with a NUL in it";
	return NULL;
}

bool lines_next(struct lines *lines, struct span *line)
{
	while (span_line(&lines->rest, line)) {
		struct config_note note = { lines->file, ++lines->number, EBADMSG,
					    fault_of(*line) };

		if (!note.what) {
			if (!span_empty(*line) && line->end[-1] == '\r')
				line->end--;
			return true;
		}
		if (config_note(lines->reader, lines->config, &note) < 0)
			return false;
	}
	return false;
}

const struct config_row *config_find(const struct config *config, const char *section,
				     const char *key)
{
	for (size_t i = config->rows; i-- > 0;) {
		const struct config_row *row = &config->row[i];

		if (strcmp(row->key, key) == 0 && strcmp(row->section, section) == 0)
			return row;
	}
	return NULL;
}
