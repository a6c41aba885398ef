#include "test.h"

#include "kernel/devices.h"

#define HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

#define numbers_of(thing) ((struct numbers){ (thing).value, (thing).state })

static struct devices *swaps_of(const char *text)
{
	static struct devices devices;

	devices = (struct devices){ 0 };
	swaps_parse(span_cstr(text), &devices);
	return &devices;
}

static void swap_areas_are_read(void **state)
{
	struct devices *devices =
		swaps_of(HEAD "/dev/zram0   partition\t8388604\t\t1024\t\t100\n"
			      "/swap\\040file   file\t\t4\t\t0\t\t-2\n");

	assert_int_equal(devices->swap_state, OK);
	assert_int_equal(devices->swaps, 2);
	assert_string_equal(devices->swap[0].name, "/dev/zram0");
	assert_false(devices->swap[0].is_file);
	assert_int_equal(devices->swap[0].priority, 100);
	assert_number(numbers_of(devices->swap[0]), SWAP_SIZE, 8388604ull * 1024);
	assert_number(numbers_of(devices->swap[0]), SWAP_USED, 1024 * 1024);
	assert_true(devices->swap[1].is_file);
	assert_true(devices->swap[1].priority == -2);
}

/* M5: no swap is a fact; not knowing is another. */
static void no_swap_is_ok_and_no_head_is_garbled(void **state)
{
	assert_int_equal(swaps_of(HEAD)->swap_state, OK);
	assert_int_equal(swaps_of(HEAD "\n  \n")->swap_state, OK);
	assert_int_equal(swaps_of(HEAD)->swaps, 0);
	assert_int_equal(swaps_of("")->swap_state, GARBLED);
	assert_int_equal(swaps_of("\n")->swap_state, GARBLED);
	assert_int_equal(swaps_of("/dev/sda partition 8 0 -2\n")->swap_state, GARBLED);
}

static void a_garbled_swap_line_spoils_no_other(void **state)
{
	static const char *const lines[] = {
		"/dev/sda\n",
		"/dev/sda partition 8 0\n",
		"/dev/sda partition x 0 -2\n",
		"/dev/sda partition 8 x -2\n",
		"/dev/sda partition 8 0 x\n",
		"/dev/sda partition -8 0 -2\n",
		"/dev/sda partition 8 9 -2\n", /* more used than there is */
		"/dev/sda partition 18014398509481984 0 -2\n",
		"/dev/sda partition 18446744073709551616 0 -2\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct devices *devices;
		char text[512];

		case_of(lines[i]);
		snprintf(text, sizeof(text), "%s%s/dev/sdb partition 8 8 -2\n", HEAD, lines[i]);
		devices = swaps_of(text);
		assert_int_equal(devices->swap_state, GARBLED);
		assert_int_equal(devices->swaps, 1);
		assert_string_equal(devices->swap[0].name, "/dev/sdb");
		assert_number(numbers_of(devices->swap[0]), SWAP_USED, 8192);
	}
}

static const char *many_lines(const char *head, const char *line, size_t count)
{
	static char text[32768];
	size_t used = (size_t)snprintf(text, sizeof(text), "%s", head);

	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", line);
	return text;
}

static void more_swap_areas_than_fit_are_cut(void **state)
{
	static const char line[] = "/dev/sda partition 8 0 -2\n";
	struct devices *devices = swaps_of(many_lines(HEAD, line, SWAPS_MAX));

	assert_int_equal(devices->swaps, SWAPS_MAX);
	assert_false(devices->cut);
	devices = swaps_of(many_lines(HEAD, line, SWAPS_MAX + 1));
	assert_int_equal(devices->swaps, SWAPS_MAX);
	assert_true(devices->cut);
	assert_int_equal(devices->swap_state, OK);
}

static void the_largest_swap_area_is_read(void **state)
{
	struct devices *devices = swaps_of(HEAD "/dev/sda partition 18014398509481983 0 -2\n");

	assert_int_equal(devices->swap_state, OK);
	assert_number(numbers_of(devices->swap[0]), SWAP_SIZE, UINT64_MAX - 1023);
}

static void a_long_swap_name_is_cut(void **state)
{
	char text[512];
	struct devices *devices;

	snprintf(text, sizeof(text), "%s/%0200d file 8 0 -2\n", HEAD, 0);
	devices = swaps_of(text);
	assert_int_equal(devices->swaps, 1);
	assert_int_equal(strlen(devices->swap[0].name), sizeof(devices->swap[0].name) - 1);
}

