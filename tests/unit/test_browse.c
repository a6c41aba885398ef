#include "test.h"

#include "view/browse.h"

/* Two cgroups a/b and one beside them; processes 1 to 3 are in a/b, a and c. */
static double lost[16];

static struct cell lost_cell(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = lost[index] };
}

static struct cell index_cell(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = (double)index };
}

static const struct column COLUMNS[] = {
	{ "LOST", 8, lost_cell, cell_share, "" },
	{ "INDEX", 8, index_cell, cell_count, "" },
	{ "SAME", 8, index_cell, cell_count, "" },
};
static const struct layout LAYOUT = { .column = COLUMNS, .columns = 3, .sort = 0, .tie = 1 };

static struct scene scene;
static struct browse browse;

enum {
	CGROUPS = 4,
	TASKS = 3
};

static void fill_cgroups(void)
{
	static const char *const names[CGROUPS] = { "", "a", "a/b", "c" };
	static int32_t parents[CGROUPS] = { -1, 0, 1, 0 };

	table_init(&scene.cgroups, &LAYOUT, CGROUPS, &scene.arena);
	for (size_t i = 0; i < CGROUPS; i++) {
		struct row *row = table_add(&scene.cgroups, NULL, i);

		row->id = 10 + i;
		row->generation = HIERARCHY_V2;
		row->path = row->name = names[i];
	}
	scene.parent = parents;
	scene.parents = CGROUPS;
}

static void fill_tasks(void)
{
	static const int32_t owners[TASKS] = { 2, 1, 3 };

	table_init(&scene.tasks, &LAYOUT, TASKS, &scene.arena);
	for (size_t i = 0; i < TASKS; i++) {
		struct row *row = table_add(&scene.tasks, NULL, i);

		row->id = i + 1;
		row->path = row->name = "task";
		row->owner[0] = owners[i];
	}
}

/* The top loses most, then a, a/b and c. */
static void fill(void)
{
	for (size_t i = 0; i < CGROUPS; i++)
		lost[i] = 0.9 - 0.1 * (double)i;
	arena_reset(&scene.arena);
	fill_cgroups();
	fill_tasks();
	scene.is_filled = true;
	browse_refresh(&browse, &scene);
}

static int begin(void **state)
{
	if (scene_init(&scene) < 0)
		return -1;
	browse_init(&browse);
	browse.height = 2;
	fill();
	return 0;
}

static int end(void **state)
{
	scene_done(&scene);
	return 0;
}

static void act(enum action action)
{
	browse_act(&browse, &scene, action);
}

static void type(const char *text)
{
	for (; *text; text++)
		browse_type(&browse, &scene, span_of(text, 1));
}

static uint64_t at_cursor(void)
{
	return table_row(&scene.cgroups, browse.look[PAGE_CGROUPS].at)->id;
}

static void the_cursor_stays_with_its_row(void **state)
{
	act(ACT_DOWN);
	assert_int_equal(at_cursor(), 11);
	lost[3] = 1;
	lost[1] = 0;
	arena_reset(&scene.arena);
	fill_cgroups();
	browse_refresh(&browse, &scene);
	assert_int_equal(at_cursor(), 11);
	assert_int_equal(browse.look[PAGE_CGROUPS].at, 3);
}

static void at_the_top_it_stays_at_the_top(void **state)
{
	act(ACT_DOWN);
	act(ACT_UP);
	lost[3] = 1;
	arena_reset(&scene.arena);
	fill_cgroups();
	browse_refresh(&browse, &scene);
	assert_int_equal(at_cursor(), 13);
}

static void a_row_that_goes_leaves_the_cursor_at_its_height(void **state)
{
	act(ACT_LAST);
	assert_int_equal(at_cursor(), 13);
	scene.cgroups.rows = 2;
	browse_refresh(&browse, &scene);
	assert_int_equal(browse.look[PAGE_CGROUPS].at, 1);
	scene.cgroups.rows = 0;
	browse_refresh(&browse, &scene);
	assert_int_equal(browse.look[PAGE_CGROUPS].at, 0);
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_int_equal(browse.page, PAGE_CGROUPS);
}

static void the_screen_follows_the_cursor(void **state)
{
	const struct look *look = &browse.look[PAGE_CGROUPS];

	act(ACT_PAGE_DOWN);
	assert_int_equal(look->at, 1);
	assert_int_equal(look->top, 0);
	act(ACT_LAST);
	assert_int_equal(look->top, 2);
	act(ACT_DOWN);
	assert_int_equal(look->at, 3);
	act(ACT_PAGE_UP);
	assert_int_equal(look->top, 2);
	act(ACT_FIRST);
	assert_int_equal(look->top, 0);
	act(ACT_LAST);
	browse.height = 10; /* the terminal has grown */
	browse_refresh(&browse, &scene);
	assert_int_equal(look->top, 0);
}

static void columns_are_sorted_by_round_and_round(void **state)
{
	act(ACT_SORT_RIGHT);
	assert_int_equal(scene.cgroups.sort, 1);
	assert_int_equal(at_cursor(), 13);
	act(ACT_SORT_LEFT);
	act(ACT_SORT_LEFT);
	assert_int_equal(scene.cgroups.sort, 2);
	act(ACT_SORT_RIGHT);
	assert_int_equal(scene.cgroups.sort, 0);
}

static void a_cgroup_has_the_processes_below_it_too(void **state)
{
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_int_equal(browse.page, PAGE_TASKS);
	assert_string_equal(browse_opened(&browse, &scene)->name, "a");
	assert_int_equal(scene.tasks.shown, 2);
	act(ACT_BACK);
	act(ACT_LAST);
	act(ACT_OPEN);
	assert_int_equal(scene.tasks.shown, 1);
	act(ACT_BACK);
	act(ACT_FIRST);
	act(ACT_OPEN);
	assert_int_equal(scene.tasks.shown, 3);
	assert_int_equal(browse.page, PAGE_TASKS);
}

