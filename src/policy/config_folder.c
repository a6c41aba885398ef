#include "policy/config_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/ini.h"

/* The first that has a file hides those behind it. */
static const char *const FOLDERS[] = { "etc/refault", "run/refault", "usr/lib/refault" };

static const char SUFFIX[] = ".conf";

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

static void refuse(const struct config_folder *folder, const char *path, const char *expected)
{
	const struct place place = place_of(path, 0);

	config_complain(folder->report, place.text, span_cstr(strerror(errno)), expected);
}

/* As much of it as is needed to see that it is too large. -errno, or how much. */
static ssize_t read_some(int fd, struct buffer buffer)
{
	size_t used = 0;

	while (used < buffer.size) {
		ssize_t n = read(fd, buffer.at + used, buffer.size - used);

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

/* A file that is not there is none; 1 when there was one, good or bad. */
static int take_file(const struct config_folder *folder, const char *path)
{
	static char bytes[INI_BYTES + 1];
	/* It does not wait for whoever writes to a FIFO. */
	auto_fd fd = openat(folder->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t used;
	int r;

	if (fd < 0 && is_absent(errno))
		return 0;
	used = fd < 0 ? -errno : read_some(fd, (struct buffer){ bytes, sizeof(bytes) });
	if (used < 0) {
		errno = (int)-used;
		refuse(folder, path, "a file that can be read");
		return 1;
	}
	r = folder->take(folder->whom, path, span_of(bytes, (size_t)used));
	return r < 0 ? r : 1;
}

/* From the first folder that has it. */
static int take_first(const struct config_folder *folder, const char *name)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(FOLDERS) && r == 0; i++) {
		char path[320];
		struct text text = text_on(path, sizeof(path));

		text_add(&text, "%s/%s", FOLDERS[i], name);
		r = take_file(folder, path);
	}
	return r < 0 ? r : 0;
}

static bool is_drop_in(const char *name)
{
	size_t length = strlen(name);
	size_t suffix = strlen(SUFFIX);

	return name[0] != '.' && length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

static void add_name(struct config_folder *folder, const char *name, const char *path)
{
	const struct place place = place_of(path, 0);

	for (size_t i = 0; i < folder->names; i++)
		if (strcmp(folder->name[i], name) == 0)
			return;
	if (folder->names == DROP_INS_MAX)
		config_complain(folder->report, place.text, span_cstr(name),
				"not more than 128 drop-ins");
	else
		span_copy(span_cstr(name), folder->name[folder->names++],
			  sizeof(folder->name[0]));
}

static void list_folder(struct config_folder *folder, const char *below)
{
	char path[64];
	struct text text = text_on(path, sizeof(path));
	const struct dirent *entry;
	DIR *directory = NULL;
	int fd;

	text_add(&text, "%s/guard.conf.d", below);
	fd = openat(folder->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && is_absent(errno))
		return;
	if (fd >= 0)
		directory = fdopendir(fd);
	if (!directory) {
		refuse(folder, path, "a folder that can be read");
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(directory)))
		if (is_drop_in(entry->d_name))
			add_name(folder, entry->d_name, path);
	closedir(directory);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(left, right);
}

int config_folder_read(struct config_folder *folder)
{
	int r = take_first(folder, "guard.conf");

	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++)
		list_folder(folder, FOLDERS[i]);
	qsort(folder->name, folder->names, sizeof(folder->name[0]), by_name);
	for (size_t i = 0; i < folder->names && r == 0; i++) {
		char name[sizeof(folder->name[0]) + sizeof("guard.conf.d/")];
		struct text text = text_on(name, sizeof(name));

		text_add(&text, "guard.conf.d/%s", folder->name[i]);
		r = take_first(folder, name);
	}
	return r;
}
