/* Rules about the limits of cgroups. */
#include "test.h"

#include "scene.h"

#define M (1024.0 * 1024)
#define CHECK(class, kind, base, cases) rule_check(class, kind, base, cases, ARRAY_LEN(cases))

/* A worker that fills what it can. */
#define GROWING                                                                \
	{ GROWTH, 1 * M }, { GROWTH_RECENT, 1 * M }, { GROWTH_LEVEL, 50 * M }, \
	{                                                                      \
		GROWTH_RISING, 1                                               \
	}

static const struct turn STUCK[] = {
	{ S(EV_HIGH), 0.2 }, { LOSS, 0.10 },	      { S(REFAULT_FILE), 2 * M },
	{ S(READ), 4 * M },  { S(FILE_LRU), 40 * M }, { NO_KNOB, 0 },
};

static void a_cgroup_is_stuck_at_its_high_limit_when_its_members_lose_time(void **state)
{
	static const struct rule_case cases[] = {
		{ "they lose less than a tenth", { { LOSS, 0.099 } }, RULE_NO },
		{ "they lose a little and perhaps a fifth",
		  { { LOSS, 0.05 }, { LOSS_UPPER, 0.20 } },
		  RULE_HIT },
		{ "their loss is unknown", { { LOSS, NAN } }, RULE_UNKNOWN },
		{ "nothing is read again and they lose less than a fifth",
		  { { S(REFAULT_FILE), 0 }, { LOSS, 0.199 } },
		  RULE_NO },
		{ "nothing is read again and they lose perhaps a fifth",
		  { { S(REFAULT_FILE), 0 }, { LOSS, 0.199 }, { LOSS_UPPER, 0.9 } },
		  RULE_NO },
		{ "nothing is read again and they lose a fifth",
		  { { S(REFAULT_FILE), 0 }, { LOSS, 0.20 } },
		  RULE_HIT },
		{ "nothing is read again and a mapped set has collapsed",
		  { { S(REFAULT_FILE), 0 }, { COLLAPSED, 1 } },
		  RULE_HIT },
		{ "the limit is not met", { { S(EV_HIGH), 0 } }, RULE_NO },
		{ "it is unknown whether the limit is met",
		  { { S(EV_HIGH), NAN } },
		  RULE_UNKNOWN },
		{ "the hard limit is met too", { { S(EV_MAX), 1 } }, RULE_NO },
		{ "the hard limit is not met", { { S(EV_MAX), 0 } }, RULE_HIT },
		{ "the OOM killer is called", { { S(EV_OOM), 1 } }, RULE_NO },
		{ "the OOM killer is not called", { { S(EV_OOM), 0 } }, RULE_HIT },
	};

	CHECK(CLASS_HIGH_THROTTLE, LIMIT_HIGH, STUCK, cases);
}

static const struct turn LOOP[] = {
	{ S(EV_MAX), 1 },    { LOSS, 0.10 },	      { S(REFAULT_FILE), 2 * M },
	{ S(READ), 4 * M },  { S(FILE_LRU), 40 * M }, { S(REFAULT_ANON), 0 },
	{ LIMIT, 1000 * M }, { S(HARD), 500 * M },    { NO_KNOB, 0 },
};

static void a_cgroup_loops_at_its_hard_limit_when_it_rereads_and_loses_time(void **state)
{
	static const struct rule_case cases[] = {
		{ "the limit is hardly met", { { S(EV_MAX), 0.9 } }, RULE_NO },
		{ "it is unknown whether the limit is met",
		  { { S(EV_MAX), NAN } },
		  RULE_UNKNOWN },
		{ "the kernel kills", { { S(OOM_KILL), 1 } }, RULE_NO },
		{ "the kernel does not kill", { { S(OOM_KILL), 0 } }, RULE_HIT },
		{ "they lose less than a tenth", { { LOSS, 0.099 } }, RULE_NO },
		{ "they lose a little and perhaps a fifth",
		  { { LOSS, 0.05 }, { LOSS_UPPER, 0.20 } },
		  RULE_HIT },
		{ "their loss is unknown", { { LOSS, NAN } }, RULE_UNKNOWN },
		{ "little is read again", { { S(REFAULT_FILE), 0.99 * M } }, RULE_NO },
		{ "refaults are unknown", { { S(REFAULT_FILE), NAN } }, RULE_UNKNOWN },
		{ "somebody fills it", { GROWING }, RULE_NO },
		{ "more comes back from swap", { { S(REFAULT_ANON), 2.1 * M } }, RULE_NO },
		{ "as much comes back from swap", { { S(REFAULT_ANON), 2 * M } }, RULE_HIT },
		{ "one file is read in a circle", { { S(HARD), 499 * M } }, RULE_NO },
		{ "it is not a file: a mapped set has collapsed",
		  { { S(HARD), 499 * M }, { COLLAPSED, 1 } },
		  RULE_HIT },
	};

	CHECK(CLASS_MAX_LOOP, LIMIT_MAX, LOOP, cases);
}

