#include "test.h"

#include "kernel/zones.h"

/* The kernel's form, shortened: mm/vmstat.c, zoneinfo_show_print(). */
#define NODE(id) "Node " id ", zone      DMA\n  per-node stats\n"
#define ZONE(free, min, low, high)                                                    \
	"  pages free     " free "\n        boost    0\n        min      " min "\n"   \
	"        low      " low "\n        high     " high "\n        promo    900\n" \
	"        spanned  4095\n        present  3998\n        managed  3840\n"       \
	"        protection: (0, 3019, 8523, 8523, 8523)\n"
#define PAGESETS                                                                               \
	"      nr_free_pages 77777\n      nr_inactive_file 77777\n  pagesets\n    cpu: 0\n"    \
	"              count:    77777\n              high:     77777\n              batch:  " \
	"  1\n"                                                                                \
	"              high_min: 77777\n  vm stats threshold: 4\n"                             \
	"  node_unreclaimable:  0\n  start_pfn:           1\n"

static struct zones *zones_of(const char *text)
{
	static struct zones zones;

	zones = (struct zones){ 0 };
	zoneinfo_parse(span_cstr(text), &zones);
	return &zones;
}

#define numbers_of(thing) ((struct numbers){ (thing).value, (thing).state })

static void a_node_and_its_zone_have_their_own_numbers(void **state)
{
	static const char text[] =
		NODE("0") "      nr_inactive_file 5\n"
			  "      nr_active_file 6\n"
			  "      workingset_refault_file 7\n" ZONE("3840", "29", "36", "43")
				  PAGESETS;
	struct zones *zones = zones_of(text);

	assert_int_equal(zones->zones, 1);
	assert_int_equal(zones->nodes, 1);
	assert_string_equal(zones->zone[0].name, "DMA");
	assert_number(numbers_of(zones->node[0]), NODE_INACTIVE_FILE, 5);
	assert_number(numbers_of(zones->node[0]), NODE_ACTIVE_FILE, 6);
	assert_number(numbers_of(zones->node[0]), NODE_REFAULT_FILE, 7);
	assert_number(numbers_of(zones->node[0]), NODE_UNRECLAIMABLE, 0);
	assert_number(numbers_of(zones->zone[0]), ZONE_FREE, 3840);
	assert_number(numbers_of(zones->zone[0]), ZONE_BOOST, 0);
	assert_number(numbers_of(zones->zone[0]), ZONE_MANAGED, 3840);
}

/* L30: "high:" of a CPU's page set is no watermark. */
static void watermarks_are_not_those_of_page_sets(void **state)
{
	struct zones *zones = zones_of(NODE("0") ZONE("3840", "29", "36", "43") PAGESETS);

	assert_number(numbers_of(zones->zone[0]), ZONE_MIN, 29);
	assert_number(numbers_of(zones->zone[0]), ZONE_LOW, 36);
	assert_number(numbers_of(zones->zone[0]), ZONE_HIGH, 43);
	assert_number(numbers_of(zones->zone[0]), ZONE_FREE, 3840);
	assert_state(numbers_of(zones->node[0]), NODE_INACTIVE_FILE, ABSENT);
}

static void names_that_come_again_behind_the_zones_own_are_not_read(void **state)
{
	struct zones *zones = zones_of(NODE("0") ZONE(
		"3840", "29", "36",
		"43") "        high     77777\n  pagesets\n        low      7\n");

	assert_number(numbers_of(zones->zone[0]), ZONE_HIGH, 43);
	assert_number(numbers_of(zones->zone[0]), ZONE_LOW, 36);
	zones = zones_of(NODE("0") "  pages free     1\n        min      2\n"
				   "  pagesets\n        min      7\n        low      7\n");
	assert_number(numbers_of(zones->zone[0]), ZONE_MIN, 2);
	assert_state(numbers_of(zones->zone[0]), ZONE_LOW, ABSENT);
}

/* L30: what follows belongs to the zone that was named last, the first zone of a node included.
 */
