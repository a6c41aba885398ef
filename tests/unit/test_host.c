#include "test.h"

#include "kernel/host.h"

static void facts_are_read_by_key(void **state)
{
	struct host host = { 0 };

	host_parse(
		span_cstr(
			"at_us=31158055\nwall_us=1796069087363536\npage_size=65536\ncpus=2\n"),
		&host);
	assert_int_equal(host.at_us, 31158055);
	assert_int_equal(host.wall_us, 1796069087363536);
	assert_int_equal(host.page_bytes, 65536);
	assert_int_equal(host.cpus, 2);
	host_parse(span_cstr("self=4294967295\n"), &host);
	assert_int_equal(host.self_pid, UINT32_MAX);
	host_parse(span_cstr("self=4294967296\nself=-1\n"), &host);
	assert_int_equal(host.self_pid, UINT32_MAX);
	assert_true(host.has_time);
}

static void facts_that_cannot_be_are_skipped(void **state)
{
	struct host host = { 0 };

	host_parse(span_cstr("at_us=\nat_us=x\nat_us=-1\nat_us=1.5\nat_us 5\n=5\n"
			     "wall_us=18446744073709551616\n"
			     "page_size=0\npage_size=511\npage_size=1048577\npage_size=4k\n"
			     "cpus=0\ncpus=two\nspeed=4096\n\nAT_US=4\n"),
		   &host);
	assert_false(host.has_time);
	assert_int_equal(host.at_us, 0);
	assert_int_equal(host.wall_us, 0);
	assert_int_equal(host.page_bytes, 0);
	assert_int_equal(host.cpus, 0);
	host_parse(span_cstr("page_size=512\n"), &host);
	assert_int_equal(host.page_bytes, 512);
	host_parse(span_cstr("page_size=1048576\ncpus= 1 \r\nat_us=0"), &host);
	assert_int_equal(host.page_bytes, 1048576);
	assert_int_equal(host.cpus, 1);
	assert_true(host.has_time);
	host_parse(span_cstr("cpus=0\n"), &host);
	assert_int_equal(host.cpus, 1);
}

static void what_is_written_can_be_read(void **state)
{
	char text[256];
	size_t length = host_write(text, sizeof(text));
	struct host host = { 0 };

	assert_in_range(length, 40, sizeof(text) - 1);
	host_parse(span_of(text, length), &host);
	assert_true(host.has_time);
	assert_true(host.wall_us > host.at_us);
	assert_int_equal(host.page_bytes, sysconf(_SC_PAGESIZE));
	assert_int_equal(host.self_pid, getpid());
	assert_true(host.cpus > 0);
}

static struct host host_of(const char *tree)
{
	struct root root = root_of(tree);
	struct host host = { 0 };

	host_read(&root, any_buffer(), &host);
	root_done(&root);
	return host;
}

static void a_captured_machine_is_described_by_its_files(void **state)
{
	struct host host = host_of(
		TREE({ "_host.ini", "at_us=5\nwall_us=6\npage_size=16384\ncpus=8\n" },
		     { "proc/uptime", "99.99 1.00\n" }, { "proc/sys/kernel/hostname", "web\n" },
		     { "proc/sys/kernel/osrelease", "6.12.57+deb13-amd64\n" },
		     { "proc/sys/kernel/random/boot_id",
		       "8bb18d5d-d0b4-4d0f-9aae-0123456789ab\n" }));

	assert_int_equal(host.at_us, 5);
	assert_int_equal(host.page_bytes, 16384);
	assert_false(host.page_assumed);
	assert_int_equal(host.cpus, 8);
	assert_string_equal(host.name, "web");
	assert_string_equal(host.release, "6.12.57+deb13-amd64");
	assert_string_equal(host.boot_id, "8bb18d5d-d0b4-4d0f-9aae-0123456789ab");
	assert_string_equal(host.container, "");
}

static void a_tree_copied_by_hand_has_its_uptime_for_a_clock(void **state)
{
	struct host host = host_of(TREE({ "proc/uptime", "12345.67 1.00\n" }));

	assert_true(host.has_time);
	assert_int_equal(host.at_us, 12345670000);
	assert_int_equal(host.page_bytes, 4096);
	assert_true(host.page_assumed);
}

static void a_tree_without_a_clock_has_no_time(void **state)
{
	static const char *const uptimes[] = { "", "\n", "x\n", "-1.0 1.0\n",
					       "99999999999999999999\n" };

	assert_false(host_of(TREE({ "proc/vmstat", "" })).has_time);
	for (size_t i = 0; i < ARRAY_LEN(uptimes); i++)
		assert_false(host_of(TREE({ "proc/uptime", uptimes[i] })).has_time);
}

