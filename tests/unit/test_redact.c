#include "test.h"

#include "model/redact.h"
#include "model/sampler.h"

/* Gets what the redactor lets through: "PATH=TEXT|" for each file. */
struct log {
	struct sink sink; /* first: the log is the sink */
	char text[65536];
	size_t used;
};

static struct log written;
static struct redactor redactor;

static void log_put(struct sink *sink, const char *path, struct span bytes)
{
	struct log *log = (struct log *)sink;

	log->used += (size_t)snprintf(log->text + log->used, sizeof(log->text) - log->used,
				      "%s=%.*s|", path, (int)span_len(bytes), bytes.at);
	assert_true(log->used < sizeof(log->text));
}

static int set_up(void **state)
{
	written = (struct log){ .sink = { log_put } };
	return redactor_init(&redactor, &written.sink);
}

static int tear_down(void **state)
{
	redactor_done(&redactor);
	return 0;
}

static void put(const char *path, const char *text)
{
	redactor.sink.put(&redactor.sink, path, span_cstr(text));
}

static void expect_put(const char *path, const char *text, const char *wanted)
{
	written.used = 0;
	written.text[0] = '\0';
	put(path, text);
	assert_string_equal(written.text, wanted);
}

#define V2_MOUNT "28 25 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"

static void numbers_stay_as_they_are(void **state)
{
	expect_put("proc/vmstat", "pswpin 7\n", "proc/vmstat=pswpin 7\n|");
	expect_put("_host.ini", "at_us=5\n", "_host.ini=at_us=5\n|");
	expect_put("proc/10/oom_score_adj", "0\n", "proc/10/oom_score_adj=0\n|");
}

static void commands_are_renamed_alike(void **state)
{
	expect_put("proc/10/stat", "10 (sshd) S 1 2\n", "proc/10/stat=10 (cmd1) S 1 2\n|");
	expect_put("proc/11/stat", "11 (x) S 1 (y) R 1 2\n", "proc/11/stat=11 (cmd2) R 1 2\n|");
	expect_put("proc/12/stat", "12 (sshd) S 1 2\n", "proc/12/stat=12 (cmd1) S 1 2\n|");
	expect_put("proc/13/stat", "13 (two\nlines) S 1 2\n",
		   "proc/13/stat=13 (cmd3) S 1 2\n|");
	expect_put("proc/14/stat", "14 sshd S 1 2\n", "proc/14/stat=|");
	expect_put("proc/10/status", "Name:\tsshd\nPid:\t10\n",
		   "proc/10/status=Name:\t-\nPid:\t10\n|");
}

static void cgroups_are_renamed_alike_in_paths_and_files(void **state)
{
	put("proc/self/mountinfo", V2_MOUNT);
	expect_put("proc/10/cgroup", "1:name=systemd:/x\n0::/system.slice/a.service/b\nwords\n",
		   "proc/10/cgroup=1:name=systemd:/unit1\n"
		   "0::/system.slice/unit2.service/unit3\n|");
	expect_put("sys/fs/cgroup/system.slice/a.service/memory.stat", "anon 1\n",
		   "sys/fs/cgroup/system.slice/unit2.service/memory.stat=anon 1\n|");
	expect_put("sys/fs/cgroup/system.slice/a.service/b/memory.max.errno", "EACCES",
		   "sys/fs/cgroup/system.slice/unit2.service/unit3/memory.max.errno=EACCES|");
	expect_put("sys/fs/cgroup/memory.stat", "anon 1\n",
		   "sys/fs/cgroup/memory.stat=anon 1\n|");
	expect_put("sys/fs/cgroup/system.slice/a.service/_marks", "owner=1000\noomd_omit=1\n",
		   "sys/fs/cgroup/system.slice/unit2.service/_marks="
		   "owner=1000\noomd_omit=1\n|");
	expect_put("sys/fs/cgroupx/a.service/memory.stat", "anon 1\n",
		   "sys/fs/cgroupx/a.service/memory.stat=anon 1\n|");
	expect_put("sys/fs/cgrouq/a.service/memory.stat", "anon 1\n",
		   "sys/fs/cgrouq/a.service/memory.stat=anon 1\n|");
}

/* So that paths of processes still begin with it. */
static void the_part_that_is_mounted_is_renamed_as_in_paths(void **state)
{
	expect_put("proc/self/mountinfo",
		   "35 31 0:32 /docker/a\\134x2d.scope /m rw - cgroup cgroup rw,memory\n",
		   "proc/self/mountinfo="
		   "35 31 0:32 /unit1/unit2.scope /m rw - cgroup cgroup rw,memory\n|");
	expect_put("proc/10/cgroup", "5:memory:/docker/a\\x2d.scope/b\n",
		   "proc/10/cgroup=5:memory:/unit1/unit2.scope/unit3\n|");
}

static void kinds_of_units_can_still_be_told(void **state)
{
	expect_put(
		"proc/10/cgroup",
		"0::/user.slice/user-1000.slice/session-3.scope/a:b/.service/-.slice\n",
		"proc/10/cgroup=0::/user.slice/unit1.slice/unit2.scope/unit3/unit4/-.slice\n|");
	expect_put("proc/10/cgroup", "0::/\n", "proc/10/cgroup=0::/\n|");
}

static void swap_files_are_renamed_and_devices_are_not(void **state)
{
	expect_put(
		"proc/swaps",
		"Filename Type Size\n/home/me/swap file 8 0 -2\n/dev/zram0 partition 8 0 5\n",
		"proc/swaps=Filename Type Size\n/swapfile1 file 8 0 -2\n"
		"/dev/zram0 partition 8 0 5\n|");
}