static void a_cgroup_that_goes_has_no_processes(void **state)
{
	act(ACT_LAST);
	act(ACT_OPEN);
	scene.cgroups.rows = 2;
	browse_refresh(&browse, &scene);
	assert_null(browse_opened(&browse, &scene));
	assert_int_equal(scene.tasks.shown, 0);
}

static void the_filter_works_while_it_is_typed(void **state)
{
	act(ACT_FILTER);
	assert_true(browse.is_typing);
	type("a");
	assert_int_equal(scene.cgroups.shown, 2);
	type("/");
	assert_int_equal(scene.cgroups.shown, 1);
	browse_erase(&browse, &scene);
	assert_int_equal(scene.cgroups.shown, 2);
	act(ACT_QUIT); /* a key that is not for the dialog */
	assert_false(browse.is_done);
	act(ACT_OPEN);
	assert_false(browse.is_typing);
	assert_int_equal(scene.cgroups.shown, 2);
	assert_int_equal(browse.page, PAGE_CGROUPS);
}

static void escape_clears_the_filter_and_then_goes_back(void **state)
{
	act(ACT_OPEN);
	act(ACT_FILTER);
	type("x");
	act(ACT_OPEN);
	act(ACT_CLEAR);
	assert_string_equal(browse.look[PAGE_TASKS].glob, "");
	assert_int_equal(browse.page, PAGE_TASKS);
	act(ACT_CLEAR);
	assert_int_equal(browse.page, PAGE_CGROUPS);
	act(ACT_FILTER);
	type("x");
	act(ACT_CLEAR);
	assert_false(browse.is_typing);
	assert_string_equal(browse.look[PAGE_CGROUPS].glob, "");
}

static void the_filter_is_no_longer_than_its_room(void **state)
{
	act(ACT_FILTER);
	for (size_t i = 0; i < 2 * sizeof(browse.look[0].glob); i++)
		browse_type(&browse, &scene, span_cstr("é"));
	assert_int_equal(strlen(browse.look[PAGE_CGROUPS].glob) % 2, 0);
	browse_erase(&browse, &scene);
	assert_int_equal(strlen(browse.look[PAGE_CGROUPS].glob) % 2, 0);
	browse.look[PAGE_CGROUPS].glob[0] = '\0';
	browse_erase(&browse, &scene);
	assert_string_equal(browse.look[PAGE_CGROUPS].glob, "");
}

static void a_sheet_lies_over_the_table(void **state)
{
	act(ACT_OPEN);
	act(ACT_HELP);
	assert_int_equal(browse.page, PAGE_HELP);
	act(ACT_VERDICT);
	assert_int_equal(browse.page, PAGE_VERDICT);
	act(ACT_QUIT);
	assert_int_equal(browse.page, PAGE_TASKS);
	assert_false(browse.is_done);
	act(ACT_HELP);
	act(ACT_HELP);
	assert_int_equal(browse.page, PAGE_TASKS);
	act(ACT_QUIT);
	assert_true(browse.is_done);
}

static void a_sheet_scrolls_to_its_end(void **state)
{
	act(ACT_HELP);
	browse.lines = 7;
	act(ACT_LAST);
	assert_int_equal(browse.scrolled, 5);
	act(ACT_DOWN);
	assert_int_equal(browse.scrolled, 5);
	browse.lines = 4; /* the terminal is wider now */
	browse_refresh(&browse, &scene);
	assert_int_equal(browse.scrolled, 2);
	act(ACT_FIRST);
	assert_int_equal(browse.scrolled, 0);
}

static void nothing_breaks_before_the_first_sample(void **state)
{
	scene_done(&scene);
	assert_int_equal(scene_init(&scene), 0);
	browse_init(&browse);
	for (enum action action = ACT_PAUSE; action < ACTIONS; action++) {
		act(action);
		browse.page = PAGE_CGROUPS;
		browse.is_typing = false;
	}
	assert_int_equal(browse.look[PAGE_CGROUPS].at, 0);
}

static void the_plots_reach_back_in_steps(void **state)
{
	assert_int_equal(browse_each(&browse), 1);
	act(ACT_ZOOM_IN);
	assert_int_equal(browse_each(&browse), 1);
	act(ACT_ZOOM_OUT);
	assert_int_equal(browse_each(&browse), 2);
	for (size_t i = 0; i < 20; i++)
		act(ACT_ZOOM_OUT);
	assert_int_equal(browse_each(&browse), 60);
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SCENE(the_cursor_stays_with_its_row),
		WITH_SCENE(at_the_top_it_stays_at_the_top),
		WITH_SCENE(a_row_that_goes_leaves_the_cursor_at_its_height),
		WITH_SCENE(the_screen_follows_the_cursor),
		WITH_SCENE(columns_are_sorted_by_round_and_round),
		WITH_SCENE(a_cgroup_has_the_processes_below_it_too),
		WITH_SCENE(a_cgroup_that_goes_has_no_processes),
		WITH_SCENE(the_filter_works_while_it_is_typed),
		WITH_SCENE(escape_clears_the_filter_and_then_goes_back),
		WITH_SCENE(the_filter_is_no_longer_than_its_room),
		WITH_SCENE(a_sheet_lies_over_the_table),
		WITH_SCENE(a_sheet_scrolls_to_its_end),
		WITH_SCENE(nothing_breaks_before_the_first_sample),
		WITH_SCENE(the_plots_reach_back_in_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
