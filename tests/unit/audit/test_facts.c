#include "fixture.h"

static struct looked looked;

static void look(const char *tree)
{
	looked_open(tree, NULL, &looked);
}

static int tear_down(void **state)
{
	looked_close(&looked);
	return 0;
}

static void a_text_is_trimmed_and_read_once(void **state)
{
	const char *tree = TREE({ "proc/a", "  60 \n" });

	look(tree);
	assert_string_equal(fact_text(&looked.facts, "proc/a").text, "60");
	tree_add(tree, (const struct file[]){ { "proc/a", "61\n" }, { 0 } });
	assert_string_equal(fact_text(&looked.facts, "proc/a").text, "60");
	assert_int_equal(fact_number(&looked.facts, "proc/a").number, 60);
}

static void what_is_not_there_or_denied_says_so(void **state)
{
	look(TREE({ "proc/a.errno", "EACCES\n" }, { "proc/b", "x\n" }));
	assert_int_equal(fact_text(&looked.facts, "proc/a").state, DENIED);
	assert_string_equal(fact_text(&looked.facts, "proc/a").text, "");
	assert_int_equal(fact_text(&looked.facts, "proc/z").state, ABSENT);
	assert_int_equal(fact_number(&looked.facts, "proc/b").state, GARBLED);
}

static void the_chosen_word_is_that_in_brackets(void **state)
{
	look(TREE({ "sys/a", "always [madvise] never\n" }, { "sys/b", "none\n" },
		  { "sys/c", "always madvise\n" }));
	assert_string_equal(fact_choice(&looked.facts, "sys/a").text, "madvise");
	assert_string_equal(fact_choice(&looked.facts, "sys/b").text, "none");
	assert_int_equal(fact_choice(&looked.facts, "sys/c").state, GARBLED);
}

static void names_are_sorted_and_outlive_the_buffer(void **state)
{
	struct names names;

	look(TREE({ "d/b", "" }, { "d/a", "" }, { "d/c/x", "" }));
	names = facts_names(&looked.facts, "d");
	facts_names(&looked.facts, "d/c");
	assert_int_equal(names.state, OK);
	assert_int_equal(names.count, 3);
	assert_string_equal(names.name[0], "a");
	assert_string_equal(names.name[2], "c");
	assert_int_equal(facts_names(&looked.facts, "e").state, ABSENT);
}

static void a_tree_in_which_nothing_runs_is_foreign(void **state)
{
	look(TREE({ "proc/x", "" }, { "etc/fstab", "" }));
	assert_true(looked.facts.is_foreign);
	assert_int_equal(facts_ram(&looked.facts), 0);
	assert_null(facts_task(&looked.facts, "systemd"));
}

static void a_number_of_the_snapshot_knows_its_file(void **state)
{
	struct fact fact;

	look(TREE({ "proc/meminfo", "MemTotal: 8 kB\n" }, { "proc/sys/vm/swappiness", "7\n" }));
	fact = fact_field(&looked.facts, TUN_SWAPPINESS);
	assert_int_equal(fact.state, OK);
	assert_int_equal(fact.number, 7);
	assert_string_equal(fact.text, "7");
	assert_string_equal(fact.path, "proc/sys/vm/swappiness");
	assert_int_equal(facts_ram(&looked.facts), 8192);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_text_is_trimmed_and_read_once),
		TEST(what_is_not_there_or_denied_says_so),
		TEST(the_chosen_word_is_that_in_brackets),
		TEST(names_are_sorted_and_outlive_the_buffer),
		TEST(a_tree_in_which_nothing_runs_is_foreign),
		TEST(a_number_of_the_snapshot_knows_its_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
