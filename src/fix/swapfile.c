#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "fix/hand.h"

extern char **environ;

int hand_run(const char *const *words)
{
	pid_t pid;
	int status;
	int r = posix_spawnp(&pid, words[0], NULL, NULL, (char *const *)words, environ);

	if (r != 0)
		return -r;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Where blocks of a file lie where they are written: not copied on write, not in memory. */
static bool can_swap(int folder)
{
	static const long good[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, F2FS_SUPER_MAGIC };
	struct statfs fs;

	if (fstatfs(folder, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (fs.f_type == good[i])
			return true;
	return false;
}

/* A tenth of the file system stays free. */
static bool has_room(int folder, uint64_t bytes)
{
	struct statvfs fs;

	if (fstatvfs(folder, &fs) < 0)
		return false;
	return (uint64_t)fs.f_bavail * fs.f_frsize >
	       bytes + (uint64_t)fs.f_blocks * fs.f_frsize / 10;
}

static int fill(int folder, const char *name, uint64_t bytes)
{
	auto_fd fd =
		openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	char path[64];
	const char *const words[] = { "mkswap", path, NULL };
	int r;

	if (fd < 0)
		return -errno;
	r = -posix_fallocate(fd, 0, (off_t)bytes);
	if (r == 0 && (fchmod(fd, 0600) < 0 || fsync(fd) < 0))
		r = -errno;
	if (r == 0) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
		r = hand_run(words) == 0 ? 0 : -EIO;
	}
	if (r < 0)
		unlinkat(folder, name, 0);
	return r;
}

int hand_swapfile(struct hand *hand, const char *path, uint64_t bytes)
{
	if (!path_is_plain(path) || strchr(path, '/'))
		return -EINVAL;
	if (!can_swap(hand->root))
		return -EOPNOTSUPP;
	if (!has_room(hand->root, bytes))
		return -ENOSPC;
	return fill(hand->root, path, bytes);
}
