#include "test.h"

#include "made.h"

/* The times of the frames, in seconds since the first snapshot that snapshot_new() makes. */
static void expect_times(const struct window *window, const double *times, size_t count,
			 const char *file, int line)
{
	bool same = window->frames == count;

	for (size_t i = 0; i < count && same; i++)
		same = window->frame[i]->host.at_us == (uint64_t)((100 + times[i]) * SECOND_US);
	if (same)
		return;
	for (size_t i = 0; i < window->frames; i++)
		print_error("frame %zu at %.1f s\n", i,
			    (double)window->frame[i]->host.at_us / SECOND_US - 100);
	_fail(file, line);
}

#define assert_times(window, ...)                                                        \
	expect_times(window, (const double[]){ __VA_ARGS__ },                            \
		     sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), __FILE__, \
		     __LINE__)

static void push(struct window *window, const struct snapshot *snapshot)
{
	assert_int_equal(window_push(window, snapshot), 0);
}

/* Snapshots every interval from 0 to end; the last is returned. */
static const struct snapshot *push_each(struct window *window, double interval, double end)
{
	const struct snapshot *first = snapshot_new();
	const struct snapshot *now = first;

	push(window, first);
	for (double at = interval; at <= end; at += interval) {
		now = later(first, at);
		push(window, now);
	}
	return now;
}

static void one_snapshot_has_no_oldest(void **state)
{
	struct window *window = window_new(5);
	const struct snapshot *only = snapshot_new();

	push(window, only);
	assert_null(window_oldest(window));
	assert_ptr_equal(window_newest(window), only);
}

static void the_oldest_reaches_back_the_whole_span(void **state)
{
	struct window *window = window_new(5);
	const struct snapshot *last = push_each(window, 1, 8);

	assert_times(window, 3, 4, 5, 6, 7, 8);
	assert_ptr_equal(window_newest(window), last);
	assert_ptr_equal(window_oldest(window), window->frame[0]);
}

static void the_oldest_stays_until_the_second_reaches_back(void **state)
{
	struct window *window = window_new(5);

	push_each(window, 3, 6);
	assert_times(window, 0, 3, 6);
	push_each(window_new(5), 3, 9);
	assert_times(window, 3, 6, 9);
}

