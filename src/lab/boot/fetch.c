#include <errno.h>
#include <sys/stat.h>

#include "base/text.h"
#include "lab/boot/apt.h"
#include "lab/boot/kernels.h"

/* Which release of Debian carries the kernel. */
static const struct {
	const char *name;
	const char *suite;
} ROWS[] = {
	{ "6.1", "bookworm" }, { "6.12", "trixie" }, { "7", "sid" }, /* the newest there is */
};

#ifdef __aarch64__
#define IMAGE "linux-image-cloud-arm64"
#else
#define IMAGE "linux-image-cloud-amd64"
#endif

const char *kernel_name(size_t index)
{
	return index < ARRAY_LEN(ROWS) ? ROWS[index].name : NULL;
}

static const char *suite_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++)
		if (strcmp(ROWS[i].name, name) == 0)
			return ROWS[i].suite;
	return NULL;
}

/* From 6.19 on the image package is split in two. */
static int packages_of_kernel(const struct apt *apt, struct buffer packages)
{
	char names[4096];
	struct span list;
	struct span image;
	char parts[4096];
	struct text text = text_on(packages.at, packages.size);
	int r = apt_depends(apt, IMAGE, "linux-image-", (struct buffer){ names, 4096 });

	list = span_cstr(names);
	if (r < 0 || !span_line(&list, &image))
		return r < 0 ? r : -ENOENT;
	names[span_len(image)] = '\0';
	r = apt_depends(apt, names, "linux-binary-", (struct buffer){ parts, 4096 });
	if (r < 0)
		return r;
	text_add(&text, "%s ", *parts ? parts : names);
	r = apt_depends(apt, names, "linux-modules-", (struct buffer){ parts, 4096 });
	text_add(&text, "%s", parts);
	return text.cut ? -EFBIG : r;
}

/* What is looked for in an unpacked kernel. */
struct parts {
	char modules[1024]; /* …/lib/modules/RELEASE/kernel */
	char image[1024];
};

static int find_parts(void *data, const struct tree_entry *entry)
{
	struct parts *parts = data;
	struct span path = span_cstr(entry->path);

	if (entry->folder && strcmp(entry->name, "kernel") == 0 &&
	    strstr(entry->path, "lib/modules/") && !*parts->modules)
		return span_copy(path, parts->modules, sizeof(parts->modules)) ? 0 : -EFBIG;
	if (!entry->folder && strncmp(entry->name, "vmlinuz", 7) == 0 && !*parts->image)
		return span_copy(path, parts->image, sizeof(parts->image)) ? 0 : -EFBIG;
	return 0;
}

/* Makes vmlinuz, modules (a link into the tree) and release in the kernel's folder. */
static int lay_out(const char *folder)
{
	struct parts parts = { 0 };
	char path[1024];
	char *slash;
	int r = path_of(path, sizeof(path), "%s/tree", folder);

	if (r == 0)
		r = tree_walk(path, 0, find_parts, &parts);
	slash = strrchr(parts.modules, '/');
	if (r < 0 || !slash || !*parts.image)
		return r < 0 ? r : -ENOENT;
	*slash = '\0';
	r = path_of(path, sizeof(path), "%s/modules", folder);
	if (r == 0 && symlink(parts.modules + strlen(folder) + 1, path) < 0)
		r = -errno;
	if (r == 0)
		r = path_of(path, sizeof(path), "%s/vmlinuz", folder);
	if (r == 0)
		r = file_copy(parts.image, path, 0644);
	if (r == 0)
		r = path_of(path, sizeof(path), "%s/release", folder);
	if (r == 0)
		r = file_write(path, span_cstr(strrchr(parts.modules, '/') + 1), 0644);
	return r;
}

static int fetch_kernel(const struct apt *apt)
{
	char packages[4096];
	int r = packages_of_kernel(apt, (struct buffer){ packages, sizeof(packages) });

	if (r == 0)
		r = apt_unpack(apt, packages);
	return r < 0 ? r : lay_out(apt->folder);
}

