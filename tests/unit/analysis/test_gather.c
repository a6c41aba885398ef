/* Which cgroups are members: those with processes in them that are asked for. */
#include "test.h"

#include "analysis/gather.h"
#include "made.h"

enum {
	TOP,
	SLICE,
	API,
	EMPTY,
};

static struct snapshot *with_tree(void)
{
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	cgroup(now, "app.slice", 2, TOP);
	cgroup(now, "app.slice/api.service", 3, SLICE);
	cgroup(now, "empty.slice", 4, TOP);
	return now;
}

static bool is_leaf(const struct snapshot *now, int cgroup)
{
	return EVIDENCE(now)->members[cgroup].leaf;
}

static void the_ends_of_the_tree_are_leaves(void **state)
{
	const struct snapshot *now = with_tree();

	assert_false(is_leaf(now, TOP));
	assert_false(is_leaf(now, SLICE));
	assert_true(is_leaf(now, API));
	assert_true(is_leaf(now, EMPTY));
}

/* v1 and the kernel's own tests allow processes beside children. */
static void who_has_processes_is_a_leaf_though_it_has_children(void **state)
{
	struct snapshot *now = with_tree();

	process(now, 10, "shell", SLICE);
	process(now, 11, "api", API);
	assert_true(is_leaf(now, SLICE));
	assert_true(is_leaf(now, API));
	now->tasks_state = DENIED; /* a count that can't be trusted */
	assert_false(is_leaf(now, SLICE));
	assert_true(is_leaf(now, API));
}

/* Its numbers are those of all together. */
static void the_top_is_a_leaf_only_when_all_processes_are_in_it(void **state)
{
	struct snapshot *now = with_tree();

	process(now, 10, "one", TOP);
	assert_true(is_leaf(now, TOP));
	process(now, 11, "api", API);
	assert_false(is_leaf(now, TOP));
}

static void a_top_alone_is_a_leaf(void **state)
{
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	assert_true(is_leaf(now, TOP));
	process(now, 10, "one", TOP);
	process(now, 11, "lost", -1);
	assert_true(is_leaf(now, TOP));
}

/* Memory is on v1: the groups of v2 have pressure and nothing else. */
static void of_a_hybrid_the_cgroups_that_have_memory_are_members(void **state)
{
	struct snapshot *now = snapshot_new();
	int v2 = cgroup(now, "", 1, -1);
	int v1 = cgroup_v1(now, "", 1, -1);

	now->mounts.mode = CGROUPS_HYBRID;
	assert_false(is_leaf(now, v2));
	assert_true(is_leaf(now, v1));
	now->mounts.mode = CGROUPS_V2;
	assert_true(is_leaf(now, v2));
}

static const struct evidence *only(const char *glob)
{
	static struct evidence evidence;
	static struct arena arena;
	struct window *window = window_new(5);

	arena_done(&arena);
	assert_int_equal(arena_init(&arena, (size_t)1 << 20), 0);
	assert_int_equal(window_push(window, with_tree()), 0);
	assert_int_equal(evidence_of(window, glob, &arena, &evidence), 0);
	return &evidence;
}

static void a_glob_names_cgroups_and_what_is_below_them(void **state)
{
	static const struct {
		const char *glob;
		bool api;
		bool empty;
	} cases[] = {
		{ NULL, true, true },
		{ "*", true, true },
		{ "app.*", true, false },
		{ "app.slice", true, false },
		{ "*/api.service", true, false },
		{ "api.service", false, false },
		{ "empty.slice", false, true },
		{ "", true, true }, /* the top, and all below it */
		{ "nothing", false, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct evidence *evidence = only(cases[i].glob);

		case_of(cases[i].glob ? cases[i].glob : "none");
		assert_int_equal(evidence->members[API].leaf, cases[i].api);
		assert_int_equal(evidence->members[EMPTY].leaf, cases[i].empty);
		assert_int_equal(evidence->is_part, cases[i].glob != NULL);
	}
}

static void one_snapshot_has_a_now_and_no_before(void **state)
{
	const struct snapshot *now = with_tree();
	const struct evidence *evidence = EVIDENCE(now);

	assert_null(evidence->pair.before);
	assert_ptr_equal(evidence->pair.now, now);
	assert_true(isnan(evidence->pair.seconds));
	assert_int_equal(evidence->member_count, 4);
}

static void the_pair_is_the_ends_of_the_window(void **state)
{
	const struct snapshot *before = with_tree();
	const struct snapshot *now = later(before, 4);
	const struct evidence *evidence = EVIDENCE(before, later(before, 1), now);

	assert_ptr_equal(evidence->pair.before, before);
	assert_ptr_equal(evidence->pair.now, now);
	assert_near(evidence->pair.seconds, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ends_of_the_tree_are_leaves),
		cmocka_unit_test(who_has_processes_is_a_leaf_though_it_has_children),
		cmocka_unit_test(the_top_is_a_leaf_only_when_all_processes_are_in_it),
		cmocka_unit_test(a_top_alone_is_a_leaf),
		cmocka_unit_test(of_a_hybrid_the_cgroups_that_have_memory_are_members),
		cmocka_unit_test(a_glob_names_cgroups_and_what_is_below_them),
		cmocka_unit_test(one_snapshot_has_a_now_and_no_before),
		cmocka_unit_test(the_pair_is_the_ends_of_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
