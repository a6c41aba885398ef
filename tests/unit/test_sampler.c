#include "test.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/xattr.h>

#include "model/sampler.h"

static struct sampler sampler;
static struct arena arenas[2];

static int set_up(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(arenas); i++)
		if (arena_init(&arenas[i], SNAPSHOT_ARENA) < 0)
			return -1;
	return sampler_init(&sampler);
}

static int tear_down(void **state)
{
	sampler_done(&sampler);
	for (size_t i = 0; i < ARRAY_LEN(arenas); i++)
		arena_done(&arenas[i]);
	return 0;
}

static struct snapshot *take_into(const struct root *root, struct arena *arena)
{
	struct snapshot *snapshot = NULL;

	assert_int_equal(sampler_take(&sampler, root, SAMPLE_ALL, arena, &snapshot), 0);
	return snapshot;
}

static struct snapshot *take(const char *tree)
{
	struct root root = root_of(tree);
	struct snapshot *snapshot = take_into(&root, &arenas[0]);

	root_done(&root);
	return snapshot;
}

/* The index of the cgroup with that path. */
static int32_t index_of(const struct snapshot *snapshot, enum hierarchy hierarchy,
			const char *path)
{
	for (size_t i = 0; i < snapshot->cgroup_count; i++)
		if (snapshot->cgroups[i].hierarchy == hierarchy &&
		    strcmp(snapshot->cgroups[i].path, path) == 0)
			return (int32_t)i;
	return -1;
}

static const struct cgroup *cgroup_at(const struct snapshot *snapshot, enum hierarchy hierarchy,
				      const char *path)
{
	int32_t index = index_of(snapshot, hierarchy, path);

	if (index < 0)
		fail_msg("no cgroup \"%s\"", path);
	return &snapshot->cgroups[index];
}

static const struct task *task_at(const struct snapshot *snapshot, uint32_t pid)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].pid == pid)
			return &snapshot->tasks[i];
	fail_msg("no process %u", pid);
	return NULL;
}

#define INFO "proc/self/mountinfo"
#define V2_MOUNT "28 25 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define HYBRID_MOUNTS                                                       \
	"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" \
	"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
#define CG "sys/fs/cgroup/"
#define U CG "unified/"
#define M CG "memory/"
#define STAT(pid, start) pid " (x) S 1 1 1 0 -1 0 10 0 12 0 14 15 0 0 20 0 1 0 " start " 0 24\n"
#define KERNEL(pid) pid " (k) I 2 0 0 0 -1 2097152 0 0 0 0 0 0 0 0 0 0 1 0 54 0 0\n"

static const struct file V2[] = {
	{ "_host.ini", "at_us=5\nwall_us=6\npage_size=4096\ncpus=2\n" },
	{ "proc/vmstat", "pswpin 7\n" },
	{ "proc/meminfo", "MemTotal: 8 kB\n" },
	{ "proc/pressure/memory", "some avg10=0.00 total=9\n" },
	{ "proc/zoneinfo", "Node 0, zone DMA\n" },
	{ "proc/swaps", "Filename Type\n" },
	{ "proc/sys/kernel/osrelease", "6.12.57-amd64\n" },
	{ "proc/sys/vm/swappiness", "60\n" },
	{ INFO, V2_MOUNT },
	{ CG "cgroup.controllers", "cpu memory\n" },
	{ CG "_id", "1\n" },
	{ CG "memory.stat", "anon 10\n" },
	{ CG "system.slice/_id", "30\n" },
	{ CG "system.slice/memory.stat", "anon 20\n" },
	{ CG "system.slice/a.service/_id", "20\n" },
	{ CG "system.slice/a.service/memory.stat", "anon 30\n" },
	{ CG "system.slice/b:\n.service/_id", "40\n" },
	{ CG "user.slice/_id", "10\n" },
	{ "proc/10/stat", STAT("10", "100") },
	{ "proc/10/status", "RssAnon:\t4 kB\n" },
	{ "proc/10/cgroup", "0::/system.slice/a.service\n" },
	{ "proc/9/stat", STAT("9", "90") },
	{ "proc/9/cgroup", "0::/\n" },
	{ "proc/11/stat", STAT("11", "110") },
	{ "proc/11/cgroup", "0::/system.slice/a.service (deleted)\n" },
	{ "proc/12/stat", STAT("12", "120") },
	{ "proc/12/cgroup", "0::/system.slice/a.service\n" },
	{ "proc/2/stat", KERNEL("2") },
	{ "proc/100", NULL },
	{ "proc/5/stat", "5 (x" },
	{ "proc/sys/x/y", "" },
	{ "proc/1x/stat", STAT("1", "1") },
	{ 0 },
};