static void zones_and_nodes_do_not_take_each_others_numbers(void **state)
{
	struct zones *zones = zones_of(
		NODE("0") "      nr_inactive_file 5\n" ZONE("1", "2", "3", "4") PAGESETS
		"Node 0, zone   Normal\n" ZONE("11", "12", "13", "14") PAGESETS
		"Node 1, zone  Movable\n  per-node stats\n      nr_inactive_file 50\n" ZONE(
			"21", "22", "23", "24") PAGESETS);

	assert_int_equal(zones->zones, 3);
	assert_int_equal(zones->nodes, 2);
	assert_string_equal(zones->zone[0].name, "DMA");
	assert_string_equal(zones->zone[1].name, "Normal");
	assert_string_equal(zones->zone[2].name, "Movable");
	assert_int_equal(zones->zone[1].node, 0);
	assert_int_equal(zones->zone[2].node, 1);
	for (size_t i = 0; i < 3; i++)
		assert_number(numbers_of(zones->zone[i]), ZONE_FREE, 10 * i + 1);
	assert_int_equal(zones->node[1].id, 1);
	assert_number(numbers_of(zones->node[0]), NODE_INACTIVE_FILE, 5);
	assert_number(numbers_of(zones->node[1]), NODE_INACTIVE_FILE, 50);
}

/* L30: a zone without pages ends with its protection, the next title follows at once. */
static void a_zone_without_pages_has_its_own_numbers(void **state)
{
	struct zones *zones = zones_of("Node 0, zone  Movable\n  pages free     0\n"
				       "        boost    0\n        min      32\n"
				       "        low      32\n        high     32\n"
				       "        spanned  0\n        present  0\n"
				       "        managed  0\n"
				       "        protection: (0, 0, 0, 0, 0)\n"
				       "Node 0, zone   Device\n"
				       "  pages free     0\n        min      7\n");

	assert_int_equal(zones->zones, 2);
	assert_number(numbers_of(zones->zone[0]), ZONE_MIN, 32);
	assert_number(numbers_of(zones->zone[0]), ZONE_MANAGED, 0);
	assert_number(numbers_of(zones->zone[1]), ZONE_MIN, 7);
	assert_state(numbers_of(zones->zone[1]), ZONE_HIGH, ABSENT);
}

/* L05: from 7.1 the reclaim counters stand in the node's block. */
static void reclaim_per_node_is_there_since_7_1_only(void **state)
{
	struct zones *zones = zones_of(NODE(
		"0") "      nr_inactive_file 5\n"
		     "      pgscan_kswapd 8\n      pgscan_direct 9\n" ZONE("1", "2", "3", "4"));

	assert_number(numbers_of(zones->node[0]), NODE_PGSCAN_KSWAPD, 8);
	assert_number(numbers_of(zones->node[0]), NODE_PGSCAN_DIRECT, 9);
	zones = zones_of(NODE("0") "      nr_inactive_file 5\n" ZONE("1", "2", "3", "4"));
	assert_state(numbers_of(zones->node[0]), NODE_PGSCAN_KSWAPD, ABSENT);
}

static void a_node_that_was_given_up_says_so(void **state)
{
	struct zones *zones = zones_of(
		NODE("0") ZONE("1", "2", "3", "4") "  pagesets\n  node_unreclaimable:  1\n");

	assert_number(numbers_of(zones->node[0]), NODE_UNRECLAIMABLE, 1);
	zones = zones_of(NODE("0") "  node_unreclaimable:  x\n");
	assert_state(numbers_of(zones->node[0]), NODE_UNRECLAIMABLE, ABSENT);
	zones = zones_of("  node_unreclaimable:  1\n");
	assert_int_equal(zones->nodes, 0);
}

static void the_last_line_counts_only_with_its_newline(void **state)
{
	struct zones *zones = zones_of(NODE("0") "  pages free     5\n        min      29");

	assert_number(numbers_of(zones->zone[0]), ZONE_FREE, 5);
	assert_state(numbers_of(zones->zone[0]), ZONE_MIN, GARBLED);
	zones = zones_of(NODE("0") "  pages free     38");
	assert_state(numbers_of(zones->zone[0]), ZONE_FREE, GARBLED);
}

static void numbers_before_a_title_belong_to_nobody(void **state)
{
	struct zones *zones = zones_of("  per-node stats\n      nr_inactive_file 5\n"
				       "  pages free     1\n        min      2\n");

	assert_int_equal(zones->zones, 0);
	assert_int_equal(zones->nodes, 0);
}

