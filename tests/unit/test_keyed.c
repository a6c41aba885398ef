#include "test.h"

#include "kernel/keyed.h"

static struct numbers machine_of(const char *text, const struct key_table *table)
{
	static uint64_t value[MACHINE_FIELDS];
	static uint8_t known[MACHINE_FIELDS];
	struct numbers numbers = { value, known };

	memset(value, 0, sizeof(value));
	memset(known, 0, sizeof(known));
	keyed_parse(span_cstr(text), table, numbers);
	return numbers;
}

static void keys_are_found_in_any_order(void **state)
{
	struct numbers numbers = machine_of("pgfault 3\n"
					    "nr_free_pages 1\n"
					    "swap_ra_hit 4\n"
					    "pswpin 2\n",
					    &VMSTAT_KEYS);

	assert_number(numbers, VM_FREE, 1);
	assert_number(numbers, VM_PSWPIN, 2);
	assert_number(numbers, VM_PGFAULT, 3);
	assert_number(numbers, VM_SWAP_RA_HIT, 4);
	assert_state(numbers, VM_PSWPOUT, ABSENT);
}

static void a_key_is_matched_whole(void **state)
{
	struct numbers numbers = machine_of("pgscan_direct_normal 7\n"
					    "pgscan_direct_throttle 3\n"
					    "workingset_refault_anonymous 1\n"
					    "PSWPIN 1\n"
					    "pswpi 1\n"
					    "xpswpin 1\n",
					    &VMSTAT_KEYS);

	assert_state(numbers, VM_PGSCAN_DIRECT, ABSENT);
	assert_number(numbers, VM_PGSCAN_DIRECT_THROTTLE, 3);
	assert_state(numbers, VM_REFAULT_ANON, ABSENT);
	assert_state(numbers, VM_PSWPIN, ABSENT);
}

/* L01: up to 5.8 there is one key, from 5.9 two; neither is ever a zero. */
static void refaults_old_and_new_are_told_apart(void **state)
{
	struct numbers numbers = machine_of("workingset_refault 5\n", &VMSTAT_KEYS);

	assert_number(numbers, VM_REFAULT, 5);
	assert_state(numbers, VM_REFAULT_ANON, ABSENT);
	assert_state(numbers, VM_REFAULT_FILE, ABSENT);
	numbers = machine_of("workingset_refault_anon 0\nworkingset_refault_file 8\n",
			     &VMSTAT_KEYS);
	assert_state(numbers, VM_REFAULT, ABSENT);
	assert_number(numbers, VM_REFAULT_ANON, 0);
	assert_number(numbers, VM_REFAULT_FILE, 8);
}

/* L02: each zone on its own, Normal or not, and one for all before 4.10. */
static void allocation_stalls_are_read_for_every_zone(void **state)
{
	struct numbers numbers = machine_of("allocstall_dma 0\nallocstall_dma32 3\n"
					    "allocstall_movable 12\nallocstall_device 0\n",
					    &VMSTAT_KEYS);

	assert_number(numbers, VM_ALLOCSTALL_DMA, 0);
	assert_number(numbers, VM_ALLOCSTALL_DMA32, 3);
	assert_number(numbers, VM_ALLOCSTALL_MOVABLE, 12);
	assert_number(numbers, VM_ALLOCSTALL_DEVICE, 0);
	assert_state(numbers, VM_ALLOCSTALL_NORMAL, ABSENT);
	assert_state(numbers, VM_ALLOCSTALL, ABSENT);
	numbers = machine_of("allocstall 9\n", &VMSTAT_KEYS);
	assert_number(numbers, VM_ALLOCSTALL, 9);
	assert_state(numbers, VM_ALLOCSTALL_DMA, ABSENT);
}

/* L04: limit reclaim shows in these only. */
static void reclaim_is_read_by_kind_of_page_too(void **state)
{
	struct numbers numbers = machine_of("pgsteal_kswapd 0\npgscan_kswapd 0\n"
					    "pgscan_direct 0\npgscan_file 129856\n"
					    "pgsteal_file 67392\n",
					    &VMSTAT_KEYS);

	assert_number(numbers, VM_PGSCAN_DIRECT, 0);
	assert_number(numbers, VM_PGSCAN_FILE, 129856);
	assert_number(numbers, VM_PGSTEAL_FILE, 67392);
	assert_state(numbers, VM_PGSCAN_PROACTIVE, ABSENT);
}