static const char *v2_tree(void)
{
	return tree_new(V2);
}

static void all_parts_of_a_machine_are_taken(void **state)
{
	const struct snapshot *snapshot = take(v2_tree());

	assert_int_equal(snapshot->host.at_us, 5);
	assert_number(*snapshot, VM_PSWPIN, 7);
	assert_number(*snapshot, MI_TOTAL, 8192);
	assert_number(*snapshot, PSI_MEM_SOME_TOTAL, 9);
	assert_number(*snapshot, TUN_SWAPPINESS, 60);
	assert_state(*snapshot, VM_PSWPOUT, ABSENT);
	assert_int_equal(snapshot->zones_state, OK);
	assert_int_equal(snapshot->zones->zones, 1);
	assert_int_equal(snapshot->devices->swap_state, OK);
	assert_int_equal(snapshot->mounts.mode, CGROUPS_V2);
	assert_int_equal(snapshot->profile.version, 6012);
	assert_int_equal(snapshot->profile.lru, LRU_CLASSIC);
	assert_int_equal(sampler.ticks, 1);
}

static void cgroups_are_sorted_by_id_and_know_their_parents(void **state)
{
	static const struct {
		uint64_t id;
		const char *path;
		int32_t parent;
		bool has_children;
	} wanted[] = {
		{ 1, "", -1, true },
		{ 10, "user.slice", 0, false },
		{ 20, "system.slice/a.service", 3, false },
		{ 30, "system.slice", 0, true },
		{ 40, "system.slice/b:\n.service", 3, false },
	};
	const struct snapshot *snapshot = take(v2_tree());

	assert_int_equal(snapshot->cgroups_state, OK);
	assert_int_equal(snapshot->cgroup_count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct cgroup *cgroup = &snapshot->cgroups[i];

		assert_int_equal(cgroup->id, wanted[i].id);
		assert_string_equal(cgroup->path, wanted[i].path);
		assert_int_equal(cgroup->parent, wanted[i].parent);
		assert_int_equal(cgroup->has_children, wanted[i].has_children);
		assert_int_equal(cgroup->pressure, i);
	}
	assert_number(snapshot->cgroups[2], CG_ANON, 30);
	assert_int_equal(snapshot->vanished, 0);
	assert_false(snapshot->cgroups_cut);
}

static void processes_are_sorted_by_pid_without_kernel_threads(void **state)
{
	static const uint32_t pids[] = { 9, 10, 11, 12 };
	const struct snapshot *snapshot = take(v2_tree());

	assert_int_equal(snapshot->tasks_state, OK);
	assert_int_equal(snapshot->task_count, ARRAY_LEN(pids));
	for (size_t i = 0; i < ARRAY_LEN(pids); i++)
		assert_int_equal(snapshot->tasks[i].pid, pids[i]);
	assert_int_equal(snapshot->tasks[1].start_ticks, 100);
	assert_number(snapshot->tasks[1], TASK_RSS_ANON, 4096);
	assert_false(snapshot->tasks_cut);
}

static void processes_know_their_cgroup_and_are_counted_there(void **state)
{
	const struct snapshot *snapshot = take(v2_tree());
	int32_t service = index_of(snapshot, HIERARCHY_V2, "system.slice/a.service");

	assert_int_equal(task_at(snapshot, 9)->cgroup, 0);
	assert_int_equal(task_at(snapshot, 10)->cgroup, service);
	assert_int_equal(task_at(snapshot, 12)->cgroup, service);
	assert_int_equal(task_at(snapshot, 11)->cgroup, -1);
	assert_int_equal(task_at(snapshot, 10)->cgroup_memory, -1);
	assert_int_equal(snapshot->cgroups[service].tasks, 2);
	assert_int_equal(snapshot->cgroups[0].tasks, 1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V2, "system.slice")->tasks, 0);
}