static void what_is_no_title_starts_no_zone(void **state)
{
	static const char *const titles[] = {
		"Node 01 zone DMA\n",
		"Node 0 zone DMA\n",
		"Node 0, zone\n",
		"Node x, zone DMA\n",
		"Node , zone DMA\n",
		"Node -1, zone DMA\n",
		"Node 4294967296, zone DMA\n",
		"node 0, zone DMA\n",
		"Node 0, area DMA\n",
		"Node\n",
		"Node 0,\n",
		"\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		case_of(titles[i]);
		assert_int_equal(zones_of(titles[i])->zones, 0);
	}
	assert_int_equal(zones_of("Node 4294967295, zone DMA\n")->zones, 1);
}

static void a_long_zone_name_is_cut(void **state)
{
	struct zones *zones = zones_of("Node 0, zone ABCDEFGHIJKLMNOPQRSTUVWXYZ\n");

	assert_string_equal(zones->zone[0].name, "ABCDEFGHIJKLMNO");
}

/* One title a line, from node 0 on; the numbers that follow belong to what did not fit. */
static const char *many_titles(unsigned int nodes, unsigned int zones_each)
{
	static char text[64 * 1024];
	struct span rest = span_of(text, sizeof(text));

	for (unsigned int i = 0; i < nodes * zones_each; i++)
		rest.at += snprintf(text + (rest.at - text), span_len(rest),
				    "Node %u, zone Z%u\n", i / zones_each, i % zones_each);
	snprintf(text + (rest.at - text), span_len(rest),
		 "  per-node stats\n      nr_inactive_file 5\n  pages free     1\n"
		 "        min      2\n  node_unreclaimable:  1\n");
	return text;
}

static void more_zones_than_fit_are_cut(void **state)
{
	struct zones *zones = zones_of(many_titles(1, ZONES_MAX));

	assert_int_equal(zones->zones, ZONES_MAX);
	assert_false(zones->cut);
	assert_number(numbers_of(zones->zone[ZONES_MAX - 1]), ZONE_MIN, 2);
	zones = zones_of(many_titles(1, ZONES_MAX + 1));
	assert_int_equal(zones->zones, ZONES_MAX);
	assert_true(zones->cut);
	assert_state(numbers_of(zones->zone[ZONES_MAX - 1]), ZONE_MIN, ABSENT);
}

static void more_nodes_than_fit_are_cut(void **state)
{
	struct zones *zones = zones_of(many_titles(NODES_MAX, 1));

	assert_int_equal(zones->nodes, NODES_MAX);
	assert_false(zones->cut);
	assert_number(numbers_of(zones->node[NODES_MAX - 1]), NODE_INACTIVE_FILE, 5);
	zones = zones_of(many_titles(NODES_MAX + 1, 1));
	assert_int_equal(zones->nodes, NODES_MAX);
	assert_true(zones->cut);
	assert_state(numbers_of(zones->node[NODES_MAX - 1]), NODE_INACTIVE_FILE, ABSENT);
}

static void free_blocks_go_to_their_zone(void **state)
{
	struct zones *zones =
		zones_of("Node 0, zone DMA\nNode 0, zone Normal\nNode 1, zone Normal\n");

	buddyinfo_parse(span_cstr("Node 0, zone      DMA      1      2      3 \n"
				  "Node 1, zone   Normal    665    924\n"
				  "Node 2, zone   Normal    5    6\n"
				  "Node 0, zone    DMA32    5    6\n"
				  "\nsome words\n"),
			zones);
	assert_int_equal(zones->zone[0].orders, 3);
	assert_int_equal(zones->zone[0].blocks[2], 3);
	assert_int_equal(zones->zone[1].orders, 0);
	assert_int_equal(zones->zone[2].orders, 2);
	assert_int_equal(zones->zone[2].blocks[0], 665);
	assert_int_equal(zones->zones, 3);
}

