#include "test.h"

#include <errno.h>

#include "analysis/domain.h"
#include "analysis/gather.h"
#include "made.h"

/* The top, a slice with two services, and a service beside it. */
enum {
	TOP,
	SLICE,
	API,
	WORKER,
	OTHER,
};

static struct snapshot *with_services(void)
{
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	cgroup(now, "slice", 2, TOP);
	cgroup(now, "slice/api", 3, SLICE);
	cgroup(now, "slice/worker", 4, SLICE);
	cgroup(now, "other", 5, TOP);
	for (int i = TOP; i <= OTHER; i++) {
		own(now, i, CG_ANON, 10 * MIB_BYTES);
		own(now, i, CG_MEM_SOME_TOTAL, 0);
		own(now, i, CG_EV_HIGH, 0);
		own(now, i, CG_EV_MAX, 0);
	}
	machine(now, MI_TOTAL, GIB_BYTES);
	return now;
}

static const struct domain *domain_of(const struct evidence *evidence, int cgroup)
{
	for (size_t i = 0; i < evidence->domains; i++)
		if (evidence->domain[i].cgroup == cgroup)
			return &evidence->domain[i];
	return NULL;
}

static void the_machine_is_always_the_first(void **state)
{
	const struct snapshot *now = with_services();
	const struct evidence *evidence = EVIDENCE(now, later(now, 5));

	assert_int_equal(evidence->domains, 1);
	assert_int_equal(evidence->domain[0].kind, LIMIT_RAM);
	assert_int_equal(evidence->domain[0].cgroup, -1);
	assert_near(evidence->domain[0].limit, (double)GIB_BYTES);
	assert_ptr_equal(evidence->domain[0].signals, &evidence->machine);
}

static struct snapshot *slice_uses(uint64_t usage, enum cgroup_field limit, uint64_t at)
{
	struct snapshot *now = with_services();

	own(now, SLICE, CG_CURRENT, usage);
	own(now, SLICE, limit, at);
	return now;
}

static void usage_near_a_limit_is_at_it(void **state)
{
	static const struct {
		enum cgroup_field limit;
		enum limit_kind kind;
	} limits[] = { { CG_HIGH, LIMIT_HIGH }, { CG_MAX, LIMIT_MAX } };

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		const struct snapshot *now = slice_uses(971, limits[i].limit, 1000);
		const struct evidence *evidence = EVIDENCE(now, later(now, 5));
		const struct domain *domain = domain_of(evidence, SLICE);

		assert_non_null(domain);
		assert_int_equal(domain->kind, limits[i].kind);
		assert_near(domain->limit, 1000);
		assert_ptr_equal(domain->signals, &evidence->members[SLICE].signals);
		now = slice_uses(969, limits[i].limit, 1000);
		assert_null(domain_of(EVIDENCE(now, later(now, 5)), SLICE));
	}
}

static void high_is_met_before_max(void **state)
{
	struct snapshot *now = slice_uses(1000, CG_HIGH, 1000);

	own(now, SLICE, CG_MAX, 1000);
	assert_int_equal(domain_of(EVIDENCE(now, later(now, 5)), SLICE)->kind, LIMIT_HIGH);
	own(now, SLICE, CG_HIGH, 2000);
	assert_int_equal(domain_of(EVIDENCE(now, later(now, 5)), SLICE)->kind, LIMIT_MAX);
}

static void a_limit_is_hit_when_its_events_move(void **state)
{
	static const struct {
		enum cgroup_field events;
		enum cgroup_field limit;
		enum limit_kind kind;
	} cases[] = { { CG_EV_HIGH, CG_HIGH, LIMIT_HIGH }, { CG_EV_MAX, CG_MAX, LIMIT_MAX } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *before = slice_uses(100, cases[i].limit, 1000);
		struct snapshot *now = later(before, 5);

		own_more(now, SLICE, cases[i].events, 1);
		assert_int_equal(domain_of(EVIDENCE(before, now), SLICE)->kind, cases[i].kind);
		/* memory.events counts those below as well: a child hit its own limit. */
		now->cgroups[SLICE].local_events = false;
		assert_null(domain_of(EVIDENCE(before, now), SLICE));
	}
}

