#include "test.h"

#include <errno.h>

#include "guarded.h"

static struct protection state;

/* A round, as if the time to measure had come. */
static size_t round_at(const struct guard_config *config, const struct snapshot *now)
{
	state.next_us = 0;
	return protect_next(&state, config, NULL, EVIDENCE(later(now, -5), now),
			    guarded_writes());
}

/* A new start: one round, whose writes are done in the snapshot. */
static size_t begin(const struct guard_config *config, struct snapshot *now)
{
	size_t count;

	state = (struct protection){ 0 };
	count = round_at(config, now);
	written(&state, now, count);
	return count;
}

static void a_unit_with_a_row_gets_its_working_set_and_so_does_what_is_above(void **unused)
{
	size_t count = begin(guarded_config("api.service"), guarded_machine());

	assert_int_equal(count, 2);
	assert_int_equal(guarded_writes()[0].member, SLICE); /* before what is in it */
	assert_int_equal(written_to(count, SLICE), MIBS(81));
	assert_int_equal(written_to(count, API), MIBS(81));
	assert_true(state.is_supported);
	assert_true(entry_for(&state, "app.slice")->is_ancestor);
	assert_false(entry_for(&state, "app.slice/api.service")->is_ancestor);
	assert_null(entry_for(&state, "app.slice/api.service")->why_not);
}

static void a_second_round_has_nothing_to_write(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	begin(config, now);
	now = later(now, 10);
	assert_int_equal(round_at(config, now), 0);
	assert_int_equal(entry_for(&state, "app.slice/api.service")->effective, MIBS(81));
}

static void it_measures_only_when_it_is_due(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	begin(config, now);
	own_more(now, API, CG_ANON, MIBS(100));
	own_more(now, API, CG_CURRENT, MIBS(100));
	now->host.at_us += config->options.protect_interval_us - 1;
	assert_int_equal(protect_next(&state, config, NULL, EVIDENCE(now), guarded_writes()),
			 0);
	now->host.at_us++;
	assert_int_equal(protect_next(&state, config, NULL, EVIDENCE(now), guarded_writes()),
			 2);
}

static void it_measures_more_often_while_memory_is_short(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *before = guarded_machine();
	struct snapshot *now = later(before, 5);

	machine(now, VM_PGSCAN_KSWAPD, 10000);
	state = (struct protection){ 0 };
	protect_next(&state, config, NULL, EVIDENCE(before, now), guarded_writes());
	assert_int_equal(state.next_us, now->host.at_us + 2 * SECOND_US);
}

static void the_margin_is_added(void **unused)
{
	struct guard_config *config = guarded_config("api.service");

	config->options.protect_margin = 10;
	assert_int_equal(written_to(begin(config, guarded_machine()), API), MIBS(90));
}

static void a_row_has_a_floor_and_a_cap(void **unused)
{
	struct guard_config *config = guarded_config("api.service");

	config->row[0].min_bytes = MIBS(100);
	assert_int_equal(written_to(begin(config, guarded_machine()), API), MIBS(100));
	config->row[0].min_bytes = 0;
	config->row[0].max_bytes = MIBS(50);
	assert_int_equal(written_to(begin(config, guarded_machine()), API), MIBS(50));
}

static void one_unit_has_no_more_than_the_cap(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	config->options.protect_cap = 5;
	assert_int_equal(written_to(begin(config, now), API), 51 * MIB_BYTES + 3 * 65536);
}

static void more_than_its_own_limit_is_of_no_use(void **unused)
{
	struct snapshot *now = guarded_machine();

	own(now, API, CG_MAX, MIBS(70));
	assert_int_equal(written_to(begin(guarded_config("api.service"), now), API), MIBS(70));
	now = guarded_machine();
	own(now, API, CG_HIGH, MIBS(60));
	assert_int_equal(written_to(begin(guarded_config("api.service"), now), API), MIBS(60));
}

static void nobody_is_protected_where_it_is_switched_off(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	config->options.protect_enabled = 0;
	assert_int_equal(begin(config, now), 0);
	assert_int_equal(protect_member(&state, config, EVIDENCE(now), API, guarded_writes()),
			 0);
}