static void long_names_are_cut(void **state)
{
	char text[300];
	struct host host;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	host = host_of(TREE(
		{ "proc/sys/kernel/hostname", text }, { "proc/sys/kernel/osrelease", text },
		{ "proc/sys/kernel/random/boot_id", text }, { "run/systemd/container", text }));
	assert_int_equal(strlen(host.name), sizeof(host.name) - 1);
	assert_int_equal(strlen(host.release), sizeof(host.release) - 1);
	assert_int_equal(strlen(host.boot_id), sizeof(host.boot_id) - 1);
	assert_int_equal(strlen(host.container), sizeof(host.container) - 1);
}

static void the_first_mark_names_the_container(void **state)
{
	assert_string_equal(
		host_of(TREE({ "run/systemd/container", "lxc\n" }, { ".dockerenv", "" }))
			.container,
		"lxc");
	assert_string_equal(
		host_of(TREE({ "run/systemd/container", "\n" }, { ".dockerenv", "" }))
			.container,
		"docker");
	assert_string_equal(
		host_of(TREE({ "run/host/container-manager", "podman\n" })).container,
		"podman");
	assert_string_equal(host_of(TREE({ "run/.containerenv", "" })).container, "podman");
	assert_string_equal(host_of(TREE({ "proc/vmstat", "" })).container, "");
}

/* An image that carries a container's marks may run as a machine. */
static void who_sees_kernel_threads_is_no_container(void **state)
{
	assert_string_equal(
		host_of(TREE({ ".dockerenv", "" }, { "proc/2/stat", "2 (kthreadd) S 0 0 0\n" }))
			.container,
		"");
	assert_string_equal(
		host_of(TREE({ ".dockerenv", "" }, { "proc/2/stat", "2 (sh) S 0 0 0\n" }))
			.container,
		"docker");
}

static struct mounts mounts_of(const char *text)
{
	struct mounts mounts = { 0 };

	mountinfo_parse(span_cstr(text), &mounts);
	return mounts;
}

#define V2 "28 25 0:25 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define UNIFIED "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
#define V1_MEMORY "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define V1_OTHERS                                                                     \
	"31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                  \
	"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" \
	"40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"

