#include "lab/boot/files.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>

/* How often a lock that somebody else has is tried, and the stop flag looked at. */
#define LOCK_POLL_US 100000

int path_of(char *buffer, size_t size, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(buffer, size, format, list);
	va_end(list);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int file_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : fd;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static int read_all(int fd, char *text, size_t size)
{
	size_t used = 0;

	while (used < size) {
		ssize_t n = read(fd, text + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO; /* it became shorter */
		used += (size_t)n;
	}
	return 0;
}

int file_read(const char *path, size_t most, char **text, struct span *out)
{
	auto_fd fd = file_open(path, O_RDONLY);
	char *space;
	struct stat st;
	int r;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((uint64_t)st.st_size > most)
		return -EFBIG;
	space = malloc((size_t)st.st_size + 1);
	if (!space)
		return -ENOMEM;
	r = read_all(fd, space, (size_t)st.st_size);
	if (r < 0) {
		free(space);
		return r;
	}
	space[st.st_size] = '\0';
	*out = span_of(space, (size_t)st.st_size);
	*text = space;
	return 0;
}

static int unpack(struct archive *archive, char *text, size_t most, size_t *used)
{
	struct archive_entry *entry;
	ssize_t n = 1;

	if (archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return -EBADMSG;
	for (*used = 0; n > 0; *used += (size_t)n) {
		if (*used == most)
			return -EFBIG;
		n = archive_read_data(archive, text + *used, most - *used);
		if (n < 0)
			return -EBADMSG;
	}
	return 0;
}

int file_unpack(const char *path, size_t most, char **text, struct span *out)
{
	struct archive *archive = archive_read_new();
	char *space = malloc(most);
	size_t used = 0;
	int r = file_exists(path) ? -EIO : -ENOENT;

	if (!space || !archive) {
		archive_read_free(archive);
		free(space);
		return -ENOMEM;
	}
	archive_read_support_filter_all(archive);
	archive_read_support_format_raw(archive);
	if (archive_read_open_filename(archive, path, 65536) == ARCHIVE_OK)
		r = unpack(archive, space, most, &used);
	archive_read_free(archive);
	if (r < 0) {
		free(space);
		return r;
	}
	*out = span_of(space, used);
	*text = space;
	return 0;
}

int file_write(const char *path, struct span bytes, unsigned int mode)
{
	auto_fd fd = file_open(path, O_WRONLY | O_CREAT | O_EXCL);
	int r;

	if (fd < 0)
		return fd;
	r = span_write(fd, bytes);
	if (r == 0 && fchmod(fd, mode) < 0)
		r = -errno;
	return r;
}

int file_copy(const char *from, const char *to, unsigned int mode)
{
	char *text = NULL;
	struct span bytes = { 0 };
	int r = file_read(from, (size_t)1 << 30, &text, &bytes);

	if (r < 0)
		return r;
	r = file_write(to, bytes, mode);
	free(text);
	return r;
}

int file_sparse(const char *path, uint64_t bytes)
{
	auto_fd fd = file_open(path, O_WRONLY | O_CREAT | O_EXCL);

	if (fd < 0)
		return fd;
	return ftruncate(fd, (off_t)bytes) < 0 ? -errno : 0;
}

int folder_make_above(const char *path)
{
	char step[4096];

	if (!span_copy(span_cstr(path), step, sizeof(step)))
		return -ENAMETOOLONG;
	for (char *slash = strchr(step + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(step, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

int folder_make(const char *path)
{
	int r = folder_make_above(path);

	if (r == 0 && mkdir(path, 0755) < 0 && errno != EEXIST)
		r = -errno;
	return r;
}

static FTS *walk_open(const char *top)
{
	char *const tops[] = { (char *)top, NULL };

	return fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL);
}

static int remove_entry(const FTSENT *entry)
{
	if (entry->fts_info == FTS_D)
		return 0; /* comes again when it is empty */
	if (remove(entry->fts_accpath) < 0 && errno != ENOENT)
		return -errno;
	return 0;
}

int tree_remove(const char *path)
{
	char *const tops[] = { (char *)path, NULL };
	FTS *walk = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	int r = 0;

	if (!walk)
		return -errno;
	for (FTSENT *entry = fts_read(walk); entry; entry = fts_read(walk)) {
		int removed = remove_entry(entry);

		r = r < 0 ? r : removed;
	}
	fts_close(walk);
	return r;
}

static int visit_entry(const FTSENT *entry,
		       int (*visit)(void *data, const struct tree_entry *entry), void *data)
{
	const struct stat *st = entry->fts_statp;

	if (entry->fts_info == FTS_DP || entry->fts_info == FTS_NS || entry->fts_level < 1)
		return 0;
	return visit(
		data,
		&(struct tree_entry){
			.path = entry->fts_path,
			.name = entry->fts_name,
			.folder = entry->fts_info != FTS_F && entry->fts_info != FTS_SL &&
				  entry->fts_info != FTS_SLNONE &&
				  entry->fts_info != FTS_DEFAULT,
			.bytes = (uint64_t)st->st_size,
			.changed_ns = st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
		});
}

int tree_walk(const char *top, int depth,
	      int (*visit)(void *data, const struct tree_entry *entry), void *data)
{
	FTS *walk = NULL;
	int r = 0;

	if (!file_exists(top))
		return -ENOENT;
	walk = walk_open(top);
	if (!walk)
		return -errno;
	for (FTSENT *entry = fts_read(walk); entry && r == 0; entry = fts_read(walk)) {
		r = visit_entry(entry, visit, data);
		if (depth > 0 && entry->fts_info == FTS_D && entry->fts_level >= depth)
			fts_set(walk, entry, FTS_SKIP);
	}
	fts_close(walk);
	return r;
}

static int lock_file(const char *path, stop_flag stop)
{
	auto_fd fd = file_open(path, O_RDWR | O_CREAT);

	if (fd < 0)
		return fd;
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (stopped(stop))
			return -ECANCELED;
		usleep(LOCK_POLL_US);
	}
	return take_fd(&fd);
}

/*
 * Who waits for the lock keeps the turn meanwhile, so that another one that gives the lock back
 * and wants it again comes after: a plan of many runs would else keep everybody waiting.
 */
int lock_take(const char *path, stop_flag stop)
{
	char path_of_turn[4096];
	auto_fd turn = -1;
	int r = path_of(path_of_turn, sizeof(path_of_turn), "%s.turn", path);

	if (r < 0)
		return r;
	turn = lock_file(path_of_turn, stop);
	return turn < 0 ? turn : lock_file(path, stop);
}
