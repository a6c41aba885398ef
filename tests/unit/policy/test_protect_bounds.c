/* What all of it may take, and what is in force. */
#include "test.h"

#include "guarded.h"

static struct protection state;

static size_t begin(const struct guard_config *config, struct snapshot *now)
{
	state = (struct protection){ 0 };
	return protect_next(&state, config, NULL, EVIDENCE(later(now, -5), now),
			    guarded_writes());
}

/* api, worker and other with these working sets in MiB. */
static struct snapshot *with(uint64_t api, uint64_t worker, uint64_t other)
{
	struct snapshot *now = guarded_machine();

	holds(now, API, api);
	holds(now, WORKER, worker);
	holds(now, OTHER, other);
	return now;
}

static void the_sum_stays_below_the_share_of_ram(void **unused)
{
	struct guard_config *config = guarded_config("*.service");
	size_t count = begin(config, with(200, 220, 240)); /* 60 % of 1 GiB is 614 MiB */

	assert_int_equal(written_to(count, API), MIBS(200));
	assert_int_equal(written_to(count, WORKER), MIBS(220));
	assert_int_equal(written_to(count, SLICE), MIBS(420));
	assert_int_equal(written_to(count, OTHER),
			 (uint64_t)(0.6 * 1024 * MIB_BYTES) - MIBS(420));
	assert_string_equal(entry_for(&state, "other.service")->why_not,
			    "over the share of RAM");
	assert_int_equal(state.bound, (uint64_t)(0.6 * 1024 * MIB_BYTES));
}

static void the_row_with_more_priority_comes_first(void **unused)
{
	struct guard_config *config = guarded_config("other.service");
	size_t count;

	config->row[0].priority = 5;
	protect_row(config, "*.service");
	count = begin(config, with(300, 310, 320));
	assert_int_equal(written_to(count, OTHER), MIBS(320));
	assert_true(written_to(count, API) < MIBS(300));
	assert_int_equal(written_to(count, WORKER), UINT64_MAX);
}

/* Less than half of a working set does not help, and what does not fit leaves room for others.
 */
static void what_has_no_room_for_half_of_it_is_left_out(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	size_t count;

	config->options.protect_share = 30;
	config->row[0].priority = 3;
	protect_row(config, "worker.service")->priority = 2;
	protect_row(config, "other.service")->priority = 1;
	count = begin(config, with(250, 200, 50));
	assert_int_equal(written_to(count, API), MIBS(250));
	assert_int_equal(written_to(count, WORKER), UINT64_MAX);
	assert_string_equal(entry_for(&state, "app.slice/worker.service")->why_not,
			    "over the share of RAM");
	assert_int_equal(written_to(count, OTHER), MIBS(50));
}

static void what_others_protect_counts_for_the_share(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = with(200, 0, 400);

	own(now, OTHER, CG_MIN, MIBS(450));
	assert_int_equal(written_to(begin(config, now), API),
			 (uint64_t)(0.6 * 1024 * MIB_BYTES) - MIBS(450));
	own(now, OTHER, CG_MIN, UINT64_MAX);
	own_is(now, OTHER, CG_MIN, UNLIMITED);
	assert_int_equal(written_to(begin(config, now), API), MIBS(200));
}

/* What others gave to the slice is in use already. */
static void what_others_gave_above_is_not_counted_twice(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = with(200, 0, 0);
	size_t count;

	own(now, SLICE, CG_MIN, MIBS(600));
	count = begin(config, now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, API), MIBS(200));
}

/* app.slice was given to a user, who can write what he likes to memory.min of all in it. */
static struct snapshot *with_a_user_who_wants_all(uint64_t wants)
{
	struct snapshot *now = with(100, 50, 200);

	for (int i = SLICE; i <= WORKER; i++)
		now->cgroups[i].owner = 1000;
	own(now, WORKER, CG_MIN, wants);
	return now;
}

static void what_a_user_protects_in_his_part_counts_for_nothing(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	size_t count;

	protect_row(config, "other.service");
	count = begin(config, with_a_user_who_wants_all(1024 * MIBS(1024)));
	assert_int_equal(written_to(count, OTHER), MIBS(200));
	assert_int_equal(written_to(count, API), MIBS(100));
	assert_int_equal(written_to(count, SLICE), MIBS(100));
	assert_int_equal(written_to(count, WORKER), UINT64_MAX);
}