/* Somebody lifted it a moment ago, as he was told to. */
static void events_of_a_limit_that_is_no_more_make_no_domain(void **state)
{
	static const struct {
		enum cgroup_field events;
		enum cgroup_field limit;
	} cases[] = { { CG_EV_HIGH, CG_HIGH }, { CG_EV_MAX, CG_MAX } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct snapshot *before = slice_uses(100, cases[i].limit, 100);
		struct snapshot *now = later(before, 5);

		own_more(now, SLICE, cases[i].events, 100);
		own(now, SLICE, cases[i].limit, UINT64_MAX);
		own_is(now, SLICE, cases[i].limit, UNLIMITED);
		assert_null(domain_of(EVIDENCE(before, now), SLICE));
	}
}

static void a_cgroup_without_limits_is_no_domain(void **state)
{
	struct snapshot *now = with_services();

	own(now, SLICE, CG_CURRENT, 1000);
	own_is(now, SLICE, CG_MAX, UNLIMITED);
	own_is(now, SLICE, CG_HIGH, UNLIMITED);
	assert_int_equal(EVIDENCE(now, later(now, 5))->domains, 1);
}

static void limits_within_limits_are_domains_each(void **state)
{
	struct snapshot *now = slice_uses(1000, CG_MAX, 1000);
	const struct evidence *evidence;

	own(now, API, CG_CURRENT, 500);
	own(now, API, CG_HIGH, 500);
	evidence = EVIDENCE(now, later(now, 5));
	assert_int_equal(evidence->domains, 3);
	assert_int_equal(domain_of(evidence, SLICE)->kind, LIMIT_MAX);
	assert_int_equal(domain_of(evidence, API)->kind, LIMIT_HIGH);
}

static void a_domain_has_the_leaves_below_it(void **state)
{
	struct snapshot *now = slice_uses(1000, CG_MAX, 1000);
	const struct evidence *evidence = EVIDENCE(now, later(now, 5));
	const struct domain *slice = domain_of(evidence, SLICE);

	assert_true(domain_has(evidence, slice, API));
	assert_true(domain_has(evidence, slice, WORKER));
	assert_false(domain_has(evidence, slice, OTHER));
	assert_false(domain_has(evidence, slice, SLICE));
	assert_true(domain_has(evidence, &evidence->domain[0], OTHER));
	assert_false(domain_has(evidence, &evidence->domain[0], TOP));
}

/* In MiB each second, and in percent of the time. */
static void grows(struct snapshot *now, int cgroup, uint64_t rate)
{
	own_more(now, cgroup, CG_ANON, rate * 5 * MIB_BYTES);
}

static void loses(struct snapshot *now, int cgroup, uint64_t percent)
{
	own_more(now, cgroup, CG_MEM_SOME_TOTAL, percent * 5 * 10000);
}

static void who_grows_most_is_the_culprit_of_its_domain(void **state)
{
	const struct snapshot *before = slice_uses(1000, CG_MAX, 1000);
	struct snapshot *now = later(before, 5);
	const struct evidence *evidence;

	grows(now, API, 2);
	grows(now, WORKER, 3);
	grows(now, OTHER, 9);
	grows(now, SLICE, 50); /* its members together: not counted again */
	evidence = EVIDENCE(before, now);
	assert_int_equal(evidence->domain[0].culprit, OTHER);
	assert_near(evidence->domain[0].grow_rate, 14.0 * MIB_BYTES);
	assert_int_equal(domain_of(evidence, SLICE)->culprit, WORKER);
	assert_near(domain_of(evidence, SLICE)->grow_rate, 5.0 * MIB_BYTES);
}

static void who_does_not_grow_is_no_culprit(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, 5);
	const struct evidence *evidence;

	own(now, API, CG_ANON, MIB_BYTES);
	evidence = EVIDENCE(before, now);
	assert_int_equal(evidence->domain[0].culprit, -1);
	assert_near(evidence->domain[0].grow_rate, 0);
}

