#include "forest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define NAME "refault-test-"

struct mounts mounts_here(void)
{
	static char text[1 << 20];
	struct mounts mounts = { 0 };
	struct root root;

	if (root_open("/", &root) < 0)
		return mounts;
	mounts_read(&root, (struct buffer){ text, sizeof(text) }, &mounts);
	root_done(&root);
	return mounts;
}

static void child_path(const struct forest *forest, size_t index, char *out, size_t size)
{
	snprintf(out, size, "%.600s/c%05zu", forest->path, index);
}

int forest_open(const char *mount, struct forest *out)
{
	*out = (struct forest){ 0 };
	if (!mount[0])
		return -ENOENT;
	snprintf(out->path, sizeof(out->path), "/%.500s/" NAME "%d", mount, (int)getpid());
	return mkdir(out->path, 0755) < 0 ? -errno : 0;
}

int forest_grow(struct forest *forest, size_t count)
{
	for (; forest->count < count; forest->count++) {
		char path[640];

		child_path(forest, forest->count, path, sizeof(path));
		if (mkdir(path, 0755) < 0)
			return -errno;
	}
	return 0;
}

int forest_replace(struct forest *forest, size_t index)
{
	char path[640];

	child_path(forest, index, path, sizeof(path));
	return rmdir(path) < 0 || mkdir(path, 0755) < 0 ? -errno : 0;
}

void forest_close(struct forest *forest)
{
	for (; forest->count > 0; forest->count--) {
		char path[640];

		child_path(forest, forest->count - 1, path, sizeof(path));
		rmdir(path);
	}
	rmdir(forest->path);
}

static void remove_children(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	if (!folder)
		return;
	for (entry = readdir(folder); entry; entry = readdir(folder))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	closedir(folder);
	rmdir(path);
}

bool is_left_over(const char *name, const char *prefix)
{
	struct span rest = span_cstr(name);
	uint64_t pid;

	if (!span_starts(rest, prefix))
		return false;
	rest.at += strlen(prefix);
	return span_u64(rest, &pid) == 0 && pid <= INT32_MAX && kill((pid_t)pid, 0) < 0 &&
	       errno == ESRCH;
}

static void clear_below(const char *mount)
{
	char top[520];
	DIR *folder;
	const struct dirent *entry;

	if (!mount[0])
		return;
	snprintf(top, sizeof(top), "/%.500s", mount);
	folder = opendir(top);
	if (!folder)
		return;
	for (entry = readdir(folder); entry; entry = readdir(folder)) {
		char path[800];

		if (!is_left_over(entry->d_name, NAME))
			continue;
		snprintf(path, sizeof(path), "%s/%s", top, entry->d_name);
		remove_children(path);
	}
	closedir(folder);
}

void forest_clear(void)
{
	struct mounts mounts = mounts_here();

	clear_below(mounts.v2);
	clear_below(mounts.v1_memory);
}
