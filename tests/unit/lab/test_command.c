#include "test.h"

#include <errno.h>

#include "lab/boot/command.h"

#define MIB ((uint64_t)1 << 20)

static struct machine machine = { .ram_bytes = 512 * MIB, .cpus = 2, .nodes = 1 };
static struct kernel kernel = { .image = "/k/vmlinuz" };
static struct command command;

static int build(bool kvm, const char *data, const char *big)
{
	return command_build(
		&(struct command_input){ &machine, &kernel, kvm, 3 * MIB, data, big },
		&command);
}

/* The words, joined by spaces; a builder that fails gives none. */
static const char *words(bool kvm, const char *data, const char *big)
{
	static char text[32768];
	size_t used = 0;

	assert_int_equal(build(kvm, data, big), 0);
	for (size_t i = 0; command.argv[i]; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, " %s",
					 command.argv[i]);
	return text;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

static void expect_none(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' in '%s'", part, text);
}

static void setup(void)
{
	machine = (struct machine){ .ram_bytes = 512 * MIB, .cpus = 2, .nodes = 1 };
}

static void the_processor_is_as_fast_as_this_host_can(void **state)
{
	setup();
	expect(words(true, "d", ""), "-accel kvm -cpu host -smp 2");
	expect(words(false, "d", ""), "-accel tcg,thread=multi -cpu max,-cx16 -smp 2");
}

static void the_initramfs_comes_on_top_of_memory(void **state)
{
	setup();
	expect(words(false, "d", ""), "-m 516 ");
	assert_int_equal(command_ram_mib(&machine, 0), 514);
	machine.nodes = 2;
	machine.cpus = 3;
	assert_int_equal(command_ram_mib(&machine, 0), 516);
	expect(words(false, "d", ""), "size=258M -numa node,nodeid=0,cpus=0-0,memdev=m0");
	expect(words(false, "d", ""), "-numa node,nodeid=1,cpus=1-2,memdev=m1");
	machine.cpus = 1;
	expect(words(false, "d", ""), "-numa node,nodeid=0,memdev=m0");
}

static void disks_share_one_limit_and_results_have_none(void **state)
{
	setup();
	machine.disk_bps = 40 * MIB;
	machine.disk_iops = 3000;
	machine.swap = SWAP_PARTITION;
	machine.swap_bytes = MIB;
	machine.scratch_bytes = MIB;
	expect(words(false, "d", "b"),
	       "file=d,if=none,id=data,format=raw,cache=none,aio=threads,read-only=on,"
	       "throttling.bps-total=41943040,throttling.iops-total=3000,throttling.group=disk "
	       "-device virtio-blk-pci,drive=data,serial=data");
	expect(words(false, "d", "b"), "id=results,format=raw,cache=none,aio=threads -device");
	expect(words(false, "d", "b"), "file=b,if=none,id=big");
	expect(words(false, "d", "b"),
	       "file=scratch.img,if=none,id=scratch,format=raw,cache=none,"
	       "aio=threads,throttling.bps-total");
	expect_none(words(false, "d", ""), "id=big");
	expect_none(words(false, "d", ""), "group=swap");
	machine.swap_own_disk = true;
	expect(words(false, "d", ""),
	       "throttling.group=swap -device virtio-blk-pci,drive=swap");
	machine.disk_bps = 0;
	machine.disk_iops = 0;
	expect_none(words(false, "d", ""), "throttling");
}

static void a_root_is_a_disk_under_the_same_limit(void **state)
{
	struct command_input input = { &machine, &kernel, false, 3 * MIB, "d", "", "r" };
	bool drive = false;
	bool log = false;

	setup();
	machine.disk_iops = 3000;
	assert_int_equal(command_build(&input, &command), 0);
	for (size_t i = 0; command.argv[i]; i++) {
		drive |= strstr(command.argv[i],
				"file=r,if=none,id=root,format=raw,cache=none,aio=threads,"
				"read-only=on,throttling.iops-total=3000,"
				"throttling.group=disk") != NULL;
		log |= strstr(command.argv[i], " printk.devkmsg=on ") != NULL;
	}
	assert_true(drive);
	assert_true(log);
	expect_none(words(false, "d", ""), "id=root");
	expect_none(words(false, "d", ""), "printk.devkmsg");
}

static void only_swap_on_a_disk_has_one(void **state)
{
	static const struct {
		enum swap_kind kind;
		bool disk;
	} cases[] = {
		{ SWAP_NONE, false }, { SWAP_FILE, false }, { SWAP_PARTITION, true },
		{ SWAP_ZRAM, false }, { SWAP_ZSWAP, true },
	};

	setup();
	machine.swap_bytes = MIB;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		machine.swap = cases[i].kind;
		assert_int_equal(strstr(words(false, "d", ""), "drive=swap") != NULL,
				 cases[i].disk);
	}
}

static void a_comma_in_a_path_stays_one(void **state)
{
	setup();
	expect(words(false, "/a,b,readonly=off", ""), "file=/a,,b,,readonly=off,if=none");
}

static void a_command_line_that_is_too_long_is_refused(void **state)
{
	setup();
	machine.cpus = 64;
	machine.nodes = 64;
	assert_int_equal(build(false, "d", ""), -E2BIG);
	setup();
	snprintf(machine.cmdline, sizeof(machine.cmdline), "psi=0");
	expect(words(false, "d", ""), "psi=1 psi=0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_processor_is_as_fast_as_this_host_can),
		cmocka_unit_test(the_initramfs_comes_on_top_of_memory),
		cmocka_unit_test(disks_share_one_limit_and_results_have_none),
		cmocka_unit_test(a_root_is_a_disk_under_the_same_limit),
		cmocka_unit_test(only_swap_on_a_disk_has_one),
		cmocka_unit_test(a_comma_in_a_path_stays_one),
		cmocka_unit_test(a_command_line_that_is_too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
