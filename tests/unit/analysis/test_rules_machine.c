/* Rules about the machine as a whole, and about what is not memory's fault. */
#include "test.h"

#include "scene.h"

#define M (1024.0 * 1024)
#define K 1024.0
#define CHECK(class, base, cases) rule_check(class, LIMIT_RAM, base, cases, ARRAY_LEN(cases))

/* Reclaim works for the machine. */
#define SHORT                   \
	{ S(SCAN_GLOBAL), 10 }, \
	{                       \
		S(SCAN), 100    \
	}
#define NOT_SHORT                   \
	{                           \
		S(SCAN_GLOBAL), 9.9 \
	}
#define REREADING                                       \
	{ S(REFAULT_FILE), 2 * M }, { S(READ), 4 * M }, \
	{                                               \
		S(FILE_LRU), 40 * M                     \
	}

static void zram_is_full_when_the_machine_is_short(void **state)
{
	static const struct turn base[] = {
		{ S(ZRAM_USED), 1 }, { S(ZRAM_FILL), 0.90 }, SHORT, { NO_KNOB, 0 }
	};
	static const struct rule_case cases[] = {
		{ "there is room in it", { { S(ZRAM_FILL), 0.899 } }, RULE_NO },
		{ "there is no zram", { { S(ZRAM_FILL), NAN } }, RULE_NO },
		{ "it cannot be read", { { S(ZRAM_USED), NAN } }, RULE_UNKNOWN },
		{ "the machine is not short", { NOT_SHORT }, RULE_NO },
		{ "the machine is short by its watermarks",
		  { NOT_SHORT, { S(FREE), 9 }, { S(LOW), 10 } },
		  RULE_HIT },
		{ "the machine is above its watermarks",
		  { NOT_SHORT, { S(FREE), 10 }, { S(LOW), 10 } },
		  RULE_NO },
		{ "nothing is scanned at all",
		  { { S(SCAN_GLOBAL), 0 }, { S(SCAN), 0 } },
		  RULE_NO },
	};

	CHECK(CLASS_ZRAM_FULL, base, cases);
}

static void huge_pages_lie_idle_while_the_rest_is_short(void **state)
{
	static const struct turn base[] = {
		{ LIMIT, 1000 },
		{ S(TOTAL), 1000 },
		{ S(HUGETLB), 200 },
		{ S(HUGETLB_IDLE), 100 },
		SHORT,
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "few are set aside", { { S(HUGETLB), 199 } }, RULE_NO },
		{ "it is unknown how many", { { S(HUGETLB), NAN } }, RULE_UNKNOWN },
		{ "it is unknown of how much", { { S(TOTAL), NAN } }, RULE_UNKNOWN },
		{ "most are in use", { { S(HUGETLB_IDLE), 99 } }, RULE_NO },
		{ "the machine is not short", { NOT_SHORT }, RULE_NO },
	};

	CHECK(CLASS_HUGETLB, base, cases);
}

static const struct turn ONE_NODE_FULL[] = {
	{ NODE0_FREE, 14 },	{ NODE0_LOW, 8 },   { NODE0_HIGH, 10 }, { NODE1_FREE, 41 },
	{ NODE1_LOW, 8 },	{ NODE1_HIGH, 10 }, { LIMIT, 800 * M }, { S(LOW), 16 * M },
	{ S(SCAN_GLOBAL), 10 }, { S(SCAN), 100 },   { NO_KNOB, 0 },
};