/* After a reload that switched it off, or took the row away. */
static void what_is_not_asked_for_any_more_is_given_back(void **unused)
{
	struct snapshot *now = guarded_machine();
	size_t count;

	own(now, API, CG_MIN, MIBS(4));
	begin(guarded_config("api.service"), now);
	now = later(now, 10);
	count = round_at(guarded_config(NULL), now);
	assert_int_equal(count, 2);
	assert_int_equal(guarded_writes()[1].member, SLICE); /* after what is in it */
	assert_int_equal(written_to(count, API), MIBS(4));
	assert_int_equal(written_to(count, SLICE), 0);
	written(&state, now, count);
	assert_int_equal(round_at(guarded_config(NULL), later(now, 10)), 0);
	assert_null(entry_for(&state, "app.slice/api.service"));
	assert_null(entry_for(&state, "app.slice"));
}

static void services_are_protected_where_all_of_them_are(void **unused)
{
	struct guard_config *config = guarded_config(NULL);
	struct snapshot *now = guarded_machine();
	const struct service_list services = { .id = { now->cgroups[API].id }, .count = 1 };

	for (uint64_t who = PROTECT_NOBODY; who <= PROTECT_SERVICES; who++) {
		config->options.protect_who = who;
		state = (struct protection){ 0 };
		assert_int_equal(protect_next(&state, config, &services, EVIDENCE(now),
					      guarded_writes()),
				 who == PROTECT_SERVICES ? 2 : 0);
	}
}

static void a_process_by_name_has_its_cgroup_protected(void **unused)
{
	struct guard_config *config = guarded_config(NULL);
	struct policy_row *row = protect_row(config, "");
	struct snapshot *now = guarded_machine();

	span_copy(span_cstr("postgres"), row->comm, sizeof(row->comm));
	assert_int_equal(begin(config, now), 0);
	process(now, 10, "postgres", API);
	assert_int_equal(written_to(begin(config, now), API), MIBS(81));
}

/* A leak would only hold on to more, and has what it was given before. */
static void what_grows_is_not_protected(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *first = guarded_machine();
	struct snapshot *middle;
	struct snapshot *now;

	holds(first, API, 60);
	middle = later(first, 2.5);
	holds(middle, API, 70);
	now = later(middle, 2.5);
	holds(now, API, 80);
	state = (struct protection){ 0 };
	assert_int_equal(protect_next(&state, config, NULL, EVIDENCE(first, middle, now),
				      guarded_writes()),
			 0);
	assert_string_equal(entry_for(&state, "app.slice/api.service")->why_not, "grows");
	begin(config, first);
	own(now, API, CG_MIN, MIBS(60));
	own(now, SLICE, CG_MIN, MIBS(60));
	state.next_us = 0;
	assert_int_equal(protect_next(&state, config, NULL, EVIDENCE(first, middle, now),
				      guarded_writes()),
			 0);
	assert_int_equal(entry_for(&state, "app.slice/api.service")->set, MIBS(60));
	assert_string_equal(entry_for(&state, "app.slice/api.service")->why_not, "grows");
}

static void what_cannot_be_measured_gets_the_floor_only(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	own_is(now, API, CG_ANON, DENIED);
	assert_int_equal(begin(config, now), 0);
	assert_string_equal(entry_for(&state, "app.slice/api.service")->why_not,
			    "its anonymous memory is unknown");
	config->row[0].min_bytes = MIBS(30);
	assert_int_equal(written_to(begin(config, now), API), MIBS(30));
}

static void what_cannot_be_measured_now_keeps_what_it_has(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	begin(config, now);
	now = later(now, 3600);
	own_is(now, API, CG_ANON, DENIED);
	assert_int_equal(round_at(config, now), 0);
}

static void a_little_more_is_not_worth_a_write(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	holds(now, API, 100);
	begin(config, now);
	now = later(now, 10);
	holds(now, API, 105);
	assert_int_equal(round_at(config, now), 0);
	holds(now, API, 106);
	assert_int_equal(written_to(round_at(config, now), API), MIBS(106));
	assert_int_equal(written_to(2, SLICE), MIBS(106));
}