static void without_tasks_none_are_read(void **state)
{
	struct root root = root_of(v2_tree());
	struct snapshot *snapshot = NULL;

	assert_int_equal(
		sampler_take(&sampler, &root, SAMPLE_WITHOUT_TASKS, &arenas[0], &snapshot), 0);
	assert_int_equal(snapshot->task_count, 0);
	assert_int_equal(snapshot->tasks_state, ABSENT);
	assert_int_equal(snapshot->cgroup_count, 5);
	assert_int_equal(snapshot->cgroups[2].pressure, 2);
	root_done(&root);
}

static void a_machine_of_which_nothing_is_known_is_a_snapshot_too(void **state)
{
	const struct snapshot *snapshot = take(TREE({ "notes", "" }));

	assert_int_equal(snapshot->cgroups_state, ABSENT);
	assert_int_equal(snapshot->cgroup_count, 1); /* the machine itself */
	assert_string_equal(snapshot->cgroups[0].path, "");
	assert_int_equal(snapshot->tasks_state, ABSENT);
	assert_int_equal(snapshot->zones_state, ABSENT);
	assert_int_equal(snapshot->mounts.mode, CGROUPS_NONE);
	assert_false(snapshot->host.has_time);
	for (size_t id = 0; id < MACHINE_FIELDS; id++)
		assert_state(*snapshot, id, ABSENT);
	snapshot = take(TREE({ "proc/vmstat", "" }, { "proc/1x", NULL }));
	assert_int_equal(snapshot->tasks_state, ABSENT);
}

static void without_cgroups_all_processes_are_in_the_machine(void **state)
{
	const struct snapshot *snapshot =
		take(TREE({ "proc/7/stat", STAT("7", "1") }, { "proc/7/cgroup", "0::/a\n" }));

	assert_int_equal(task_at(snapshot, 7)->cgroup, 0);
	assert_int_equal(snapshot->cgroups[0].tasks, 1);
}

/*
 * v1 has memory, v2 pressure. Service one is in one v2 cgroup, two in two of them, three in the
 * top, four nowhere, five has nobody; six is in one, but one of its processes is nowhere.
 */
static const struct file HYBRID[] = {
	{ INFO, HYBRID_MOUNTS },
	{ U "cgroup.controllers", "hugetlb\n" },
	{ U "cgroup.pressure", "1\n" },
	{ U "a/memory.pressure", "some avg10=1.00 total=5\n" },
	{ U "b/x", "" },
	{ M "memory.usage_in_bytes", "99\n" },
	{ M "one/memory.usage_in_bytes", "11\n" },
	{ M "two/x", "" },
	{ M "three/x", "" },
	{ M "four/x", "" },
	{ M "five/x", "" },
	{ M "six/x", "" },
	{ "proc/1/stat", STAT("1", "1") },
	{ "proc/1/cgroup", "4:memory:/one\n0::/a\n" },
	{ "proc/2/stat", STAT("2", "1") },
	{ "proc/2/cgroup", "4:memory:/one\n0::/a\n" },
	{ "proc/3/stat", STAT("3", "1") },
	{ "proc/3/cgroup", "4:memory:/two\n0::/a\n" },
	{ "proc/4/stat", STAT("4", "1") },
	{ "proc/4/cgroup", "4:memory:/two\n0::/b\n" },
	{ "proc/5/stat", STAT("5", "1") },
	{ "proc/5/cgroup", "4:memory:/two\n0::/b\n" },
	{ "proc/6/stat", STAT("6", "1") },
	{ "proc/6/cgroup", "4:memory:/three\n0::/\n" },
	{ "proc/7/stat", STAT("7", "1") },
	{ "proc/7/cgroup", "4:memory:/four\n" },
	{ "proc/8/stat", STAT("8", "1") },
	{ "proc/8/cgroup", "4:memory:/six\n" },
	{ "proc/9/stat", STAT("9", "1") },
	{ "proc/9/cgroup", "4:memory:/six\n0::/b\n" },
	{ 0 },
};

static const char *hybrid_tree(void)
{
	return tree_new(HYBRID);
}

/* L22: memory from v1, pressure from the v2 cgroup that all its processes share, or from none.
 */