/* What is in the cache, and how it gets there. */
struct kind {
	const char *shelf;
	const char *suite;
	const char *package; /* NULL: a kernel */
};

static int remove_rest(const char *folder)
{
	static const char *const rest[] = { "state", "cache", "debs", "apt.conf",
					    "sources.list" };
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(rest) && r == 0; i++) {
		char path[1024];

		r = path_of(path, sizeof(path), "%s/%s", folder, rest[i]);
		if (r == 0)
			r = tree_remove(path);
	}
	return r;
}

/* Made beside where it belongs and then renamed, so that what is there is whole. */
static int fetch_into(const char *folder, const struct kind *kind, FILE *log)
{
	struct apt apt = { .log = log ? fileno(log) : 0 };
	char part[512];
	int r = path_of(part, sizeof(part), "%s.part", folder);

	if (r == 0)
		r = tree_remove(part);
	if (r == 0)
		r = folder_make(part);
	if (r == 0)
		r = apt_open(&apt, part, kind->suite);
	if (r == 0)
		r = kind->package ? apt_unpack(&apt, kind->package) : fetch_kernel(&apt);
	if (r == 0)
		r = remove_rest(part);
	if (r == 0 && rename(part, folder) < 0)
		r = -errno;
	if (r < 0)
		tree_remove(part);
	return r;
}

static int fetch(const char *name, const struct kind *kind, FILE *log)
{
	char cache[256];
	char folder[450];
	char lock[400];
	auto_fd held = -1;
	int r = lab_cache(cache, sizeof(cache));

	if (strchr(name, '/') || !path_is_plain(name) || name[0] == '-')
		return -EINVAL;
	if (r == 0)
		r = path_of(folder, sizeof(folder), "%s/%s/%s", cache, kind->shelf, name);
	if (r == 0)
		r = path_of(lock, sizeof(lock), "%s/%s/.lock", cache, kind->shelf);
	if (r == 0)
		r = folder_make_above(folder);
	if (r < 0)
		return r;
	if (log)
		fflush(log);
	held = lock_take(lock, NULL);
	if (held < 0)
		return held;
	return file_exists(folder) ? 0 : fetch_into(folder, kind, log);
}

int kernel_fetch(const char *name, FILE *log)
{
	const char *suite = suite_of(name);

	return suite ? fetch(name, &(struct kind){ "kernels", suite, NULL }, log) : -EINVAL;
}

int package_fetch(const char *name, FILE *log)
{
	return fetch(name, &(struct kind){ "packages", NULL, name }, log);
}

/* The program of that name, or else the first that is found. */
struct search {
	const char *name;
	struct buffer program;
	bool exact;
	size_t found;
};

static int look_at_program(void *data, const struct tree_entry *entry)
{
	struct search *search = data;

	if (entry->folder || !strstr(entry->path, "bin/") || access(entry->path, X_OK) < 0)
		return 0;
	search->found++;
	search->exact = strcmp(entry->name, search->name) == 0;
	if (!span_copy(span_cstr(entry->path), search->program.at, search->program.size))
		return -ENAMETOOLONG;
	return search->exact ? 1 : 0;
}

int package_program(const char *package, const char *name, struct buffer root,
		    struct buffer program)
{
	struct search search = { .name = name, .program = program };
	char cache[256];
	int r = lab_cache(cache, sizeof(cache));

	if (r == 0 && (strchr(package, '/') || !path_is_plain(package)))
		r = -EINVAL;
	if (r == 0)
		r = path_of(root.at, root.size, "%s/packages/%s/tree", cache, package);
	if (r == 0)
		r = tree_walk(root.at, 0, look_at_program, &search);
	if (r < 0)
		return r;
	return search.exact || search.found == 1 ? 0 : -ENOENT;
}
