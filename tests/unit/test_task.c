#include "test.h"

#include <errno.h>

#include "kernel/task.h"

#define numbers_of(thing) ((struct numbers){ (thing).value, (thing).state })

/* Columns 3 to 52 of stat; each has its own number where the kernel has one. */
#define COLUMNS                                                             \
	"S 4 5 6 7 -1 4194560 10 11 12 13 14 15 -16 17 20 0 20 0 22 23 24 " \
	"18446744073709551615 26 "                                          \
	"27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52\n"

static struct task task_of(struct span stat, int wanted)
{
	struct task task = { 0 };

	assert_int_equal(task_stat_parse(stat, &task), wanted);
	return task;
}

static void columns_of_stat_go_to_their_slots(void **state)
{
	struct task task = task_of(span_cstr("77 (sshd) " COLUMNS), 0);

	assert_int_equal(task.pid, 77);
	assert_string_equal(task.name, "sshd");
	assert_int_equal(task.run_state, 'S');
	assert_int_equal(task.parent, 4);
	assert_int_equal(task.start_ticks, 22);
	assert_false(task.is_kernel);
	assert_number(numbers_of(task), TASK_MINFLT, 10);
	assert_number(numbers_of(task), TASK_MAJFLT, 12);
	assert_number(numbers_of(task), TASK_UTIME, 14);
	assert_number(numbers_of(task), TASK_STIME, 15);
	assert_number(numbers_of(task), TASK_THREADS, 20);
	assert_number(numbers_of(task), TASK_RSS, 24);
	assert_number(numbers_of(task), TASK_BLKIO, 42);
}

/* M1: the name holds what it likes; the columns begin behind the last bracket. */
static void a_hostile_name_shifts_no_column(void **state)
{
	static const char *const names[] = {
		"a) S 1 (b", "two\nlines", ") R 9 9 9 9", "((()))",	 "",
		" ",	     ")",	   "(",		  "a\tb\x1b[2J", "\xff\xfe",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct task task;
		char text[512];

		snprintf(text, sizeof(text), "77 (%s) " COLUMNS, names[i]);
		task = task_of(span_cstr(text), 0);
		assert_string_equal(task.name, names[i]);
		assert_int_equal(task.pid, 77);
		assert_int_equal(task.parent, 4);
		assert_int_equal(task.start_ticks, 22);
	}
}

static void a_long_name_is_cut(void **state)
{
	char text[512];
	struct task task;

	snprintf(text, sizeof(text), "77 (%0100d) " COLUMNS, 0);
	task = task_of(span_cstr(text), 0);
	assert_int_equal(strlen(task.name), TASK_NAME_SIZE - 1);
	assert_int_equal(task.parent, 4);
}

static void a_kernel_thread_is_told_by_its_flag(void **state)
{
	struct task task =
		task_of(span_cstr("8 (kworker/R-netns) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 "
				  "0 -20 1 0 54 0 0\n"),
			0);

	assert_true(task.is_kernel);
	assert_int_equal(task.run_state, 'I');
	assert_int_equal(task.parent, 2);
}

static void columns_that_an_old_kernel_lacks_are_absent(void **state)
{
	struct task task =
		task_of(span_cstr("77 (x) S 4 5 6 7 -1 0 10 11 12 13 14 15 16 17 20 0 20 0 "
				  "22 23 24"),
			0);

	assert_number(numbers_of(task), TASK_RSS, 24);
	assert_state(numbers_of(task), TASK_BLKIO, ABSENT);
}

static void a_garbled_stat_is_refused_and_touches_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"77",
		"77 sshd S 4 5 6 7 -1 0 10 11 12 13 14 15 16 17 20 0 20 0 22 23 24\n",
		"77 (sshd " COLUMNS,
		"77 sshd) " COLUMNS,
		") 77 (sshd " COLUMNS,
		"(sshd) " COLUMNS,
		"x (sshd) " COLUMNS,
		"-1 (sshd) " COLUMNS,
		"4294967296 (sshd) " COLUMNS,
		"77 (sshd)",
		"77 (sshd) \n",
		"77 (sshd) S 4 5 6 7 -1 0 10 11 12 13 14 15 16 17 20 0 20 0 22 23\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		static const struct task nothing = { 0 };
		struct task task;

		case_of(texts[i]);
		task = task_of(span_cstr(texts[i]), -EBADMSG);
		assert_memory_equal(&task, &nothing, sizeof(task));
	}
	assert_int_equal(task_of(span_cstr("4294967295 (sshd) " COLUMNS), 0).pid, UINT32_MAX);
}