static void on_a_hybrid_pressure_is_that_of_the_common_cgroup(void **state)
{
	const struct snapshot *snapshot = take(hybrid_tree());
	int32_t a = index_of(snapshot, HIERARCHY_V2, "a");
	const struct cgroup *one = cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "one");

	assert_int_equal(snapshot->mounts.mode, CGROUPS_HYBRID);
	assert_int_equal(snapshot->cgroup_count, 10);
	assert_int_equal(one->pressure, a);
	assert_int_equal(one->tasks, 2);
	assert_number(*one, CG_CURRENT, 11);
	assert_state(*one, CG_MEM_SOME_TOTAL, ABSENT);
	assert_number(snapshot->cgroups[a], CG_MEM_SOME_TOTAL, 5);
	assert_int_equal(snapshot->cgroups[a].pressure, a);
	assert_int_equal(snapshot->cgroups[a].tasks, 3);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "two")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "two")->tasks, 3);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "three")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "four")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "five")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "five")->tasks, 0);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "six")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "")->pressure, -1);
}

static void on_a_hybrid_both_hierarchies_keep_apart(void **state)
{
	const struct snapshot *snapshot = take(hybrid_tree());
	const struct cgroup *top = cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "");
	const struct cgroup *one = cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "one");

	for (size_t i = 1; i < snapshot->cgroup_count; i++)
		assert_true(snapshot->cgroups[i - 1].hierarchy <=
			    snapshot->cgroups[i].hierarchy);
	assert_ptr_equal(&snapshot->cgroups[one->parent], top);
	assert_int_equal(top->parent, -1);
	assert_number(*top, CG_CURRENT, 99);
	assert_ptr_equal(&snapshot->cgroups[task_at(snapshot, 1)->cgroup_memory], one);
	assert_string_equal(snapshot->cgroups[task_at(snapshot, 4)->cgroup].path, "b");
	assert_int_equal(task_at(snapshot, 7)->cgroup, -1);
}

static void on_v1_alone_there_is_no_pressure(void **state)
{
	const struct snapshot *snapshot = take(TREE(
		{ INFO, "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" },
		{ M "one/memory.usage_in_bytes", "11\n" }, { "proc/1/stat", STAT("1", "1") },
		{ "proc/1/cgroup", "4:memory:/one\n" }));

	assert_int_equal(snapshot->mounts.mode, CGROUPS_V1);
	assert_int_equal(snapshot->cgroup_count, 2);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "one")->pressure, -1);
	assert_int_equal(cgroup_at(snapshot, HIERARCHY_V1_MEMORY, "one")->tasks, 1);
}