static void half_of_a_domain_locked_is_too_much_in_any_domain(void **state)
{
	static const struct turn base[] = {
		{ LIMIT, 1000 },
		{ S(UNEVICTABLE), 500 },
		{ NO_KNOB, 0 },
	};
	static const struct rule_case cases[] = {
		{ "less than half is", { { S(UNEVICTABLE), 499 } }, RULE_NO },
		{ "it is unknown", { { S(UNEVICTABLE), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_LOCKED, LIMIT_RAM, base, cases);
	CHECK(CLASS_LOCKED, LIMIT_HIGH, base, cases);
	CHECK(CLASS_LOCKED, LIMIT_MAX, base, cases);
}

/* At 96 KiB/s 7.9 GiB are filled in a day. */
#define SLOW (96.0 * 1024)
#define A_DAY (24 * 3600.0)

static const struct turn GROWS_IN_LIMIT[] = {
	{ S(ANON), 1 },
	{ GROWTH, SLOW },
	{ GROWTH_RECENT, SLOW / 4 },
	{ GROWTH_LEVEL, 32 * M },
	{ GROWTH_RISING, 0.75 },
	{ LIMIT, 10000 * M },
	{ S(HARD), 10000 * M - SLOW *A_DAY * 0.99 },
	{ NO_KNOB, 0 },
};

static void growth_fills_a_limit_within_a_day(void **state)
{
	static const struct rule_case cases[] = {
		{ "it takes longer",
		  { { S(HARD), 10000 * M - SLOW * A_DAY * 1.01 } },
		  RULE_NO },
		{ "the room is unknown", { { S(HARD), NAN } }, RULE_HIT },
		{ "anonymous memory is unknown", { { S(ANON), NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_ANON_GROWTH, LIMIT_MAX, GROWS_IN_LIMIT, cases);
	CHECK(CLASS_ANON_GROWTH, LIMIT_HIGH, GROWS_IN_LIMIT, cases);
}

static const struct turn GROWS_IN_MACHINE[] = {
	{ S(ANON), 1 },
	{ GROWTH, SLOW },
	{ GROWTH_RECENT, SLOW / 4 },
	{ GROWTH_LEVEL, 32 * M },
	{ GROWTH_RISING, 0.75 },
	{ LIMIT, 100000 * M },
	{ S(AVAILABLE), SLOW *A_DAY * 0.99 },
	{ NO_KNOB, 0 },
};

static void growth_fills_the_machine_within_a_day(void **state)
{
	static const struct rule_case cases[] = {
		{ "it takes longer", { { S(AVAILABLE), SLOW * A_DAY * 1.01 } }, RULE_NO },
		{ "the room is unknown", { { S(AVAILABLE), NAN } }, RULE_HIT },
		{ "it is slow", { { GROWTH, SLOW - 1 } }, RULE_NO },
		{ "it has no rate", { { GROWTH, NAN } }, RULE_NO },
		{ "it is small", { { GROWTH_LEVEL, 32 * M - 1 } }, RULE_NO },
		{ "it is small in a large machine and large in this one",
		  { { GROWTH_LEVEL, 20 * M }, { LIMIT, 1000 * M } },
		  RULE_HIT },
		{ "it is small in this machine too",
		  { { GROWTH_LEVEL, 20 * M - 1 }, { LIMIT, 1000 * M } },
		  RULE_NO },
		{ "it falls now and then", { { GROWTH_RISING, 0.74 } }, RULE_NO },
		{ "it has stopped", { { GROWTH_RECENT, SLOW / 4 - 1 } }, RULE_NO },
		{ "minutes show a wave", { { GROWTH_LONG, SLOW * 0.19 } }, RULE_NO },
		{ "minutes confirm it", { { GROWTH_LONG, SLOW * 0.21 } }, RULE_HIT },
		{ "it has been larger before", { { BELOW_PEAK, 1 } }, RULE_NO },
		{ "nobody grows", { { CULPRIT, -1 } }, RULE_NO },
		{ "there is no time between the samples", { { SECONDS, NAN } }, RULE_UNKNOWN },
	};

	CHECK(CLASS_ANON_GROWTH, LIMIT_RAM, GROWS_IN_MACHINE, cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_cgroup_is_stuck_at_its_high_limit_when_its_members_lose_time),
		cmocka_unit_test(
			a_cgroup_loops_at_its_hard_limit_when_it_rereads_and_loses_time),
		cmocka_unit_test(half_of_a_domain_locked_is_too_much_in_any_domain),
		cmocka_unit_test(growth_fills_a_limit_within_a_day),
		cmocka_unit_test(growth_fills_the_machine_within_a_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
