#include "guest/feature.h"

#include <errno.h>
#include <fcntl.h>

#include "guest/disks.h"
#include "guest/file.h"

static bool can_read(const char *path)
{
	char text[64];
	struct span bytes;

	/* With psi=0 the file opens and every read says EOPNOTSUPP. */
	return file_read(path, (struct buffer){ text, sizeof(text) }, &bytes) == 0;
}

static bool has_memcg(const char *path)
{
	char text[256];
	struct span rest;
	struct span word;

	if (file_read(path, (struct buffer){ text, sizeof(text) }, &rest) < 0)
		return false;
	while (span_word(&rest, &word))
		if (span_eq(word, "memory"))
			return true;
	return false;
}

static bool has_delay(const char *path)
{
	(void)path;
	return disk_can_delay();
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static const struct {
	const char *name;
	bool (*has)(const char *path);
	const char *path;
} FEATURES[] = {
	{ "swap", can_read, "/proc/swaps" },
	{ "zram", is_there, "/sys/block/zram0/disksize" },
	{ "zswap", can_read, "/sys/module/zswap/parameters/enabled" },
	{ "mglru", can_read, "/sys/kernel/mm/lru_gen/enabled" },
	{ "min-ttl", can_read, "/sys/kernel/mm/lru_gen/min_ttl_ms" },
	{ "psi", can_read, "/proc/pressure/memory" },
	{ "memcg", has_memcg, "/sys/fs/cgroup/cgroup.controllers" },
	{ "thp", can_read, "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "hugetlb", can_read, "/proc/sys/vm/nr_hugepages" },
	{ "numa", is_there, "/sys/devices/system/node/node1" },
	{ "dm-delay", has_delay, NULL },
};

int feature_has(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(FEATURES); i++)
		if (span_eq(name, FEATURES[i].name))
			return FEATURES[i].has(FEATURES[i].path);
	return -EINVAL;
}

void feature_print(struct text *text)
{
	for (size_t i = 0; i < ARRAY_LEN(FEATURES); i++)
		text_add(text, "feature.%s=%d\n", FEATURES[i].name,
			 FEATURES[i].has(FEATURES[i].path));
}
