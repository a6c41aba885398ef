/*
 * dm-delay: a device in front of a disk that answers later, or for a while not at all. Speaks
 * to the device mapper as Documentation/admin-guide/device-mapper/delay.rst and
 * linux/dm-ioctl.h say.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "guest/disks.h"
#include "guest/file.h"

#define CONTROL "/dev/mapper/control"

/* An ioctl's header and what it carries. */
struct request {
	struct dm_ioctl head;
	struct dm_target_spec target;
	char words[192];
};

static struct request request_of(const char *name)
{
	struct request request = {
		.head = {
			.version = { DM_VERSION_MAJOR, 0, 0 },
			.data_size = sizeof(request),
			.data_start = offsetof(struct request, target),
		},
	};

	snprintf(request.head.name, sizeof(request.head.name), "slow-%s", name);
	return request;
}

static int ask(int fd, unsigned long what, struct request *request)
{
	return ioctl(fd, what, request) < 0 ? -errno : 0;
}

/*
 * All I/O of the disk, late by so many milliseconds: the target knows no smaller unit. Without
 * a delay it is the target that only passes on.
 */
static int load_table(int fd, const char *serial, const char *disk, uint64_t delay_ms)
{
	struct request request = request_of(serial);
	uint64_t bytes;
	int r = disk_size(disk, &bytes);

	if (r < 0)
		return r;
	request.head.target_count = 1;
	request.target.length = bytes / 512;
	snprintf(request.target.target_type, sizeof(request.target.target_type), "%s",
		 delay_ms > 0 ? "delay" : "linear");
	if (delay_ms > 0)
		snprintf(request.words, sizeof(request.words), "%s 0 %ju", disk,
			 (uintmax_t)delay_ms);
	else
		snprintf(request.words, sizeof(request.words), "%s 0", disk);
	return ask(fd, DM_TABLE_LOAD, &request);
}

int disk_delay(const char *serial, uint64_t delay_ms)
{
	auto_fd fd = file_open(CONTROL, O_RDWR);
	struct request request = request_of(serial);
	char disk[DISK_PATH];
	char path[DISK_PATH];
	int r = fd < 0 ? fd : disk_find(serial, disk);

	if (r == 0)
		r = ask(fd, DM_DEV_CREATE, &request);
	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "/dev/slow-%.32s", serial);
	if (mknod(path, S_IFBLK | 0600, (dev_t)request.head.dev) < 0)
		return -errno;
	r = load_table(fd, serial, disk, delay_ms);
	request = request_of(serial);
	return r < 0 ? r : ask(fd, DM_DEV_SUSPEND, &request); /* without a flag: resume */
}

/* Nothing is written first: that would wait for the disk, and hold the file system. */
int disk_stop(const char *serial, bool is_stopped)
{
	auto_fd fd = file_open(CONTROL, O_RDWR);
	struct request request = request_of(serial);

	if (is_stopped)
		request.head.flags = DM_SUSPEND_FLAG | DM_NOFLUSH_FLAG | DM_SKIP_LOCKFS_FLAG;
	return fd < 0 ? fd : ask(fd, DM_DEV_SUSPEND, &request);
}

bool disk_can_delay(void)
{
	auto_fd fd = file_open(CONTROL, O_RDWR);
	char room[16384] = { 0 };
	struct dm_ioctl *head = (void *)room;
	size_t at;

	*head = (struct dm_ioctl){
		.version = { DM_VERSION_MAJOR, 0, 0 },
		.data_size = sizeof(room),
		.data_start = sizeof(*head),
	};
	if (fd < 0 || ioctl(fd, DM_LIST_VERSIONS, head) < 0)
		return false;
	for (at = head->data_start; at < sizeof(room) - sizeof(struct dm_target_versions);) {
		const struct dm_target_versions *target = (void *)(room + at);

		if (span_eq(span_cstr(target->name), "delay"))
			return true;
		if (target->next == 0)
			break;
		at += target->next;
	}
	return false;
}