static void blocks_end_at_the_first_word_that_is_none(void **state)
{
	struct zones *zones = zones_of("Node 0, zone DMA\nNode 0, zone Normal\n");

	buddyinfo_parse(
		span_cstr("Node 0, zone DMA 1 x 3\n"
			  "Node 0, zone Normal 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 "
			  "18 19 20 21\n"),
		zones);
	assert_int_equal(zones->zone[0].orders, 1);
	assert_int_equal(zones->zone[1].orders, ORDERS_MAX);
	assert_int_equal(zones->zone[1].blocks[ORDERS_MAX - 1], ORDERS_MAX - 1);
}

static void real_files_have_the_zones_that_the_kernel_has(void **state)
{
	static const char *const names[] = { "DMA", "DMA32", "Normal", "Movable", "Device" };
	static const char *const seeds[] = { "zoneinfo/6.12", "zoneinfo/6.18" };

	for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
		static struct zones zones;

		case_of(seeds[i]);
		zones = (struct zones){ 0 };
		zoneinfo_parse(seed(seeds[i]), &zones);
		assert_int_equal(zones.zones, ARRAY_LEN(names));
		assert_int_equal(zones.nodes, 1);
		for (size_t j = 0; j < ARRAY_LEN(names); j++) {
			assert_string_equal(zones.zone[j].name, names[j]);
			for (size_t id = 0; id < ZONE_FIELDS; id++)
				assert_state(numbers_of(zones.zone[j]), id, OK);
			assert_true(zones.zone[j].value[ZONE_MIN] <=
				    zones.zone[j].value[ZONE_LOW]);
			assert_true(zones.zone[j].value[ZONE_LOW] <=
				    zones.zone[j].value[ZONE_HIGH]);
		}
		assert_number(numbers_of(zones.node[0]), NODE_UNRECLAIMABLE, 0);
		assert_state(numbers_of(zones.node[0]), NODE_REFAULT_FILE, OK);
		assert_state(numbers_of(zones.node[0]), NODE_PGSCAN_KSWAPD, ABSENT);
	}
}

static enum state read_zones(const struct file *files)
{
	struct root root = root_of(tree_new(files));
	static struct zones zones;
	enum state got;

	zones = (struct zones){ 0 };
	got = zones_read(&root, any_buffer(), &zones);
	root_done(&root);
	if (got == OK)
		assert_int_equal(zones.zone[0].orders, 2);
	return got;
}

static void a_file_without_zones_says_why(void **state)
{
	static const struct file buddyinfo = { "proc/buddyinfo", "Node 0, zone DMA 1 2\n" };

	assert_int_equal(read_zones((const struct file[]){
				 { "proc/zoneinfo", NODE("0") }, buddyinfo, { 0 } }),
			 OK);
	assert_int_equal(read_zones((const struct file[]){ { "proc/zoneinfo", "" }, { 0 } }),
			 GARBLED);
	assert_int_equal(read_zones((const struct file[]){ buddyinfo, { 0 } }), ABSENT);
	assert_int_equal(
		read_zones((const struct file[]){ { "proc/zoneinfo.errno", "EACCES" }, { 0 } }),
		DENIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_and_its_zone_have_their_own_numbers),
		cmocka_unit_test(watermarks_are_not_those_of_page_sets),
		cmocka_unit_test(names_that_come_again_behind_the_zones_own_are_not_read),
		cmocka_unit_test(zones_and_nodes_do_not_take_each_others_numbers),
		cmocka_unit_test(a_zone_without_pages_has_its_own_numbers),
		cmocka_unit_test(reclaim_per_node_is_there_since_7_1_only),
		cmocka_unit_test(a_node_that_was_given_up_says_so),
		cmocka_unit_test(the_last_line_counts_only_with_its_newline),
		cmocka_unit_test(numbers_before_a_title_belong_to_nobody),
		cmocka_unit_test(what_is_no_title_starts_no_zone),
		cmocka_unit_test(a_long_zone_name_is_cut),
		cmocka_unit_test(more_zones_than_fit_are_cut),
		cmocka_unit_test(more_nodes_than_fit_are_cut),
		cmocka_unit_test(free_blocks_go_to_their_zone),
		cmocka_unit_test(blocks_end_at_the_first_word_that_is_none),
		cmocka_unit_test(real_files_have_the_zones_that_the_kernel_has),
		cmocka_unit_test(a_file_without_zones_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
