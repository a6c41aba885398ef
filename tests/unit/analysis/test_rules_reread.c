/* Rules about pages that come back, or are read for the first time. */
#include "test.h"

#include "scene.h"

#define M (1024.0 * 1024)
#define CHECK(class, kind, base, cases) rule_check(class, kind, base, cases, ARRAY_LEN(cases))

#define REREADING                                       \
	{ S(REFAULT_FILE), 2 * M }, { S(READ), 4 * M }, \
	{                                               \
		S(FILE_LRU), 40 * M                     \
	}

static const struct turn FREEZE[] = {
	{ S(SCAN_GLOBAL), 10 }, { S(SCAN), 100 },    { LOSS, 0.10 },	   REREADING,
	{ S(REFAULT_ANON), 0 }, { LIMIT, 1000 * M }, { S(HARD), 500 * M }, { NO_KNOB, 0 },
};

static void a_machine_freezes_when_it_is_short_and_code_is_read_back(void **state)
{
	static const struct rule_case cases[] = {
		{ "reclaim is for limits in it", { { S(SCAN_GLOBAL), 9 } }, RULE_NO },
		{ "more comes back from swap", { { S(REFAULT_ANON), 3 * M } }, RULE_NO },
		{ "one file is read in a circle", { { S(HARD), 499 * M } }, RULE_NO },
		{ "less than a tenth is lost", { { LOSS, 0.099 } }, RULE_NO },
		{ "a little is lost and perhaps a fifth",
		  { { LOSS, 0.05 }, { LOSS_UPPER, 0.20 } },
		  RULE_HIT },
		{ "the loss is unknown", { { LOSS, NAN } }, RULE_UNKNOWN },
		{ "nothing is read again", { { S(REFAULT_FILE), 0 } }, RULE_NO },
		{ "nothing is counted and a mapped set has collapsed",
		  { { S(REFAULT_FILE), 0 }, { COLLAPSED, 1 } },
		  RULE_HIT },
		{ "refaults are unknown", { { S(REFAULT_FILE), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_FILE_REFAULT, LIMIT_RAM, FREEZE, cases);
}

static void a_limit_freezes_unless_it_is_the_one_without_end(void **state)
{
	static const struct rule_case cases[] = {
		{ "it meets memory.high alone", { { S(EV_HIGH), 1 } }, RULE_NO },
		{ "it meets memory.max as well",
		  { { S(EV_HIGH), 1 }, { S(EV_MAX), 1 } },
		  RULE_HIT },
		{ "it calls the OOM killer as well",
		  { { S(EV_HIGH), 1 }, { S(EV_OOM), 1 } },
		  RULE_HIT },
		{ "the machine is not short", { { MACHINE(SCAN_GLOBAL), 0 } }, RULE_HIT },
	};

	CHECK(CLASS_FILE_REFAULT, LIMIT_HIGH, FREEZE, cases);
}

static const struct turn THRASH[] = {
	{ S(SCAN_GLOBAL), 10 }, { S(SCAN), 100 }, { S(REFAULT_ANON), 1 * M },
	{ S(STEAL), 0.31 * M }, { LOSS, 0.10 },	  { S(REFAULT_FILE), 0.9 * M },
	{ NO_KNOB, 0 },
};

static void a_working_set_thrashes_when_pages_go_out_and_come_straight_back(void **state)
{
	static const struct rule_case cases[] = {
		{ "the machine is not short", { { S(SCAN_GLOBAL), 9 } }, RULE_NO },
		{ "little comes back",
		  { { S(REFAULT_ANON), 0.99 * M }, { S(REFAULT_FILE), 0 } },
		  RULE_NO },
		{ "it is unknown what comes back", { { S(REFAULT_ANON), NAN } }, RULE_UNKNOWN },
		{ "little goes out", { { S(STEAL), 0.29 * M } }, RULE_NO },
		{ "less than a tenth is lost", { { LOSS, 0.099 } }, RULE_NO },
		{ "a little is lost and perhaps a fifth",
		  { { LOSS, 0.05 }, { LOSS_UPPER, 0.20 } },
		  RULE_HIT },
		{ "the loss is unknown", { { LOSS, NAN } }, RULE_UNKNOWN },
		{ "more comes back of files", { { S(REFAULT_FILE), 1.1 * M } }, RULE_NO },
	};

	CHECK(CLASS_SWAP_THRASH, LIMIT_RAM, THRASH, cases);
}

/* File pages come back first while anonymous memory is still on its way out. */
static void where_swap_has_room_a_part_of_it_is_enough(void **state)
{
	static const struct turn base[] = {
		{ S(REFAULT_ANON), 0.5 * M },
		{ S(REFAULT_FILE), 2 * M },
		{ S(STEAL), 2 * M },
		{ S(SWAP_FREE), 17 * M },
		{ LOSS, 0.10 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "swap is full", { { S(SWAP_FREE), 16 * M } }, RULE_NO },
		{ "swap is unknown", { { S(SWAP_FREE), NAN } }, RULE_NO },
		{ "little comes back from it",
		  { { S(REFAULT_ANON), 0.49 * M }, { S(REFAULT_FILE), 1 * M } },
		  RULE_NO },
		{ "a smaller part comes back from it",
		  { { S(REFAULT_FILE), 2.1 * M } },
		  RULE_NO },
		{ "it is less than nothing to speak of in all",
		  { { S(REFAULT_FILE), 0.49 * M } },
		  RULE_NO },
	};

	CHECK(CLASS_SWAP_THRASH, LIMIT_MAX, base, cases);
}

/* v1 does not count what it reclaims. */
static void the_machines_reclaim_stands_in_for_that_of_a_cgroup(void **state)
{
	static const struct rule_case cases[] = {
		{ "the cgroup's is unknown",
		  { { S(STEAL), NAN }, { MACHINE(STEAL), 0.31 * M } },
		  RULE_HIT },
		{ "the cgroup's is unknown and the machine reclaims little",
		  { { S(STEAL), NAN }, { MACHINE(STEAL), 0.29 * M } },
		  RULE_NO },
		{ "the cgroup itself reclaims little",
		  { { S(STEAL), 0 }, { MACHINE(STEAL), 9 * M } },
		  RULE_NO },
	};

	CHECK(CLASS_SWAP_THRASH, LIMIT_MAX, THRASH, cases);
}

static void allocations_stall_when_they_reclaim_themselves(void **state)
{
	static const struct turn base[] = {
		{ S(ALLOCSTALL), 10 }, { S(STEAL_DIRECT), 10 },	     { S(STEAL_KSWAPD), 90 },
		{ S(MEM_SOME), 0.05 }, { S(REFAULT_FILE), 0.5 * M }, { NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "few do", { { S(ALLOCSTALL), 9.9 } }, RULE_NO },
		{ "it is unknown whether they do", { { S(ALLOCSTALL), NAN } }, RULE_UNKNOWN },
		{ "kswapd does nearly all", { { S(STEAL_DIRECT), 9.9 } }, RULE_NO },
		{ "kswapd does nothing", { { S(STEAL_KSWAPD), 0 } }, RULE_HIT },
		{ "nobody waits", { { S(MEM_SOME), 0.049 } }, RULE_NO },
		{ "it is unknown whether somebody waits",
		  { { S(MEM_SOME), NAN } },
		  RULE_UNKNOWN },
		{ "it is needed again", { REREADING }, RULE_NO },
		{ "a mapped set has collapsed", { { COLLAPSED, 1 }, { LOSS, 0.10 } }, RULE_NO },
	};

	CHECK(CLASS_DIRECT_RECLAIM, LIMIT_RAM, base, cases);
}

static void cold_memory_moves_to_swap_and_does_not_come_back(void **state)
{
	static const struct turn base[] = {
		{ S(SWAP_OUT), 0.25 * M },
		{ S(SWAP_IN), 0.0124 * M },
		{ BYSTANDER_LOSS, 0.049 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "little moves", { { S(SWAP_OUT), 0.249 * M }, { S(SWAP_IN), 0 } }, RULE_NO },
		{ "it is unknown what moves", { { S(SWAP_OUT), NAN } }, RULE_UNKNOWN },
		{ "a part comes back", { { S(SWAP_IN), 0.0126 * M } }, RULE_NO },
		{ "it is unknown what comes back", { { S(SWAP_IN), NAN } }, RULE_UNKNOWN },
		{ "a bystander is hurt", { { BYSTANDER_LOSS, 0.05 } }, RULE_NO },
		{ "nobody stands by", { { BYSTANDER_LOSS, NAN } }, RULE_HIT },
		{ "the culprit itself waits", { { LOSS, 0.9 } }, RULE_HIT },
	};

	CHECK(CLASS_COLD_SWAP, LIMIT_RAM, base, cases);
	CHECK(CLASS_COLD_SWAP, LIMIT_MAX, base, cases);
}

static const struct turn STREAM[] = {
	{ S(READ), 2 * M },
	{ S(REFAULT_FILE), 0.2 * M },
	{ S(IO_SOME), 0.10 },
	{ NO_KNOB, 0 },
};

static void data_is_read_for_the_first_time(void **state)
{
	static const struct rule_case cases[] = {
		{ "little is read",
		  { { S(READ), 1.99 * M }, { S(REFAULT_FILE), 0 } },
		  RULE_NO },
		{ "a part had been in memory", { { S(REFAULT_FILE), 0.21 * M } }, RULE_NO },
		{ "it is unknown what had been", { { S(REFAULT_FILE), NAN } }, RULE_UNKNOWN },
		{ "nobody waits for it", { { S(IO_SOME), 0.099 } }, RULE_NO },
		{ "a mapped set has collapsed", { { COLLAPSED, 1 }, { LOSS, 0.10 } }, RULE_NO },
		{ "a mapped set outside has collapsed, and the domain is the machine",
		  { { OUTSIDE_COLLAPSED_LOSS, 0.10 } },
		  RULE_NO },
		{ "a part comes from swap", { { S(SWAP_IN), 0.21 * M } }, RULE_NO },
		{ "next to nothing comes from swap", { { S(SWAP_IN), 0.19 * M } }, RULE_HIT },
	};

	CHECK(CLASS_FIRST_READ, LIMIT_RAM, STREAM, cases);
}

static void a_file_read_in_a_circle_is_reading_too(void **state)
{
	static const struct turn base[] = { REREADING,
					    { LIMIT, 1000 * M },
					    { S(HARD), 499 * M },
					    { S(IO_SOME), 0.10 },
					    { NO_KNOB, 0 } };
	static const struct rule_case cases[] = {
		{ "nobody waits for it", { { S(IO_SOME), 0.099 } }, RULE_NO },
		{ "the rest cannot leave", { { S(HARD), 500 * M } }, RULE_NO },
		{ "it is unknown what can leave", { { S(HARD), NAN } }, RULE_NO },
		{ "a mapped set has collapsed", { { COLLAPSED, 1 }, { LOSS, 0.10 } }, RULE_NO },
		{ "the mapped set of somebody else has collapsed",
		  { { OUTSIDE_COLLAPSED_LOSS, 0.10 } },
		  RULE_HIT },
		{ "somebody grows",
		  { { GROWTH, 1 * M },
		    { GROWTH_RECENT, 1 * M },
		    { GROWTH_LEVEL, 50 * M },
		    { GROWTH_RISING, 1 } },
		  RULE_NO },
	};

	CHECK(CLASS_FIRST_READ, LIMIT_MAX, base, cases);
}

/* At memory.high a reader in a circle is throttled: it is not he alone who waits. */
static void at_the_high_limit_no_file_is_read_in_a_circle(void **state)
{
	static const struct rule_case cases[] = {
		{ "it rereads in its limit",
		  { REREADING, { LIMIT, 1000 * M }, { S(HARD), 100 * M } },
		  RULE_NO },
	};

	CHECK(CLASS_FIRST_READ, LIMIT_HIGH, STREAM, cases);
}

/* Without io.stat the machine's reads stand in. */
static void reads_of_a_cgroup_may_be_the_machines(void **state)
{
	static const struct rule_case cases[] = {
		{ "its own are unknown",
		  { { S(READ), NAN }, { MACHINE(READ), 2 * M } },
		  RULE_HIT },
		{ "its own are unknown and the machine reads little",
		  { { S(READ), NAN }, { MACHINE(READ), 1 * M } },
		  RULE_NO },
		{ "nobody's are known", { { S(READ), NAN } }, RULE_NO },
	};

	CHECK(CLASS_FIRST_READ, LIMIT_MAX, STREAM, cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_freezes_when_it_is_short_and_code_is_read_back),
		cmocka_unit_test(a_limit_freezes_unless_it_is_the_one_without_end),
		cmocka_unit_test(
			a_working_set_thrashes_when_pages_go_out_and_come_straight_back),
		cmocka_unit_test(where_swap_has_room_a_part_of_it_is_enough),
		cmocka_unit_test(the_machines_reclaim_stands_in_for_that_of_a_cgroup),
		cmocka_unit_test(allocations_stall_when_they_reclaim_themselves),
		cmocka_unit_test(cold_memory_moves_to_swap_and_does_not_come_back),
		cmocka_unit_test(data_is_read_for_the_first_time),
		cmocka_unit_test(a_file_read_in_a_circle_is_reading_too),
		cmocka_unit_test(at_the_high_limit_no_file_is_read_in_a_circle),
		cmocka_unit_test(reads_of_a_cgroup_may_be_the_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
