#include "fix/hand.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fix/plan.h"

/* Makes a folder, noting that before. 0 or -errno. */
static int make_folder(struct hand *hand, int fd, const char *name, struct span path)
{
	struct deed deed = { DEED_FOLDER, "", "", "" };
	int r;

	deed.path = arena_text(hand->arena, path.at, span_len(path));
	r = deed.path ? hand_note(hand, &deed) : -ENOMEM;
	return r == 0 && mkdirat(fd, name, 0755) < 0 ? -errno : r;
}

/* A descriptor of a folder in a folder, or -errno: -ELOOP for a link. */
static int step_into(int fd, const char *name)
{
	int next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (next < 0)
		return errno == ENOTDIR ? -ELOOP : -errno;
	return next;
}

/* A folder below the root, step by step; no link is followed. Made where it is missing. */
static int open_folder(struct hand *hand, struct span path, bool make)
{
	struct span rest = path;
	struct span piece;
	int fd = fcntl(hand->root, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	while (fd >= 0 && span_cut(&rest, '/', &piece)) {
		char name[256];
		int next = -EINVAL;

		if (span_copy(piece, name, sizeof(name)) && path_is_plain(name))
			next = step_into(fd, name);
		if (next == -ENOENT && make) {
			next = make_folder(hand, fd, name, (struct span){ path.at, piece.end });
			if (next == 0)
				next = step_into(fd, name);
		}
		close(fd);
		fd = next;
	}
	return fd;
}

/* The folder that a file is in, and its name there. */
static int open_parent(struct hand *hand, const char *path, bool make, const char **name)
{
	const char *slash = strrchr(path, '/');

	if (!path_is_plain(path))
		return -EINVAL;
	*name = slash ? slash + 1 : path;
	if (!slash)
		return fcntl(hand->root, F_DUPFD_CLOEXEC, 0);
	return open_folder(hand, span_of(path, (size_t)(slash - path)), make);
}

int hand_folders(struct hand *hand, const char *path)
{
	const char *name;
	auto_fd fd = open_parent(hand, path, true, &name);

	return fd < 0 ? fd : 0;
}

static int write_temporary(int folder, const char *name, struct span text)
{
	auto_fd fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0644);
	int r;

	if (fd < 0)
		return -errno;
	r = span_write(fd, text);
	if (r == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0))
		r = -errno;
	return r;
}