/* 4.19 has eight columns, 5.15 on a ninth; a later kernel may have more. */
static void mm_stat_is_read_by_position(void **state)
{
	static const char *const texts[] = {
		"1 2 3 4 5 6 7 8\n",
		"       1        2      3  4  5  6 7      8     9\n",
		"1 2 3 4 5 6 7 8 9 10 11\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct zram zram = { 0 };

		zram_parse(span_cstr(texts[i]), &zram);
		for (size_t id = ZRAM_ORIG; id < ZRAM_DISKSIZE; id++)
			assert_number(numbers_of(zram), id, id - ZRAM_ORIG + 1);
		assert_state(numbers_of(zram), ZRAM_DISKSIZE, ABSENT);
	}
}

static void a_column_of_mm_stat_may_be_missing_or_garbled(void **state)
{
	struct zram zram = { 0 };

	zram_parse(span_cstr("1 x 3 -4\n"), &zram);
	assert_number(numbers_of(zram), ZRAM_ORIG, 1);
	assert_state(numbers_of(zram), ZRAM_COMPR, GARBLED);
	assert_number(numbers_of(zram), ZRAM_USED, 3);
	assert_state(numbers_of(zram), ZRAM_LIMIT, GARBLED);
	assert_state(numbers_of(zram), ZRAM_USED_MAX, ABSENT);
	zram = (struct zram){ 0 };
	zram_parse(span_cstr(""), &zram);
	assert_state(numbers_of(zram), ZRAM_ORIG, ABSENT);
}

static struct devices *disks_of(const char *text)
{
	static struct devices devices;

	devices = (struct devices){ 0 };
	diskstats_parse(span_cstr(text), &devices);
	return &devices;
}

/* 14 columns up to 4.17, 18 from 4.18 (discards), 20 from 5.5 (flushes). */
static void disk_statistics_of_every_kernel_are_read(void **state)
{
	static const char *const tails[] = { "", " 14 15 16 17", " 14 15 16 17 18 19",
					     " 1 2 3 4 5 6 7" };

	for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
		struct devices *devices;
		char text[128];

		snprintf(text, sizeof(text), "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11%s\n",
			 tails[i]);
		devices = disks_of(text);
		assert_int_equal(devices->disk_state, OK);
		assert_int_equal(devices->disks, 1);
		assert_string_equal(devices->disk[0].name, "sda");
		assert_number(numbers_of(devices->disk[0]), DISK_READS, 1);
		assert_number(numbers_of(devices->disk[0]), DISK_READ_BYTES, 3 * 512);
		assert_number(numbers_of(devices->disk[0]), DISK_READ_MS, 4);
		assert_number(numbers_of(devices->disk[0]), DISK_WRITES, 5);
		assert_number(numbers_of(devices->disk[0]), DISK_WRITE_BYTES, 7 * 512);
		assert_number(numbers_of(devices->disk[0]), DISK_WRITE_MS, 8);
		assert_number(numbers_of(devices->disk[0]), DISK_IN_FLIGHT, 9);
		assert_number(numbers_of(devices->disk[0]), DISK_BUSY_MS, 10);
	}
}

static void a_device_that_never_did_anything_is_left_out(void **state)
{
	struct devices *devices = disks_of("7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
					   "8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n"
					   "8 1 sdb 0 0 0 0 1 0 0 0 0 0 0\n");

	assert_int_equal(devices->disk_state, OK);
	assert_int_equal(devices->disks, 2);
	assert_string_equal(devices->disk[0].name, "sda");
	assert_string_equal(devices->disk[1].name, "sdb");
}

static void a_garbled_disk_line_spoils_no_other(void **state)
{
	static const char *const lines[] = {
		"\n",
		"8 0\n",
		"8 0 sda\n",
		"8 0 sda 1 2 3 4 5 6 7 8 9\n",
		"8 0 sda x 2 3 4 5 6 7 8 9 10 11\n",
		"8 0 sda 1 x 3 4 5 6 7 8 9 10 11\n",
		"8 0 sda 1 2 36028797018963968 4 5 6 7 8 9 10 11\n", /* 2^55 sectors overflow */
		"8 0 sda 1 2 3 4 5 6 7 8 -9 10 11\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct devices *devices;
		char text[256];

		case_of(lines[i]);
		snprintf(text, sizeof(text), "%s8 1 sdb 1 2 3 4 5 6 7 8 9 10 11\n", lines[i]);
		devices = disks_of(text);
		assert_int_equal(devices->disk_state, GARBLED);
		assert_int_equal(devices->disks, 1);
		assert_string_equal(devices->disk[0].name, "sdb");
	}
}

static void more_disks_than_fit_are_cut(void **state)
{
	static const char line[] = "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n";
	struct devices *devices = disks_of(many_lines("", line, DISKS_MAX));

	assert_int_equal(devices->disks, DISKS_MAX);
	assert_false(devices->cut);
	devices = disks_of(many_lines("", line, DISKS_MAX + 1));
	assert_int_equal(devices->disks, DISKS_MAX);
	assert_true(devices->cut);
}