static void a_malformed_value_is_garbled(void **state)
{
	static const char *const lines[] = {
		"pswpin\n",	"pswpin \n",	 "pswpin x\n",
		"pswpin -1\n",	"pswpin 1.5\n",	 "pswpin 0x1\n",
		"pswpin 1 2\n", "pswpin 1 kB\n", "pswpin 18446744073709551616\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		case_of(lines[i]);
		assert_state(machine_of(lines[i], &VMSTAT_KEYS), VM_PSWPIN, GARBLED);
	}
}

static void a_malformed_line_spoils_no_other(void **state)
{
	struct numbers numbers = machine_of("\n \npswpin x\nsome words here\n\xff\xfe 1\n"
					    "pswpout 2\n",
					    &VMSTAT_KEYS);

	assert_state(numbers, VM_PSWPIN, GARBLED);
	assert_number(numbers, VM_PSWPOUT, 2);
}

static void a_line_without_its_newline_is_garbled(void **state)
{
	struct numbers numbers = machine_of("pswpin 12\npswpout 34", &VMSTAT_KEYS);

	assert_number(numbers, VM_PSWPIN, 12);
	assert_state(numbers, VM_PSWPOUT, GARBLED);
}

static void a_key_that_comes_twice_is_garbled(void **state)
{
	struct numbers numbers = machine_of("pswpin 1\npswpin 1\n", &VMSTAT_KEYS);

	assert_state(numbers, VM_PSWPIN, GARBLED);
	numbers = machine_of("pswpin 1\npswpin x\npswpin 1\n", &VMSTAT_KEYS);
	assert_state(numbers, VM_PSWPIN, GARBLED);
}

static void an_empty_text_says_nothing(void **state)
{
	struct numbers numbers = machine_of("", &VMSTAT_KEYS);

	for (size_t id = 0; id < MACHINE_FIELDS; id++)
		assert_state(numbers, id, ABSENT);
}

static void kibibytes_become_bytes(void **state)
{
	struct numbers numbers = machine_of("MemTotal:       24684084 kB\n"
					    "MemFree:           16560\n"
					    "HugePages_Total:       5\n"
					    "Hugepagesize:       2048 kB\n"
					    "Active(file):       1 kB\n",
					    &MEMINFO_KEYS);

	assert_number(numbers, MI_TOTAL, 24684084ull * 1024);
	assert_number(numbers, MI_FREE, 16560 * 1024);
	assert_number(numbers, MI_HUGE_TOTAL, 5);
	assert_number(numbers, MI_HUGE_SIZE, 2048 * 1024);
	assert_number(numbers, MI_ACTIVE_FILE, 1024);
}

static void only_kibibytes_are_kibibytes(void **state)
{
	static const struct {
		const char *line;
		size_t id;
	} cases[] = {
		{ "MemTotal: 1 MB\n", MI_TOTAL },
		{ "MemTotal: 1 kb\n", MI_TOTAL },
		{ "MemTotal: 1kB\n", MI_TOTAL },
		{ "HugePages_Total: 5 kB\n", MI_HUGE_TOTAL },
		{ "MemTotal: 18014398509481984 kB\n", MI_TOTAL }, /* 2^54: overflows in bytes */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_state(machine_of(cases[i].line, &MEMINFO_KEYS), cases[i].id, GARBLED);
	assert_state(machine_of("MemTotal 5 kB\n", &MEMINFO_KEYS), MI_TOTAL, ABSENT);
	assert_number(machine_of("MemTotal: 18014398509481983 kB\n", &MEMINFO_KEYS), MI_TOTAL,
		      UINT64_MAX - 1023);
}

/* M4, M8: a meminfo without MemAvailable, or cut off, leaves the rest unknown and not zero. */
static void what_meminfo_lacks_is_absent(void **state)
{
	struct numbers numbers =
		machine_of("MemTotal:  4096 kB\nMemFree:  1024 kB\nBuff", &MEMINFO_KEYS);

	assert_number(numbers, MI_TOTAL, 4096 * 1024);
	assert_state(numbers, MI_AVAILABLE, ABSENT);
	assert_state(numbers, MI_BUFFERS, ABSENT);
	assert_state(numbers, MI_SWAP_TOTAL, ABSENT);
}

/* Every row of a table, in reverse, so that a row that is never found shows. */
static void check_all_rows(const struct key_table *table)
{
	struct numbers numbers = NUMBERS(MACHINE_FIELDS + CGROUP_FIELDS);
	char text[16384] = "";
	size_t used = 0;

	for (size_t i = table->count; i-- > 0;)
		if (table->keys[i].length > 0)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %zu\n",
						 table->keys[i].text, table->keys[i].id);
	assert_true(used < sizeof(text));
	keyed_parse(span_cstr(text), table, numbers);
	for (size_t i = 0; i < table->count; i++)
		if (table->keys[i].length > 0)
			assert_number(numbers, table->keys[i].id,
				      table->keys[i].id * table->keys[i].scale);
}