/* The thirteenth takes the place of the one that is missed least. */
static void more_than_twelve_are_thinned(void **state)
{
	struct window *window = window_new(60);

	push_each(window, 1, 11);
	assert_int_equal(window->frames, WINDOW_FRAMES);
	push_each(window_new(60), 1, 12);
	assert_times(window, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

static void what_is_left_is_spaced_evenly(void **state)
{
	struct window *window = window_new(60);

	for (double end = 12; end <= 60; end++) {
		push_each(window_new(60), 1, end);
		assert_int_equal(window->frames, WINDOW_FRAMES);
		assert_int_equal(window_oldest(window)->host.at_us, 100u * SECOND_US);
		/* Twice the even gap, which eleven gaps would have. */
		assert_true(window->gap_s <= 2 * ceil(end / (WINDOW_FRAMES - 1)));
	}
}

static bool are_all_different(const struct window *window)
{
	for (size_t i = 0; i < ARRAY_LEN(window->arena); i++)
		for (size_t j = 0; j < i; j++)
			if (window->arena[i].base == window->arena[j].base)
				return false;
	return true;
}

/* A snapshot lives in its arena: the free one is never that of a frame. */
static void a_frame_keeps_its_arena(void **state)
{
	struct window *window = window_new(60);
	const char *base[40];
	const struct snapshot *taken[40];
	const struct snapshot *first = snapshot_new();

	for (size_t i = 0; i < ARRAY_LEN(base); i++) {
		base[i] = window_arena(window)->base;
		taken[i] = later(first, (double)i);
		push(window, taken[i]);
		assert_true(are_all_different(window));
		for (size_t j = 0; j < window->frames; j++)
			for (size_t k = 0; k <= i; k++)
				if (taken[k] == window->frame[j])
					assert_ptr_equal(window->arena[j].base, base[k]);
	}
}

static void a_restart_of_the_machine_forgets_all(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	cgroup(before, "", 1, -1);
	own(before, 0, CG_FILE_MAPPED, 50 * MIB_BYTES);
	push(window, before);
	now = later(before, 10);
	own(now, 0, CG_FILE_MAPPED, 20 * MIB_BYTES);
	span_copy(span_cstr("second"), now->host.boot_id, sizeof(now->host.boot_id));
	push(window, now);
	assert_int_equal(window->frames, 1);
	assert_near(window->track[0].calm_mapped, 20.0 * MIB_BYTES);
}

static void a_clock_that_went_back_forgets_all(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *now = later(before, 0);

	now->host.at_us -= 1;
	push(window, before);
	push(window, now);
	assert_times(window, -0.000001);
	push(window, later(now, 0)); /* nor did it stand still */
	assert_int_equal(window->frames, 1);
}

static void without_a_clock_nothing_is_kept(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *now = later(before, 1);

	push(window, before);
	now->host.has_time = false;
	push(window, now);
	assert_int_equal(window->frames, 1);
	push(window, later(before, 2));
	assert_int_equal(window->frames, 1);
}

static void the_gap_is_the_longest_time_between_neighbours(void **state)
{
	struct window *window = window_new(60);
	const struct snapshot *first = snapshot_new();

	push(window, first);
	assert_true(isnan(window->gap_s));
	push(window, later(first, 1));
	push(window, later(first, 8));
	push(window, later(first, 10));
	assert_near(window->gap_s, 7);
}

static double calm_after(double seconds, uint64_t then, uint64_t now_mapped)
{
	struct window *window = window_new(5);
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	cgroup(before, "", 1, -1);
	own(before, 0, CG_FILE_MAPPED, then);
	push(window, before);
	now = later(before, seconds);
	own(now, 0, CG_FILE_MAPPED, now_mapped);
	push(window, now);
	return window->track[0].calm_mapped;
}

static void the_calm_mapped_set_is_a_maximum_that_is_half_forgotten_in_ten_minutes(void **state)
{
	assert_near(calm_after(600, 64 * MIB_BYTES, 8 * MIB_BYTES), 32.0 * MIB_BYTES);
	assert_near(calm_after(1200, 64 * MIB_BYTES, 8 * MIB_BYTES), 16.0 * MIB_BYTES);
	assert_near(calm_after(1200, 64 * MIB_BYTES, 20 * MIB_BYTES), 20.0 * MIB_BYTES);
	assert_near(calm_after(1, 8 * MIB_BYTES, 64 * MIB_BYTES), 64.0 * MIB_BYTES);
}

static void a_mapped_set_that_cannot_be_read_once_is_remembered(void **state)
{
	struct window *window = window_new(5);
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	cgroup(before, "", 1, -1);
	push(window, before);
	assert_true(isnan(window->track[0].calm_mapped));
	now = later(before, 1);
	own(now, 0, CG_FILE_MAPPED, MIB_BYTES);
	push(window, now);
	assert_near(window->track[0].calm_mapped, MIB_BYTES);
	now = later(now, 600);
	own_is(now, 0, CG_FILE_MAPPED, GARBLED);
	push(window, now);
	assert_near(window->track[0].calm_mapped, MIB_BYTES / 2.0);
}

static void a_cgroup_that_vanished_is_forgotten_and_the_others_are_not(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *between = snapshot_new();
	struct snapshot *now;

	for (uint64_t id = 1; id <= 3; id++)
		own(before, cgroup(before, id == 1 ? "" : "x", id, id == 1 ? -1 : 0),
		    CG_FILE_MAPPED, id * 10 * MIB_BYTES);
	now = later(before, 2);
	cgroup(between, "", 1, -1);
	cgroup(between, "x", 3, 0);
	between->host.at_us += SECOND_US;
	push(window, before);
	push(window, between);
	assert_int_equal(window->track_count, 2);
	assert_int_equal(window->track[1].id, 3);
	assert_true(window->track[0].calm_mapped > 9.0 * MIB_BYTES);
	assert_true(window->track[1].calm_mapped > 29.0 * MIB_BYTES);
	for (int i = 0; i < 3; i++)
		own(now, i, CG_FILE_MAPPED, 0);
	push(window, now);
	assert_true(window->track[0].calm_mapped > 9.0 * MIB_BYTES);
	assert_near(window->track[1].calm_mapped, 0);
	assert_true(window->track[2].calm_mapped > 29.0 * MIB_BYTES);
}

/* The path may be the same: a service was restarted. */
static void a_cgroup_with_another_id_is_another_one(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *now = snapshot_new();

	cgroup(before, "", 1, -1);
	own(before, cgroup(before, "db.service", 20, 0), CG_FILE_MAPPED, 50 * MIB_BYTES);
	cgroup(now, "", 1, -1);
	own(now, cgroup(now, "db.service", 35, 0), CG_FILE_MAPPED, MIB_BYTES);
	now->host.at_us += 2u * SECOND_US;
	push(window, before);
	push(window, now);
	assert_near(window->track[1].calm_mapped, MIB_BYTES);
	assert_int_equal(window->track[1].points, 0);
}

static void the_same_id_in_another_hierarchy_is_another_one(void **state)
{
	struct window *window = window_new(60);
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	own(before, cgroup(before, "", 1, -1), CG_FILE_MAPPED, 10 * MIB_BYTES);
	own(before, cgroup_v1(before, "", 1, -1), CG_FILE_MAPPED, 70 * MIB_BYTES);
	push(window, before);
	now = later(before, 1);
	own(now, 0, CG_FILE_MAPPED, 0);
	own(now, 1, CG_FILE_MAPPED, 0);
	push(window, now);
	assert_true(window->track[0].calm_mapped < 10.0 * MIB_BYTES);
	assert_true(window->track[1].calm_mapped > 60.0 * MIB_BYTES);
}

static void grown_is_anon_and_shared_memory_and_swap(void **state)
{
	struct snapshot *now = snapshot_new();
	int v2 = cgroup(now, "", 1, -1);
	int v1 = cgroup_v1(now, "", 1, -1);

	own(now, v2, CG_SHMEM, 20);
	assert_true(isnan(cgroup_grown(&now->cgroups[v2])));
	own(now, v2, CG_ANON, 100);
	assert_near(cgroup_grown(&now->cgroups[v2]), 120);
	own(now, v2, CG_SWAP_CURRENT, 3);
	assert_near(cgroup_grown(&now->cgroups[v2]), 123);
	own(now, v1, CG_ANON, 100);
	own(now, v1, CG_SWAP_V1, 7);
	assert_near(cgroup_grown(&now->cgroups[v1]), 107);
}

/* The last of these is seen for the count-th time, one each interval. */
static const struct track *track_after(size_t count, double interval)
{
	struct window *window = window_new(5);
	struct snapshot *first = snapshot_new();

	cgroup(first, "", 1, -1);
	for (size_t i = 0; i < count; i++) {
		struct snapshot *now = later(first, interval * (double)i);

		own(now, 0, CG_ANON, (i + 1) * MIB_BYTES);
		push(window, now);
	}
	return &window->track[0];
}

static void size_is_remembered_each_half_minute(void **state)
{
	assert_int_equal(track_after(1, 10)->points, 1);
	assert_int_equal(track_after(3, 10)->points, 1);
	assert_int_equal(track_after(4, 10)->points, 2);
	assert_near(track_after(4, 10)->grown[1].at, 130);
	assert_near(track_after(4, 10)->grown[1].value, 4.0 * MIB_BYTES);
}

static void size_is_remembered_for_twelve_minutes(void **state)
{
	const struct track *track = track_after(TRACK_POINTS + 3, 30);

	assert_int_equal(track->points, TRACK_POINTS);
	assert_near(track->grown[0].value, 4.0 * MIB_BYTES);
	assert_near(track->grown[TRACK_POINTS - 1].value, (TRACK_POINTS + 3.0) * MIB_BYTES);
}

static void an_unknown_size_is_not_remembered(void **state)
{
	struct window *window = window_new(5);
	struct snapshot *before = snapshot_new();
	struct snapshot *now;

	cgroup(before, "", 1, -1);
	push(window, before);
	assert_int_equal(window->track[0].points, 0);
	assert_true(isnan(window->track[0].peak));
	now = later(before, 60);
	own(now, 0, CG_ANON, 5);
	push(window, now);
	assert_int_equal(window->track[0].points, 1);
	assert_near(window->track[0].peak, 5);
}

static void the_peak_is_the_most_it_has_been(void **state)
{
	struct window *window = window_new(5);
	struct snapshot *first = snapshot_new();
	static const uint64_t sizes[] = { 10, 90, 40 };

	cgroup(first, "", 1, -1);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct snapshot *now = later(first, (double)i);

		own(now, 0, CG_ANON, sizes[i]);
		push(window, now);
	}
	assert_near(window->track[0].peak, 90);
}

static void a_machine_without_cgroups_has_no_tracks(void **state)
{
	struct window *window = window_new(5);

	push(window, snapshot_new());
	assert_int_equal(window->track_count, 0);
}

static void a_window_that_is_done_may_be_done_again(void **state)
{
	static struct window window;

	assert_int_equal(window_init(&window, SECOND_US), 0);
	window_done(&window);
	window_done(&window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_snapshot_has_no_oldest),
		cmocka_unit_test(the_oldest_reaches_back_the_whole_span),
		cmocka_unit_test(the_oldest_stays_until_the_second_reaches_back),
		cmocka_unit_test(more_than_twelve_are_thinned),
		cmocka_unit_test(what_is_left_is_spaced_evenly),
		cmocka_unit_test(a_frame_keeps_its_arena),
		cmocka_unit_test(a_restart_of_the_machine_forgets_all),
		cmocka_unit_test(a_clock_that_went_back_forgets_all),
		cmocka_unit_test(without_a_clock_nothing_is_kept),
		cmocka_unit_test(the_gap_is_the_longest_time_between_neighbours),
		cmocka_unit_test(
			the_calm_mapped_set_is_a_maximum_that_is_half_forgotten_in_ten_minutes),
		cmocka_unit_test(a_mapped_set_that_cannot_be_read_once_is_remembered),
		cmocka_unit_test(a_cgroup_that_vanished_is_forgotten_and_the_others_are_not),
		cmocka_unit_test(a_cgroup_with_another_id_is_another_one),
		cmocka_unit_test(the_same_id_in_another_hierarchy_is_another_one),
		cmocka_unit_test(grown_is_anon_and_shared_memory_and_swap),
		cmocka_unit_test(size_is_remembered_each_half_minute),
		cmocka_unit_test(size_is_remembered_for_twelve_minutes),
		cmocka_unit_test(an_unknown_size_is_not_remembered),
		cmocka_unit_test(the_peak_is_the_most_it_has_been),
		cmocka_unit_test(a_machine_without_cgroups_has_no_tracks),
		cmocka_unit_test(a_window_that_is_done_may_be_done_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