/* Where v2 has memory, a v1 hierarchy that is mounted beside it is not looked at. */
/* As docker does it on v1, in the host's cgroup namespace. */
static void where_a_part_of_v1_is_mounted_paths_begin_with_it(void **state)
{
	static const struct {
		const char *path;
		const char *wanted; /* NULL: in none */
	} cases[] = {
		{ "5:memory:/docker/01\n", "" },
		{ "5:memory:/docker/01/app\n", "app" },
		{ "5:memory:/docker/012/app\n", NULL },
		{ "5:memory:/docker\n", NULL },
		{ "5:memory:/app\n", NULL },
		{ "5:memory:\n", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *snapshot = take(TREE(
			{ INFO, "35 31 0:32 /docker/01 /m ro - cgroup cgroup rw,memory\n" },
			{ "m/memory.stat", "total_rss 1\n" }, { "m/app/_id", "3\n" },
			{ "proc/10/stat", STAT("10", "100") },
			{ "proc/10/cgroup", cases[i].path }));

		case_of(cases[i].path);
		assert_int_equal(task_at(snapshot, 10)->cgroup_memory,
				 cases[i].wanted ? index_of(snapshot, HIERARCHY_V1_MEMORY,
							    cases[i].wanted) :
						   -1);
	}
}

static void on_v2_the_v1_hierarchy_is_left_alone(void **state)
{
	const struct snapshot *snapshot =
		take(TREE({ INFO, V2_MOUNT "9 8 0:3 / /m rw - cgroup cgroup rw,memory\n" },
			  { CG "cgroup.controllers", "memory\n" }, { "m/one/x", "" }));

	assert_int_equal(snapshot->mounts.mode, CGROUPS_V2);
	assert_int_equal(snapshot->cgroup_count, 1);
}

/* L31: what went away while it was read is left out, the others keep their places. */
static void a_cgroup_that_vanished_is_left_out(void **state)
{
	const char *tree = v2_tree();
	const struct snapshot *snapshot;

	tree_add(tree, (const struct file[]){ { CG "user.slice/memory.stat.errno", "ENODEV\n" },
					      { "proc/13/stat", STAT("13", "130") },
					      { "proc/13/cgroup", "0::/user.slice\n" },
					      { 0 } });
	snapshot = take(tree);
	assert_int_equal(snapshot->vanished, 1);
	assert_int_equal(snapshot->cgroup_count, 4);
	assert_int_equal(index_of(snapshot, HIERARCHY_V2, "user.slice"), -1);
	assert_int_equal(snapshot->cgroups[1].id, 20);
	assert_int_equal(snapshot->cgroups[1].parent, 2);
	assert_int_equal(snapshot->cgroups[2].parent, 0);
	assert_int_equal(task_at(snapshot, 13)->cgroup, -1);
	assert_int_equal(task_at(snapshot, 10)->cgroup, 1);
	assert_int_equal(snapshot->cgroups[1].tasks, 2);
}

/* L14, M13: the same path with another id is another cgroup. */
static void a_cgroup_that_was_made_anew_is_another(void **state)
{
	const char *tree = v2_tree();
	struct root root = root_of(tree);
	const struct snapshot *before = take_into(&root, &arenas[0]);
	const struct snapshot *after;
	const struct cgroup *old = cgroup_at(before, HIERARCHY_V2, "system.slice/a.service");

	tree_add(tree,
		 (const struct file[]){ { CG "system.slice/a.service/_id", "77\n" }, { 0 } });
	after = take_into(&root, &arenas[1]);
	assert_int_equal(after->cgroup_count, 5);
	assert_null(snapshot_cgroup(after, old));
	assert_int_equal(cgroup_at(after, HIERARCHY_V2, "system.slice/a.service")->id, 77);
	assert_non_null(snapshot_cgroup(after, cgroup_at(before, HIERARCHY_V2, "user.slice")));
	root_done(&root);
}

static void processes_that_hide_are_counted(void **state)
{
	const char *tree = v2_tree();

	/* Without the right to trace: what tells of memory. With hidepid=1: everything. */
	tree_add(tree, (const struct file[]){ { "proc/13/stat", STAT("13", "130") },
					      { "proc/13/status.errno", "EACCES\n" },
					      { "proc/14/stat.errno", "EPERM\n" },
					      { 0 } });
	assert_int_equal(take(tree)->tasks_denied, 2);
	assert_int_equal(take(v2_tree())->tasks_denied, 0);
}

static int take_into_small(const struct root *root, size_t size)
{
	struct snapshot *snapshot = NULL;
	struct arena small;
	int r;

	assert_int_equal(arena_init(&small, size), 0);
	r = sampler_take(&sampler, root, SAMPLE_ALL, &small, &snapshot);
	assert_true((r == 0) == (snapshot != NULL));
	arena_done(&small);
	return r;
}

/* Whichever part it is that has no room: tried from far too small to just large enough. */
static void an_arena_that_is_too_small_is_an_error(void **state)
{
	struct root root = root_of(v2_tree());
	size_t enough;

	take_into(&root, &arenas[0]);
	enough = arenas[0].used;
	for (size_t size = 64; size < enough; size += size / 8)
		assert_int_equal(take_into_small(&root, size), -ENOMEM);
	for (size_t less = 16; less < 2048; less += 64)
		assert_int_equal(take_into_small(&root, enough - less), -ENOMEM);
	assert_int_equal(take_into_small(&root, enough), 0);
	root_done(&root);
}

/* A snapshot is valid until its own arena is used again, also when the tree has changed. */
static void two_snapshots_stay_side_by_side(void **state)
{
	struct root first = root_of(v2_tree());
	struct root second = root_of(hybrid_tree());
	const struct snapshot *before = take_into(&first, &arenas[0]);
	const struct snapshot *after = take_into(&second, &arenas[1]);

	assert_int_equal(before->cgroup_count, 5);
	assert_string_equal(before->cgroups[4].path, "system.slice/b:\n.service");
	assert_int_equal(after->cgroup_count, 10);
	assert_number(*before, VM_PSWPIN, 7);
	root_done(&first);
	root_done(&second);
}

/* What a process without a cgroup of one hierarchy counts for is nobody's. */
static void counting_processes_spoils_nothing_else(void **state)
{
	struct root root = root_of(v2_tree());
	struct snapshot *without = NULL;
	const struct snapshot *with = take_into(&root, &arenas[0]);

	assert_int_equal(
		sampler_take(&sampler, &root, SAMPLE_WITHOUT_TASKS, &arenas[1], &without), 0);
	assert_memory_equal(with->devices, without->devices, sizeof(*with->devices));
	assert_memory_equal(with->zones, without->zones, sizeof(*with->zones));
	root_done(&root);
}

static void as_many_files_as_allowed_may_be_kept_open(void **state)
{
	struct rlimit before;
	struct rlimit now;
	struct sampler another;

	getrlimit(RLIMIT_NOFILE, &before);
	now = before;
	now.rlim_cur = 200;
	setrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(sampler_init(&another), 0);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_true(now.rlim_cur == now.rlim_max && now.rlim_max >= before.rlim_max);
	sampler_done(&another);
}

static size_t open_files(void)
{
	struct root root = root_of("/proc/self");
	size_t count = 0;

	for (int fd = 0; fd < 1000; fd++) {
		char path[32];

		snprintf(path, sizeof(path), "fd/%d", fd);
		count += root_exists(&root, path);
	}
	root_done(&root);
	return count;
}

/* A folder of plain files stands in for a live machine. */
static struct root live_of(const char *tree)
{
	struct root root = root_of(tree);

	root.kind = ROOT_LIVE;
	return root;
}

static void live_files_are_kept_open_and_closed_in_the_end(void **state)
{
	size_t before = open_files();
	struct root root = live_of(v2_tree());
	size_t kept;

	take_into(&root, &arenas[0]);
	kept = open_files();
	assert_true(kept > before + 1);
	for (int i = 0; i < 3; i++)
		take_into(&root, &arenas[i % 2]);
	assert_int_equal(open_files(), kept);
	sampler_done(&sampler);
	assert_int_equal(open_files(), before + 1);
	root_done(&root);
	assert_int_equal(sampler_init(&sampler), 0);
}

static void a_live_cgroup_that_appears_and_goes_is_noticed(void **state)
{
	const char *tree = v2_tree();
	struct root root = live_of(tree);
	size_t kept;

	tree_add(tree,
		 (const struct file[]){ { CG "cgroup.stat", "nr_descendants 4\n" }, { 0 } });
	assert_int_equal(take_into(&root, &arenas[0])->cgroup_count, 5);
	kept = open_files();
	tree_add(tree, (const struct file[]){ { CG "new/memory.stat", "anon 1\n" },
					      { CG "cgroup.stat", "nr_descendants 5\n" },
					      { 0 } });
	assert_int_equal(take_into(&root, &arenas[0])->cgroup_count, 6);
	assert_true(open_files() > kept);
	remove(path_in(tree, CG "new/memory.stat"));
	remove(path_in(tree, CG "new"));
	tree_add(tree,
		 (const struct file[]){ { CG "cgroup.stat", "nr_descendants 4\n" }, { 0 } });
	assert_int_equal(take_into(&root, &arenas[0])->cgroup_count, 5);
	assert_int_equal(open_files(), kept);
	root_done(&root);
}

/* A controller may be switched on later: what was missing is looked for again now and then. */
static void a_live_file_that_appears_is_found_in_time(void **state)
{
	const char *tree = v2_tree();
	struct root root = live_of(tree);
	size_t ticks = 0;

	take_into(&root, &arenas[0]);
	tree_add(tree, (const struct file[]){ { CG "user.slice/memory.stat", "anon 1\n" },
					      { CG "user.slice/memory.current", "10\n" },
					      { 0 } });
	while (cgroup_at(take_into(&root, &arenas[0]), HIERARCHY_V2, "user.slice")
		       ->state[CG_CURRENT] != OK)
		assert_true(++ticks < 40);
	root_done(&root);
}

static void owners_and_marks_of_a_capture_are_taken(void **state)
{
	const char *tree = v2_tree();
	const struct snapshot *snapshot;
	const struct cgroup *cgroup;

	tree_add(tree, (const struct file[]){
			       { CG "user.slice/_marks", "owner=1000\noomd_avoid=1\n" },
			       { CG "system.slice/_marks", "owner=0\noomd_omit=1\n" },
			       { 0 } });
	snapshot = take(tree);
	cgroup = cgroup_at(snapshot, HIERARCHY_V2, "user.slice");
	assert_int_equal(cgroup->owner, 1000);
	assert_int_equal(cgroup->marks, MARK_OOMD_AVOID);
	cgroup = cgroup_at(snapshot, HIERARCHY_V2, "system.slice");
	assert_int_equal(cgroup->owner, 0);
	assert_int_equal(cgroup->marks, MARK_OOMD_OMIT);
	cgroup = cgroup_at(snapshot, HIERARCHY_V2, "system.slice/a.service");
	assert_int_equal(cgroup->owner, UID_UNKNOWN);
	assert_int_equal(cgroup->marks, 0);
	tree_add(tree, (const struct file[]){ { CG "user.slice/_marks", "owner=0\n" }, { 0 } });
	cgroup = cgroup_at(take(tree), HIERARCHY_V2, "user.slice");
	assert_int_equal(cgroup->owner, 0); /* each frame has its own */
	assert_int_equal(cgroup->marks, 0);
}

static void without_cgroups_nobody_owns_the_machine(void **state)
{
	const struct snapshot *snapshot = take(TREE({ "proc/vmstat", "pswpin 1\n" }));

	assert_int_equal(snapshot->cgroups[0].owner, UID_UNKNOWN);
	assert_int_equal(snapshot->cgroups[0].marks, 0);
}

static uint32_t marks_now(const struct root *root)
{
	const struct snapshot *snapshot = take_into(root, &arenas[0]);

	return cgroup_at(snapshot, HIERARCHY_V2, "user.slice")->marks;
}

/* Which is when it is found, and in turn: whose turn it is depends on the number of a folder.
 */
static void wait_for_marks(const struct root *root, uint32_t marks)
{
	size_t ticks = 0;

	while (marks_now(root) != marks)
		assert_true(++ticks < 40);
}

static void live_marks_are_read_now_and_then(void **state)
{
	const char *tree = v2_tree();
	const char *folder = path_in(tree, CG "user.slice");
	struct root root = live_of(tree);

	tree_add(tree,
		 (const struct file[]){ { CG "cgroup.stat", "nr_descendants 4\n" }, { 0 } });
	if (setxattr(folder, "user.oomd_omit", "1", 1, 0) < 0)
		skip();
	assert_int_equal(marks_now(&root), MARK_OOMD_OMIT);
	assert_int_equal(removexattr(folder, "user.oomd_omit"), 0);
	wait_for_marks(&root, 0);
	/* It was its turn just now: another scan does not forget, and does not look again. */
	assert_int_equal(setxattr(folder, "user.oomd_omit", "1", 1, 0), 0);
	sampler.stale = true;
	assert_int_equal(marks_now(&root), 0);
	wait_for_marks(&root, MARK_OOMD_OMIT);
	assert_int_equal(
		cgroup_at(take_into(&root, &arenas[0]), HIERARCHY_V2, "user.slice")->owner,
		getuid());
	root_done(&root);
}

static void the_machine_that_runs_the_test_can_be_sampled(void **state)
{
	struct root root = root_of("/");
	const struct snapshot *snapshot = take_into(&root, &arenas[0]);

	assert_true(snapshot->host.has_time);
	assert_state(*snapshot, VM_FREE, OK);
	assert_true(snapshot->task_count > 0);
	root_done(&root);
}

static struct snapshot *take_kept(const char *tree, enum sampling how)
{
	struct root root = root_of(tree);
	struct snapshot *snapshot = NULL;

	assert_int_equal(sampler_take(&sampler, &root, how, &arenas[1], &snapshot), 0);
	root_done(&root);
	return snapshot;
}

/* a.service is another place in the list by now, b is gone, and process 9 is not read again. */
static const struct file V2_LATER[] = {
	{ "_host.ini", "at_us=9\n" },
	{ INFO, V2_MOUNT },
	{ CG "_id", "1\n" },
	{ CG "new/_id", "5\n" },
	{ CG "newer/_id", "6\n" },
	{ CG "system.slice/_id", "30\n" },
	{ CG "system.slice/a.service/_id", "20\n" },
	{ CG "system.slice/a.service/memory.stat", "anon 31\n" },
	{ "proc/10/stat", STAT("10", "100") },
	{ 0 },
};

static void kept_processes_are_in_the_cgroups_of_now(void **state)
{
	const struct snapshot *first = take(v2_tree());
	const struct snapshot *later = take_kept(tree_new(V2_LATER), SAMPLE_KEEP_TASKS);
	int32_t place = index_of(later, HIERARCHY_V2, "system.slice/a.service");

	assert_int_not_equal(index_of(first, HIERARCHY_V2, "system.slice/a.service"), place);
	assert_int_equal(later->task_count, first->task_count);
	assert_int_equal(later->tasks_state, OK);
	assert_int_equal(later->host.at_us, 9);
	assert_int_equal(later->tasks_at_us, 5);
	assert_int_equal(task_at(later, 10)->cgroup, place);
	assert_int_equal(task_at(later, 9)->cgroup, index_of(later, HIERARCHY_V2, ""));
	assert_int_equal(later->cgroups[place].tasks, 2);
}

static void a_kept_process_whose_cgroup_is_gone_is_in_none(void **state)
{
	const struct snapshot *later;

	take(v2_tree());
	later = take_kept(TREE({ INFO, V2_MOUNT }, { CG "_id", "1\n" }), SAMPLE_KEEP_TASKS);
	assert_int_equal(task_at(later, 10)->cgroup, -1);
}

static void without_a_sweep_before_processes_are_read(void **state)
{
	const struct snapshot *snapshot = take_kept(v2_tree(), SAMPLE_KEEP_TASKS);

	assert_int_equal(snapshot->tasks_at_us, 5);
	assert_int_equal(task_at(snapshot, 10)->start_ticks, 100);
}

static void the_folder_of_a_cgroup_is_known_by_its_id(void **state)
{
	take(v2_tree());
	assert_string_equal(sampler_directory(&sampler, HIERARCHY_V2, 20),
			    CG "system.slice/a.service");
	assert_null(sampler_directory(&sampler, HIERARCHY_V2, 21));
	assert_null(sampler_directory(&sampler, HIERARCHY_V1_MEMORY, 20));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(all_parts_of_a_machine_are_taken),
		TEST(cgroups_are_sorted_by_id_and_know_their_parents),
		TEST(processes_are_sorted_by_pid_without_kernel_threads),
		TEST(processes_know_their_cgroup_and_are_counted_there),
		TEST(without_tasks_none_are_read),
		TEST(a_machine_of_which_nothing_is_known_is_a_snapshot_too),
		TEST(without_cgroups_all_processes_are_in_the_machine),
		TEST(on_a_hybrid_pressure_is_that_of_the_common_cgroup),
		TEST(on_a_hybrid_both_hierarchies_keep_apart),
		TEST(on_v1_alone_there_is_no_pressure),
		TEST(where_a_part_of_v1_is_mounted_paths_begin_with_it),
		TEST(on_v2_the_v1_hierarchy_is_left_alone),
		TEST(a_cgroup_that_vanished_is_left_out),
		TEST(a_cgroup_that_was_made_anew_is_another),
		TEST(processes_that_hide_are_counted),
		TEST(an_arena_that_is_too_small_is_an_error),
		TEST(two_snapshots_stay_side_by_side),
		TEST(counting_processes_spoils_nothing_else),
		TEST(as_many_files_as_allowed_may_be_kept_open),
		TEST(live_files_are_kept_open_and_closed_in_the_end),
		TEST(a_live_cgroup_that_appears_and_goes_is_noticed),
		TEST(a_live_file_that_appears_is_found_in_time),
		TEST(owners_and_marks_of_a_capture_are_taken),
		TEST(without_cgroups_nobody_owns_the_machine),
		TEST(live_marks_are_read_now_and_then),
		TEST(the_machine_that_runs_the_test_can_be_sampled),
		TEST(kept_processes_are_in_the_cgroups_of_now),
		TEST(a_kept_process_whose_cgroup_is_gone_is_in_none),
		TEST(without_a_sweep_before_processes_are_read),
		TEST(the_folder_of_a_cgroup_is_known_by_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