/* As above, but that one is to be protected itself. */
static void who_is_protected_there_counts_for_what_he_needs(void **unused)
{
	struct guard_config *config = guarded_config("worker.service");
	size_t count;

	protect_row(config, "other.service");
	count = begin(config, with_a_user_who_wants_all(1024 * MIBS(1024)));
	assert_int_equal(written_to(count, OTHER), MIBS(200));
	assert_int_equal(written_to(count, SLICE), MIBS(50));
	assert_int_equal(written_to(count, WORKER), UINT64_MAX); /* it has more */
}

/* What root gave to the part as a whole does count. */
static void what_root_gave_to_a_user_counts(void **unused)
{
	struct guard_config *config = guarded_config("other.service");
	struct snapshot *now = with_a_user_who_wants_all(0);

	own(now, SLICE, CG_MIN, MIBS(500));
	assert_int_equal(written_to(begin(config, now), OTHER),
			 (uint64_t)(0.6 * 1024 * MIB_BYTES) - MIBS(500));
}

static void a_crowd_that_suffers_in_a_users_part_takes_few_places(void **unused)
{
	struct snapshot *now = with_a_user_who_wants_all(0);

	state = (struct protection){ 0 };
	for (size_t i = 0; i < PROTECTED_GIVEN; i++) {
		assert_true(protect_has_place(&state, now, WORKER));
		state.list[i] = (struct protected){ .id = 100 + i, .is_given = true };
	}
	assert_false(protect_has_place(&state, now, WORKER));
	assert_true(protect_has_place(&state, now, OTHER)); /* root's */
	assert_true(protect_has_place(&state, now, SLICE)); /* whose limits are root's */
	state.list[0].id = now->cgroups[WORKER].id;
	assert_true(protect_has_place(&state, now, WORKER)); /* has it already */
}

static void what_lies_deep_in_a_users_part_has_no_place(void **unused)
{
	struct snapshot *now = guarded_machine();
	struct cgroup deep[PROTECTED_DEPTH + 1];

	for (int32_t i = 0; i <= PROTECTED_DEPTH; i++) {
		deep[i] = now->cgroups[0];
		deep[i].parent = i - 1;
		deep[i].owner = i == 0 ? 0 : 1000;
	}
	now->cgroups = deep;
	now->cgroup_count = ARRAY_LEN(deep);
	state = (struct protection){ 0 };
	assert_true(protect_has_place(&state, now, PROTECTED_DEPTH - 1));
	assert_false(protect_has_place(&state, now, PROTECTED_DEPTH));
}

/* Both want more than the share; the row that is built in stands far below all others. */
static void who_suffers_in_a_users_part_comes_after_all_others(void **unused)
{
	struct guard_config *config = guarded_config("other.service");
	struct snapshot *now = with_a_user_who_wants_all(0);
	size_t count;

	config->row[0].priority = -100;
	holds(now, API, 400);
	holds(now, OTHER, 400);
	state = (struct protection){ 0 };
	count = protect_member(&state, config, EVIDENCE(later(now, -5), now), API,
			       guarded_writes());
	written(&state, now, count);
	state.next_us = 0;
	count = protect_next(&state, config, NULL, EVIDENCE(later(now, -5), now),
			     guarded_writes());
	assert_int_equal(written_to(count, OTHER), MIBS(400));
}

static void the_sum_stays_below_the_share_of_each_limit_above(void **unused)
{
	static const enum cgroup_field limits[] = { CG_HIGH, CG_MAX };
	struct guard_config *config = guarded_config("*.service");

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct snapshot *now = with(100, 120, 200);
		size_t count;

		own(now, SLICE, limits[i], MIBS(300));
		count = begin(config, now);
		assert_int_equal(written_to(count, API), MIBS(100));
		assert_int_equal(written_to(count, WORKER), MIBS(80));
		assert_int_equal(written_to(count, SLICE), MIBS(180));
		assert_int_equal(written_to(count, OTHER), MIBS(200));
		assert_string_equal(entry_for(&state, "app.slice/worker.service")->why_not,
				    "over the share of the limit above it");
	}
}

static void without_the_size_of_ram_nothing_is_protected(void **unused)
{
	struct snapshot *now = with(100, 120, 200);

	machine_is(now, MI_TOTAL, DENIED);
	assert_int_equal(begin(guarded_config("*.service"), now), 0);
}