static void the_host_has_no_name(void **state)
{
	expect_put("proc/sys/kernel/hostname", "web\n", "proc/sys/kernel/hostname=host\n|");
	expect_put("proc/sys/kernel/random/boot_id", "8bb18d5d-d0b4-4d0f-9aae-0123456789ab\n",
		   "proc/sys/kernel/random/boot_id=00000000-0000-0000-0000-000000000000\n|");
}

static void only_mounts_of_cgroups_are_told(void **state)
{
	expect_put("proc/self/mountinfo",
		   "1 1 0:2 / /home/me rw - ext4 /dev/secret rw\n" V2_MOUNT
		   "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n",
		   "proc/self/mountinfo=" V2_MOUNT
		   "35 31 0:32 / /m rw - cgroup cgroup rw,memory\n|");
	expect_put("m/a.service/memory.failcnt", "1\n", "m/unit1.service/memory.failcnt=1\n|");
}

static void only_files_of_processes_are_taken_for_them(void **state)
{
	expect_put("proc/x/stat", "1 (a) S\n", "proc/x/stat=1 (a) S\n|");
	expect_put("proc//stat", "1 (a) S\n", "proc//stat=1 (a) S\n|");
	expect_put("proc/:/stat", "1 (a) S\n", "proc/:/stat=1 (a) S\n|");
	expect_put("proc/90/stat", "90 (a) S\n", "proc/90/stat=90 (cmd1) S\n|");
	expect_put("proc/09/stat", "9 (a) S\n", "proc/09/stat=9 (cmd1) S\n|");
	expect_put("proc/1x/stat", "1 (a) S\n", "proc/1x/stat=1 (a) S\n|");
	expect_put("proc/1/status.errno", "EACCES", "proc/1/status.errno=EACCES|");
	expect_put("proc/1", "", "proc/1=|");
}

static void an_imitated_meminfo_is_told(void **state)
{
	static const char line[] = "7 6 0:60 / /proc/meminfo rw - fuse.lxcfs lxcfs rw\n";
	char wanted[128];

	snprintf(wanted, sizeof(wanted), "proc/self/mountinfo=%s|", line);
	expect_put("proc/self/mountinfo", line, wanted);
}

static void a_path_that_grows_too_long_is_left_out(void **state)
{
	char path[4096] = "sys/fs/cgroup";

	put("proc/self/mountinfo", V2_MOUNT);
	for (size_t used = 13; used < 4000; used += 2)
		memcpy(path + used, "/a", 3);
	expect_put(path, "anon 1\n", "");
}

#define SECRET "classified"
#define CG "sys/fs/cgroup/"

/* Whatever a sample reads: no name of this machine gets through, and processes keep their
 * cgroup. */
static void no_name_gets_through(void **state)
{
	struct root root = root_of(TREE(
		{ "proc/self/mountinfo",
		  "1 1 0:2 / /" SECRET " rw - ext4 " SECRET " rw\n" V2_MOUNT },
		{ CG "cgroup.controllers", "memory\n" },
		{ CG SECRET ".slice/memory.stat", "anon 5\n" },
		{ CG SECRET ".slice/" SECRET "/memory.max.errno", "EACCES" },
		{ "proc/swaps", "Filename\n/" SECRET "/swap file 8 0 -2\n" },
		{ "proc/sys/kernel/hostname", SECRET "\n" },
		{ "proc/sys/kernel/random/boot_id", SECRET "\n" },
		{ "proc/7/stat",
		  "7 (" SECRET ") S 1 1 1 0 -1 0 10 0 12 0 14 15 0 0 20 0 1 0 100 0 24\n" },
		{ "proc/7/status", "Name:\t" SECRET "\nRssAnon:\t4 kB\n" },
		{ "proc/7/cgroup", "0::/" SECRET ".slice/" SECRET "\n" }));
	struct sampler sampler;
	struct snapshot *snapshot;
	struct arena arena;

	assert_int_equal(sampler_init(&sampler), 0);
	assert_int_equal(arena_init(&arena, SNAPSHOT_ARENA), 0);
	root.tee = &redactor.sink;
	assert_int_equal(sampler_take(&sampler, &root, SAMPLE_ALL, &arena, &snapshot), 0);
	assert_non_null(strstr(written.text, CG "unit2.slice/memory.stat=anon 5\n|"));
	assert_non_null(strstr(written.text, CG "unit2.slice/unit3/memory.max.errno=EACCES|"));
	assert_non_null(strstr(written.text, "proc/7/cgroup=0::/unit2.slice/unit3\n|"));
	assert_null(strstr(written.text, SECRET));
	sampler_done(&sampler);
	arena_done(&arena);
	root_done(&root);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(numbers_stay_as_they_are),
		TEST(commands_are_renamed_alike),
		TEST(cgroups_are_renamed_alike_in_paths_and_files),
		TEST(the_part_that_is_mounted_is_renamed_as_in_paths),
		TEST(kinds_of_units_can_still_be_told),
		TEST(swap_files_are_renamed_and_devices_are_not),
		TEST(the_host_has_no_name),
		TEST(only_mounts_of_cgroups_are_told),
		TEST(only_files_of_processes_are_taken_for_them),
		TEST(an_imitated_meminfo_is_told),
		TEST(a_path_that_grows_too_long_is_left_out),
		TEST(no_name_gets_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
