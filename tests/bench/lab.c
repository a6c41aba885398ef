/*
 * What a guest of the lab costs: until it says its first line, beside a bare boot of the same
 * kernel; in memory of the guest; and in bytes written on this machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "bench.h"
#include "guest/cpio.h"
#include "lab/boot/files.h"
#include "lab/boot/kernels.h"
#include "lab/boot/machine.h"
#include "lab/boot/process.h"
#include "lab/boot/vm.h"
#include "lab/figures/ini.h"

#define KERNEL "6.12"
#define RUNS 3

/* A machine without troubles, with a plan that is over soon. */
#define MIB 512
#define SETTINGS \
	"--set=machine.ram=512M", "--set=phase.calm.wait=1s", "--set=phase.measure.wait=4s"

static int run_quietly(const char *const *words, struct rusage *usage)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(127);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, usage) < 0)
		give_up(words[0], errno);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int to_file(void *to, struct span bytes)
{
	return fwrite(bytes.at, 1, span_len(bytes), to) == span_len(bytes) ? 0 : -EIO;
}

static void write_initramfs(const struct setup *setup, const char *path)
{
	auto_free char *program = NULL;
	struct span bytes;
	FILE *file = fopen(path, "we");
	struct cpio cpio = { .write = to_file, .to = file };
	int r = file_read(setup->reboot, (size_t)64 << 20, &program, &bytes);

	if (!file || r < 0)
		give_up(setup->reboot, file ? -r : errno);
	cpio_file(&cpio, "init", 0755, bytes);
	if (cpio_end(&cpio) < 0 || fclose(file) != 0)
		give_up(path, EIO);
}

/* Of one run. */
struct lab_cost {
	double first_line_s;
	double bare_s;
	double ratio;
	double locked;
	double total;
	double written;
	double kept; /* of these, in the folder of the run */
};

struct report {
	char *text; /* owned */
	struct span bytes;
};

static double number_of(const struct report *report, const char *section, const char *key)
{
	char text[64];
	uint64_t whole = 0;
	uint64_t part = 0;
	struct span left;
	struct span right = { 0 };

	ini_copy(report->bytes, section, key, (struct buffer){ text, sizeof(text) });
	if (!span_split(span_cstr(text), '.', &left, &right))
		left = span_cstr(text);
	if (span_u64(left, &whole) < 0 || (!span_empty(right) && span_u64(right, &part) < 0))
		give_up(key, EBADMSG);
	return (double)whole + (double)part / 100; /* seconds have two digits */
}

/* The lab has one guest at a time on this machine. */
static void lock_path(char *out, size_t size)
{
	char cache[300];
	int r = lab_cache(cache, sizeof(cache));

	if (r == 0)
		r = path_of(out, size, "%s/lab/lock", cache);
	if (r < 0)
		give_up("the lock of the lab", -r);
}

static int lab_lock(void)
{
	char path[400];
	int fd;

	lock_path(path, sizeof(path));
	fd = lock_take(path, NULL);
	if (fd < 0)
		give_up(path, -fd);
	return fd;
}

static bool is_busy(void)
{
	char path[400];
	auto_fd fd = -1;

	lock_path(path, sizeof(path));
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
}

/* Seconds from the start of QEMU to its end, with the accelerator that the lab's guest had. */
static double bare_s(const struct kernel *kernel, const char *initramfs, bool kvm)
{
	char memory[16];
	struct rusage usage;
	const char *words[] = {
		MACHINE_QEMU,
		"-machine",
		"q35",
		"-accel",
		kvm ? "kvm" : "tcg,thread=multi",
		"-cpu",
		kvm ? "host" : "max,-cx16",
		"-smp",
		"2",
		"-m",
		memory,
		"-nodefaults",
		"-no-user-config",
		"-display",
		"none",
		"-no-reboot",
		"-kernel",
		kernel->image,
		"-initrd",
		initramfs,
		"-append",
		"quiet panic=-1 reboot=t nokaslr mitigations=off random.trust_cpu=on "
		"rootfstype=ramfs",
		NULL
	};
	int lock = lab_lock();
	uint64_t begun = vm_now_us();

	snprintf(memory, sizeof(memory), "%d", MIB);
	if (run_quietly(words, &usage) != 0)
		give_up("the bare boot", EIO);
	close(lock);
	return (double)(vm_now_us() - begun) / 1e6;
}

