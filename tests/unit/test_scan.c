#include "test.h"

#include <errno.h>
#include <fcntl.h>

#include "base/pack.h"
#include "model/scan.h"

static struct sampler sampler;

static int set_up(void **state)
{
	return sampler_init(&sampler);
}

static int tear_down(void **state)
{
	sampler_done(&sampler);
	return 0;
}

static const struct tracking *scan_of(const struct root *root, const char *v2, const char *v1)
{
	span_copy(span_cstr(v2), sampler.mounts.v2, sizeof(sampler.mounts.v2));
	span_copy(span_cstr(v1), sampler.mounts.v1_memory, sizeof(sampler.mounts.v1_memory));
	sampler.mounts.mode = *v1 ? CGROUPS_HYBRID : CGROUPS_V2;
	scan(&sampler, root);
	return &sampler.tracking[sampler.current];
}

static void expect_at(const struct tracking *found, enum hierarchy hierarchy, const char *path,
		      const char *directory)
{
	int32_t index = scan_find(found, hierarchy, span_cstr(path));

	case_of(path);
	assert_true(index >= 0);
	assert_string_equal(found->list[index].directory, directory);
	assert_int_equal(found->list[index].hierarchy, hierarchy);
}

static void a_cgroup_is_found_by_its_path_with_or_without_slash(void **state)
{
	struct root root =
		root_of(TREE({ "cg/a/b/x", "" }, { "cg/a:b/x", "" }, { "m/a/x", "" }));
	const struct tracking *found = scan_of(&root, "cg", "m");

	assert_int_equal(found->count, 6);
	expect_at(found, HIERARCHY_V2, "/", "cg");
	expect_at(found, HIERARCHY_V2, "", "cg");
	expect_at(found, HIERARCHY_V2, "/a/b", "cg/a/b");
	expect_at(found, HIERARCHY_V2, "a/b", "cg/a/b");
	expect_at(found, HIERARCHY_V2, "/a:b", "cg/a:b");
	expect_at(found, HIERARCHY_V1_MEMORY, "/a", "m/a");
	root_done(&root);
}

static void a_path_that_is_not_there_is_not_found(void **state)
{
	static const char *const paths[] = { "/a/", "//a",	    "/A",   "/a/b/c",
					     "/x",  "/a (deleted)", "/a/.." };
	struct root root = root_of(TREE({ "cg/a/b/x", "" }, { "m/v1/x", "" }));
	const struct tracking *found = scan_of(&root, "cg", "m");

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		assert_int_equal(scan_find(found, HIERARCHY_V2, span_cstr(paths[i])), -1);
	assert_int_equal(scan_find(found, HIERARCHY_V2, span_cstr("/v1")), -1);
	assert_int_equal(scan_find(found, HIERARCHY_V1_MEMORY, span_cstr("/a")), -1);
	root_done(&root);
}

static void a_mount_that_is_not_there_has_no_cgroups(void **state)
{
	struct root root = root_of(TREE({ "cg/a/x", "" }));

	assert_int_equal(scan_of(&root, "none", "")->count, 0);
	assert_int_equal(scan_of(&root, "none", "none")->count, 0);
	assert_int_equal(scan_of(&root, "cg", "none")->count, 2);
	root_done(&root);
}

/* Its id is garbled: it cannot be told from another one, nor can those below it. */
static void a_cgroup_without_identity_is_left_out(void **state)
{
	struct root root = root_of(
		TREE({ "cg/a/_id", "x\n" }, { "cg/a/b/_id", "7\n" }, { "cg/c/_id", "8\n" }));
	const struct tracking *found = scan_of(&root, "cg", "");

	assert_int_equal(found->count, 2);
	assert_int_equal(scan_find(found, HIERARCHY_V2, span_cstr("/a")), -1);
	assert_true(scan_find(found, HIERARCHY_V2, span_cstr("/c")) >= 0);
	root_done(&root);
}