/* Without the memory controller no cgroup shows its size; with one sample none shows growth. */
static void growth_that_no_member_shows_is_unknown(void **state)
{
	struct snapshot *before = snapshot_new();

	cgroup(before, "", 1, -1);
	cgroup(before, "service", 2, 0);
	assert_true(isnan(EVIDENCE(before, later(before, 5))->domain[0].grow_rate));
	own(before, 1, CG_ANON, MIB_BYTES);
	assert_true(isnan(EVIDENCE(before)->domain[0].grow_rate));
	assert_near(EVIDENCE(before, later(before, 5))->domain[0].grow_rate, 0);
}

static void who_loses_most_is_the_sufferer_of_its_domain(void **state)
{
	const struct snapshot *before = slice_uses(1000, CG_MAX, 1000);
	struct snapshot *now = later(before, 5);
	const struct evidence *evidence;

	loses(now, API, 30);
	loses(now, WORKER, 20);
	loses(now, OTHER, 90);
	loses(now, SLICE, 95);
	evidence = EVIDENCE(before, now);
	assert_int_equal(evidence->domain[0].sufferer, OTHER);
	assert_near(evidence->domain[0].loss, 0.9);
	assert_int_equal(domain_of(evidence, SLICE)->sufferer, API);
	assert_near(domain_of(evidence, SLICE)->loss, 0.3);
}

/* A leak that waits for its own pages hurts nobody else. */
static void a_bystander_is_who_suffers_and_does_not_cause_it(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, 5);
	const struct domain *machine_domain;

	grows(now, WORKER, 3);
	loses(now, WORKER, 80);
	loses(now, API, 4);
	loses(now, OTHER, 2);
	machine_domain = &EVIDENCE(before, now)->domain[0];
	assert_int_equal(machine_domain->sufferer, WORKER);
	assert_int_equal(machine_domain->bystander, API);
	assert_near(machine_domain->bystander_loss, 0.04);
}

static void who_loses_an_unknown_share_is_not_the_sufferer(void **state)
{
	const struct snapshot *before = with_services();
	struct snapshot *now = later(before, 5);
	const struct domain *machine_domain;

	for (int i = TOP; i <= OTHER; i++)
		own_is(now, i, CG_MEM_SOME_TOTAL, DISABLED);
	machine_domain = &EVIDENCE(before, now)->domain[0];
	assert_int_equal(machine_domain->sufferer, -1);
	assert_int_equal(machine_domain->bystander, -1);
	assert_true(isnan(machine_domain->loss));
	assert_true(isnan(machine_domain->bystander_loss));
}

/* Room is made for members, for their largest processes and for domains: each may fail. */
static void a_small_arena_is_an_error(void **state)
{
	const struct snapshot *now = slice_uses(1000, CG_MAX, 1000);
	struct window *window = window_new(60);
	struct evidence evidence;
	size_t fails = 0;
	int r = -ENOMEM;

	assert_int_equal(window_push(window, now), 0);
	for (size_t size = 16; r != 0; size += 16) {
		struct arena arena;

		assert_int_equal(arena_init(&arena, size), 0);
		r = evidence_of(window, NULL, &arena, &evidence);
		assert_true(r == 0 || r == -ENOMEM);
		fails += r < 0;
		arena_done(&arena);
	}
	assert_true(fails > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_always_the_first),
		cmocka_unit_test(usage_near_a_limit_is_at_it),
		cmocka_unit_test(high_is_met_before_max),
		cmocka_unit_test(a_limit_is_hit_when_its_events_move),
		cmocka_unit_test(events_of_a_limit_that_is_no_more_make_no_domain),
		cmocka_unit_test(a_cgroup_without_limits_is_no_domain),
		cmocka_unit_test(limits_within_limits_are_domains_each),
		cmocka_unit_test(a_domain_has_the_leaves_below_it),
		cmocka_unit_test(who_grows_most_is_the_culprit_of_its_domain),
		cmocka_unit_test(who_does_not_grow_is_no_culprit),
		cmocka_unit_test(growth_that_no_member_shows_is_unknown),
		cmocka_unit_test(who_loses_most_is_the_sufferer_of_its_domain),
		cmocka_unit_test(a_bystander_is_who_suffers_and_does_not_cause_it),
		cmocka_unit_test(who_loses_an_unknown_share_is_not_the_sufferer),
		cmocka_unit_test(a_small_arena_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
