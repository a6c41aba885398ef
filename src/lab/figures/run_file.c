#include "lab/figures/run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define PATH_SIZE 4096

static int read_all(int fd, size_t size, struct arena *arena, struct span *out)
{
	char *at = arena_raw(arena, size + 1);
	size_t used = 0;

	if (!at)
		return -ENOMEM;
	while (used < size) {
		ssize_t n = read(fd, at + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	*out = span_of(at, used);
	return 0;
}

int run_file_read(const struct run_file *query, struct arena *arena, struct span *out)
{
	char path[PATH_SIZE];
	auto_fd fd = -1;
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", query->directory, query->name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	/* Without waiting: the directory is foreign, and a pipe in it would hold us up. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((uint64_t)st.st_size > query->most)
		return -EFBIG;
	return read_all(fd, (size_t)st.st_size, arena, out);
}
