#include "guest/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int file_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0644);

	return fd < 0 ? -errno : fd;
}

int file_read(const char *path, struct buffer buffer, struct span *out)
{
	auto_fd fd = file_open(path, O_RDONLY);
	size_t used = 0;
	ssize_t n = 1;

	if (fd < 0)
		return fd;
	while (n > 0 && used < buffer.size - 1) {
		n = read(fd, buffer.at + used, buffer.size - 1 - used);
		if (n < 0)
			return -errno;
		used += (size_t)n;
	}
	buffer.at[used] = '\0';
	*out = span_of(buffer.at, used);
	return 0;
}

int file_write(const char *path, struct span bytes)
{
	auto_fd fd = file_open(path, O_WRONLY);

	if (fd < 0)
		return fd;
	return write(fd, bytes.at, span_len(bytes)) < 0 ? -errno : 0;
}

int file_append(const char *path, struct span line)
{
	char folder[256];
	char *slash;
	auto_fd fd = -1;
	int r;

	if (!span_copy(span_cstr(path), folder, sizeof(folder)))
		return -ENAMETOOLONG;
	slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return -EINVAL;
	*slash = '\0';
	r = folder_make(folder);
	if (r < 0)
		return r;
	fd = file_open(path, O_WRONLY | O_CREAT | O_APPEND);
	r = fd < 0 ? fd : span_write(fd, line);
	return r < 0 ? r : span_write(fd, span_of("\n", 1));
}

int file_list(const char *path, bool (*each)(void *data, const char *name), void *data)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	bool more = true;

	if (!folder)
		return -errno;
	for (entry = readdir(folder); entry && more; entry = readdir(folder))
		if (entry->d_name[0] != '.')
			more = each(data, entry->d_name);
	closedir(folder);
	return 0;
}

int folder_make(const char *path)
{
	char part[512];

	if (!span_copy(span_cstr(path), part, sizeof(part)))
		return -ENAMETOOLONG;
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(part, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

/* A node's file has "Node 1 MemFree: 123 kB". */
static bool is_key(struct span line, const char *key, struct span *number)
{
	struct span word;

	while (span_word(&line, &word)) {
		struct span name = { word.at, word.end - 1 };

		if (word.end[-1] == ':')
			return span_eq(name, key) && span_word(&line, number);
	}
	return false;
}

uint64_t meminfo_bytes(const char *path, const char *key)
{
	char text[8192];
	struct span rest;
	struct span line;
	struct span number;
	uint64_t kib;

	if (file_read(path, (struct buffer){ text, sizeof(text) }, &rest) < 0)
		return 0;
	while (span_line(&rest, &line))
		if (is_key(line, key, &number) && span_u64(number, &kib) == 0)
			return kib * 1024;
	return 0;
}
