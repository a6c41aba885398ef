#include "guest/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest/file.h"

struct tree {
	const char *type;
	const char *path;
	const char *options;
	bool is_optional;
};

static const struct tree TREES[] = {
	{ "proc", "/proc", NULL, false },
	{ "sysfs", "/sys", NULL, false },
	{ "devtmpfs", "/dev", "mode=755", false },
	{ "cgroup2", "/sys/fs/cgroup", NULL,
	  true }, /* a kernel without: "need memcg" says so */
	{ "tmpfs", "/dev/shm", "size=90%", true },
	{ "ramfs", "/run", NULL, false },
	{ "debugfs", "/sys/kernel/debug", NULL, true },
};

int boot_mounts(void)
{
	for (size_t i = 0; i < ARRAY_LEN(TREES); i++) {
		const struct tree *tree = &TREES[i];

		mkdir(tree->path, 0755);
		if (mount(tree->type, tree->path, tree->type, 0, tree->options) < 0 &&
		    errno != EBUSY && !tree->is_optional)
			return -errno;
	}
	return mkdir("/run/output", 0755) < 0 && errno != EEXIST ? -errno :
								   folder_make("/run/progress");
}

static bool load_module(void *data, const char *name)
{
	size_t *loaded = data;
	char path[300];
	auto_fd fd = -1;

	snprintf(path, sizeof(path), "/modules/%s", name);
	fd = file_open(path, O_RDONLY);
	if (fd >= 0 && syscall(SYS_finit_module, fd, "", 0) == 0)
		++*loaded;
	return true;
}

/*
 * Debian's packages bring no modules.dep, so what depends on what is found by trying: a module
 * whose symbols are not there yet is refused and tried again in the next round.
 */
size_t boot_modules(void)
{
	size_t loaded = 0;
	size_t before;

	do {
		before = loaded;
		if (file_list("/modules", load_module, &loaded) < 0)
			break;
	} while (loaded != before);
	return loaded;
}
