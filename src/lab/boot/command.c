#include "lab/boot/command.h"

#include <errno.h>
#include <stdarg.h>

#define MIB ((uint64_t)1 << 20)

static void add(struct command *command, const char *format, ...) printf_like(2, 3);

static void add(struct command *command, const char *format, ...)
{
	char *at = command->text + command->used;
	size_t room = sizeof(command->text) - command->used;
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(at, room, format, list);
	va_end(list);
	if (n < 0 || (size_t)n >= room || command->count + 1 == COMMAND_WORDS) {
		command->full = true;
		return;
	}
	command->argv[command->count++] = at;
	command->used += (size_t)n + 1;
}

/* Whole pairs of MiB for each node, so that nodes are equal and huge pages fit. */
uint64_t command_ram_mib(const struct machine *machine, uint64_t initramfs_bytes)
{
	uint64_t step = (uint64_t)2 * MAX(machine->nodes, 1u);
	uint64_t initramfs = (initramfs_bytes / (2 * MIB) + 1) * 2;
	uint64_t ram = (machine->ram_bytes + MIB - 1) / MIB + initramfs;

	return (ram + step - 1) / step * step;
}

/*
 * Emulated, "max" offers cmpxchg16b: qemu 7.2 then crashes guests with a double fault in the
 * allocator (3 of 5 boots of 6.12). Without it the kernel takes another way: 0 in all later
 * runs.
 */
static void add_processor(struct command *command, const struct command_input *input)
{
	add(command, "-machine");
	add(command, "q35");
	add(command, "-accel");
	add(command, "%s", input->kvm ? "kvm" : "tcg,thread=multi");
	add(command, "-cpu");
	add(command, "%s", input->kvm ? "host" : "max,-cx16");
	add(command, "-smp");
	add(command, "%u", MAX(input->machine->cpus, 1u));
	/* Threads get names: those of the processors are watched. */
	add(command, "-name");
	add(command, "refault,debug-threads=on");
}

static void add_node(struct command *command, const struct machine *machine, unsigned int node,
		     uint64_t mib)
{
	unsigned int first = node * machine->cpus / machine->nodes;
	unsigned int next = (node + 1) * machine->cpus / machine->nodes;

	add(command, "-object");
	add(command, "memory-backend-ram,id=m%u,size=%lluM", node, (unsigned long long)mib);
	add(command, "-numa");
	if (next > first)
		add(command, "node,nodeid=%u,cpus=%u-%u,memdev=m%u", node, first, next - 1,
		    node);
	else
		add(command, "node,nodeid=%u,memdev=m%u", node, node);
}

static void add_memory(struct command *command, const struct command_input *input)
{
	const struct machine *machine = input->machine;
	uint64_t mib = command_ram_mib(machine, input->initramfs_bytes);

	add(command, "-m");
	add(command, "%llu", (unsigned long long)mib);
	for (unsigned int node = 0; machine->nodes > 1 && node < machine->nodes; node++)
		add_node(command, machine, node, mib / machine->nodes);
}

/* In qemu's options a comma ends a value; two of them are one. */
static void double_commas(const char *path, char *out, size_t size)
{
	size_t used = 0;

	for (; *path && used + 2 < size; path++) {
		if (*path == ',')
			out[used++] = ',';
		out[used++] = *path;
	}
	out[used] = '\0';
}

/* A group of disks shares one limit, as partitions of one disk do. */
static void limit_text(const struct machine *machine, const char *group, char *out, size_t size)
{
	char bps[64] = "";
	char iops[64] = "";

	out[0] = '\0';
	if (machine->disk_bps > 0)
		snprintf(bps, sizeof(bps), ",throttling.bps-total=%llu",
			 (unsigned long long)machine->disk_bps);
	if (machine->disk_iops > 0)
		snprintf(iops, sizeof(iops), ",throttling.iops-total=%llu",
			 (unsigned long long)machine->disk_iops);
	if (group && (*bps || *iops))
		snprintf(out, size, "%s%s,throttling.group=%s", bps, iops, group);
}

struct drive {
	const char *serial;
	const char *path;
	const char *group; /* NULL: no limit */
	bool read_only;
};

/* cache=none: the host's page cache would be a second memory that the guest does not have. */
static void add_drive(struct command *command, const struct machine *machine,
		      const struct drive *drive)
{
	char path[2048];
	char limit[256];

	double_commas(drive->path, path, sizeof(path));
	limit_text(machine, drive->group, limit, sizeof(limit));
	add(command, "-drive");
	add(command, "file=%s,if=none,id=%s,format=raw,cache=none,aio=threads%s%s", path,
	    drive->serial, drive->read_only ? ",read-only=on" : "", limit);
	add(command, "-device");
	add(command, "virtio-blk-pci,drive=%s,serial=%s", drive->serial, drive->serial);
}

static bool has_root(const struct command_input *input)
{
	return input->root && *input->root != '\0';
}

static void add_drives(struct command *command, const struct command_input *input)
{
	const struct machine *machine = input->machine;
	const char *swap_group = machine->swap_own_disk ? "swap" : "disk";
	const struct {
		bool wanted;
		struct drive drive;
	} drives[] = {
		{ true, { "results", FILE_RESULTS, NULL, false } },
		{ true, { "data", input->data, "disk", true } },
		{ *input->big != '\0', { "big", input->big, "disk", true } },
		{ has_root(input), { "root", input->root, "disk", true } },
		{ machine->scratch_bytes > 0, { "scratch", FILE_SCRATCH, "disk", false } },
		{ machine_swap_disk(machine), { "swap", FILE_SWAP, swap_group, false } },
	};

	for (size_t i = 0; i < ARRAY_LEN(drives); i++)
		if (drives[i].wanted)
			add_drive(command, machine, &drives[i].drive);
}

/* ttyS0 is the kernel's console, in a file; ttyS1 brings the live lines to our pipe. */
static void add_channels(struct command *command)
{
	add(command, "-serial");
	add(command, "file:" FILE_CONSOLE);
	add(command, "-chardev");
	add(command, "stdio,id=live,signal=off");
	add(command, "-serial");
	add(command, "chardev:live");
}

/* What its services say goes to the kernel's log, unlimited, and that one is kept. */
#define ROOT_WORDS "log_buf_len=2M printk.devkmsg=on systemd.show_status=no "

static void add_kernel(struct command *command, const struct command_input *input)
{
	add(command, "-kernel");
	add(command, "%s", input->kernel->image);
	add(command, "-initrd");
	add(command, FILE_INITRAMFS);
	add(command, "-append");
	add(command,
	    "console=ttyS0 quiet loglevel=4 panic=-1 reboot=t nokaslr mitigations=off "
	    "random.trust_cpu=on rootfstype=ramfs delayacct psi=1 %s%s",
	    has_root(input) ? ROOT_WORDS : "", input->machine->cmdline);
}

int command_build(const struct command_input *input, struct command *out)
{
	*out = (struct command){ 0 };
	add(out, MACHINE_QEMU);
	add_processor(out, input);
	add_memory(out, input);
	add(out, "-nodefaults");
	add(out, "-no-user-config");
	add(out, "-display");
	add(out, "none");
	add(out, "-no-reboot");
	add_channels(out);
	add_kernel(out, input);
	add_drives(out, input);
	out->argv[out->count] = NULL;
	return out->full ? -E2BIG : 0;
}
