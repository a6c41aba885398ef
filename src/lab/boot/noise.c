#include "lab/boot/noise.h"

#include <errno.h>

/* "CPU 0/TCG", "CPU 1/KVM": qemu's names with debug-threads=on. */
static bool is_processor(const struct root *root, int pid, const char *thread)
{
	char path[128];
	char space[64];
	struct span comm;

	if (snprintf(path, sizeof(path), "proc/%d/task/%s/comm", pid, thread) >=
	    (int)sizeof(path))
		return false;
	return root_read(root, path, (struct buffer){ space, sizeof(space) }, &comm) == 0 &&
	       span_starts(comm, "CPU ");
}

/* "RUNNING_NS WAITING_NS SLICES" */
static int read_delay(const struct root *root, int pid, const char *thread, uint64_t *out)
{
	char path[128];
	char space[128];
	struct span text;
	struct span running;
	struct span waiting;
	int r;

	if (snprintf(path, sizeof(path), "proc/%d/task/%s/schedstat", pid, thread) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	r = root_read(root, path, (struct buffer){ space, sizeof(space) }, &text);
	if (r < 0)
		return r;
	if (!span_word(&text, &running) || !span_word(&text, &waiting))
		return -EBADMSG;
	return span_u64(waiting, out);
}

int noise_read(const struct root *root, int pid, uint64_t *delay_ns)
{
	char path[64];
	char space[16384];
	struct span names;
	uint64_t sum = 0;
	size_t count = 0;
	int r;

	snprintf(path, sizeof(path), "proc/%d/task", pid);
	r = root_list(root, path, (struct buffer){ space, sizeof(space) }, &names);
	if (r < 0)
		return r;
	for (const char *name = names.at; name < names.end; name += strlen(name) + 1) {
		uint64_t delay;

		if (!is_processor(root, pid, name) || read_delay(root, pid, name, &delay) < 0)
			continue;
		sum += delay;
		count++;
	}
	if (count == 0)
		return -ENOENT;
	*delay_ns = sum;
	return 0;
}

double noise_percent(uint64_t delay_ns, uint64_t wall_us, unsigned int cpus)
{
	double all_ns = (double)wall_us * 1000.0 * cpus;

	return all_ns > 0 ? 100.0 * (double)delay_ns / all_ns : 0.0;
}