/* A tree that somebody wrote by hand may say so. */
static void cgroups_with_the_same_id_are_both_kept(void **state)
{
	struct root root = root_of(TREE({ "cg/_id", "1\n" }, { "cg/a/_id", "5\n" },
					{ "cg/b/_id", "5\n" }, { "cg/b/c/_id", "5\n" }));

	for (int i = 0; i < 3; i++) {
		const struct tracking *found = scan_of(&root, "cg", "");

		assert_int_equal(found->count, 4);
		expect_at(found, HIERARCHY_V2, "/a", "cg/a");
		expect_at(found, HIERARCHY_V2, "/b/c", "cg/b/c");
	}
	root_done(&root);
}

static void depth_costs_nothing(void **state)
{
	char path[2048] = "cg";
	struct root root;

	for (size_t used = 2; used < 2000; used += 2)
		snprintf(path + used, sizeof(path) - used, "/d");
	root = root_of(TREE({ path, NULL }));
	assert_int_equal(scan_of(&root, "cg", "")->count, 1000);
	assert_false(sampler.tracking[sampler.current].cut);
	root_done(&root);
}

/* A recording of that many cgroups, each with a file, made in memory. */
static void wide_pack(struct pack *pack, unsigned int count)
{
	*pack = (struct pack){ .store = pack_store, .count = count };
	assert_int_equal(arena_init(&pack->index, count * sizeof(struct pack_file)), 0);
	assert_int_equal(arena_init(&pack->text, (size_t)count * 16), 0);
	for (unsigned int i = 0; i < count; i++) {
		struct pack_file *file = arena_alloc(&pack->index, sizeof(*file));
		char path[16];
		int n = snprintf(path, sizeof(path), "cg/%06u/x", i);

		file->path = arena_text(&pack->text, path, (size_t)n);
		file->bytes = span_of(file->path, 0);
	}
}

static void more_cgroups_than_fit_are_cut(void **state)
{
	struct pack pack;
	struct root root = { .kind = ROOT_STORE, .fd = -1, .store = &pack.store, .prefix = "" };
	const struct tracking *found;

	wide_pack(&pack, CGROUPS_MAX - 1);
	found = scan_of(&root, "cg", "");
	assert_int_equal(found->count, CGROUPS_MAX);
	assert_false(found->cut);
	pack_done(&pack);
	wide_pack(&pack, CGROUPS_MAX);
	found = scan_of(&root, "cg", "");
	assert_int_equal(found->count, CGROUPS_MAX);
	assert_true(found->cut);
	pack_done(&pack);
	wide_pack(&pack, 3);
	found = scan_of(&root, "cg", "");
	assert_int_equal(found->count, 4);
	assert_false(found->cut);
	pack_done(&pack);
}

/* Names of several kibibytes, as only a hostile recording has them, use the room for paths up.
 */
static void without_room_for_paths_the_rest_is_cut(void **state)
{
	struct pack pack;
	struct root root = { .kind = ROOT_STORE, .fd = -1, .store = &pack.store, .prefix = "" };
	const struct tracking *found;

	wide_pack(&pack, 1000);
	for (size_t i = 0; i < ARRAY_LEN(sampler.tracking); i++) {
		arena_done(&sampler.tracking[i].arena);
		assert_int_equal(arena_init(&sampler.tracking[i].arena, 4096), 0);
	}
	found = scan_of(&root, "cg", "");
	assert_true(found->cut);
	assert_in_range(found->count, 10, 999);
	expect_at(found, HIERARCHY_V2, "/000000", "cg/000000");
	pack_done(&pack);
}

static void a_scan_is_due_at_first_and_for_every_frame(void **state)
{
	struct root root = root_of(TREE({ "cg/a/x", "" }));

	assert_true(scan_is_due(&sampler, &root));
	scan_of(&root, "cg", "");
	sampler.ticks = 1;
	assert_true(scan_is_due(&sampler, &root));
	root_done(&root);
}

static void nowhere_put(struct sink *sink, const char *path, struct span bytes)
{
}