static void it_is_lowered_only_after_minutes_in_which_much_less_is_needed(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();

	holds(now, API, 100);
	begin(config, now);
	now = later(now, 1000);
	holds(now, API, 75);
	assert_int_equal(round_at(config, now), 0); /* three quarters of it: it stays */
	now = later(now, 299);
	holds(now, API, 74);
	assert_int_equal(round_at(config, now), 0);
	now = later(now, 1);
	assert_int_equal(written_to(round_at(config, now), API), MIBS(74));
	assert_int_equal(guarded_writes()[0].member, API);
	assert_int_equal(written_to(2, SLICE), MIBS(74));
}

static void what_others_have_set_is_never_lowered(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	own(now, API, CG_MIN, MIBS(200));
	own(now, SLICE, CG_MIN, MIBS(300));
	assert_int_equal(begin(config, now), 0);
	now = guarded_machine();
	own(now, API, CG_MIN, MIBS(20));
	own(now, SLICE, CG_MIN, MIBS(300));
	count = begin(config, now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, API), MIBS(81));
}

/* The common mistake: MemoryMin= on the unit, and none on the slice. */
static void what_others_have_set_is_made_to_hold(void **unused)
{
	struct snapshot *now = guarded_machine();
	size_t count;

	own(now, API, CG_MIN, MIBS(200));
	count = begin(guarded_config("api.service"), now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, SLICE), MIBS(200));
}

static void without_bounds_stays_without_bounds(void **unused)
{
	struct snapshot *now = guarded_machine();
	size_t count;

	own(now, API, CG_MIN, UINT64_MAX);
	own_is(now, API, CG_MIN, UNLIMITED);
	count = begin(guarded_config("api.service"), now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, SLICE), MIBS(81));
}

/* What a sibling was given by others counts too, or ours would be a part of the rest only. */
static void an_ancestor_holds_what_others_protect_in_it(void **unused)
{
	struct snapshot *now = guarded_machine();

	own(now, WORKER, CG_MIN, MIBS(30));
	assert_int_equal(written_to(begin(guarded_config("api.service"), now), SLICE),
			 MIBS(111));
}

/* A sibling that is not protected must get nothing of it (memory_recursiveprot). */
static void an_ancestor_has_no_more_than_the_sum(void **unused)
{
	struct guard_config *config = guarded_config("*.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	holds(now, WORKER, 40);
	holds(now, OTHER, 10);
	count = begin(config, now);
	assert_int_equal(count, 4);
	assert_int_equal(written_to(count, SLICE), MIBS(121));
	assert_int_equal(written_to(count, OTHER), MIBS(10));
}

static void a_slice_with_a_row_of_its_own_is_both(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	protect_row(config, "app.slice");
	holds(now, SLICE, 60);
	assert_int_equal(written_to(begin(config, now), SLICE), MIBS(81));
	holds(now, SLICE, 90);
	own(now, SLICE, CG_MIN, 0);
	own(now, API, CG_MIN, 0);
	count = begin(config, now);
	assert_int_equal(written_to(count, SLICE), MIBS(90));
	assert_int_equal(written_to(count, API), MIBS(81));
}

static void a_value_that_somebody_changed_is_theirs_from_then_on(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	begin(config, now);
	now = later(now, 10);
	own(now, API, CG_MIN, MIBS(120));
	count = round_at(config, now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, SLICE), MIBS(120));
	written(&state, now, count);
	count = round_at(guarded_config(NULL), later(now, 10));
	assert_int_equal(written_to(count, API), UINT64_MAX);
	assert_int_equal(written_to(count, SLICE), 0);
}

static void a_value_that_somebody_lowered_is_raised_and_theirs_comes_back(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	begin(config, now);
	now = later(now, 10);
	own(now, API, CG_MIN, MIBS(7));
	count = round_at(config, now);
	assert_int_equal(written_to(count, API), MIBS(81));
	written(&state, now, count);
	count = round_at(guarded_config(NULL), later(now, 10));
	assert_int_equal(written_to(count, API), MIBS(7));
}

