#include "guest/root.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>

#include "guest/disks.h"
#include "guest/file.h"
#include "guest/moment.h"

/* Not /root: the kernel brings a folder of that name (usr/default_cpio_list). */
#define ROOT "/own-root"

/* Touched by a unit behind all others: see tools/peers-image. */
#define READY "/proc/1/root/run/lab-ready"

/* An emulated processor takes about 20 s. */
#define READY_LIMIT_US (150 * SECOND_US)

bool root_is_wanted(void)
{
	return access(ROOT, F_OK) == 0;
}

/* Without an init the kernel panics, and says so on the console. */
static _Noreturn void become_init(void)
{
	static char path[] = "/sbin/init";
	static char *const words[] = { path, NULL };
	static char *const environment[] = { NULL };

	if (chdir(ROOT) == 0 && mount(".", "/", NULL, MS_MOVE, NULL) == 0 && chroot(".") == 0)
		execve(path, words, environment);
	_exit(1);
}

int root_start(void)
{
	int r = disk_mount("root", ROOT, true);
	pid_t pid;

	if (r < 0)
		return r;
	pid = fork();
	if (pid > 0)
		become_init();
	return pid < 0 ? -errno : 0;
}

int root_wait(void)
{
	uint64_t limit = now_us() + READY_LIMIT_US;

	while (access(READY, F_OK) < 0) {
		if (now_us() > limit)
			return -ETIMEDOUT;
		sleep_for(SECOND_US / 10);
	}
	return 0;
}