/* v1 has no count of all cgroups: the link counts of its folders change. */
static void a_live_scan_is_due_when_a_folder_appears(void **state)
{
	const char *tree = TREE({ "m/a/x", "" });
	struct root root = root_of(tree);
	struct sink nowhere = { nowhere_put };
	struct file more[] = { { "m/b/x", "" }, { 0 } };
	uint64_t links[2];
	int slot = SLOT_EMPTY;

	root.kind = ROOT_LIVE;
	sampler.ticks = 1;
	scan_of(&root, "", "m");
	assert_false(scan_is_due(&sampler, &root));
	root.tee = &nowhere; /* every frame of a capture stands alone */
	assert_true(scan_is_due(&sampler, &root));
	root.tee = NULL;
	sampler.stale = true;
	assert_true(scan_is_due(&sampler, &root));
	sampler.stale = false;
	assert_int_equal(root_links(&root, &slot, "m", &links[0]), 0);
	tree_add(tree, more);
	assert_int_equal(root_links(&root, &slot, "m", &links[1]), 0);
	slot_close(&slot);
	if (links[0] != links[1]) /* not every file system counts them */
		assert_true(scan_is_due(&sampler, &root));
	root_done(&root);
}

#define FOLDERS 7

/* Stands for an open file of that cgroup; the number tells it from others. */
static int mark(const struct tracking *found, enum hierarchy hierarchy, const char *path)
{
	int32_t index = scan_find(found, hierarchy, span_cstr(path));

	assert_true(index >= 0);
	return found->list[index].files.slot[0] = dup(STDOUT_FILENO);
}