static void status_is_read_by_key(void **state)
{
	struct task task = { 0 };

	task_status_parse(
		span_cstr("Name:\tsshd\nVmLck:\t       1 kB\nVmPin:\t       2 kB\n"
			  "VmRSS:\t    99 kB\nRssAnon:\t    3 kB\nRssFile:\t    4 kB\n"
			  "RssShmem:\t       5 kB\nVmPTE:\t    6 kB\nVmSwap:\t    7 kB\n"),
		&task);
	assert_number(numbers_of(task), TASK_LOCKED, 1024);
	assert_number(numbers_of(task), TASK_PINNED, 2048);
	assert_number(numbers_of(task), TASK_RSS_ANON, 3072);
	assert_number(numbers_of(task), TASK_RSS_FILE, 4096);
	assert_number(numbers_of(task), TASK_RSS_SHMEM, 5120);
	assert_number(numbers_of(task), TASK_PTE, 6144);
	assert_number(numbers_of(task), TASK_SWAP, 7168);
}

static void the_real_uid_is_read(void **state)
{
	static const struct {
		const char *text;
		uint32_t uid;
	} cases[] = {
		{ "Name:\tx\nUid:\t1000\t0\t0\t0\nGid:\t7\t7\t7\t7\n", 1000 },
		{ "Uid:\t0\t5\t5\t5\n", 0 },
		{ "Name:\tUid: 0\nUid:\t4294967294\n", 4294967294u },
		{ "", UID_UNKNOWN },
		{ "Uid:", UID_UNKNOWN },
		{ "Uid:\t-1\t0\n", UID_UNKNOWN },
		{ "Uid:\tx\nUid:\t0\n", UID_UNKNOWN },
		{ "Uid:\t4294967296\n", UID_UNKNOWN },
		{ "NSuid:\t0\nUidx:\t0\n", UID_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct task task = { .uid = 77 };

		case_of(cases[i].text);
		task_status_parse(span_cstr(cases[i].text), &task);
		assert_int_equal(task.uid, cases[i].uid);
	}
}

static void statm_stands_in_with_resident_and_shared_pages(void **state)
{
	struct task task = { 0 };

	task_statm_parse(span_cstr("1000 100 30 1 0 200 0\n"), 4096, &task);
	assert_number(numbers_of(task), TASK_RSS_ANON, 70 * 4096);
	assert_number(numbers_of(task), TASK_RSS_FILE, 30 * 4096);
	assert_state(numbers_of(task), TASK_RSS_SHMEM, ABSENT);
	task = (struct task){ 0 };
	task_statm_parse(span_cstr("0 0 0 0 0 0 0\n"), 65536, &task);
	assert_number(numbers_of(task), TASK_RSS_ANON, 0);
}

static void a_garbled_statm_says_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"1000\n",
		"1000 100\n",
		"x 100 30\n",
		"1000 100 x\n",
		"1000 30 100\n",
		"1000 4503599627370496 30\n", /* 2^52 pages overflow */
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct task task = { 0 };

		case_of(texts[i]);
		task_statm_parse(span_cstr(texts[i]), 4096, &task);
		assert_state(numbers_of(task), TASK_RSS_ANON, ABSENT);
		assert_state(numbers_of(task), TASK_RSS_FILE, ABSENT);
	}
}