static void a_cgroup_that_is_made_anew_is_a_new_one(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	begin(config, now);
	now = later(now, 10);
	now->cgroups[OTHER].id = 100;
	now->cgroups[WORKER].id = 99;
	now->cgroups[API].id = 98;
	own(now, API, CG_MIN, 0);
	count = round_at(config, now);
	assert_int_equal(count, 1);
	assert_int_equal(guarded_writes()[0].id, 98);
	assert_int_equal(guarded_writes()[0].from, 0);
	assert_int_equal(written_to(count, API), MIBS(81));
	assert_null(entry_for(&state, "app.slice/worker.service"));
}

static void what_has_gone_leaves_the_sum_above(void **unused)
{
	struct guard_config *config = guarded_config("*.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	holds(now, WORKER, 40);
	begin(config, now);
	now = later(now, 10);
	now->cgroups[WORKER] = now->cgroups[OTHER];
	now->cgroup_count--;
	count = round_at(config, now);
	assert_int_equal(count, 1);
	assert_int_equal(written_to(count, SLICE), MIBS(81));
	assert_null(entry_for(&state, "app.slice/worker.service"));
}

/* A list that was cut off does not say that the rest is gone. */
static void what_was_not_listed_has_not_gone(void **unused)
{
	struct guard_config *config = guarded_config("*.service");
	struct snapshot *now = guarded_machine();

	begin(config, now);
	now = later(now, 10);
	now->cgroup_count--;
	now->cgroups_cut = true;
	round_at(config, now);
	assert_non_null(entry_for(&state, "app.slice/api.service"));
	now->cgroups_state = DENIED;
	now->cgroup_count = 0;
	assert_int_equal(round_at(config, now), 0);
	assert_non_null(entry_for(&state, "app.slice/api.service"));
}

static void the_ladder_protects_whom_no_policy_names(void **unused)
{
	struct guard_config *config = guarded_config("other.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	holds(now, OTHER, 10);
	begin(config, now);
	count = protect_member(&state, config, EVIDENCE(later(now, -5), now), API,
			       guarded_writes());
	assert_int_equal(count, 2);
	assert_int_equal(written_to(count, API), MIBS(81));
	assert_int_equal(written_to(count, SLICE), MIBS(81));
	written(&state, now, count);
	assert_int_equal(round_at(config, later(now, 10)), 0); /* from now on */
	assert_true(entry_for(&state, "app.slice/api.service")->is_asked);
}

static void everything_goes_back_to_what_was_found(void **unused)
{
	struct snapshot *now = guarded_machine();
	size_t count;

	own(now, SLICE, CG_MIN, MIBS(3));
	begin(guarded_config("api.service"), now);
	count = protect_restore(&state, now, guarded_writes());
	assert_int_equal(count, 2);
	assert_int_equal(guarded_writes()[0].member, API); /* units before what is above them */
	assert_int_equal(written_to(count, API), 0);
	assert_int_equal(written_to(count, SLICE), MIBS(3));
	written(&state, now, count);
	assert_int_equal(protect_restore(&state, now, guarded_writes()), 0);
}

static void only_where_ours_still_stands(void **unused)
{
	struct snapshot *now = guarded_machine();
	size_t count;

	begin(guarded_config("api.service"), now);
	own(now, API, CG_MIN, MIBS(1));
	count = protect_restore(&state, now, guarded_writes());
	assert_int_equal(count, 1);
	assert_int_equal(guarded_writes()[0].member, SLICE);
}

static void a_write_that_failed_is_tried_again_and_told(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	state = (struct protection){ 0 };
	count = round_at(config, now);
	for (size_t i = 0; i < count; i++)
		protect_done(&state, &guarded_writes()[i], -EACCES);
	assert_int_equal(entry_for(&state, "app.slice/api.service")->set, 0);
	assert_int_equal(round_at(config, later(now, 10)), 2);
	assert_string_equal(entry_for(&state, "app.slice/api.service")->why_not,
			    "memory.min could not be written");
	assert_int_equal(protect_restore(&state, now, guarded_writes()), 0);
}

static void a_dry_run_says_the_same_once(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	state = (struct protection){ 0 };
	count = round_at(config, now);
	for (size_t i = 0; i < count; i++)
		protect_done(&state, &guarded_writes()[i], -ECANCELED);
	assert_int_equal(round_at(config, later(now, 10)), 0);
	assert_int_equal(protect_restore(&state, now, guarded_writes()), 0);
	holds(now, API, 200);
	assert_int_equal(round_at(config, later(now, 10)), 2);
}

/* How the write went was not told, and the file holds it: then it is ours, to be taken back. */
static void a_write_of_unknown_end_is_ours_where_it_stands(void **unused)
{
	struct guard_config *config = guarded_config("api.service");
	struct snapshot *now = guarded_machine();
	size_t count;

	state = (struct protection){ 0 };
	count = round_at(config, now);
	for (size_t i = 0; i < count; i++)
		protect_done(&state, &guarded_writes()[i], -ECANCELED);
	now = later(now, 10);
	own(now, API, CG_MIN, MIBS(81));
	own(now, SLICE, CG_MIN, MIBS(81));
	assert_int_equal(round_at(config, now), 0);
	count = protect_restore(&state, now, guarded_writes());
	assert_int_equal(count, 2);
	assert_int_equal(written_to(count, API), 0);
}

static void there_is_no_protection_on_v1(void **unused)
{
	struct snapshot *now = snapshot_new();

	machine(now, MI_TOTAL, GIB_BYTES);
	cgroup_v1(now, "", 1, -1);
	own(now, cgroup_v1(now, "api.service", 2, 0), CG_ANON, MIBS(10));
	assert_int_equal(begin(guarded_config("api.service"), now), 0);
	assert_false(state.is_supported);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_unit_with_a_row_gets_its_working_set_and_so_does_what_is_above),
		cmocka_unit_test(a_second_round_has_nothing_to_write),
		cmocka_unit_test(it_measures_only_when_it_is_due),
		cmocka_unit_test(it_measures_more_often_while_memory_is_short),
		cmocka_unit_test(the_margin_is_added),
		cmocka_unit_test(a_row_has_a_floor_and_a_cap),
		cmocka_unit_test(one_unit_has_no_more_than_the_cap),
		cmocka_unit_test(more_than_its_own_limit_is_of_no_use),
		cmocka_unit_test(nobody_is_protected_where_it_is_switched_off),
		cmocka_unit_test(what_is_not_asked_for_any_more_is_given_back),
		cmocka_unit_test(services_are_protected_where_all_of_them_are),
		cmocka_unit_test(a_process_by_name_has_its_cgroup_protected),
		cmocka_unit_test(what_grows_is_not_protected),
		cmocka_unit_test(what_cannot_be_measured_gets_the_floor_only),
		cmocka_unit_test(what_cannot_be_measured_now_keeps_what_it_has),
		cmocka_unit_test(a_little_more_is_not_worth_a_write),
		cmocka_unit_test(it_is_lowered_only_after_minutes_in_which_much_less_is_needed),
		cmocka_unit_test(what_others_have_set_is_never_lowered),
		cmocka_unit_test(what_others_have_set_is_made_to_hold),
		cmocka_unit_test(without_bounds_stays_without_bounds),
		cmocka_unit_test(an_ancestor_holds_what_others_protect_in_it),
		cmocka_unit_test(an_ancestor_has_no_more_than_the_sum),
		cmocka_unit_test(a_slice_with_a_row_of_its_own_is_both),
		cmocka_unit_test(a_value_that_somebody_changed_is_theirs_from_then_on),
		cmocka_unit_test(a_value_that_somebody_lowered_is_raised_and_theirs_comes_back),
		cmocka_unit_test(a_cgroup_that_is_made_anew_is_a_new_one),
		cmocka_unit_test(what_has_gone_leaves_the_sum_above),
		cmocka_unit_test(what_was_not_listed_has_not_gone),
		cmocka_unit_test(the_ladder_protects_whom_no_policy_names),
		cmocka_unit_test(everything_goes_back_to_what_was_found),
		cmocka_unit_test(only_where_ours_still_stands),
		cmocka_unit_test(a_write_that_failed_is_tried_again_and_told),
		cmocka_unit_test(a_dry_run_says_the_same_once),
		cmocka_unit_test(a_write_of_unknown_end_is_ours_where_it_stands),
		cmocka_unit_test(there_is_no_protection_on_v1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
