#include <errno.h>

#include "config/config.h"

/* A file of a folder: its name decides where it stands, its folder whether it counts. */
struct named {
	const char *name;
	const char *path;
};

#define FILES_MAX 4096

struct collection {
	const struct reader *reader;
	const char *suffix;
	struct config *config;
	struct named *named; /* sorted by name */
	size_t count;
};

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name);
	size_t tail = strlen(suffix);

	return length > tail && strcmp(name + length - tail, suffix) == 0;
}

/* Where the name stands or would stand. */
static size_t place_of(const struct collection *files, const char *name, bool *is_there)
{
	size_t low = 0;
	size_t high = files->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(files->named[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*is_there = low < files->count && strcmp(files->named[low].name, name) == 0;
	return low;
}

static int collect(struct collection *files, const char *folder, const char *name)
{
	struct arena *arena = files->reader->arena;
	char path[4200];
	bool is_there;
	size_t place = place_of(files, name, &is_there);
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	if (is_there || n >= (int)sizeof(path))
		return 0;
	if (files->count == FILES_MAX) {
		files->config->cut = true;
		return 0;
	}
	memmove(&files->named[place + 1], &files->named[place],
		(files->count - place) * sizeof(files->named[0]));
	files->named[place] = (struct named){ arena_text(arena, name, strlen(name)),
					      arena_text(arena, path, (size_t)n) };
	files->count++;
	return files->named[place].name && files->named[place].path ? 0 : -ENOMEM;
}

static int collect_folder(struct collection *files, const char *folder)
{
	const struct reader *reader = files->reader;
	struct span rest = { 0 };
	struct span name;
	const char *kept;
	int r = root_names(reader->root, folder, reader->buffer, &rest);

	if (r == -ENOENT || r == -ENOTDIR)
		return 0;
	if (r < 0) {
		const struct config_note note = { folder, 0, -r, "can't be listed" };

		return config_note(reader, files->config, &note);
	}
	kept = arena_text(reader->arena, rest.at, span_len(rest));
	if (!kept)
		return -ENOMEM;
	rest = span_of(kept, span_len(rest));
	r = 0;
	while (r == 0 && span_cut(&rest, '\0', &name))
		if (ends_with(name.at, files->suffix))
			r = collect(files, folder, name.at);
	return r;
}

/* A link to /dev/null, or an empty file, takes a name out of all folders. */
static bool is_hidden(const struct reader *reader, const char *path)
{
	struct span target;

	return root_link(reader->root, path, reader->buffer, &target) == 0 &&
	       span_eq(target, "/dev/null");
}

int config_files(const struct reader *reader, const char *const *folders, const char *suffix,
		 struct config *config, struct config_files *out)
{
	struct collection files = { .reader = reader, .suffix = suffix, .config = config };

	files.named = arena_raw(reader->arena, (FILES_MAX + 1) * sizeof(*files.named));
	if (!files.named)
		return -ENOMEM;
	for (size_t i = 0; folders[i]; i++)
		if (collect_folder(&files, folders[i]) < 0)
			return -ENOMEM;
	*out = (struct config_files){ 0 };
	out->path = arena_alloc(reader->arena, (files.count + 1) * sizeof(*out->path));
	if (!out->path)
		return -ENOMEM;
	for (size_t i = 0; i < files.count; i++)
		if (!is_hidden(reader, files.named[i].path))
			out->path[out->count++] = files.named[i].path;
	return 0;
}

int config_take(const struct reader *reader, const char *path, config_parser *parse,
		struct config *out)
{
	struct span text;
	int r = config_text(reader, path, out, &text);

	if (r == 0)
		return parse(reader, path, text, out);
	return r == -ENOMEM ? r : 0;
}

int config_take_all(const struct reader *reader, const char *const *folders, const char *suffix,
		    config_parser *parse, struct config *out)
{
	struct config_files files = { 0 };
	int r = config_files(reader, folders, suffix, out, &files);

	for (size_t i = 0; i < files.count && r == 0; i++)
		r = config_take(reader, files.path[i], parse, out);
	return r;
}