/* L20: split at the first two colons, keep both hierarchies. */
static void cgroup_paths_of_every_form_are_read(void **state)
{
	static const struct {
		const char *text;
		const char *v2;
		const char *v1;
	} cases[] = {
		{ "0::/system.slice/sshd.service\n", "/system.slice/sshd.service", "" },
		{ "0::/\n", "/", "" },
		{ "0::/a:b:c\n", "/a:b:c", "" },
		{ "0::/kubepods/x:cri-containerd:0123\n", "/kubepods/x:cri-containerd:0123",
		  "" },
		{ "12:memory:/a\n1:net_cls:/\n0::/b\n", "/b", "/a" },
		{ "4:cpu,memory,pids:/a:b\n", "", "/a:b" },
		{ "3:hugetlb,memory:/a\n", "", "/a" },
		{ "1:net_cls:/\n", "", "" },
		{ "9:name=memory:/x\n", "", "" },
		{ "9:memory_x:/x\n8:xmemory:/y\n", "", "" },
		{ "0:cpu:/x\n", "", "" },
		{ "1::/x\n0:\n", "", "" },
		{ "\nsome words\n0:\n0::", "", "" },
		{ "0::/a (deleted)\n", "/a (deleted)", "" },
		{ "0::/cut", "/cut", "" },
		{ "", "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct span v2;
		struct span v1;

		case_of(cases[i].text);
		task_cgroup_parse(span_cstr(cases[i].text), &v2, &v1);
		assert_span_equal(v2, cases[i].v2);
		assert_span_equal(v1, cases[i].v1);
	}
}

static int read_task(const char *tree, struct task *task, char *paths, size_t size)
{
	struct root root = root_of(tree);
	const struct task_query query = { .pid = "77", .page_bytes = 4096 };
	struct task_paths got;
	int r;

	*task = (struct task){ 0 };
	r = task_read(&root, &query, any_buffer(), task, &got);
	if (r == 0)
		snprintf(paths, size, "%.*s|%.*s", (int)span_len(got.v2), got.v2.at,
			 (int)span_len(got.v1_memory), got.v1_memory.at);
	root_done(&root);
	return r;
}

#define P "proc/77/"

static void a_task_is_read_from_four_files(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(
		read_task(TREE({ P "stat", "77 (x) " COLUMNS },
			       { P "status", "Uid:\t5\t0\nRssAnon:\t3 kB\nVmSwap:\t7 kB\n" },
			       { P "statm", "1000 100 30\n" }, { P "oom_score_adj", "-1000\n" },
			       { P "cgroup", "4:memory:/a\n0::/b\n" }),
			  &task, paths, sizeof(paths)),
		0);
	assert_int_equal(task.pid, 77);
	assert_int_equal(task.uid, 5);
	assert_number(numbers_of(task), TASK_RSS_ANON, 3072); /* not from statm */
	assert_state(numbers_of(task), TASK_RSS_FILE, ABSENT);
	assert_number(numbers_of(task), TASK_SWAP, 7168);
	assert_number(numbers_of(task), TASK_OOM_ADJ, 0);
	assert_string_equal(paths, "/b|/a");
}

static void without_rss_anon_statm_is_read(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(read_task(TREE({ P "stat", "77 (x) " COLUMNS },
					{ P "status", "VmPTE:\t6 kB\n" },
					{ P "statm", "1000 100 30\n" }),
				   &task, paths, sizeof(paths)),
			 0);
	assert_number(numbers_of(task), TASK_RSS_ANON, 70 * 4096);
	assert_number(numbers_of(task), TASK_PTE, 6144);
	assert_state(numbers_of(task), TASK_OOM_ADJ, ABSENT);
	assert_string_equal(paths, "|");
}

static void without_status_nothing_is_known_of_memory(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(
		read_task(TREE({ P "stat", "77 (x) " COLUMNS }, { P "statm", "1000 100 30\n" }),
			  &task, paths, sizeof(paths)),
		0);
	assert_state(numbers_of(task), TASK_RSS_ANON, ABSENT);
	assert_int_equal(task.uid, UID_UNKNOWN);
}

static void hidden_files_are_denied(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(
		read_task(TREE({ P "stat", "77 (x) " COLUMNS }, { P "status.errno", "EACCES" },
			       { P "statm", "1000 100 30\n" },
			       { P "oom_score_adj.errno", "EPERM" },
			       { P "cgroup.errno", "EACCES" }),
			  &task, paths, sizeof(paths)),
		0);
	assert_state(numbers_of(task), TASK_RSS_ANON, DENIED);
	assert_int_equal(task.uid, UID_UNKNOWN);
	assert_state(numbers_of(task), TASK_SWAP, DENIED);
	assert_state(numbers_of(task), TASK_OOM_ADJ, DENIED);
	assert_number(numbers_of(task), TASK_MAJFLT, 12);
	assert_string_equal(paths, "|");
}

static void a_task_that_is_gone_or_garbled_is_an_error(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(read_task(TREE({ P "status", "" }), &task, paths, sizeof(paths)),
			 -ENOENT);
	assert_int_equal(
		read_task(TREE({ P "stat.errno", "ESRCH" }), &task, paths, sizeof(paths)),
		-ESRCH);
	assert_int_equal(
		read_task(TREE({ P "stat.errno", "EACCES" }), &task, paths, sizeof(paths)),
		-EACCES);
	assert_int_equal(read_task(TREE({ P "stat", "77 (x" }), &task, paths, sizeof(paths)),
			 -EBADMSG);
}

static void of_a_kernel_thread_only_stat_is_read(void **state)
{
	struct task task;
	char paths[64];

	assert_int_equal(
		read_task(TREE({ P "stat", "77 (k) I 2 0 0 0 -1 2097152 0 0 0 0 0 0 0 0 0 0 1 "
					   "0 54 0 0\n" },
			       { P "status", "RssAnon:\t3 kB\n" }, { P "cgroup", "0::/b\n" }),
			  &task, paths, sizeof(paths)),
		0);
	assert_true(task.is_kernel);
	assert_state(numbers_of(task), TASK_RSS_ANON, ABSENT);
	assert_string_equal(paths, "|");
}

static void the_bias_of_the_oom_killer_has_limits(void **state)
{
	static const struct {
		const char *text;
		enum state wanted;
		uint64_t value;
	} cases[] = {
		{ "-1000\n", OK, 0 },	  { "0\n", OK, 1000 },	     { "1000\n", OK, 2000 },
		{ "1001\n", GARBLED, 0 }, { "-1001\n", GARBLED, 0 }, { "x\n", GARBLED, 0 },
		{ "", GARBLED, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct task task;
		char paths[64];

		case_of(cases[i].text);
		assert_int_equal(read_task(TREE({ P "stat", "77 (x) " COLUMNS },
						{ P "oom_score_adj", cases[i].text }),
					   &task, paths, sizeof(paths)),
				 0);
		assert_state(numbers_of(task), TASK_OOM_ADJ, cases[i].wanted);
		assert_int_equal(task.value[TASK_OOM_ADJ], cases[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_stat_go_to_their_slots),
		cmocka_unit_test(a_hostile_name_shifts_no_column),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(a_kernel_thread_is_told_by_its_flag),
		cmocka_unit_test(columns_that_an_old_kernel_lacks_are_absent),
		cmocka_unit_test(a_garbled_stat_is_refused_and_touches_nothing),
		cmocka_unit_test(status_is_read_by_key),
		cmocka_unit_test(the_real_uid_is_read),
		cmocka_unit_test(statm_stands_in_with_resident_and_shared_pages),
		cmocka_unit_test(a_garbled_statm_says_nothing),
		cmocka_unit_test(cgroup_paths_of_every_form_are_read),
		cmocka_unit_test(a_task_is_read_from_four_files),
		cmocka_unit_test(without_rss_anon_statm_is_read),
		cmocka_unit_test(without_status_nothing_is_known_of_memory),
		cmocka_unit_test(hidden_files_are_denied),
		cmocka_unit_test(a_task_that_is_gone_or_garbled_is_an_error),
		cmocka_unit_test(of_a_kernel_thread_only_stat_is_read),
		cmocka_unit_test(the_bias_of_the_oom_killer_has_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
