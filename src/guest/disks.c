#include "guest/disks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "guest/file.h"
#include "guest/moment.h"

struct search {
	const char *serial;
	char *path;
	bool found;
};

static bool has_serial(void *data, const char *name)
{
	struct search *search = data;
	char path[128];
	char text[128];
	struct span serial;

	snprintf(path, sizeof(path), "/sys/block/%s/serial", name);
	if (file_read(path, (struct buffer){ text, sizeof(text) }, &serial) < 0 ||
	    !span_eq(span_trim(serial), search->serial))
		return true;
	snprintf(search->path, DISK_PATH, "/dev/%.32s", name);
	search->found = true;
	return false;
}

/* A driver may need a moment to find its disks. */
#define DISK_WAIT_US (5 * SECOND_US)

int disk_find(const char *serial, char path[static DISK_PATH])
{
	struct search search = { .serial = serial, .path = path };
	uint64_t limit = now_us() + DISK_WAIT_US;

	snprintf(path, DISK_PATH, "/dev/slow-%.32s", serial);
	if (access(path, F_OK) == 0)
		return 0;
	do {
		int r = file_list("/sys/block", has_serial, &search);

		if (r < 0)
			return r;
		if (search.found)
			return 0;
		sleep_for(SECOND_US / 20);
	} while (now_us() < limit);
	return -ENOENT;
}

int disk_mount(const char *serial, const char *directory, bool is_readonly)
{
	unsigned long flags = MS_NOATIME | (is_readonly ? MS_RDONLY : 0);
	char path[DISK_PATH];
	int r = disk_find(serial, path);

	if (r == 0)
		r = folder_make(directory);
	if (r < 0)
		return r;
	return mount(path, directory, "ext4", flags, NULL) < 0 ? -errno : 0;
}

int disk_size(const char *path, uint64_t *out)
{
	auto_fd fd = file_open(path, O_RDONLY);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	*out = (uint64_t)st.st_size;
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, out) < 0)
		return -errno;
	return 0;
}