static int mark_of(const struct tracking *found, enum hierarchy hierarchy, const char *path)
{
	int32_t index = scan_find(found, hierarchy, span_cstr(path));

	assert_true(index >= 0);
	assert_int_equal(found->list[index].files.hierarchy, hierarchy);
	return found->list[index].files.slot[0];
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Whichever goes, first or last in order: the others keep theirs, its own are closed. */
static void open_files_stay_with_their_cgroup(void **state)
{
	const char *tree = folder_new();
	struct root root;
	int marks[FOLDERS];
	char name[] = "cg/0";

	for (int i = 0; i < FOLDERS; i++) {
		name[3] = (char)('0' + i);
		tree_add(tree, (const struct file[]){ { path_in(name, "x"), "" }, { 0 } });
	}
	root = root_of(tree);
	root.kind = ROOT_LIVE;
	scan_of(&root, "cg", "");
	for (int i = 0; i < FOLDERS; i++) {
		name[3] = (char)('0' + i);
		marks[i] = mark(&sampler.tracking[sampler.current], HIERARCHY_V2, name + 3);
	}
	for (int gone = 0; gone < FOLDERS; gone++) {
		const struct tracking *found;

		name[3] = (char)('0' + gone);
		remove(path_in(path_in(tree, name), "x"));
		assert_int_equal(remove(path_in(tree, name)), 0);
		found = scan_of(&root, "cg", "");
		assert_int_equal(found->count, FOLDERS - gone);
		assert_false(is_open(marks[gone]));
		for (int i = gone + 1; i < FOLDERS; i++) {
			name[3] = (char)('0' + i);
			assert_int_equal(mark_of(found, HIERARCHY_V2, name + 3), marks[i]);
			assert_true(is_open(marks[i]));
		}
	}
	root_done(&root);
}

/* v1 allows it: the kept files would be those of the same cgroup, the paths would not. */
static void a_cgroup_that_was_renamed_is_opened_anew(void **state)
{
	const char *tree = TREE({ "cg/a/x", "" }, { "cg/b/x", "" });
	struct root root = root_of(tree);
	const struct tracking *found;
	int a;
	int b;

	root.kind = ROOT_LIVE;
	found = scan_of(&root, "cg", "");
	a = mark(found, HIERARCHY_V2, "a");
	b = mark(found, HIERARCHY_V2, "b");
	assert_int_equal(rename(path_in(tree, "cg/a"), path_in(tree, "cg/c")), 0);
	found = scan_of(&root, "cg", "");
	assert_int_equal(mark_of(found, HIERARCHY_V2, "c"), SLOT_EMPTY);
	assert_int_equal(mark_of(found, HIERARCHY_V2, "b"), b);
	assert_false(is_open(a));
	root_done(&root);
}

/* L14, M13: the path is the same, the cgroup is not. The old folder is held, so is its inode.
 */
static void a_cgroup_that_was_made_anew_is_opened_anew(void **state)
{
	const char *tree = TREE({ "cg/a", NULL });
	const char *folder = path_in(tree, "cg/a");
	struct root root = root_of(tree);
	auto_fd held = openat(root.fd, "cg/a", O_PATH | O_CLOEXEC);
	int old;

	assert_true(held >= 0);
	root.kind = ROOT_LIVE;
	old = mark(scan_of(&root, "cg", ""), HIERARCHY_V2, "a");
	assert_int_equal(remove(folder), 0);
	tree_add(tree, (const struct file[]){ { "cg/a", NULL }, { 0 } });
	assert_int_equal(mark_of(scan_of(&root, "cg", ""), HIERARCHY_V2, "a"), SLOT_EMPTY);
	assert_false(is_open(old));
	root_done(&root);
}

/* The same folder as both, so that the ids are the same: its files are not. */
static void open_files_do_not_change_hierarchy(void **state)
{
	struct root root = root_of(TREE({ "cg/a/x", "" }));
	const struct tracking *found;
	int top;
	int v2;
	int v1;

	root.kind = ROOT_LIVE;
	found = scan_of(&root, "cg", "cg");
	assert_int_equal(found->count, 4);
	top = mark(found, HIERARCHY_V2, "");
	v2 = mark(found, HIERARCHY_V2, "a");
	v1 = mark(found, HIERARCHY_V1_MEMORY, "a");
	found = scan_of(&root, "", "cg");
	assert_int_equal(found->count, 2);
	assert_int_equal(mark_of(found, HIERARCHY_V1_MEMORY, "a"), v1);
	assert_false(is_open(v2) || is_open(top));
	found = scan_of(&root, "cg", "");
	assert_int_equal(mark_of(found, HIERARCHY_V2, "a"), SLOT_EMPTY);
	assert_false(is_open(v1));
	root_done(&root);
}

static void a_live_scan_of_v2_is_due_when_its_count_changes(void **state)
{
	const char *tree = TREE({ "cg/a/x", "" }, { "cg/cgroup.stat", "nr_descendants 0\n" });
	struct root root = root_of(tree);
	struct file garbled[] = { { "cg/cgroup.stat", "nr_descendants\n" }, { 0 } };
	struct file changed[] = { { "cg/cgroup.stat", "nr_descendants 2\n" }, { 0 } };
	struct file other[] = { { "cg/cgroup.stat", "nr_dying_descendants 2\n" }, { 0 } };

	root.kind = ROOT_LIVE;
	sampler.ticks = 1;
	scan_of(&root, "cg", "");
	assert_false(scan_is_due(&sampler, &root));
	tree_add(tree, garbled);
	assert_true(scan_is_due(&sampler, &root));
	tree_add(tree, changed);
	assert_true(scan_is_due(&sampler, &root));
	scan_of(&root, "cg", "");
	assert_false(scan_is_due(&sampler, &root));
	tree_add(tree, garbled);
	assert_true(scan_is_due(&sampler, &root));
	tree_add(tree, other);
	assert_true(scan_is_due(&sampler, &root));
	root_done(&root);
	root = root_of(TREE({ "cg/a/x", "" })); /* a kernel before 4.14 does not count */
	root.kind = ROOT_LIVE;
	scan_of(&root, "cg", "");
	assert_true(scan_is_due(&sampler, &root));
	root_done(&root);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_cgroup_is_found_by_its_path_with_or_without_slash),
		TEST(a_path_that_is_not_there_is_not_found),
		TEST(a_mount_that_is_not_there_has_no_cgroups),
		TEST(a_cgroup_without_identity_is_left_out),
		TEST(cgroups_with_the_same_id_are_both_kept),
		TEST(depth_costs_nothing),
		TEST(more_cgroups_than_fit_are_cut),
		TEST(without_room_for_paths_the_rest_is_cut),
		TEST(a_scan_is_due_at_first_and_for_every_frame),
		TEST(a_live_scan_is_due_when_a_folder_appears),
		TEST(open_files_stay_with_their_cgroup),
		TEST(a_cgroup_that_was_renamed_is_opened_anew),
		TEST(a_cgroup_that_was_made_anew_is_opened_anew),
		TEST(open_files_do_not_change_hierarchy),
		TEST(a_live_scan_of_v2_is_due_when_its_count_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
