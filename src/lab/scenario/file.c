#include "lab/scenario/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "lab/scenario/paths.h"
#include "lab/scenario/value.h"

int scenario_file_read(const char *path, struct arena *arena, struct span *out)
{
	/* Without waiting: a pipe of that name would hold us up. */
	auto_fd fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = arena_raw(arena, INI_BYTES + 1);
	size_t length = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!text)
		return -ENOMEM;
	while (length <= INI_BYTES) {
		ssize_t got = read(fd, text + length, INI_BYTES + 1 - length);

		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		length += (size_t)got;
	}
	if (length > INI_BYTES)
		return -EFBIG;
	*out = span_of(text, length);
	return 0;
}

/* One scenario of the chain: the file first, then what it is like, and so on. */
struct link {
	struct settings settings;
	const char *path;
	const char *name; /* as `like` said */
};

static int sibling_path(const char *folder, const char *name, struct text *out)
{
	if (!folder)
		return -ENOENT;
	text_add(out, "%s/%s.ini", folder, name);
	if (out->cut)
		return -ENAMETOOLONG;
	return access(out->at, R_OK) == 0 ? 0 : -ENOENT;
}

static int find_like(const struct setting *like, const char *folder, struct arena *arena,
		     const char **out)
{
	char path[1200];
	struct text text = text_on(path, sizeof(path));
	int r = sibling_path(folder, like->value, &text);

	if (r < 0)
		r = scenario_path(like->value, path, sizeof(path));
	if (r < 0)
		return r;
	*out = arena_text(arena, path, strlen(path));
	return *out ? 0 : -ENOMEM;
}

static int link_parse(struct span text, const char *file, struct link *out,
		      struct settings *settings, struct lab_error *error)
{
	struct ini ini;
	struct text words = text_on(error->text, sizeof(error->text));
	int r = ini_parse(&(struct ini_file){ .text = text, .name = file }, settings->arena,
			  &ini, &words);

	if (r < 0)
		return r;
	if (ini.rows == 0)
		return scenario_fail(error, (struct lab_place){ file, 0 },
				     "is empty: expected a [scenario]");
	r = settings_init(settings->arena, &out->settings);
	if (r < 0)
		return r;
	return settings_add(&out->settings, &ini, file, error);
}

static int bad_like(const struct setting *like, const char *expected, struct lab_error *error)
{
	return scenario_fail(error, like->place, "scenario.like: '%s': %s", SHOWN(like->value),
			     expected);
}

static int link_follow(const struct setting *like, const char *folder, struct link *out,
		       struct settings *settings, struct lab_error *error)
{
	struct span text = { 0 };
	int r;

	out->name = like->value;
	if (!name_is_plain(span_cstr(like->value)))
		return bad_like(like, "expected the name of a scenario", error);
	r = find_like(like, folder, settings->arena, &out->path);
	if (r == -ENOENT)
		return bad_like(
			like,
			"there is no such scenario; expected a shipped one (refault lab "
			"list), or one in the same folder",
			error);
	if (r < 0)
		return r;
	r = scenario_file_read(out->path, settings->arena, &text);
	if (r < 0)
		return bad_like(like, "cannot be read", error);
	return link_parse(text, out->path, out, settings, error);
}

/* What belongs to a scenario and not to those that are like it. */
static bool is_own(const struct setting *setting)
{
	static const char *const own[] = { "title", "about", "id",  "tags",
					   "like",  "name",  "arm", "arm_title" };

	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (strcmp(setting->key, own[i]) == 0)
			return setting->section == SECTION_SCENARIO;
	return false;
}

static int link_put(const struct link *link, bool last, struct settings *out)
{
	for (size_t i = 0; i < link->settings.count; i++) {
		const struct setting *setting = &link->settings.row[i];
		int r;

		if (!last && is_own(setting))
			continue;
		r = settings_put(out, setting);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool seen(const struct link *links, size_t count, const char *name)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(links[i].name, name) == 0)
			return true;
	return false;
}

int scenario_file_parse(struct span text, struct lab_place file, const char *folder,
			struct settings *out, struct lab_error *error)
{
	struct link links[LIKE_MOST + 1] = { 0 };
	size_t count = 1;
	int r = link_parse(text, file.file, &links[0], out, error);

	while (r == 0) {
		const struct setting *like =
			settings_find(&links[count - 1].settings, SECTION_SCENARIO, "", "like");

		if (!like)
			break;
		if (count > LIKE_MOST || seen(links, count, like->value))
			return bad_like(like,
					"leads in a circle, or too far; expected at most 8 "
					"scenarios behind one",
					error);
		r = link_follow(like, folder, &links[count], out, error);
		count++;
	}
	while (r == 0 && count > 0) {
		count--;
		r = link_put(&links[count], count == 0, out);
	}
	return r;
}
