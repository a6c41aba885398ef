#include "lab/boot/vm.h"

#include <math.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "base/root.h"
#include "lab/boot/noise.h"

/* How fast Ctrl-C, the end of the guest and its time limit are noticed. */
#define POLL_MS 50

bool vm_has_kvm(void)
{
	auto_fd fd = file_open("/dev/kvm", O_RDWR);

	return fd >= 0 && ioctl(fd, KVM_GET_API_VERSION, 0) == KVM_API_VERSION;
}

uint64_t vm_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

/* A guest that runs. */
struct watch {
	const struct vm *vm;
	struct root root; /* where the threads are looked up */
	pid_t pid;
	int live; /* owned; -1 when the guest closed it */
	uint64_t begun_us;
	uint64_t first_line_us; /* 0 not yet */
	uint64_t next_look_us;
	uint64_t looked_us; /* after so long */
	uint64_t delay_ns;
	char line[512];
	size_t used;
	bool skip; /* the rest of a line that is too long */
};

/* The guest's text, byte by byte: it may be anything. */
static void take_byte(struct watch *watch, char byte)
{
	if (byte != '\n') {
		watch->skip |= watch->used == sizeof(watch->line);
		if (!watch->skip && byte != '\r')
			watch->line[watch->used++] = byte;
		return;
	}
	if (watch->first_line_us == 0)
		watch->first_line_us = vm_now_us();
	if (!watch->skip && watch->vm->live)
		watch->vm->live(watch->vm->data, span_of(watch->line, watch->used));
	watch->skip = false;
	watch->used = 0;
}

static void read_live(struct watch *watch)
{
	struct pollfd wait = { .fd = watch->live, .events = POLLIN };
	char bytes[4096];
	ssize_t n;

	if (poll(&wait, 1, POLL_MS) <= 0)
		return;
	n = read(watch->live, bytes, sizeof(bytes));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(watch->live);
		watch->live = -1; /* poll() takes it, and waits for its time */
		return;
	}
	for (ssize_t i = 0; i < n; i++)
		take_byte(watch, bytes[i]);
}

/* Once a second; the last look before the end is what counts. */
static void look_at_noise(struct watch *watch, uint64_t us)
{
	if (us < watch->next_look_us)
		return;
	watch->next_look_us = us + SECOND_US;
	if (noise_read(&watch->root, watch->pid, &watch->delay_ns) == 0)
		watch->looked_us = us - watch->begun_us;
}

static int watch_until_end(struct watch *watch, enum vm_end *end)
{
	for (;;) {
		uint64_t us;
		int status;
		int r;

		read_live(watch);
		us = vm_now_us();
		look_at_noise(watch, us);
		r = program_poll(watch->pid, &status);
		if (r < 0)
			return r;
		if (r > 0) {
			*end = status == 0 ? VM_ENDED : VM_FAILED;
			return 0;
		}
		if (!stopped(watch->vm->stop) &&
		    us - watch->begun_us < watch->vm->machine->wall_limit_us)
			continue;
		*end = stopped(watch->vm->stop) ? VM_STOPPED : VM_TIMEOUT;
		program_kill(watch->pid);
		return 0;
	}
}

static int start(struct watch *watch)
{
	const struct vm *vm = watch->vm;
	char path[1024];
	auto_fd log = -1;
	int ends[2];
	int r = path_of(path, sizeof(path), "%s/qemu.log", vm->folder);

	if (r < 0)
		return r;
	log = file_open(path, O_WRONLY | O_CREAT | O_TRUNC);
	if (log < 0)
		return log;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	r = program_start(&(struct program){ .argv = vm->command->argv,
					     .folder = vm->folder,
					     .out = ends[1],
					     .err = log },
			  &watch->pid);
	close(ends[1]);
	watch->live = ends[0];
	return r;
}

int vm_run(const struct vm *vm, struct vm_result *out)
{
	struct watch watch = { .vm = vm, .live = -1, .begun_us = vm_now_us() };
	int r = root_open("/", &watch.root);

	if (r < 0)
		return r;
	r = start(&watch);
	if (r == 0)
		r = watch_until_end(&watch, &out->end);
	while (r == 0 && watch.live >= 0 && out->end == VM_ENDED)
		read_live(&watch); /* what is still in the pipe */
	if (watch.live >= 0)
		close(watch.live);
	root_done(&watch.root);
	out->wall_us = vm_now_us() - watch.begun_us;
	out->first_line_us = watch.first_line_us;
	out->delay_percent = (double)NAN;
	if (watch.looked_us > 0)
		out->delay_percent = noise_percent(watch.delay_ns, watch.looked_us,
						   MAX(vm->machine->cpus, 1u));
	return r;
}
