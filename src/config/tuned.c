#include "config/tuned.h"

#include <errno.h>

static const char *const FOLDERS[] = { "etc/tuned/profiles", "etc/tuned",
				       "usr/lib/tuned/profiles", "usr/lib/tuned" };

static int note_profile(const struct reader *reader, struct config *out, const char *file,
			const char *what)
{
	const struct config_note note = { file, 0, ELOOP, what };

	return config_note(reader, out, &note);
}

/* The text of a profile; -ENOENT where there is none of that name. */
static int profile_text(const struct reader *reader, const char *name, const char **path,
			struct config *out, struct span *text)
{
	char full[512];

	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++) {
		int r;

		snprintf(full, sizeof(full), "%s/%s/tuned.conf", FOLDERS[i], name);
		r = config_text(reader, full, out, text);
		*path = arena_text(reader->arena, full, strlen(full));
		if (!*path)
			return -ENOMEM;
		if (r != -ENOENT)
			return r;
	}
	return -ENOENT;
}

/* A value with a variable is known to tuned only. */
static int add_own(const struct reader *reader, const struct config *own, struct config *out)
{
	int r = 0;

	for (size_t i = 0; i < own->rows && r == 0; i++) {
		const struct config_row *row = &own->row[i];
		const struct config_note note = {
			row->file, row->line, EBADMSG,
			"has a variable, which is not followed here"
		};

		r = strstr(row->value, "${") ? config_note(reader, out, &note) :
					       config_add(reader, out, row);
	}
	return r;
}

static int read_profile(const struct reader *reader, const char *name, unsigned int depth,
			struct config *out);

/* "include=a,b" in [main]: what is included comes before, so that the profile itself wins. */
static int read_included(const struct reader *reader, const struct config_row *include,
			 unsigned int depth, struct config *out)
{
	struct span rest = span_cstr(include->value);
	struct span piece;
	char name[128];
	int r = 0;

	while (r == 0 && span_cut(&rest, ',', &piece))
		if (span_copy(span_trim(piece), name, sizeof(name)))
			r = read_profile(reader, name, depth + 1, out);
	return r;
}

static int read_profile(const struct reader *reader, const char *name, unsigned int depth,
			struct config *out)
{
	struct config own = { 0 };
	const struct config_row *include;
	const char *path = name;
	struct span text;
	int r;

	if (depth > CONFIG_DEPTH)
		return note_profile(reader, out, name, "includes too deeply, or itself");
	if (!path_is_plain(name) || strchr(name, '/'))
		return note_profile(reader, out, "etc/tuned/active_profile",
				    "is no name of a profile");
	r = profile_text(reader, name, &path, out, &text);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = conf_parse(reader, path, text, &own);
	include = config_find(&own, "main", "include");
	if (r == 0 && include)
		r = read_included(reader, include, depth, out);
	return r == 0 ? add_own(reader, &own, out) : r;
}

int tuned_read(const struct reader *reader, struct config *out)
{
	struct span text;
	struct span word;
	char name[128];
	int r = config_text(reader, "etc/tuned/active_profile", out, &text);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	while (r == 0 && span_word(&text, &word)) {
		if (*word.at == '\n' || !span_copy(span_trim(word), name, sizeof(name)))
			continue;
		r = read_profile(reader, name, 0, out);
	}
	return r;
}
