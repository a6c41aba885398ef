#include "config/sysctl.h"

#include <errno.h>
#include <fnmatch.h>

#define KEY_SIZE 512

/*
 * "net.ipv4.conf.eth0/1.x" or "net/ipv4/conf/eth0.1/x" as a path: whichever of the two
 * separators comes first is the one, and the other stands for itself, exchanged.
 */
static bool key_path(struct span key, char *out)
{
	size_t length = span_len(key);
	bool by_slash = false;

	if (length == 0 || length >= KEY_SIZE)
		return false;
	for (size_t i = 0; i < length; i++)
		if (key.at[i] == '/' || key.at[i] == '.') {
			by_slash = key.at[i] == '/';
			break;
		}
	for (size_t i = 0; i < length; i++) {
		out[i] = key.at[i];
		if (!by_slash && out[i] == '.')
			out[i] = '/';
		else if (!by_slash && out[i] == '/')
			out[i] = '.';
	}
	out[length] = '\0';
	return path_is_plain(out);
}

static int note_line(const struct lines *lines, const char *what)
{
	const struct config_note note = { lines->file, lines->number, EBADMSG, what };

	return config_note(lines->reader, lines->config, &note);
}

static int take_line(struct lines *lines, struct span line)
{
	char key[KEY_SIZE];
	struct span left = line;
	struct span right = span_of(line.end, 0);
	bool is_minus = *line.at == '-';
	struct config_row row = { .file = lines->file,
				  .line = lines->number,
				  .section = is_minus ? "-" : "",
				  .key = key };

	left.at += is_minus;
	if (!span_split(left, '=', &left, &right) && !is_minus)
		return note_line(lines, "is no \"key = value\"");
	if (!key_path(span_trim(left), key))
		return note_line(lines, "has no key that could be a kernel setting");
	right = span_trim(right);
	row.value = arena_text(lines->reader->arena, right.at, span_len(right));
	return row.value ? config_add(lines->reader, lines->config, &row) : -ENOMEM;
}

int sysctl_parse(const struct reader *reader, const char *file, struct span text,
		 struct config *out)
{
	struct lines lines = { reader, out, file, text, 0 };
	struct span line;
	int r = 0;

	while (r == 0 && lines_next(&lines, &line)) {
		line = span_trim(line);
		if (!span_empty(line) && *line.at != '#' && *line.at != ';')
			r = take_line(&lines, line);
	}
	return r;
}

static const char *const FOLDERS[] = { "etc/sysctl.d",		 "run/sysctl.d",
				       "usr/local/lib/sysctl.d", "usr/lib/sysctl.d",
				       "lib/sysctl.d",		 NULL };

int sysctl_read(const struct reader *reader, struct config *out)
{
	return config_take_all(reader, FOLDERS, ".conf", sysctl_parse, out);
}

static bool is_glob(const char *key)
{
	return strpbrk(key, "*?[") != NULL;
}

/* "-key" alone keeps the globs away from it. */
static bool is_excluded(const struct config *config, const char *key)
{
	for (size_t i = 0; i < config->rows; i++)
		if (strcmp(config->row[i].section, "-") == 0 && !*config->row[i].value &&
		    strcmp(config->row[i].key, key) == 0)
			return true;
	return false;
}

/* A key that is written out wins over all globs, wherever they stand: sysctl.d(5). */
const struct config_row *sysctl_find(const struct config *config, const char *key)
{
	const struct config_row *glob = NULL;

	for (size_t i = config->rows; i-- > 0;) {
		const struct config_row *row = &config->row[i];

		if (!*row->value)
			continue;
		if (!is_glob(row->key) && strcmp(row->key, key) == 0)
			return row;
		if (!glob && is_glob(row->key) && fnmatch(row->key, key, FNM_PATHNAME) == 0)
			glob = row;
	}
	return glob && !is_excluded(config, key) ? glob : NULL;
}

/* systemd reads it by a link in sysctl.d only; the procps of other inits reads it itself. */
static bool legacy_is_read(const struct reader *reader)
{
	static const char *const ways[] = { "etc/sysctl.d/99-sysctl.conf",
					    "usr/lib/sysctl.d/99-sysctl.conf",
					    "lib/sysctl.d/99-sysctl.conf",
					    "etc/rc2.d/S01procps", "etc/rcS.d/S01procps" };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (root_has(reader->root, ways[i]))
			return true;
	return false;
}

int sysctl_legacy(const struct reader *reader, struct config *out)
{
	if (legacy_is_read(reader))
		return 0;
	return config_take(reader, "etc/sysctl.conf", sysctl_parse, out);
}
