#include "lab/scenario/shipped.h"

#include <dirent.h>
#include <errno.h>

#include "lab/scenario/file.h"
#include "lab/scenario/paths.h"

#define SHIPPED_MOST 256
#define SHIPPED_ARENA ((size_t)256 << 20)
#define SUFFIX ".ini"

static const char *head_of(const struct settings *settings, const char *key)
{
	const struct setting *row = settings_find(settings, SECTION_SCENARIO, "", key);

	return row ? row->value : "";
}

static int read_row(struct shipped *shipped, const char *folder, const char *file,
		    struct lab_error *error)
{
	struct shipped_row *row = &shipped->row[shipped->rows];
	char path[1200];
	struct text text = text_on(path, sizeof(path));
	struct settings settings;
	struct span bytes;
	const char *kept;
	int r;

	text_add(&text, "%s/%s", folder, file);
	kept = arena_text(&shipped->arena, path, text.used);
	row->name = arena_text(&shipped->arena, file, strlen(file) - strlen(SUFFIX));
	if (text.cut || !kept || !row->name)
		return -ENOMEM;
	r = settings_init(&shipped->arena, &settings);
	if (r == 0)
		r = scenario_file_read(path, &shipped->arena, &bytes);
	if (r == 0)
		r = scenario_file_parse(bytes, (struct lab_place){ kept, 0 }, folder, &settings,
					error);
	if (r < 0)
		return r;
	row->id = head_of(&settings, "id");
	row->title = head_of(&settings, "title");
	row->tags = head_of(&settings, "tags");
	row->source = head_of(&settings, "source");
	shipped->rows++;
	return 0;
}

static bool is_scenario(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(SUFFIX) && *name != '.' &&
	       strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* "V9" stands before "V10". */
static int compare(const void *left, const void *right)
{
	const struct shipped_row *a = left;
	const struct shipped_row *b = right;
	int r = strverscmp(a->id, b->id);

	return r != 0 ? r : strcmp(a->name, b->name);
}

static int read_folder(struct shipped *shipped, const char *path, struct lab_error *error)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	int r = 0;

	if (!folder)
		return -errno;
	for (entry = readdir(folder); r == 0 && entry; entry = readdir(folder))
		if (is_scenario(entry->d_name) && shipped->rows < SHIPPED_MOST)
			r = read_row(shipped, path, entry->d_name, error);
	closedir(folder);
	return r;
}

int shipped_open(const char *folder, struct shipped *out, struct lab_error *error)
{
	struct shipped shipped = { 0 };
	char path[1200];
	int r = folder ? 0 : scenario_folder(path, sizeof(path));

	if (r < 0)
		return r;
	r = arena_init(&shipped.arena, SHIPPED_ARENA);
	if (r < 0)
		return r;
	shipped.row = arena_alloc(&shipped.arena, SHIPPED_MOST * sizeof(*shipped.row));
	r = shipped.row ? read_folder(&shipped, folder ? folder : path, error) : -ENOMEM;
	if (r < 0) {
		arena_done(&shipped.arena);
		return r;
	}
	qsort(shipped.row, shipped.rows, sizeof(*shipped.row), compare);
	*out = shipped;
	return 0;
}

void shipped_done(struct shipped *shipped)
{
	arena_done(&shipped->arena);
}
