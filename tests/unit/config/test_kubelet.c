#include "../test.h"

#include "config/kubelet.h"

static struct arena arena;
static struct reader reader = { .arena = &arena };

static int set_up(void **state)
{
	if (arena_init(&arena, (size_t)256 << 20) < 0)
		return -1;
	reader.buffer =
		(struct buffer){ arena_raw(&arena, CONFIG_BYTES + 1), CONFIG_BYTES + 1 };
	return 0;
}

static int tear_down(void **state)
{
	arena_done(&arena);
	return 0;
}

static struct config parse(const char *text)
{
	struct config config = { 0 };

	assert_int_equal(kubelet_parse(&reader, "etc/k.yaml", span_cstr(text), &config), 0);
	return config;
}

static const char *value_of(const struct config *config, const char *key)
{
	const struct config_row *row = config_find(config, "", key);

	return row ? row->value : NULL;
}

static void a_scalar_has_the_path_to_it_as_key(void **state)
{
	const struct config config = parse("failSwapOn: false\n"
					   "memorySwap:\n  swapBehavior: LimitedSwap\n"
					   "evictionHard:\n  memory.available: \"500Mi\"\n"
					   "enforceNodeAllocatable:\n- pods\n- {a: b}\n");

	assert_int_equal(config.notes, 0);
	assert_string_equal(value_of(&config, "failSwapOn"), "false");
	assert_string_equal(value_of(&config, "memorySwap.swapBehavior"), "LimitedSwap");
	assert_string_equal(value_of(&config, "evictionHard.memory.available"), "500Mi");
	assert_string_equal(value_of(&config, "enforceNodeAllocatable[0]"), "pods");
	assert_string_equal(value_of(&config, "enforceNodeAllocatable[1].a"), "b");
	assert_int_equal(config_find(&config, "", "memorySwap.swapBehavior")->line, 3);
}

static void json_is_read_as_well(void **state)
{
	const struct config config = parse("{\"kind\": \"KubeletConfiguration\",\n"
					   "\t\"memorySwap\": {\"swapBehavior\": \"NoSwap\"},\n"
					   "\t\"x\": [1, [2]]}");

	assert_int_equal(config.notes, 0);
	assert_string_equal(value_of(&config, "memorySwap.swapBehavior"), "NoSwap");
	assert_string_equal(value_of(&config, "x[1][0]"), "2");
}

static void null_is_no_value_and_a_quoted_one_is(void **state)
{
	const struct config config = parse("a: null\nb: ~\nc:\nd: \"null\"\n");

	assert_string_equal(value_of(&config, "a"), "");
	assert_string_equal(value_of(&config, "b"), "");
	assert_string_equal(value_of(&config, "c"), "");
	assert_string_equal(value_of(&config, "d"), "null");
}

static void an_alias_is_what_it_stands_for(void **state)
{
	const struct config config = parse("a: &x {b: 1, c: [2]}\nd: *x\ne: [*x]\n"
					   "f: &y 7\ng: *y\n");

	assert_int_equal(config.notes, 0);
	assert_string_equal(value_of(&config, "d.b"), "1");
	assert_string_equal(value_of(&config, "d.c[0]"), "2");
	assert_string_equal(value_of(&config, "e[0].b"), "1");
	assert_string_equal(value_of(&config, "g"), "7");
}

static void what_a_mapping_says_itself_counts_more_than_what_is_merged(void **state)
{
	const struct config config = parse("a: &x {b: 1, c: 2}\n"
					   "d:\n  b: 3\n  <<: *x\n"
					   "<<: *x\n");

	assert_string_equal(value_of(&config, "d.b"), "3");
	assert_string_equal(value_of(&config, "d.c"), "2");
	assert_string_equal(value_of(&config, "c"), "2");
}

static void aliases_of_aliases_end_at_a_bound(void **state)
{
	const struct config config = parse("a: &a [x,x,x,x,x,x,x,x,x,x]\n"
					   "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
					   "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
					   "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
					   "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n");

	assert_true(config.rows <= 2048);
	assert_int_equal(config.notes, 1);
	assert_int_equal(config.note[0].line, 4);
}

static void an_alias_within_itself_is_noted(void **state)
{
	const struct config config = parse("a: &a [*a]\n");

	assert_int_equal(config.notes, 1);
	assert_int_equal(config.rows, 0);
}

static void what_is_nested_too_deep_is_noted(void **state)
{
	const struct config config = parse("a: [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\n");

	assert_int_equal(config.notes, 1);
	assert_int_equal(config.note[0].line, 1);
}

static void a_text_that_is_no_yaml_is_noted_with_its_line(void **state)
{
	static const char *const bad[] = { "a: 1\nb: [\n",	 "a: 1\n\tb: 2\n",
					   "a: 1\nb: \"x",	 "a: \xff\n",
					   "a: 1\n? [x]\n: y\n", "a: \"x\\0y\"\n" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const struct config config = parse(bad[i]);

		case_of(bad[i]);
		assert_int_equal(config.notes, 1);
		assert_string_equal(config.note[0].file, "etc/k.yaml");
		assert_true(config.note[0].line > 0);
	}
}

/* 75,000 of them would keep libyaml busy for minutes. */
static void directives_that_name_tags_are_not_even_tried(void **state)
{
	const struct config config = parse("%TAG !a! b\n---\na: 1\n");

	assert_int_equal(config.rows, 0);
	assert_int_equal(config.notes, 1);
}

static void drop_ins_count_after_the_file_in_the_order_of_their_names(void **state)
{
	struct root root = root_of(TREE(
		{ "var/k.yaml", "a: 1\nb: 1\nc: 1\n" }, { "etc/k.d/20-x.conf", "b: 3\n" },
		{ "etc/k.d/10-x.conf", "b: 2\nc: 2\n" }, { "etc/k.d/30-x.yaml", "a: 4\n" }));
	struct config config = { 0 };

	reader.root = &root;
	assert_int_equal(kubelet_read(&reader, "var/k.yaml", "etc/k.d", &config), 0);
	assert_string_equal(value_of(&config, "a"), "1");
	assert_string_equal(value_of(&config, "b"), "3");
	assert_string_equal(value_of(&config, "c"), "2");
	assert_string_equal(config_find(&config, "", "b")->file, "etc/k.d/20-x.conf");
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scalar_has_the_path_to_it_as_key),
		cmocka_unit_test(json_is_read_as_well),
		cmocka_unit_test(null_is_no_value_and_a_quoted_one_is),
		cmocka_unit_test(an_alias_is_what_it_stands_for),
		cmocka_unit_test(what_a_mapping_says_itself_counts_more_than_what_is_merged),
		cmocka_unit_test(aliases_of_aliases_end_at_a_bound),
		cmocka_unit_test(an_alias_within_itself_is_noted),
		cmocka_unit_test(what_is_nested_too_deep_is_noted),
		cmocka_unit_test(a_text_that_is_no_yaml_is_noted_with_its_line),
		cmocka_unit_test(directives_that_name_tags_are_not_even_tried),
		cmocka_unit_test(drop_ins_count_after_the_file_in_the_order_of_their_names),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
