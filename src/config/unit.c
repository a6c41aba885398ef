#include "config/unit.h"

#include <errno.h>
#include <stdlib.h>

/* First to last: of the same name the first counts. systemd.unit(5). */
static const char *const FOLDERS[] = {
	"etc/systemd/system.control", "run/systemd/system.control",
	"run/systemd/transient",      "etc/systemd/system",
	"run/systemd/system",	      "usr/local/lib/systemd/system",
	"usr/lib/systemd/system",     "lib/systemd/system",
};

static int note(const struct reader *reader, struct unit_file *unit, const char *file,
		int error, const char *what)
{
	const struct config_note row = { file, 0, error, what };

	return config_note(reader, &unit->config, &row);
}

static bool link_of(const struct reader *reader, const char *path, char *out, size_t size)
{
	struct span target;

	return root_link(reader->root, path, reader->buffer, &target) == 0 &&
	       span_copy(target, out, size);
}

/* The path of the first file or link of that name; false where there is none. */
static bool find_file(const struct reader *reader, const char *name, char *out, size_t size)
{
	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++) {
		int n = snprintf(out, size, "%s/%s", FOLDERS[i], name);

		if (n < (int)size && root_has(reader->root, out))
			return true;
	}
	return false;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "getty@tty1.service" is made of "getty@.service"; false for what is no instance. */
static bool template_of(const char *name, char *out, size_t size)
{
	const char *at = strchr(name, '@');
	const char *dot = strrchr(name, '.');

	if (!at || !dot || dot <= at + 1)
		return false;
	return snprintf(out, size, "%.*s%s", (int)(at - name + 1), name, dot) < (int)size;
}

static int take_fragment(const struct reader *reader, const char *path, struct unit_file *unit)
{
	struct span text;
	int r = config_text(reader, path, &unit->config, &text);

	if (r == -ENOMEM)
		return r;
	unit->fragment = arena_text(reader->arena, path, strlen(path));
	if (!unit->fragment)
		return -ENOMEM;
	unit->standing = r == 0 && span_empty(text) ? UNIT_MASKED : UNIT_PRESENT;
	return r == 0 ? conf_parse(reader, path, text, &unit->config) : 0;
}

/*
 * The fragment: the first file of that name, or where its links lead. A link to another unit's
 * file makes its name an alias; one to /dev/null masks it.
 */
static int read_fragment(const struct reader *reader, const char *name, struct unit_file *unit)
{
	char path[512];
	char target[512];

	if (!find_file(reader, name, path, sizeof(path)))
		return template_of(name, target, sizeof(target)) ?
			       read_fragment(reader, target, unit) :
			       0;
	for (int i = 0; i < CONFIG_DEPTH; i++) {
		if (!link_of(reader, path, target, sizeof(target)))
			return take_fragment(reader, path, unit);
		if (strcmp(target, "/dev/null") == 0) {
			unit->standing = UNIT_MASKED;
			return 0;
		}
		if (!find_file(reader, last_part(target), path, sizeof(path)))
			return note(reader, unit, path, ENOENT, "is a link to nothing");
	}
	return note(reader, unit, path, ELOOP, "is a link in a circle");
}

/* Folders of drop-ins of one unit, the most particular first. */
struct drop_ins {
	const char *folder[ARRAY_LEN(FOLDERS) * 12 + 1];
	size_t count;
};

static int add_folders(const struct reader *reader, const char *name, struct drop_ins *out)
{
	char path[512];

	if (out->count + ARRAY_LEN(FOLDERS) >= ARRAY_LEN(out->folder))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++) {
		int n = snprintf(path, sizeof(path), "%s/%s.d", FOLDERS[i], name);
		const char *kept;

		if (n >= (int)sizeof(path))
			return 0;
		kept = arena_text(reader->arena, path, (size_t)n);
		if (!kept)
			return -ENOMEM;
		out->folder[out->count++] = kept;
	}
	return 0;
}

/* "a-b-c.slice" has drop-ins of "a-b-.slice" and "a-.slice" too. */
static int add_prefixes(const struct reader *reader, const char *name, struct drop_ins *out)
{
	const char *dot = strrchr(name, '.');
	char prefix[256];
	int r = 0;

	if (!dot || (size_t)(dot - name) >= sizeof(prefix))
		return 0;
	for (const char *at = dot - 1; at > name && r == 0; at--) {
		if (*at != '-' || at + 1 == dot)
			continue;
		snprintf(prefix, sizeof(prefix), "%.*s%s", (int)(at - name + 1), name, dot);
		r = add_folders(reader, prefix, out);
	}
	return r;
}

static int read_drop_ins(const struct reader *reader, const char *name, struct unit_file *unit)
{
	const char *dot = strrchr(name, '.');
	struct drop_ins drop_ins = { 0 };
	struct config_files files = { 0 };
	char template[256];
	int r = add_folders(reader, name, &drop_ins);

	if (r == 0 && template_of(name, template, sizeof(template)))
		r = add_folders(reader, template, &drop_ins);
	if (r == 0)
		r = add_prefixes(reader, name, &drop_ins);
	if (r == 0 && dot)
		r = add_folders(reader, dot + 1, &drop_ins);
	if (r == 0)
		r = config_files(reader, drop_ins.folder, ".conf", &unit->config, &files);
	for (size_t i = 0; i < files.count && r == 0; i++)
		r = config_take(reader, files.path[i], conf_parse, &unit->config);
	if (files.count > 0 && unit->standing == UNIT_ABSENT)
		unit->standing = UNIT_PRESENT;
	return r;
}