static struct devices *read_devices(const char *tree)
{
	static struct devices devices;
	struct root root = root_of(tree);

	devices = (struct devices){ 0 };
	devices_read(&root, any_buffer(), &devices);
	root_done(&root);
	return &devices;
}

#define BLOCK "sys/devices/virtual/block/"

static void all_devices_are_read(void **state)
{
	struct devices *devices = read_devices(
		TREE({ "proc/swaps", HEAD "/dev/zram0 partition 8 4 5\n" },
		     { "proc/diskstats", "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n" },
		     { BLOCK "zram0/mm_stat", "1 2 3 4 5 6 7 8 9\n" },
		     { BLOCK "zram0/disksize", "4096\n" }, { BLOCK "loop0/size", "0\n" },
		     { BLOCK "zram1/mm_stat.errno", "EACCES\n" },
		     { BLOCK "zram1/disksize", "x\n" }));
	size_t first = strcmp(devices->zram[0].name, "zram0") == 0 ? 0 : 1;

	assert_int_equal(devices->swaps, 1);
	assert_int_equal(devices->disks, 1);
	assert_int_equal(devices->zrams, 2);
	assert_number(numbers_of(devices->zram[first]), ZRAM_ORIG, 1);
	assert_number(numbers_of(devices->zram[first]), ZRAM_DISKSIZE, 4096);
	assert_string_equal(devices->zram[!first].name, "zram1");
	assert_state(numbers_of(devices->zram[!first]), ZRAM_ORIG, DENIED);
	assert_state(numbers_of(devices->zram[!first]), ZRAM_HUGE, DENIED);
	assert_state(numbers_of(devices->zram[!first]), ZRAM_DISKSIZE, GARBLED);
	assert_false(devices->cut);
}

static void devices_that_cannot_be_read_say_why(void **state)
{
	struct devices *devices =
		read_devices(TREE({ "proc/swaps.errno", "EACCES\n" }, { BLOCK "zram0", NULL }));

	assert_int_equal(devices->swap_state, DENIED);
	assert_int_equal(devices->disk_state, ABSENT);
	assert_int_equal(devices->zram_state, OK);
	assert_int_equal(devices->zrams, 1);
	assert_state(numbers_of(devices->zram[0]), ZRAM_ORIG, ABSENT);
	assert_state(numbers_of(devices->zram[0]), ZRAM_DISKSIZE, ABSENT);
	assert_int_equal(read_devices(TREE({ "proc/swaps", HEAD }))->zram_state, ABSENT);
}

static const char *tree_of_devices(const char *kind, int count)
{
	const char *tree = TREE({ BLOCK "zram0/mm_stat", "1 2 3 4 5 6 7 8 9\n" });

	for (int i = 1; i < count; i++) {
		char path[64];

		snprintf(path, sizeof(path), BLOCK "%s%d", kind, i);
		tree_add(tree, (const struct file[]){ { path_in(path, "x"), "" }, { 0 } });
	}
	return tree;
}

static void more_zrams_than_fit_are_cut(void **state)
{
	struct devices *devices = read_devices(tree_of_devices("zram", ZRAMS_MAX));

	assert_int_equal(devices->zrams, ZRAMS_MAX);
	assert_false(devices->cut);
	devices = read_devices(tree_of_devices("zram", ZRAMS_MAX + 1));
	assert_int_equal(devices->zrams, ZRAMS_MAX);
	assert_true(devices->cut);
}

/* A storage server has thousands of device mappings. */
static void zram_is_found_among_many_devices(void **state)
{
	struct devices *devices = read_devices(tree_of_devices("dm-", 2000));

	assert_int_equal(devices->zrams, 1);
	assert_number(numbers_of(devices->zram[0]), ZRAM_ORIG, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swap_areas_are_read),
		cmocka_unit_test(no_swap_is_ok_and_no_head_is_garbled),
		cmocka_unit_test(a_garbled_swap_line_spoils_no_other),
		cmocka_unit_test(more_swap_areas_than_fit_are_cut),
		cmocka_unit_test(the_largest_swap_area_is_read),
		cmocka_unit_test(a_long_swap_name_is_cut),
		cmocka_unit_test(mm_stat_is_read_by_position),
		cmocka_unit_test(a_column_of_mm_stat_may_be_missing_or_garbled),
		cmocka_unit_test(disk_statistics_of_every_kernel_are_read),
		cmocka_unit_test(a_device_that_never_did_anything_is_left_out),
		cmocka_unit_test(a_garbled_disk_line_spoils_no_other),
		cmocka_unit_test(more_disks_than_fit_are_cut),
		cmocka_unit_test(all_devices_are_read),
		cmocka_unit_test(devices_that_cannot_be_read_say_why),
		cmocka_unit_test(more_zrams_than_fit_are_cut),
		cmocka_unit_test(zram_is_found_among_many_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