static void one_node_is_full_while_another_has_room(void **state)
{
	static const struct rule_case cases[] = {
		{ "the other one is full",
		  { { NODE0_FREE, 41 }, { NODE1_FREE, 14 } },
		  RULE_HIT },
		{ "none is full", { { NODE0_FREE, 15 } }, RULE_NO },
		{ "the full one has no watermarks", { { NODE0_LOW, 0 } }, RULE_NO },
		{ "the other one has little room too", { { NODE1_FREE, 40 } }, RULE_NO },
		{ "its room is little of the machine", { { LIMIT, 821 * M } }, RULE_NO },
		{ "the machine is not short", { NOT_SHORT }, RULE_NO },
		{ "watermarks are unknown", { { S(LOW), NAN } }, RULE_UNKNOWN },
		{ "reclaim is unknown", { { S(SCAN_GLOBAL), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_NUMA, ONE_NODE_FULL, cases);
}

/* DMA, DMA32 and Normal of one node: it is their sum that is full or has room. */
static void the_zones_of_a_node_are_one(void **state)
{
	struct scene *scene = scene_new(LIMIT_RAM);
	struct zone *more = &scene->zones.zone[2];
	const struct rule *rule = rule_of(CLASS_NUMA);

	scene_turn(scene, ONE_NODE_FULL);
	scene->zones.zones = 3;
	*more = (struct zone){ .node = 0 };
	more->value[ZONE_FREE] = 256;
	assert_false(rule->test(&scene->evidence, &scene->domain));
	more->value[ZONE_HIGH] = 256;
	assert_true(rule->test(&scene->evidence, &scene->domain));
	more->node = 1;
	more->value[ZONE_HIGH] = 128;
	assert_false(rule->test(&scene->evidence, &scene->domain));
}

/* Of two nodes each is the other's other one; it takes a third to tell them apart. */
static void of_three_nodes_each_has_its_own_zones(void **state)
{
	struct scene *scene = scene_new(LIMIT_RAM);
	struct zone *third = &scene->zones.zone[2];

	scene_turn(scene, ONE_NODE_FULL);
	scene->zones.zones = scene->zones.nodes = 3;
	scene->zones.node[2].id = 2;
	*third = (struct zone){ .node = 2 };
	third->value[ZONE_FREE] = (uint64_t)30 * 256;
	third->value[ZONE_LOW] = (uint64_t)8 * 256;
	third->value[ZONE_HIGH] = (uint64_t)10 * 256;
	assert_true(rule_of(CLASS_NUMA)->test(&scene->evidence, &scene->domain));
}

static void one_node_alone_is_no_numa(void **state)
{
	struct scene *scene = scene_new(LIMIT_RAM);

	scene_turn(scene, ONE_NODE_FULL);
	scene->zones.nodes = scene->zones.zones = 1;
	assert_false(rule_of(CLASS_NUMA)->test(&scene->evidence, &scene->domain));
}

static void kernel_memory_grows_more_than_the_rest(void **state)
{
	static const struct turn base[] = {
		{ S(KERNEL), 1 }, { KERNEL_RATE, 192 * K }, { GROWN_RATE, 192 * K },
		{ FRAMES, 3 },	  { SECONDS, 2.5 },	    { S(AVAILABLE), 190 * K * 3600 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "it grows slowly", { { KERNEL_RATE, 191 * K }, { GROWN_RATE, 0 } }, RULE_NO },
		{ "it does not grow", { { KERNEL_RATE, NAN } }, RULE_NO },
		{ "the rest grows more", { { GROWN_RATE, 193 * K } }, RULE_NO },
		{ "the rest shrinks", { { GROWN_RATE, -900 * K } }, RULE_HIT },
		{ "the rest is unknown", { { GROWN_RATE, NAN } }, RULE_HIT },
		{ "two samples make a line of anything", { { FRAMES, 2 } }, RULE_NO },
		{ "the time is short", { { SECONDS, 2.4 } }, RULE_NO },
		{ "there is no time", { { SECONDS, NAN } }, RULE_UNKNOWN },
		{ "kernel memory is unknown", { { S(KERNEL), NAN } }, RULE_UNKNOWN },
		{ "the end is more than an hour away",
		  { { S(AVAILABLE), 194 * K * 3600 } },
		  RULE_NO },
		{ "it is unknown when the end is", { { S(AVAILABLE), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_KERNEL_LEAK, base, cases);
}

static void shared_memory_is_half_of_the_growth(void **state)
{
	static const struct turn base[] = {
		{ S(SHMEM), 1 }, { SHMEM_RATE, 96 * K }, { GROWN_RATE, 192 * K },
		{ FRAMES, 3 },	 { SECONDS, 2.5 },	 { S(AVAILABLE), 95 * K * 3600 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "the end is more than an hour away",
		  { { S(AVAILABLE), 97 * K * 3600 } },
		  RULE_NO },
		{ "it is unknown when the end is", { { S(AVAILABLE), NAN } }, RULE_UNKNOWN },
		{ "it grows slowly", { { SHMEM_RATE, 95 * K }, { GROWN_RATE, 0 } }, RULE_NO },
		{ "it does not grow", { { SHMEM_RATE, NAN } }, RULE_NO },
		{ "other growth outweighs it", { { GROWN_RATE, 193 * K } }, RULE_NO },
		{ "two samples make a line of anything", { { FRAMES, 2 } }, RULE_NO },
		{ "the time is short", { { SECONDS, 2.4 } }, RULE_NO },
		{ "there is no time", { { SECONDS, NAN } }, RULE_UNKNOWN },
		{ "shared memory is unknown", { { S(SHMEM), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_SHMEM_GROWTH, base, cases);
}

static void threads_wait_for_huge_pages_while_memory_is_free(void **state)
{
	static const struct turn base[] = {
		{ S(COMPACT_STALL), 1 },  { S(FREE), 101 },	 { S(HIGH), 50 },
		{ S(THP_FALLBACK), 0.2 }, { S(MEM_SOME), 0.05 }, { NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "few wait", { { S(COMPACT_STALL), 0.9 } }, RULE_NO },
		{ "it is unknown whether they wait",
		  { { S(COMPACT_STALL), NAN } },
		  RULE_UNKNOWN },
		{ "memory is not free", { { S(FREE), 100 } }, RULE_NO },
		{ "all get their huge page", { { S(THP_FALLBACK), 0 } }, RULE_NO },
		{ "they wait for a moment", { { S(MEM_SOME), 0.049 } }, RULE_NO },
		{ "it is unknown how long", { { S(MEM_SOME), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_COMPACTION, base, cases);
}

static void writers_wait_for_the_disk(void **state)
{
	static const struct turn base[] = {
		{ S(DIRTY), 90 }, { S(DIRTY_LIMIT), 100 }, { S(IO_SOME), 0.10 }, { NO_KNOB, 0 }
	};
	static const struct rule_case cases[] = {
		{ "little is dirty", { { S(DIRTY), 89 } }, RULE_NO },
		{ "it is unknown how much is dirty", { { S(DIRTY), NAN } }, RULE_UNKNOWN },
		{ "it is unknown how much may be", { { S(DIRTY_LIMIT), NAN } }, RULE_NO },
		{ "nobody waits", { { S(IO_SOME), 0.099 } }, RULE_NO },
		{ "it is unknown whether somebody waits",
		  { { S(IO_SOME), NAN } },
		  RULE_UNKNOWN },
		{ "they wait for what had been in memory", { REREADING }, RULE_NO },
	};

	CHECK(CLASS_DIRTY_THROTTLE, base, cases);
}

static const struct turn CALM_CPU[] = {
	{ S(CPU_SOME), 0.50 },
	{ S(IO_SOME), 0.049 },
	{ NO_KNOB, 0 },
};

static void a_machine_waits_for_its_cpus(void **state)
{
	static const struct rule_case cases[] = {
		{ "it waits less than half of the time", { { S(CPU_SOME), 0.499 } }, RULE_NO },
		{ "it is unknown whether it waits", { { S(CPU_SOME), NAN } }, RULE_UNKNOWN },
		{ "it waits for the disk too", { { S(IO_SOME), 0.05 } }, RULE_NO },
		{ "memory is reclaimed", { { S(SCAN), 1 } }, RULE_NO },
		{ "nothing is reclaimed", { { S(SCAN), 0 }, { S(SWAP_IN), 0 } }, RULE_HIT },
		{ "memory comes back from swap", { { S(SWAP_IN), 1 } }, RULE_NO },
	};

	CHECK(CLASS_CPU_STARVED, CALM_CPU, cases);
}

static void a_service_waits_for_a_cpu_or_for_its_quota(void **state)
{
	static const struct turn base[] = {
		{ S(CPU_SOME), 0.1 },
		{ S(IO_SOME), 0.5 },
		{ SERVICE(CPU_THROTTLED), 0.20 },
		{ SERVICE(IO_SOME), 0.049 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "its quota suffices", { { SERVICE(CPU_THROTTLED), 0.199 } }, RULE_NO },
		{ "its quota suffices and others are in the way",
		  { { SERVICE(CPU_THROTTLED), 0 }, { SERVICE(CPU_SOME), 0.50 } },
		  RULE_HIT },
		{ "others are in the way now and then",
		  { { SERVICE(CPU_THROTTLED), 0 }, { SERVICE(CPU_SOME), 0.499 } },
		  RULE_NO },
		{ "it waits for the disk too", { { SERVICE(IO_SOME), 0.05 } }, RULE_NO },
		{ "memory is reclaimed", { { S(SCAN), 1 } }, RULE_NO },
	};

	CHECK(CLASS_CPU_STARVED, base, cases);
}

static void a_slice_is_no_service(void **state)
{
	struct scene *scene = scene_new(LIMIT_RAM);

	scene_turn(scene, CALM_CPU);
	scene_turn(scene, (const struct turn[]){ { S(CPU_SOME), 0 },
						 { SERVICE(CPU_THROTTLED), 0.9 },
						 { SERVICE(IO_SOME), 0 },
						 { NO_KNOB, 0 } });
	assert_true(rule_of(CLASS_CPU_STARVED)->test(&scene->evidence, &scene->domain));
	scene->members[SCENE_SERVICE].leaf = false;
	assert_false(rule_of(CLASS_CPU_STARVED)->test(&scene->evidence, &scene->domain));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zram_is_full_when_the_machine_is_short),
		cmocka_unit_test(huge_pages_lie_idle_while_the_rest_is_short),
		cmocka_unit_test(one_node_is_full_while_another_has_room),
		cmocka_unit_test(the_zones_of_a_node_are_one),
		cmocka_unit_test(of_three_nodes_each_has_its_own_zones),
		cmocka_unit_test(one_node_alone_is_no_numa),
		cmocka_unit_test(kernel_memory_grows_more_than_the_rest),
		cmocka_unit_test(shared_memory_is_half_of_the_growth),
		cmocka_unit_test(threads_wait_for_huge_pages_while_memory_is_free),
		cmocka_unit_test(writers_wait_for_the_disk),
		cmocka_unit_test(a_machine_waits_for_its_cpus),
		cmocka_unit_test(a_service_waits_for_a_cpu_or_for_its_quota),
		cmocka_unit_test(a_slice_is_no_service),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
