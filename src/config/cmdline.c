#include "config/cmdline.h"

#include <errno.h>

#include "config/arguments.h"

/* Words are parted by blanks; double quotes keep blanks in one, and are taken off. */
static bool cut_word(struct span *rest, char *out, size_t size)
{
	bool quoted = false;
	size_t used = 0;

	*rest = span_trim(*rest);
	if (span_empty(*rest))
		return false;
	for (; !span_empty(*rest); rest->at++) {
		char c = *rest->at;

		if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == ' ' || c == '\t' || c == '\n'))
			break;
		else if (used + 1 < size)
			out[used++] = c;
	}
	out[used] = '\0';
	return true;
}

int cmdline_parse(const struct reader *reader, const char *file, struct span text,
		  struct config *out)
{
	char word[2048];
	int r = 0;

	while (r == 0 && cut_word(&text, word, sizeof(word)) && strcmp(word, "--") != 0) {
		struct config_row row = {
			.file = file, .line = 1, .section = "", .key = word, .value = ""
		};
		char *equals = strchr(word, '=');

		if (equals) {
			*equals = '\0';
			row.value = equals + 1;
		}
		r = config_add(reader, out, &row);
	}
	return r;
}

int cmdline_read(const struct reader *reader, struct config *out)
{
	return config_take(reader, "proc/cmdline", cmdline_parse, out);
}

static int add_grub(const struct reader *reader, const struct config_row *row,
		    struct config *out)
{
	size_t before = out->rows;
	int r = cmdline_parse(reader, row->file, span_cstr(row->value), out);

	for (size_t i = before; i < out->rows; i++)
		out->row[i].line = row->line;
	return r;
}

/* The last assignment of each of the two counts, over all files in turn. */
static int take_grub(const struct reader *reader, const struct config *grub, struct config *out)
{
	static const char *const names[] = { "GRUB_CMDLINE_LINUX",
					     "GRUB_CMDLINE_LINUX_DEFAULT" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(names) && r == 0; i++) {
		const struct config_row *row = config_find(grub, "", names[i]);

		if (row)
			r = add_grub(reader, row, out);
	}
	return r;
}

int cmdline_next_read(const struct reader *reader, struct config *out)
{
	static const char *const folders[] = { "etc/default/grub.d", NULL };
	struct config grub = { 0 };
	struct config_files files = { 0 };
	int r = assignments_read(reader, "etc/default/grub", &grub);

	if (r == 0)
		r = config_files(reader, folders, ".cfg", out, &files);
	for (size_t i = 0; i < files.count && r == 0; i++)
		r = assignments_read(reader, files.path[i], &grub);
	if (r == 0)
		r = take_grub(reader, &grub, out);
	return r == 0 ? config_take(reader, "etc/kernel/cmdline", cmdline_parse, out) : r;
}
