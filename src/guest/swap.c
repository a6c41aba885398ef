#include "guest/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/swap.h>

#include "guest/disks.h"
#include "guest/file.h"

#define PAGE ((size_t)4096)

/* union swap_header of include/linux/swap.h, the parts that must be there. */
struct header {
	char boot[1024];
	uint32_t version;
	uint32_t last_page;
	uint32_t bad_pages;
	char rest[PAGE - 1024 - 3 * sizeof(uint32_t) - 10];
	char magic[10];
};
_Static_assert(sizeof(struct header) == PAGE, "one page");

static int write_header(const char *path)
{
	struct header header = { .version = 1 };
	auto_fd fd = file_open(path, O_WRONLY);
	uint64_t bytes;
	int r = fd < 0 ? fd : disk_size(path, &bytes);

	if (r < 0)
		return r;
	if (bytes / PAGE < 10)
		return -EINVAL; /* the kernel takes nothing that small */
	header.last_page = (uint32_t)(bytes / PAGE - 1);
	memcpy(header.magic, "SWAPSPACE2", sizeof(header.magic));
	r = span_write(fd, span_of((const char *)&header, sizeof(header)));
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	return r;
}

static int switch_on(const char *path)
{
	int r = write_header(path);

	if (r < 0)
		return r;
	return swapon(path, 0) < 0 ? -errno : 0;
}

int swap_disk(const char *serial)
{
	char path[DISK_PATH];
	int r = disk_find(serial, path);

	return r < 0 ? r : switch_on(path);
}

int swap_file(const char *path, uint64_t bytes)
{
	auto_fd fd = file_open(path, O_RDWR | O_CREAT);

	if (fd < 0)
		return fd;
	if (fchmod(fd, 0600) < 0 || fallocate(fd, 0, 0, (off_t)bytes) < 0)
		return -errno;
	return switch_on(path);
}

static int write_number(const char *path, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%ju", (uintmax_t)number);
	return file_write(path, span_cstr(text));
}

int swap_zram(uint64_t bytes, struct span compressor)
{
	int r = 0;

	if (!span_eq(compressor, "-"))
		r = file_write("/sys/block/zram0/comp_algorithm", compressor);
	if (r == 0)
		r = write_number("/sys/block/zram0/disksize", bytes);
	return r < 0 ? r : switch_on("/dev/zram0");
}

#define ZSWAP "/sys/module/zswap/parameters/"

int swap_zswap(const char *serial, struct span compressor, uint64_t percent)
{
	int r = 0;

	if (!span_eq(compressor, "-"))
		r = file_write(ZSWAP "compressor", compressor);
	if (r == 0)
		r = write_number(ZSWAP "max_pool_percent", percent);
	if (r == 0)
		r = file_write(ZSWAP "enabled", span_cstr("1"));
	return r < 0 ? r : swap_disk(serial);
}