/* Who may want it at boot, as far as these folders tell. */
static const char *const WANTERS[] = {
	"multi-user.target.wants",    "default.target.wants",	"basic.target.wants",
	"sysinit.target.wants",	      "graphical.target.wants", "timers.target.wants",
	"sockets.target.wants",	      "swap.target.wants",	"slices.target.wants",
	"multi-user.target.requires", "swap.target.requires",
};

bool unit_is_enabled(const struct reader *reader, const struct unit_file *unit)
{
	char path[512];

	if (unit->standing != UNIT_PRESENT)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++)
		for (size_t j = 0; j < ARRAY_LEN(WANTERS); j++) {
			snprintf(path, sizeof(path), "%s/%s/%s", FOLDERS[i], WANTERS[j],
				 unit->name);
			if (root_has(reader->root, path))
				return true;
		}
	return false;
}

int unit_read(const struct reader *reader, const char *name, struct unit_file *out)
{
	int r;

	*out = (struct unit_file){ .name = name, .fragment = "" };
	if (!path_is_plain(name) || strchr(name, '/') || strlen(name) > 255)
		return 0;
	r = read_fragment(reader, name, out);
	if (r == 0 && out->standing != UNIT_MASKED)
		r = read_drop_ins(reader, name, out);
	return r;
}

static bool is_unit_name(const char *name)
{
	static const char *const types[] = { ".service", ".slice", ".scope", ".socket",
					     ".swap",	 ".mount", ".timer", ".target" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
		if (strcmp(dot, types[i]) == 0)
			return true;
	return false;
}

/* A unit that has nothing but a folder of drop-ins is one too. */
static size_t named_length(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && strcmp(name + length - 2, ".d") == 0 ? length - 2 : length;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

#define UNITS_MAX 8192

static int list_folder(const struct reader *reader, const char *folder, struct unit_names *out)
{
	struct span rest;
	struct span name;

	if (root_names(reader->root, folder, reader->buffer, &rest) < 0)
		return 0;
	while (span_cut(&rest, '\0', &name) && out->count < UNITS_MAX) {
		const char *kept = arena_text(reader->arena, name.at, named_length(name.at));

		if (!kept)
			return -ENOMEM;
		if (is_unit_name(kept))
			out->name[out->count++] = kept;
	}
	return 0;
}

int unit_list(const struct reader *reader, struct unit_names *out)
{
	size_t distinct = 0;
	int r = 0;

	*out = (struct unit_names){ .name = arena_raw(reader->arena,
						      UNITS_MAX * sizeof(*out->name)) };
	if (!out->name)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_LEN(FOLDERS) && r == 0; i++)
		r = list_folder(reader, FOLDERS[i], out);
	qsort(out->name, out->count, sizeof(*out->name), by_text);
	for (size_t i = 0; i < out->count; i++)
		if (distinct == 0 || strcmp(out->name[distinct - 1], out->name[i]) != 0)
			out->name[distinct++] = out->name[i];
	out->count = distinct;
	return r;
}

const struct config_row *unit_find(const struct unit_file *unit, const char *section,
				   const char *key)
{
	const struct config_row *row = config_find(&unit->config, section, key);

	return row && *row->value ? row : NULL;
}

/* Hundredths: two decimals are allowed, "12.5%". */
static int percent_of(struct span text, uint64_t of, uint64_t *bytes)
{
	uint64_t hundredths;
	int r = span_fixed(text, 2, &hundredths);

	if (r < 0 || hundredths > 10000)
		return -EBADMSG;
	*bytes = of / 10000 * hundredths + of % 10000 * hundredths / 10000;
	return 0;
}

int unit_bytes(const char *value, uint64_t of, uint64_t *bytes)
{
	static const char suffixes[] = "KMGTPE";
	struct span text = span_trim(span_cstr(value));
	const char *suffix;
	uint64_t number;
	unsigned int shift = 0;

	if (span_eq(text, "infinity")) {
		*bytes = UINT64_MAX;
		return 0;
	}
	if (span_empty(text))
		return -EBADMSG;
	if (text.end[-1] == '%')
		return percent_of(span_trim(span_of(text.at, span_len(text) - 1)), of, bytes);
	if (text.end[-1] == 'B')
		text = span_of(text.at, span_len(text) - 1);
	suffix = span_empty(text) ? NULL : memchr(suffixes, text.end[-1], sizeof(suffixes) - 1);
	if (suffix) {
		shift = 10 * (unsigned int)(suffix - suffixes + 1);
		text = span_trim(span_of(text.at, span_len(text) - 1));
	}
	if (span_u64(text, &number) < 0 || number > UINT64_MAX >> shift)
		return -EBADMSG;
	*bytes = number << shift;
	return 0;
}
