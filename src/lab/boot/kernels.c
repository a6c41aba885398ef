#include "lab/boot/kernels.h"

#include <errno.h>
#include <sys/utsname.h>

int lab_cache(char *buffer, size_t size)
{
	const char *base = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	/* A relative one is to be ignored, says the XDG specification. */
	if (base && *base == '/')
		return path_of(buffer, size, "%s/refault", base);
	if (!home || *home != '/')
		return -ENOENT;
	return path_of(buffer, size, "%s/.cache/refault", home);
}

static int read_release(const char *path, char *out, size_t size)
{
	auto_free char *text = NULL;
	struct span bytes;
	int r = file_read(path, 4096, &text, &bytes);

	if (r < 0)
		return r;
	return span_copy(span_trim(bytes), out, size) ? 0 : -EINVAL;
}

static int find_cached(const char *name, struct kernel *out)
{
	char folder[400];
	char release[440];
	int r = lab_cache(folder, sizeof(folder) - 80);

	if (r < 0 || strchr(name, '/') || !path_is_plain(name))
		return r < 0 ? r : -EINVAL;
	snprintf(folder + strlen(folder), 80, "/kernels/%.60s", name);
	r = path_of(release, sizeof(release), "%s/release", folder);
	if (r == 0)
		r = path_of(out->image, sizeof(out->image), "%s/vmlinuz", folder);
	if (r == 0)
		r = path_of(out->modules, sizeof(out->modules), "%s/modules", folder);
	if (r == 0)
		r = read_release(release, out->release, sizeof(out->release));
	return r;
}

static int find_running(struct kernel *out)
{
	struct utsname names;
	int r;

	if (uname(&names) < 0)
		return -errno;
	if (!span_copy(span_cstr(names.release), out->release, sizeof(out->release)))
		return -EINVAL;
	r = path_of(out->image, sizeof(out->image), "/boot/vmlinuz-%s", out->release);
	if (r == 0)
		r = path_of(out->modules, sizeof(out->modules), "/lib/modules/%s",
			    out->release);
	return r;
}

static int find_path(struct span name, struct kernel *out)
{
	struct span image = name;
	struct span modules = { 0 };
	struct span file;

	if (span_rsplit(name, ':', &image, &modules) &&
	    !span_copy(modules, out->modules, sizeof(out->modules)))
		return -EINVAL;
	if (!span_copy(image, out->image, sizeof(out->image)))
		return -EINVAL;
	/* The release is in the name, as distributions have it: vmlinuz-6.1.0-9-amd64. */
	file = image;
	if (span_rsplit(image, '/', &image, &file) && span_starts(file, "vmlinuz-"))
		(void)span_copy(span_of(file.at + strlen("vmlinuz-"),
					span_len(file) - strlen("vmlinuz-")),
				out->release, sizeof(out->release));
	return 0;
}

int kernel_find(const char *name, struct kernel *out)
{
	struct kernel found = { 0 };
	int r;

	if (!span_copy(span_cstr(name), found.name, sizeof(found.name)) && !strchr(name, '/'))
		return -EINVAL;
	if (strchr(name, '/'))
		r = find_path(span_cstr(name), &found);
	else if (strcmp(name, "running") == 0)
		r = find_running(&found);
	else
		r = find_cached(name, &found);
	if (r < 0)
		return r;
	if (access(found.image, R_OK) < 0)
		return -errno;
	if (!file_exists(found.modules))
		found.modules[0] = '\0'; /* all that is needed may be built in */
	*out = found;
	return 0;
}

struct listing {
	struct kernel *kernels;
	size_t most;
	size_t count;
};

static void add_kernel(struct listing *listing, const char *name)
{
	if (listing->count < listing->most &&
	    kernel_find(name, &listing->kernels[listing->count]) == 0)
		listing->count++;
}

static int add_folder(void *data, const struct tree_entry *entry)
{
	if (entry->folder && entry->name[0] != '.')
		add_kernel(data, entry->name);
	return 0;
}

static int by_name(const void *left, const void *right)
{
	return strverscmp(((const struct kernel *)left)->name,
			  ((const struct kernel *)right)->name);
}

int kernel_list(struct kernel *out, size_t most, size_t *count)
{
	struct listing listing = { out, most, 0 };
	char cache[400];
	int r = lab_cache(cache, sizeof(cache) - 10);

	if (r < 0)
		return r;
	memcpy(cache + strlen(cache), "/kernels", 9);
	r = tree_walk(cache, 1, add_folder, &listing);
	if (r < 0 && r != -ENOENT)
		return r;
	qsort(out, listing.count, sizeof(*out), by_name);
	add_kernel(&listing, "running");
	*count = listing.count;
	return 0;
}