int hand_write(struct hand *hand, const char *path, struct span text)
{
	const char *name;
	char temporary[300];
	auto_fd folder = open_parent(hand, path, true, &name);
	int r;

	if (folder < 0)
		return folder;
	snprintf(temporary, sizeof(temporary), ".%.250s.refault", name);
	unlinkat(folder, temporary, 0); /* of a run that was cut off */
	r = write_temporary(folder, temporary, text);
	if (r == 0 && renameat(folder, temporary, folder, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(folder, temporary, 0);
	else if (fsync(folder) < 0)
		r = -errno;
	return r;
}

int hand_link(struct hand *hand, const char *path, const char *target)
{
	const char *name;
	auto_fd folder = open_parent(hand, path, true, &name);

	if (folder < 0)
		return folder;
	return symlinkat(target, folder, name) < 0 && errno != EEXIST ? -errno : 0;
}

/* The text of a regular file; no link is followed. */
static int read_text(struct hand *hand, const char *path, struct span *out)
{
	const char *name;
	auto_fd folder = open_parent(hand, path, false, &name);
	auto_fd fd = folder < 0 ? -1 :
				  openat(folder, name,
					 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *buffer;
	size_t used = 0;
	ssize_t n;

	if (folder < 0)
		return folder;
	if (fd < 0)
		return -errno;
	buffer = arena_raw(hand->arena, FIX_STATE_BYTES);
	if (!buffer)
		return -ENOMEM;
	while ((n = read(fd, buffer + used, FIX_STATE_BYTES - used)) > 0)
		used += (size_t)n;
	if (n < 0)
		return -errno;
	if (used == FIX_STATE_BYTES)
		return -EFBIG;
	*out = span_of(buffer, used);
	return 0;
}

int hand_read(struct hand *hand, const char *path, const char **out)
{
	struct span text = { 0 };
	int r = read_text(hand, path, &text);

	if (r < 0)
		return r;
	text = span_trim(text);
	*out = arena_text(hand->arena, text.at, span_len(text));
	return *out ? 0 : -ENOMEM;
}

int hand_open(int root, bool is_live, struct arena *arena, struct hand *out)
{
	struct span text = { 0 };
	int r;

	*out = (struct hand){ .root = root, .is_live = is_live, .arena = arena };
	r = read_text(out, FIX_STATE, &text);
	if (r == -ENOENT)
		return 0;
	return r < 0 ? r : deeds_parse(text, arena, &out->deeds, &out->bad);
}

int hand_note(struct hand *hand, const struct deed *deed)
{
	char line[4096];
	struct deeds *deeds = &hand->deeds;

	if (!deed_print(line, sizeof(line), deed))
		return -EINVAL;
	for (size_t i = 0; i < deeds->count; i++) {
		if (deeds->deed[i].kind != deed->kind ||
		    strcmp(deeds->deed[i].path, deed->path) != 0)
			continue;
		/* What was there before the first time stays; what was set last counts. */
		if (deed->kind == DEED_VALUE)
			deeds->deed[i].second = deed->second;
		else
			deeds->deed[i] = *deed;
		return 0;
	}
	if (deeds->count == FIX_DEEDS)
		return -ENOSPC;
	deeds->deed[deeds->count++] = *deed;
	return 0;
}

static int remove_state(struct hand *hand)
{
	const char *name;
	auto_fd folder = open_parent(hand, FIX_STATE, false, &name);

	if (folder < 0)
		return folder == -ENOENT ? 0 : folder;
	return unlinkat(folder, name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

int hand_keep(struct hand *hand)
{
	size_t size = hand->deeds.count * 512 + 65536;
	char *buffer;
	size_t used = 0;

	if (hand->deeds.count == 0)
		return remove_state(hand);
	/* Its own folders first: they are in it too. */
	if (hand_folders(hand, FIX_STATE) < 0)
		return -EACCES;
	buffer = arena_raw(hand->arena, size);
	if (!buffer)
		return -ENOMEM;
	for (size_t i = 0; i < hand->deeds.count; i++) {
		if (size - used < 4096 ||
		    !deed_print(buffer + used, size - used, &hand->deeds.deed[i]))
			return -ENOSPC;
		used += strlen(buffer + used);
	}
	return hand_write(hand, FIX_STATE, span_of(buffer, used));
}

/* "always [madvise] never" is "madvise". */
static struct span chosen(struct span text)
{
	struct span rest = text;
	struct span word;

	while (span_word(&rest, &word))
		if (span_len(word) > 2 && *word.at == '[' && word.end[-1] == ']')
			return span_of(word.at + 1, span_len(word) - 2);
	return text;
}

static bool is_value(struct hand *hand, const char *path, const char *value)
{
	const char *now = "";

	return hand_read(hand, path, &now) == 0 && span_eq(chosen(span_cstr(now)), value);
}

int hand_set(struct hand *hand, const char *path, const char *value)
{
	const char *name;
	auto_fd folder = open_parent(hand, path, false, &name);
	auto_fd fd = folder < 0 ? -1 : openat(folder, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (folder < 0)
		return folder;
	if (fd < 0)
		return -errno;
	r = span_write(fd, span_cstr(value));
	if (r < 0)
		return r;
	return is_value(hand, path, value) ? 0 : -EIO;
}

static int undo_file(struct hand *hand, const struct deed *deed)
{
	const char *name;
	auto_fd folder = open_parent(hand, deed->path, false, &name);
	struct span text = { 0 };
	char hash[17];
	int r = read_text(hand, deed->path, &text);

	if (r == -ENOENT || folder == -ENOENT)
		return 0;
	if (r < 0 || folder < 0)
		return r < 0 ? r : folder;
	fix_hash(text, hash);
	if (!span_starts(text, FIX_MARK) || strcmp(hash, deed->first) != 0)
		return 1; /* somebody has changed it since, or it never was ours */
	return unlinkat(folder, name, 0) < 0 ? -errno : 0;
}

static int undo_link(struct hand *hand, const struct deed *deed)
{
	const char *name;
	auto_fd folder = open_parent(hand, deed->path, false, &name);
	char target[512];
	ssize_t n;

	if (folder < 0)
		return folder == -ENOENT ? 0 : folder;
	n = readlinkat(folder, name, target, sizeof(target));
	if (n < 0)
		return errno == ENOENT ? 0 : 1;
	if (!span_eq(span_of(target, (size_t)n), deed->first))
		return 1;
	return unlinkat(folder, name, 0) < 0 ? -errno : 0;
}

/* Only where it is still what we set. */
static int undo_value(struct hand *hand, const struct deed *deed)
{
	if (!hand->is_live)
		return 0;
	if (!is_value(hand, deed->path, deed->second))
		return 1;
	return hand_set(hand, deed->path, deed->first);
}

/* An empty folder; what others have put into it keeps it. */
static int undo_folder(struct hand *hand, const struct deed *deed)
{
	const char *name;
	auto_fd folder = open_parent(hand, deed->path, false, &name);

	if (folder < 0)
		return folder == -ENOENT ? 0 : folder;
	if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	return errno == ENOTEMPTY || errno == EEXIST ? 1 : -errno;
}

/* It is a swap area that only root may read, as we made it; mm/swapfile.c: its signature ends a
 * page. */
static bool is_swap_area(int fd)
{
	static const char signature[] = "SWAPSPACE2";
	const off_t at = sysconf(_SC_PAGESIZE) - (off_t)strlen(signature);
	char found[sizeof(signature)] = "";
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 07777) == 0600 &&
	       pread(fd, found, strlen(signature), at) == (ssize_t)strlen(signature) &&
	       strcmp(found, signature) == 0;
}

static int undo_swap(struct hand *hand, const struct deed *deed)
{
	const char *name;
	auto_fd folder = open_parent(hand, deed->path, false, &name);
	auto_fd fd = -1;

	if (folder < 0)
		return folder == -ENOENT ? 0 : folder;
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!is_swap_area(fd))
		return 1;
	return unlinkat(folder, name, 0) < 0 ? -errno : 0;
}

int hand_undo(struct hand *hand, const struct deed *deed)
{
	static int (*const undo[DEED_KINDS])(struct hand *, const struct deed *) = {
		[DEED_FOLDER] = undo_folder, [DEED_FILE] = undo_file, [DEED_LINK] = undo_link,
		[DEED_VALUE] = undo_value,   [DEED_SWAP] = undo_swap,
	};

	return undo[deed->kind] ? undo[deed->kind](hand, deed) : 0;
}
