#include "base/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "base/errname.h"

#define PATH_SIZE 8192

/* Folder by folder; a link, and a step upwards, lead nowhere. */
static int open_walk(int directory, const char *path, int flags)
{
	struct span rest = span_cstr(path);
	struct span piece;
	char name[256];
	auto_fd fd = -1;

	while (span_cut(&rest, '/', &piece)) {
		int how = span_empty(rest) ? flags : O_PATH | O_DIRECTORY;
		int next;

		if (span_empty(piece))
			continue;
		if (span_eq(piece, "..") || !span_copy(piece, name, sizeof(name)))
			return -ENOENT;
		next = openat(fd < 0 ? directory : fd, name, how | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return -errno;
		fd_done(&fd);
		fd = next;
	}
	return fd < 0 ? -ENOENT : take_fd(&fd);
}

/*
 * An absolute link inside a captured tree must not lead back to this machine: RESOLVE_IN_ROOT,
 * and where the kernel (< 5.6) or a sandbox lacks openat2, its links are not followed at all.
 */
static int open_inside(const struct root *root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));

	if (fd >= 0)
		return (int)fd;
	if (errno != ENOSYS && errno != EPERM)
		return -errno;
	if (root->kind != ROOT_LIVE)
		return open_walk(root->fd, path, flags);
	fd = openat(root->fd, path, flags | O_CLOEXEC | O_NOFOLLOW);
	return fd < 0 ? -errno : (int)fd;
}