static int add_allocated(void *data, const struct tree_entry *entry)
{
	struct stat st;

	if (!entry->folder && stat(entry->path, &st) == 0)
		*(double *)data += (double)st.st_blocks * 512;
	return 0;
}

static double allocated(const char *folder)
{
	double bytes = 0;

	if (tree_walk(folder, 0, add_allocated, &bytes) < 0)
		give_up(folder, EIO);
	return bytes;
}

/* 0, or what the lab ended with. Bytes are those of all processes, QEMU with them. */
static int measure(const struct setup *setup, const struct kernel *kernel,
		   const char *initramfs, struct lab_cost *out)
{
	static unsigned int number;
	char folder[300];
	char path[400];
	struct rusage usage;
	struct report report = { 0 };
	const char *words[] = { setup->program, "lab",	    "run",  "idle",   "--kernel",
				KERNEL,		"--output", folder, SETTINGS, NULL };
	struct span accelerator = { 0 };
	int r;

	snprintf(folder, sizeof(folder), "%s/lab%u", setup->folder, number++);
	snprintf(path, sizeof(path), "%s/idle.base.1/run.ini", folder);
	r = run_quietly(words, &usage);
	/* A noisy run is one as well: the floor waits for this machine just as long. */
	if (file_read(path, 1 << 20, &report.text, &report.bytes) < 0)
		return r;
	if (!ini_find(report.bytes, "run", "first_line_s", &accelerator)) {
		free(report.text);
		return r ? r : -1;
	}
	ini_find(report.bytes, "host", "accelerator", &accelerator);
	*out = (struct lab_cost){
		.first_line_s = number_of(&report, "run", "first_line_s"),
		.locked = number_of(&report, "guest", "observer_locked_bytes"),
		.total = number_of(&report, "guest", "mem_total_bytes"),
		.written = (double)usage.ru_oublock * 512,
		.kept = allocated(folder),
		.bare_s = bare_s(kernel, initramfs, span_eq(accelerator, "kvm")),
	};
	out->ratio = out->first_line_s / out->bare_s;
	free(report.text);
	return 0;
}

static double median(const struct lab_cost *costs, size_t member)
{
	double values[RUNS];

	for (size_t i = 0; i < RUNS; i++)
		values[i] = *(const double *)((const char *)&costs[i] + member);
	return median_of(values, RUNS);
}

#define MEDIAN(member) median(costs, offsetof(struct lab_cost, member))
#define MIB_BYTES 1048576.0

static void put(const struct lab_cost *costs)
{
	figure_beside("lab.first_line", MEDIAN(first_line_s), "s", "floor boot",
		      MEDIAN(bare_s));
	figure_plain("lab.first_line.ratio", MEDIAN(ratio), "x");
	figure_beside("lab.guest.locked", MEDIAN(locked) / MIB_BYTES, "MiB", "MemTotal",
		      MEDIAN(total) / MIB_BYTES);
	figure_beside("lab.host.written", MEDIAN(written) / MIB_BYTES, "MiB", "kept",
		      MEDIAN(kept) / MIB_BYTES);
}

void bench_lab(const struct setup *setup)
{
	struct lab_cost costs[RUNS];
	struct kernel kernel;
	char initramfs[300];

	if (!program_is_there(MACHINE_QEMU)) {
		figure_skip("lab", "there is no QEMU");
		return;
	}
	if (kernel_find(KERNEL, &kernel) < 0) {
		figure_skip("lab", "no kernel yet: refault lab kernels fetch " KERNEL);
		return;
	}
	if (is_busy()) {
		figure_skip("lab", "other guests keep this machine busy");
		return;
	}
	snprintf(initramfs, sizeof(initramfs), "%s/reboot.cpio", setup->folder);
	write_initramfs(setup, initramfs);
	for (size_t i = 0; i < RUNS; i++)
		if (measure(setup, &kernel, initramfs, &costs[i]) != 0) {
			figure_skip("lab", "a guest ended without its result");
			return;
		}
	put(costs);
}