static void every_row_of_every_table_is_found(void **state)
{
	check_all_rows(&VMSTAT_KEYS);
	check_all_rows(&MEMINFO_KEYS);
	check_all_rows(&CGROUP_STAT_KEYS);
	check_all_rows(&CGROUP_STAT_V1_KEYS);
	check_all_rows(&CGROUP_EVENTS_KEYS);
	check_all_rows(&CGROUP_KEYED_KEYS);
	check_all_rows(&TASK_STATUS_KEYS);
}

static void read_with(const struct file *files, struct numbers numbers)
{
	struct root root = root_of(tree_new(files));

	keyed_read(&root, "proc/vmstat", &VMSTAT_KEYS, any_buffer(), numbers);
	root_done(&root);
}

static void a_file_that_cannot_be_read_says_why(void **state)
{
	static const struct {
		struct file file;
		enum state wanted;
	} cases[] = {
		{ { "proc/none", "" }, ABSENT },
		{ { "proc/vmstat.errno", "EACCES\n" }, DENIED },
		{ { "proc/vmstat.errno", "EOPNOTSUPP\n" }, DISABLED },
		{ { "proc/vmstat.errno", "EIO\n" }, GARBLED },
		{ { "proc/vmstat/folder", "" }, ABSENT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct numbers numbers = NUMBERS(MACHINE_FIELDS);

		read_with((const struct file[]){ cases[i].file, { 0 } }, numbers);
		assert_state(numbers, VMSTAT_BASE, cases[i].wanted);
		assert_state(numbers, MEMINFO_BASE - 1, cases[i].wanted);
		assert_state(numbers, MEMINFO_BASE, ABSENT);
	}
}

static void a_file_is_read_and_parsed(void **state)
{
	struct numbers numbers = NUMBERS(MACHINE_FIELDS);

	read_with((const struct file[]){ { "proc/vmstat", "pswpin 1\n" }, { 0 } }, numbers);
	assert_number(numbers, VM_PSWPIN, 1);
}

/* Every counter of a running kernel is read, but for those of its siblings. */
static void real_files_are_read_without_a_garbled_number(void **state)
{
	static const struct {
		const char *seed;
		const struct key_table *table;
		size_t at_least;
	} cases[] = {
		{ "keyed/vmstat-6.12", &VMSTAT_KEYS, 75 },
		{ "keyed/vmstat-6.18", &VMSTAT_KEYS, 75 },
		{ "keyed/meminfo-6.18", &MEMINFO_KEYS, 35 },
		{ "keyed/memory.stat-6.12", &CGROUP_STAT_KEYS, 35 },
		{ "keyed/memory.stat-v1", &CGROUP_STAT_V1_KEYS, 15 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct numbers numbers = NUMBERS(MACHINE_FIELDS + CGROUP_FIELDS);
		size_t known = 0;

		case_of(cases[i].seed);
		keyed_parse(seed(cases[i].seed), cases[i].table, numbers);
		for (size_t id = cases[i].table->first; id < cases[i].table->end; id++) {
			assert_int_not_equal(numbers.state[id], GARBLED);
			known += numbers.state[id] == OK;
		}
		assert_in_range(known, cases[i].at_least, cases[i].table->count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_found_in_any_order),
		cmocka_unit_test(a_key_is_matched_whole),
		cmocka_unit_test(refaults_old_and_new_are_told_apart),
		cmocka_unit_test(allocation_stalls_are_read_for_every_zone),
		cmocka_unit_test(reclaim_is_read_by_kind_of_page_too),
		cmocka_unit_test(a_malformed_value_is_garbled),
		cmocka_unit_test(a_malformed_line_spoils_no_other),
		cmocka_unit_test(a_line_without_its_newline_is_garbled),
		cmocka_unit_test(a_key_that_comes_twice_is_garbled),
		cmocka_unit_test(an_empty_text_says_nothing),
		cmocka_unit_test(kibibytes_become_bytes),
		cmocka_unit_test(only_kibibytes_are_kibibytes),
		cmocka_unit_test(what_meminfo_lacks_is_absent),
		cmocka_unit_test(every_row_of_every_table_is_found),
		cmocka_unit_test(a_file_that_cannot_be_read_says_why),
		cmocka_unit_test(a_file_is_read_and_parsed),
		cmocka_unit_test(real_files_are_read_without_a_garbled_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