static bool is_live(int fd)
{
	auto_fd proc = openat(fd, "proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	return proc >= 0 && fstatfs(proc, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

int root_open_at(int directory, const char *name, struct root *out)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*out = (struct root){ .kind = is_live(fd) ? ROOT_LIVE : ROOT_TREE, .fd = fd };
	return 0;
}

int root_open(const char *directory, struct root *out)
{
	return root_open_at(AT_FDCWD, directory, out);
}

void root_done(struct root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	root->fd = -1;
}

/*
 * Not more at once: for a read of a sysctl the kernel allocates as much as is asked for
 * (fs/proc/proc_sysctl.c), and most files of procfs and kernfs fit a page.
 */
#define READ_STEP ((size_t)16384)

static int read_rest(int fd, struct buffer buffer, size_t used, struct span *out)
{
	while (used < buffer.size) {
		ssize_t n = pread(fd, buffer.at + used, MIN(buffer.size - used, READ_STEP),
				  (off_t)used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0) {
			*out = span_of(buffer.at, used);
			return 0;
		}
		used += (size_t)n;
	}
	return -EFBIG;
}

/*
 * A kernfs file shorter than a page arrives whole in the first read; asking again for its end
 * would double the cost of a sweep.
 */
#define WHOLE_MAX 4000

static int read_kept(int fd, struct buffer buffer, struct span *out)
{
	ssize_t n = pread(fd, buffer.at, MIN(buffer.size, READ_STEP), 0);

	if (n < 0 || n >= WHOLE_MAX || (size_t)n == buffer.size)
		return read_rest(fd, buffer, n < 0 ? 0 : (size_t)n, out);
	*out = span_of(buffer.at, (size_t)n);
	return 0;
}

static int join(char *path, const char *left, const char *right)
{
	int n = snprintf(path, PATH_SIZE, "%s%s", left, right);

	return n >= PATH_SIZE ? -ENAMETOOLONG : 0;
}

static int raw_fd(const struct root *root, const char *path, struct buffer buffer,
		  struct span *out)
{
	auto_fd fd = open_inside(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	return read_rest(fd, buffer, 0, out);
}

static int raw_store(const struct root *root, const char *path, struct buffer buffer,
		     struct span *out)
{
	char full[PATH_SIZE];
	struct span found;
	int r = join(full, root->prefix, path);

	if (r < 0)
		return r;
	r = root->store->find(root->store, full, &found);
	if (r < 0)
		return r;
	if (span_len(found) >= buffer.size)
		return -EFBIG;
	memcpy(buffer.at, found.at, span_len(found));
	*out = span_of(buffer.at, span_len(found));
	return 0;
}

static int raw(const struct root *root, const char *path, struct buffer buffer,
	       struct span *out)
{
	if (root->kind == ROOT_STORE)
		return raw_store(root, path, buffer, out);
	return raw_fd(root, path, buffer, out);
}

/* What PATH.errno says about a file that the capture could not read. */
static int captured_error(const struct root *root, const char *path)
{
	char full[PATH_SIZE];
	char text[32];
	struct span name = { 0 };

	if (join(full, path, ".errno") < 0)
		return -ENOENT;
	if (raw(root, full, (struct buffer){ text, sizeof(text) }, &name) < 0)
		return -ENOENT;
	return -errname_parse(span_trim(name));
}

void root_tell(const struct root *root, const char *path, int result, struct span bytes)
{
	char full[PATH_SIZE];

	if (!root->tee || result == -ENOENT)
		return;
	if (result == 0) {
		root->tee->put(root->tee, path, bytes);
		return;
	}
	if (join(full, path, ".errno") == 0)
		root->tee->put(root->tee, full, span_cstr(errname_of(-result)));
}

int root_read(const struct root *root, const char *path, struct buffer buffer, struct span *out)
{
	struct span bytes = { 0 };
	int r = raw(root, path, buffer, &bytes);

	if (r == -ENOENT && root->kind != ROOT_LIVE)
		r = captured_error(root, path);
	root_tell(root, path, r, bytes);
	if (r == 0)
		*out = bytes;
	return r;
}

static int open_slot(const struct root *root, int *slot, const char *path)
{
	if (*slot == SLOT_EMPTY) {
		*slot = open_inside(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
		/* -EPERM is -1, which would read as empty; both mean denied. */
		if (*slot == -EPERM)
			*slot = -EACCES;
	}
	return *slot;
}

/* So many descriptors stay free for what is opened only for a moment. */
#define SPARE_FILES 64

static bool may_keep(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	       (rlim_t)fd + SPARE_FILES < limit.rlim_cur;
}

static int read_slot(const struct root *root, int *slot, const char *path, struct buffer buffer,
		     struct span *out)
{
	bool is_new = *slot == SLOT_EMPTY;
	int fd = open_slot(root, slot, path);
	int r;

	if (fd == -EMFILE || fd == -ENFILE) {
		*slot = SLOT_EMPTY; /* no descriptor to keep this time: try again next time */
		return fd;
	}
	if (fd < 0)
		return fd;
	r = read_kept(fd, buffer, out);
	if (r < 0 || (is_new && !may_keep(fd)))
		slot_close(slot); /* ENODEV: the cgroup is gone */
	return r;
}

int root_read_kept(const struct root *root, int *slot, struct root_file file,
		   struct buffer buffer, struct span *out)
{
	char path[PATH_SIZE];
	struct span bytes = { 0 };
	int r;

	if (root->kind != ROOT_LIVE || root->tee || *slot == SLOT_EMPTY) {
		int n = snprintf(path, sizeof(path), "%s/%s", file.directory, file.name);

		if (n >= (int)sizeof(path))
			return -ENAMETOOLONG;
	}
	if (root->kind != ROOT_LIVE)
		return root_read(root, path, buffer, out);
	r = read_slot(root, slot, path, buffer, &bytes);
	root_tell(root, path, r, bytes);
	if (r == 0)
		*out = bytes;
	return r;
}

void slot_close(int *slot)
{
	if (*slot >= 0)
		close(*slot);
	*slot = SLOT_EMPTY;
}

struct dirent64_head {
	uint64_t ino;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* Some file systems that a captured tree may lie on do not tell what an entry is. */
static bool is_folder(int fd, const struct dirent64_head *entry)
{
	struct stat st;

	if (entry->type != DT_UNKNOWN)
		return entry->type == DT_DIR;
	return fstatat(fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* A list of names that is being made. */
struct listing {
	int fd;
	bool files_too;
	bool is_tree;
	struct buffer buffer;
	size_t used;
};

/* The length of the name that is meant: "x.errno" in a captured tree stands for "x". */
static size_t meant_length(const char *name)
{
	struct span left;
	struct span right;

	if (!span_rsplit(span_cstr(name), '.', &left, &right) || span_empty(left) ||
	    !(span_eq(right, "errno") || span_eq(right, "link") || span_eq(right, "exists")))
		return strlen(name);
	return span_len(left);
}

static int keep_name(struct listing *listing, const struct dirent64_head *entry)
{
	char *at = listing->buffer.at + listing->used;
	size_t length = listing->files_too && listing->is_tree ? meant_length(entry->name) :
								 strlen(entry->name);

	if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0 ||
	    (!listing->files_too && !is_folder(listing->fd, entry)))
		return 0;
	if (length + 1 > listing->buffer.size - listing->used)
		return -EFBIG;
	memcpy(at, entry->name, length);
	at[length] = '\0';
	listing->used += length + 1;
	return 0;
}

static int keep_names(struct listing *listing, struct span block)
{
	int r = 0;

	while (!span_empty(block) && r == 0) {
		const struct dirent64_head *entry = (const void *)block.at;

		r = keep_name(listing, entry);
		block.at += entry->length;
	}
	return r;
}

static int list_fd(const struct root *root, const char *path, bool files_too,
		   struct buffer buffer, struct span *out)
{
	auto_fd fd = open_inside(root, path, O_RDONLY | O_DIRECTORY);
	struct listing listing = { .fd = fd,
				   .files_too = files_too,
				   .is_tree = root->kind == ROOT_TREE,
				   .buffer = buffer };
	_Alignas(8) char block[16384];

	if (fd < 0)
		return fd;
	for (;;) {
		long n = syscall(SYS_getdents64, fd, block, sizeof(block));
		int r;

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		r = keep_names(&listing, span_of(block, (size_t)n));
		if (r < 0)
			return r;
	}
	*out = span_of(buffer.at, listing.used);
	return 0;
}

int root_list(const struct root *root, const char *path, struct buffer buffer, struct span *out)
{
	char full[PATH_SIZE];
	int r;

	if (root->kind != ROOT_STORE)
		return list_fd(root, path, false, buffer, out);
	r = join(full, root->prefix, path);
	return r < 0 ? r : root->store->list(root->store, full, buffer, out);
}

/* The file form of a list of names and of a link: a file beside what they are of. */
static int captured(const struct root *root, const char *path, const char *suffix,
		    struct buffer buffer, struct span *out)
{
	char full[PATH_SIZE];
	int r = root->kind == ROOT_LIVE ? -ENOENT : join(full, path, suffix);

	if (r == 0)
		r = raw(root, full, buffer, out);
	return r == -ENOENT && root->kind != ROOT_LIVE ? captured_error(root, full) : r;
}

static void tell(const struct root *root, const char *path, const char *suffix, int result,
		 struct span bytes)
{
	char full[PATH_SIZE];

	if (root->tee && join(full, path, suffix) == 0)
		root_tell(root, full, result, bytes);
}

int root_names(const struct root *root, const char *path, struct buffer buffer,
	       struct span *out)
{
	struct span names = { 0 };
	int r = captured(root, path, "/_names", buffer, &names);

	if (r == -ENOENT && root->kind != ROOT_STORE)
		r = list_fd(root, path, true, buffer, &names);
	tell(root, path, "/_names", r, names);
	if (r == 0)
		*out = names;
	return r;
}

/* Only the last step is not followed. */
static int read_link(const struct root *root, const char *path, struct buffer buffer,
		     struct span *out)
{
	auto_fd fd = open_inside(root, path, O_PATH | O_NOFOLLOW);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", buffer.at, buffer.size);
	if (n < 0)
		return errno == ENOENT ? -EINVAL : -errno;
	if ((size_t)n == buffer.size)
		return -EFBIG;
	*out = span_of(buffer.at, (size_t)n);
	return 0;
}

int root_link(const struct root *root, const char *path, struct buffer buffer, struct span *out)
{
	struct span target = { 0 };
	int r = captured(root, path, ".link", buffer, &target);

	if (r == -ENOENT && root->kind != ROOT_STORE)
		r = read_link(root, path, buffer, &target);
	if (r != -EINVAL)
		tell(root, path, ".link", r, target);
	if (r == 0)
		*out = target;
	return r;
}

/* FNV-1a: a stable stand-in for the id where a hand-made tree has none. */
static uint64_t hash_path(const char *path)
{
	uint64_t hash = 14695981039346656037u;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 1099511628211u;
	return hash | (uint64_t)1 << 63;
}

static int live_id(const struct root *root, const char *path, uint64_t *out)
{
	struct stat st;

	if (fstatat(root->fd, path, &st, 0) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	*out = st.st_ino; /* 64 bits of kernfs: the inode number is the id */
	/* kernfs counts the folders in it, and its own two names; some file systems do not. */
	return st.st_nlink == 2 ? ROOT_LEAF : 0;
}

static int captured_id(const struct root *root, const char *path, uint64_t *out)
{
	char full[PATH_SIZE];
	char text[32];
	struct span id = { 0 };

	if (!root_exists(root, path))
		return -ENOENT;
	if (join(full, path, "/_id") < 0 ||
	    raw(root, full, (struct buffer){ text, sizeof(text) }, &id) < 0) {
		*out = hash_path(path);
		return 0;
	}
	return span_u64(span_trim(id), out);
}

static void tee_id(const struct root *root, const char *path, uint64_t id)
{
	char full[PATH_SIZE];
	char text[24];

	if (!root->tee || join(full, path, "/_id") < 0)
		return;
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)id);
	root->tee->put(root->tee, full, span_cstr(text));
}

int root_id(const struct root *root, const char *path, uint64_t *out)
{
	int r = root->kind == ROOT_LIVE ? live_id(root, path, out) :
					  captured_id(root, path, out);

	if (r >= 0)
		tee_id(root, path, *out);
	return r;
}

int root_folder(const struct root *root, const char *path)
{
	return root->kind == ROOT_STORE ? -ENOENT :
					  open_inside(root, path, O_RDONLY | O_DIRECTORY);
}

int root_links(const struct root *root, int *slot, const char *path, uint64_t *out)
{
	struct stat st;

	*out = 0;
	if (root->kind != ROOT_LIVE)
		return 0;
	if (*slot == SLOT_EMPTY)
		*slot = openat(root->fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*slot < 0 || fstat(*slot, &st) < 0)
		return -errno;
	*out = st.st_nlink;
	return 0;
}

bool root_exists(const struct root *root, const char *path)
{
	char full[PATH_SIZE];

	if (root->kind != ROOT_STORE) {
		auto_fd fd = open_inside(root, path, O_PATH | O_NOFOLLOW);

		return fd >= 0;
	}
	return join(full, root->prefix, path) == 0 && root->store->exists(root->store, full);
}

/* The forms in which a capture keeps that something was there. */
static bool is_captured(const struct root *root, const char *path)
{
	static const char *const forms[] = { ".exists", ".errno", ".link", "/_names" };
	char full[PATH_SIZE];

	for (size_t i = 0; i < ARRAY_LEN(forms) && root->kind != ROOT_LIVE; i++)
		if (join(full, path, forms[i]) == 0 && root_exists(root, full))
			return true;
	return false;
}

bool root_has(const struct root *root, const char *path)
{
	bool has = root_exists(root, path) || is_captured(root, path);

	if (has)
		tell(root, path, ".exists", 0, span_cstr(""));
	return has;
}

int root_pin(const struct root *root, const char *path, uint64_t id)
{
	auto_fd fd = -1;
	struct stat st;

	if (root->kind != ROOT_LIVE)
		return -EROFS;
	fd = open_inside(root, path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	return st.st_ino == id ? take_fd(&fd) : -ESTALE;
}

/* A name, not a path: what is pinned is not left again. */
static int open_pinned(int folder, const char *name, int flags)
{
	int fd;

	if (!path_is_plain(name) || strchr(name, '/'))
		return -EINVAL;
	fd = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int root_open_read(int folder, const char *name)
{
	return open_pinned(folder, name, O_RDONLY);
}

int root_open_write(int folder, const char *name)
{
	return open_pinned(folder, name, O_WRONLY);
}

int root_put(int fd, struct span bytes)
{
	ssize_t n = write(fd, bytes.at, span_len(bytes));

	if (n < 0)
		return -errno;
	return (size_t)n == span_len(bytes) ? 0 : -EIO;
}

int root_write(int folder, const char *name, struct span bytes)
{
	auto_fd fd = root_open_write(folder, name);

	return fd < 0 ? fd : root_put(fd, bytes);
}

int root_read_at(int folder, const char *name, struct buffer buffer, struct span *out)
{
	auto_fd fd = root_open_read(folder, name);

	return fd < 0 ? fd : read_rest(fd, buffer, 0, out);
}