static void cgroup_mounts_are_found(void **state)
{
	static const struct {
		const char *text;
		const char *v2;
		const char *v1;
	} cases[] = {
		{ V2, "sys/fs/cgroup", "" },
		{ V1_OTHERS V1_MEMORY UNIFIED, "sys/fs/cgroup/unified",
		  "sys/fs/cgroup/memory" },
		{ V1_OTHERS V1_MEMORY, "", "sys/fs/cgroup/memory" },
		{ V1_OTHERS, "", "" },
		/* L23: v1 below the mount point of v2, and a second view of the same */
		{ V2 V1_MEMORY, "sys/fs/cgroup", "sys/fs/cgroup/memory" },
		{ V2 "99 1 0:25 /x /run/x rw - cgroup2 cgroup2 rw\n"
		     "98 1 0:32 /x /run/y rw - cgroup cgroup rw,memory\n"
		     "97 1 0:32 /x /run/z rw - cgroup cgroup rw,memory\n",
		  "sys/fs/cgroup", "run/y" },
		/* inside a container: only its own subtree is mounted */
		{ "650 640 0:32 /docker/0123 /sys/fs/cgroup/memory ro,nosuid master:15 - "
		  "cgroup cgroup "
		  "rw,memory\n",
		  "", "sys/fs/cgroup/memory" },
		{ "650 640 0:32 / /sys/fs/cgroup/m rw - cgroup cgroup rw,memory,hugetlb\n", "",
		  "sys/fs/cgroup/m" },
		{ "650 640 0:32 / /sys/fs/cgroup/m rw - cgroup cgroup rw,xmemory,memory2\n", "",
		  "" },
		/* tags before the dash: none, several */
		{ "28 25 0:25 / /cg rw shared:9 master:3 propagate_from:2 - cgroup2 none rw\n",
		  "cg", "" },
		{ "28 25 0:25 / /cg rw - cgroup2 none\n", "cg", "" },
		{ "28 25 0:25 / / rw - cgroup2 none rw\n", "", "" },
		{ "28 25 0:25 / /cg rw - tmpfs none rw,memory\n", "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct mounts mounts = mounts_of(cases[i].text);

		case_of(cases[i].text);
		assert_string_equal(mounts.v2, cases[i].v2);
		assert_string_equal(mounts.v1_memory, cases[i].v1);
		assert_false(mounts.lxcfs);
	}
}

static void a_mount_may_be_a_part_of_the_hierarchy(void **state)
{
	static const struct {
		const char *root;
		const char *wanted;
	} cases[] = {
		{ "/", "" },
		{ "/docker/0123", "docker/0123" },
		{ "/a\\134x2db", "a\\x2db" },
		/* outside of our own namespace */
		{ "/../..", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[256];
		struct mounts mounts;

		case_of(cases[i].root);
		snprintf(text, sizeof(text),
			 "1 2 0:3 %s /m rw - cgroup none rw,memory\n"
			 "1 2 0:4 %s /u rw - cgroup2 none rw\n"
			 "1 2 0:4 /second /v rw - cgroup2 none rw\n",
			 cases[i].root, cases[i].root);
		mounts = mounts_of(text);
		assert_string_equal(mounts.v1_memory, "m");
		assert_string_equal(mounts.v2, "u");
		assert_string_equal(mounts.v1_root, cases[i].wanted);
		assert_string_equal(mounts.v2_root, cases[i].wanted);
	}
}

static void a_malformed_mount_is_skipped(void **state)
{
	static const char *const lines[] = {
		"\n",
		"28 25 0:25 /\n",
		"28 25 0:25 / /cg rw\n",
		"28 25 0:25 / /cg rw -\n",
		"28 25 0:25 / /cg rw - cgroup2\n",
		"28 25 0:25 / /cg rw cgroup2 none rw\n",
		"28 25 0:25 / /cg rw - cgroup3 none rw\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char text[512];

		case_of(lines[i]);
		assert_string_equal(mounts_of(lines[i]).v2, "");
		snprintf(text, sizeof(text), "%s" V2, lines[i]);
		assert_string_equal(mounts_of(text).v2, "sys/fs/cgroup");
	}
}

static void escapes_in_a_mount_point_are_undone(void **state)
{
	static const struct {
		const char *point;
		const char *wanted;
	} cases[] = {
		{ "/a\\040b", "a b" },
		{ "/a\\011\\012\\134", "a\t\n\\" },
		{ "/a\\303\\251", "a\xc3\xa9" },
		{ "/a\\377", "a\xff" },
		/* no such escape: the kernel would have written the backslash as \134 */
		{ "/a\\", "a\\" },
		{ "/a\\04", "a\\04" },
		{ "/a\\089", "a\\089" },
		{ "/a\\!40", "a\\!40" },
		{ "/a\\0!0", "a\\0!0" },
		{ "/a\\00!", "a\\00!" },
		{ "/a\\080", "a\\080" },
		{ "/a\\xyz", "a\\xyz" },
		{ "/a\\400", "a\\400" },
		{ "/a\\04\\040b", "a\\04 b" },
		{ "/a040b", "a040b" },
		{ "/a\\000b", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char line[128];

		case_of(cases[i].point);
		snprintf(line, sizeof(line), "28 25 0:25 / %s rw - cgroup2 none rw\n",
			 cases[i].point);
		assert_string_equal(mounts_of(line).v2, cases[i].wanted);
		snprintf(line, sizeof(line), "28 25 0:25 / %s rw - cgroup none rw,memory\n",
			 cases[i].point);
		assert_string_equal(mounts_of(line).v1_memory, cases[i].wanted);
	}
}

static void a_mount_point_that_climbs_is_skipped(void **state)
{
	static const char *const points[] = {
		"/../x", "/a/../../x", "/a/./x", "//x", "/a//x", "/..", "/\\056\\056/x", "..",
	};

	for (size_t i = 0; i < ARRAY_LEN(points); i++) {
		char line[128];

		case_of(points[i]);
		snprintf(line, sizeof(line), "28 25 0:25 / %s rw - cgroup2 none rw\n",
			 points[i]);
		assert_string_equal(mounts_of(line).v2, "");
		snprintf(line, sizeof(line), "28 25 0:25 / %s rw - cgroup none memory\n",
			 points[i]);
		assert_string_equal(mounts_of(line).v1_memory, "");
	}
}

static void a_mount_point_that_is_too_long_is_skipped(void **state)
{
	char point[MOUNT_SIZE + 8];
	char line[MOUNT_SIZE + 64];

	for (size_t length = MOUNT_SIZE - 2; length <= MOUNT_SIZE + 2; length++) {
		memset(point, 'x', sizeof(point));
		point[length] = '\0';
		snprintf(line, sizeof(line), "28 25 0:25 / /%s rw - cgroup2 none rw\n", point);
		assert_int_equal(strlen(mounts_of(line).v2), length < MOUNT_SIZE ? length : 0);
	}
}

static void an_imitated_meminfo_is_noticed(void **state)
{
	assert_true(
		mounts_of("700 640 0:60 /proc/meminfo /proc/meminfo rw - fuse.lxcfs lxcfs rw\n")
			.lxcfs);
	assert_false(
		mounts_of("700 640 0:60 /proc/uptime /proc/uptime rw - fuse.lxcfs lxcfs rw\n")
			.lxcfs);
	assert_false(mounts_of("700 640 0:60 / /proc/meminfo rw - tmpfs lxcfs rw\n").lxcfs);
}

static enum cgroup_mode mode_of(const char *tree)
{
	struct root root = root_of(tree);
	struct mounts mounts = { 0 };

	mounts_read(&root, any_buffer(), &mounts);
	root_done(&root);
	return mounts.mode;
}

#define INFO "proc/self/mountinfo"

#define CONTROLLERS "sys/fs/cgroup/cgroup.controllers"

/* L22: a v2 without the memory controller is not where memory is accounted. */
static void the_mode_tells_where_memory_is_accounted(void **state)
{
	static const struct {
		struct file files[3];
		enum cgroup_mode mode;
	} cases[] = {
		{ { { INFO, V2 }, { CONTROLLERS, "cpuset cpu io memory pids\n" } },
		  CGROUPS_V2 },
		{ { { INFO, V1_MEMORY V2 }, { CONTROLLERS, "memory\n" } }, CGROUPS_V2 },
		{ { { INFO, V1_MEMORY V2 }, { CONTROLLERS, "hugetlb\n" } }, CGROUPS_HYBRID },
		{ { { INFO, V1_OTHERS V1_MEMORY UNIFIED } }, CGROUPS_HYBRID },
		{ { { INFO, V1_OTHERS V1_MEMORY } }, CGROUPS_V1 },
		{ { { INFO, V2 }, { CONTROLLERS, "cpu memory_x\n" } }, CGROUPS_V2_BARE },
		{ { { INFO, V2 } }, CGROUPS_V2_BARE },
		{ { { INFO, V1_OTHERS }, { "cgroup.controllers", "memory\n" } }, CGROUPS_NONE },
		{ { { "proc/vmstat", "" } }, CGROUPS_NONE },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(mode_of(tree_new(cases[i].files)), cases[i].mode);
}

static void every_mode_has_a_name(void **state)
{
	for (enum cgroup_mode mode = CGROUPS_NONE; mode <= CGROUPS_V2_BARE; mode++)
		assert_true(strlen(cgroup_mode_name(mode)) > 0);
}

/* The machine that runs the test: what it says is its own affair. */
static void a_live_machine_knows_its_time(void **state)
{
	struct host host = host_of("/");

	assert_true(host.has_time);
	assert_false(host.page_assumed);
	assert_true(strlen(host.release) > 0);
}

struct log {
	struct sink sink; /* first: the log is the sink */
	char path[32];
	char text[256];
};

static void log_put(struct sink *sink, const char *path, struct span bytes)
{
	struct log *log = (struct log *)sink;

	if (log->path[0])
		return;
	span_copy(span_cstr(path), log->path, sizeof(log->path));
	span_copy(bytes, log->text, sizeof(log->text));
}

/* So that a capture has a clock of its own. */
static void what_is_not_a_file_goes_to_the_tee_as_one(void **state)
{
	struct root root = root_of(TREE({ "proc/vmstat", "" }));
	struct log log = { .sink = { log_put } };
	struct host live = { 0 };
	struct host replayed = { 0 };

	root.kind = ROOT_LIVE;
	root.tee = &log.sink;
	host_read(&root, any_buffer(), &live);
	assert_string_equal(log.path, "_host.ini");
	host_parse(span_cstr(log.text), &replayed);
	assert_true(replayed.has_time);
	assert_int_equal(replayed.at_us, live.at_us);
	assert_int_equal(replayed.wall_us, live.wall_us);
	assert_int_equal(replayed.page_bytes, live.page_bytes);
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_are_read_by_key),
		cmocka_unit_test(facts_that_cannot_be_are_skipped),
		cmocka_unit_test(what_is_written_can_be_read),
		cmocka_unit_test(a_captured_machine_is_described_by_its_files),
		cmocka_unit_test(a_tree_copied_by_hand_has_its_uptime_for_a_clock),
		cmocka_unit_test(a_tree_without_a_clock_has_no_time),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(the_first_mark_names_the_container),
		cmocka_unit_test(who_sees_kernel_threads_is_no_container),
		cmocka_unit_test(cgroup_mounts_are_found),
		cmocka_unit_test(a_mount_may_be_a_part_of_the_hierarchy),
		cmocka_unit_test(a_malformed_mount_is_skipped),
		cmocka_unit_test(escapes_in_a_mount_point_are_undone),
		cmocka_unit_test(a_mount_point_that_climbs_is_skipped),
		cmocka_unit_test(a_mount_point_that_is_too_long_is_skipped),
		cmocka_unit_test(an_imitated_meminfo_is_noticed),
		cmocka_unit_test(the_mode_tells_where_memory_is_accounted),
		cmocka_unit_test(every_mode_has_a_name),
		cmocka_unit_test(a_live_machine_knows_its_time),
		cmocka_unit_test(what_is_not_a_file_goes_to_the_tee_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
