/*
 * pid 1 of the guest: makes the machine, carries out the plan, hands over and reboots. Where
 * the machine has a root of its own, this is the process beside its pid 1.
 */
#include "guest/init.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/resource.h>

#include "guest/boot.h"
#include "guest/calibrate.h"
#include "guest/disks.h"
#include "guest/file.h"
#include "guest/group.h"
#include "guest/guest.h"
#include "guest/root.h"

static struct guest guest;
static char plan[64 * 1024];

static void open_console(void)
{
	int fd = file_open("/dev/console", O_RDWR);

	for (int i = 0; i < 3 && fd >= 0; i++)
		if (dup2(fd, i) < 0)
			return;
}

/*
 * Memory is locked as it is touched: the arenas reserve much more than a guest ever uses, and
 * a plain MCL_FUTURE would fill all of that.
 */
static int stay_in_memory(void)
{
	char stack[(size_t)128 << 10];

	memset(stack, 0, sizeof(stack));
	__asm__ volatile("" : : "r"(stack) : "memory");
	return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0 ? -errno : 0;
}

static bool is_beside_init(void)
{
	return getpid() != 1;
}

static int stay_alive(void)
{
	const struct sched_param priority = { .sched_priority = 5 };
	const char *group = is_beside_init() ? "lab.scope" : "init.scope";
	int r = group_make(group);

	if (r == 0)
		r = group_set(group, "cgroup.procs", span_cstr("0"));
	if (r < 0 && r != -ENOENT && r != -EROFS)
		return r;
	r = file_write("/proc/self/oom_score_adj", span_cstr("-1000"));
	if (r == 0 && sched_setscheduler(0, SCHED_FIFO, &priority) < 0)
		r = -errno;
	return r < 0 ? r : stay_in_memory();
}

static int open_results(void)
{
	char path[DISK_PATH];
	int r = disk_find("results", path);

	return r < 0 ? stream_open("", &guest.stream) : stream_open(path, &guest.stream);
}

static int read_plan(struct span *out)
{
	return file_read("/plan", (struct buffer){ plan, sizeof(plan) }, out);
}

static void run_all(void)
{
	struct span text = { 0 };
	int r = stay_alive();

	if (r == 0)
		r = read_plan(&text);
	if (r == 0 && is_beside_init())
		r = root_wait();
	if (r < 0) {
		guest_mark(&guest, "error", "the guest cannot begin: %s", strerror(-r));
		return;
	}
	guest.calibration_mib_s = calibrate();
	guest_run(&guest, text);
}

/* The stream is made in any case: what is put into one without a disk is lost, no more. */
static int begin(void)
{
	int r = boot_mounts();
	int opened;

	open_console();
	boot_modules();
	if (r == 0 && root_is_wanted())
		r = root_start();
	opened = open_results();
	return r < 0 ? r : opened;
}

_Noreturn void init_run(void)
{
	int r = begin();

	if (r == 0)
		run_all();
	else
		guest_mark(&guest, "error", "no disk, or no mount: %s", strerror(-r));
	observer_stop(&guest.observer);
	guest_hand_over(&guest);
	if (stream_close(&guest.stream) < 0)
		guest_mark(&guest, "error", "the results are not complete");
	/* No sync: what matters is on the disk, and a slow disk full of dirty pages is not. */
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