/* More units than writes: the rest comes at the next look, not at the next measurement. */
static void what_does_not_fit_into_one_round_comes_at_once(void **unused)
{
	static struct cgroup many[60];
	struct guard_config *config = guarded_config("*.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	for (size_t i = 0; i < ARRAY_LEN(many); i++) {
		many[i] = now->cgroups[i < SLICE ? i : OTHER];
		many[i].id = i + 1;
	}
	now->cgroups = many;
	now->cgroup_count = ARRAY_LEN(many);
	for (size_t i = 1; i < ARRAY_LEN(many); i++)
		holds(now, (int)i, 1);
	state = (struct protection){ 0 };
	count = protect_next(&state, config, NULL, EVIDENCE(now), guarded_writes());
	assert_int_equal(count, PROTECT_WRITES);
	written(&state, now, count);
	count = protect_next(&state, config, NULL, EVIDENCE(now), guarded_writes());
	assert_int_equal(count, 59 - PROTECT_WRITES);
	written(&state, now, count);
	assert_int_equal(protect_next(&state, config, NULL, EVIDENCE(now), guarded_writes()),
			 0);
}

static void what_is_in_force_is_capped_by_what_is_above(void **unused)
{
	struct snapshot *now = with(100, 120, 200);

	own(now, API, CG_MIN, MIBS(80));
	assert_int_equal(protect_effective(now, API), 0);
	own(now, SLICE, CG_MIN, MIBS(50));
	own(now, SLICE, CG_CURRENT, MIBS(220));
	assert_int_equal(protect_effective(now, API), MIBS(50));
	own(now, SLICE, CG_MIN, MIBS(90));
	assert_int_equal(protect_effective(now, API), MIBS(80));
	assert_int_equal(protect_effective(now, SLICE), MIBS(90));
	own(now, WORKER, CG_MIN, MIBS(100)); /* 180 in all, of which it has 80 */
	assert_int_equal(protect_effective(now, API), MIBS(40));
}

static void what_is_not_used_takes_nothing_from_siblings(void **unused)
{
	struct snapshot *now = with(100, 10, 200);

	own(now, SLICE, CG_MIN, MIBS(90));
	own(now, SLICE, CG_CURRENT, MIBS(110));
	own(now, API, CG_MIN, MIBS(80));
	own(now, WORKER, CG_MIN, MIBS(100));
	assert_int_equal(protect_effective(now, API), MIBS(80));
}

static void nothing_is_in_force_where_nothing_is_known(void **unused)
{
	struct snapshot *now = with(100, 120, 200);

	own(now, API, CG_MIN, MIBS(80));
	own(now, SLICE, CG_MIN, MIBS(80));
	own_is(now, SLICE, CG_MIN, DENIED);
	assert_int_equal(protect_effective(now, API), 0);
	assert_int_equal(protect_effective(now, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum_stays_below_the_share_of_ram),
		cmocka_unit_test(the_row_with_more_priority_comes_first),
		cmocka_unit_test(what_has_no_room_for_half_of_it_is_left_out),
		cmocka_unit_test(what_others_protect_counts_for_the_share),
		cmocka_unit_test(what_others_gave_above_is_not_counted_twice),
		cmocka_unit_test(what_a_user_protects_in_his_part_counts_for_nothing),
		cmocka_unit_test(who_is_protected_there_counts_for_what_he_needs),
		cmocka_unit_test(what_root_gave_to_a_user_counts),
		cmocka_unit_test(a_crowd_that_suffers_in_a_users_part_takes_few_places),
		cmocka_unit_test(what_lies_deep_in_a_users_part_has_no_place),
		cmocka_unit_test(who_suffers_in_a_users_part_comes_after_all_others),
		cmocka_unit_test(the_sum_stays_below_the_share_of_each_limit_above),
		cmocka_unit_test(without_the_size_of_ram_nothing_is_protected),
		cmocka_unit_test(what_does_not_fit_into_one_round_comes_at_once),
		cmocka_unit_test(what_is_in_force_is_capped_by_what_is_above),
		cmocka_unit_test(what_is_not_used_takes_nothing_from_siblings),
		cmocka_unit_test(nothing_is_in_force_where_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
