#include "test.h"

#include <locale.h>

#include "view/table.h"

#define UNKNOWN ((double)NAN)

/* What stands in the columns of row i; the test fills it before the table. */
static double first[32];
static double second[32];

static struct cell first_cell(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = first[index] };
}

static struct cell second_cell(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = second[index] };
}

static const struct column COLUMNS[] = {
	{ "ONE", 5, first_cell, cell_count, "" },
	{ "TWO", 7, second_cell, cell_count, "" },
};
static const struct layout NAME_FIRST = {
	.name_title = "NAME", .column = COLUMNS, .columns = 2, .name_at = 0, .sort = 0, .tie = 1
};
static const struct layout NAME_SECOND = {
	.name_title = "NAME", .column = COLUMNS, .columns = 2, .name_at = 1, .sort = 0, .tie = 1
};

static struct arena arena;
static struct table table;

static void fill(const struct layout *layout, const char *const *names, size_t count)
{
	arena_reset(&arena);
	table_init(&table, layout, count, &arena);
	for (size_t i = 0; i < count; i++) {
		struct row *row = table_add(&table, NULL, i);

		row->id = 100 + i;
		row->path = row->name = names[i];
	}
}

/* The names that are shown, in their order. */
static void check(const char *glob, size_t sort, const char *wanted)
{
	const struct query query = { .glob = glob, .sort = sort };
	char buffer[256];
	struct text text = text_on(buffer, sizeof(buffer));

	table_query(&table, &query);
	for (size_t i = 0; i < table.shown; i++)
		text_add(&text, "%s ", table_row(&table, i)->name);
	assert_string_equal(buffer, wanted);
}

static void set(double *column, const double *values, size_t count)
{
	memcpy(column, values, count * sizeof(*values));
}

static const char *const LETTERS[] = { "a", "b", "c", "d", "e" };

static void the_largest_comes_first_and_the_unknown_last(void **state)
{
	set(first, (const double[]){ 1, UNKNOWN, 300, -2, 0 }, 5);
	set(second, (const double[]){ 0, 1, 0, 0, UNKNOWN }, 5);
	fill(&NAME_FIRST, LETTERS, 5);
	check("", 0, "c a e d b ");
	check("", 1, "b a c d e ");
}

static void what_is_alike_is_decided_by_the_tie_then_stays_in_place(void **state)
{
	set(first, (const double[]){ 0, -0.0, 0, 0, 5 }, 5);
	set(second, (const double[]){ 1, 1, UNKNOWN, 7, 0 }, 5);
	fill(&NAME_FIRST, LETTERS, 5);
	check("", 0, "e d a b c ");
}

static void a_filter_is_a_glob_or_a_part_of_the_path(void **state)
{
	static const char *const names[] = { "system.slice/api.service", "user.slice", "api" };

	set(first, (const double[]){ 3, 2, 1 }, 3);
	fill(&NAME_FIRST, names, 3);
	check("api", 0, "system.slice/api.service api ");
	check("api*", 0, "api ");
	check("*.s[lx]ice", 0, "user.slice ");
	check("nothing", 0, "");
	check("", 0, "system.slice/api.service user.slice api ");
}

static bool is_even(const void *context, const struct row *row)
{
	return (row->id + *(const uint64_t *)context) % 2 == 0;
}

static void rows_can_be_chosen_by_more_than_their_name(void **state)
{
	const uint64_t odd = 1;
	const struct query query = { .glob = "", .has = is_even, .context = &odd };

	set(first, (const double[]){ 1, 2, 3, 4, 5 }, 5);
	fill(&NAME_FIRST, LETTERS, 5);
	table_query(&table, &query);
	assert_int_equal(table.shown, 2);
	assert_int_equal(table_find(&table, 103, 0), 0);
	assert_int_equal(table_find(&table, 101, 0), 1);
	assert_int_equal(table_find(&table, 100, 0), table.shown);
	assert_int_equal(table_find(&table, 103, 1), table.shown);
}

static void columns_are_dropped_from_the_right(void **state)
{
	struct fitting fitting;

	fill(&NAME_FIRST, LETTERS, 5);
	fitting = table_fit(&table, 37);
	assert_int_equal(fitting.columns, 2);
	assert_int_equal(fitting.gap, 2);
	fitting = table_fit(&table, 35);
	assert_int_equal(fitting.columns, 2);
	assert_int_equal(fitting.gap, 1);
	fitting = table_fit(&table, 34);
	assert_int_equal(fitting.columns, 1);
	fitting = table_fit(&table, 0);
	assert_int_equal(fitting.columns, 0);
}

static void check_line(const struct layout *layout, size_t width, const char *title,
		       const char *line)
{
	const struct query query = { .glob = "", .sort = 0 };
	char buffer[256];
	struct text text = text_on(buffer, sizeof(buffer));
	struct fitting fitting;

	fill(layout, (const char *const[]){ "abcdefghijklmnopqrstuvwxyz" }, 1);
	table.row[0].marks = MARK_CAUSES;
	table_query(&table, &query);
	fitting = table_fit(&table, width);
	table_title(&table, &fitting, &text);
	assert_string_equal(buffer, title);
	text = text_on(buffer, sizeof(buffer));
	table_line(&table, &fitting, table_row(&table, 0), &text);
	assert_string_equal(buffer, line);
}

static void a_line_is_as_wide_as_it_may_be(void **state)
{
	set(first, (const double[]){ 1234 }, 1);
	set(second, (const double[]){ UNKNOWN }, 1);
	check_line(&NAME_FIRST, 80, "   NAME                         ▼ONE      TWO",
		   " C abcdefghijklmnopqrstuvwxyz  1,234        -");
	check_line(&NAME_FIRST, 36, "   NAME                 ▼ONE     TWO",
		   " C abcdefghi…rstuvwxyz 1,234       -");
	check_line(&NAME_SECOND, 36, "     ▼ONE NAME                   TWO",
		   " C  1,234 abcdefghi…stuvwxyz       -");
}

static void a_table_without_memory_is_empty(void **state)
{
	struct arena small;
	const struct query query = { .glob = "" };

	assert_int_equal(arena_init(&small, 4096), 0);
	table_init(&table, &NAME_FIRST, 1000, &small);
	assert_null(table_add(&table, NULL, 0));
	table_query(&table, &query);
	assert_int_equal(table.shown, 0);
	assert_true(table.cut);
	arena_done(&small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_comes_first_and_the_unknown_last),
		cmocka_unit_test(what_is_alike_is_decided_by_the_tie_then_stays_in_place),
		cmocka_unit_test(a_filter_is_a_glob_or_a_part_of_the_path),
		cmocka_unit_test(rows_can_be_chosen_by_more_than_their_name),
		cmocka_unit_test(columns_are_dropped_from_the_right),
		cmocka_unit_test(a_line_is_as_wide_as_it_may_be),
		cmocka_unit_test(a_table_without_memory_is_empty),
	};
	int failed;

	setlocale(LC_CTYPE, "C.UTF-8");
	if (arena_init(&arena, (size_t)1 << 20) < 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_done(&arena);
	return failed;
}
