#include "lab/boot/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "lab/boot/files.h"

#define WORDS 12

/* A line is shorter than this, or is left out. */
#define LINE_MAX_BYTES 4096

static void flush(struct sheet *sheet, size_t bytes)
{
	int r = span_write(sheet->fd, span_of(sheet->space, bytes));

	if (r < 0 && sheet->error == 0)
		sheet->error = r;
	sheet->text = text_on(sheet->space, sizeof(sheet->space));
}

int sheet_open(struct sheet *sheet, const char *path, const char *header)
{
	int fd = file_open(path, O_WRONLY | O_CREAT | O_EXCL);

	if (fd < 0)
		return fd;
	sheet->fd = fd;
	sheet->error = 0;
	sheet->text = text_on(sheet->space, sizeof(sheet->space));
	text_add(&sheet->text, "%s\n", header);
	return 0;
}

void sheet_add(struct sheet *sheet, const char *format, ...)
{
	char field[256];
	va_list list;

	va_start(list, format);
	vsnprintf(field, sizeof(field), format, list);
	va_end(list);
	text_put(&sheet->text, field, strlen(field));
}

void sheet_name(struct sheet *sheet, struct span name)
{
	if (span_len(name) > LINE_MAX_BYTES / 8)
		name = span_of(name.at, LINE_MAX_BYTES / 8);
	text_name(&sheet->text, name);
}

void sheet_end_line(struct sheet *sheet)
{
	text_put(&sheet->text, "\n", 1);
	if (sheet->text.used > sizeof(sheet->space) - LINE_MAX_BYTES)
		flush(sheet, sheet->text.used);
}

int sheet_close(struct sheet *sheet)
{
	if (sheet->fd < 0)
		return 0;
	flush(sheet, sheet->text.used);
	close(sheet->fd);
	sheet->fd = -1;
	return sheet->error;
}

/* The words of a row, checked. */
static bool cut_row(const char *kinds, struct span line, struct span words[WORDS])
{
	uint64_t number;

	for (size_t i = 0; kinds[i]; i++) {
		if (kinds[i] == 'r') {
			words[i] = span_trim(line);
			return true;
		}
		if (!span_word(&line, &words[i]))
			return false;
		if (kinds[i] == 'n' && span_u64(words[i], &number) < 0)
			return false;
	}
	return true;
}

bool sheet_row(struct sheet *sheet, const char *kinds, struct span line)
{
	struct span words[WORDS];

	if (span_len(line) > LINE_MAX_BYTES / 8 || !cut_row(kinds, line, words))
		return false;
	for (size_t i = 0; kinds[i]; i++) {
		if (i > 0)
			text_put(&sheet->text, "\t", 1);
		sheet_name(sheet, words[i]);
	}
	sheet_end_line(sheet);
	return true;
}
