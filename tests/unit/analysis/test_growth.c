#include "test.h"

#include "analysis/growth.h"
#include "made.h"

/* The service is index 1, below the top. */
#define SERVICE 1
#define FRAMES_MAX 32

static struct snapshot *with_service(void)
{
	struct snapshot *now = snapshot_new();

	cgroup(now, "", 1, -1);
	cgroup(now, "service", 7, 0);
	return now;
}

/* One snapshot a second in which the service has these sizes in KiB. */
static const struct evidence *grows_by(const uint64_t *kib, size_t count, double interval)
{
	const struct snapshot *frames[FRAMES_MAX];
	struct snapshot *first = with_service();

	for (size_t i = 0; i < count; i++) {
		struct snapshot *now = later(first, interval * (double)i);

		own(now, SERVICE, CG_ANON, kib[i] * KIB_BYTES);
		frames[i] = now;
	}
	return evidence_of_all(frames, count);
}

#define SIZES(...)                                  \
	grows_by((const uint64_t[]){ __VA_ARGS__ }, \
		 sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), 1)

static const struct growth *growth_in(const struct evidence *evidence)
{
	return &evidence->members[SERVICE].growth;
}

static void a_leak_grows_by_its_rate(void **state)
{
	const struct growth *growth = growth_in(SIZES(1000, 1200, 1400, 1600, 1800));

	assert_near(growth->rate, 200 * 1024.0);
	assert_near(growth->rising, 1);
	assert_near(growth->level, 1800 * 1024.0);
	assert_false(growth->below_peak);
	assert_true(isnan(growth->long_rate));
}

static void one_sample_has_no_growth_and_a_size(void **state)
{
	const struct growth *growth = growth_in(SIZES(1000));

	assert_true(isnan(growth->rate));
	assert_near(growth->level, 1000 * 1024.0);
}

/* Charges come in batches, and statistics are flushed each two seconds. */
static void small_changes_are_noise(void **state)
{
	assert_near(growth_in(SIZES(1000, 1047, 1094))->rate, 0);
	assert_near(growth_in(SIZES(1094, 1047, 1000))->rate, 0);
	assert_near(growth_in(SIZES(1000, 1049, 1098))->rate, 49 * 1024.0);
	assert_near(growth_in(SIZES(1098, 1049, 1000))->rate, -49 * 1024.0);
}

/* Statistics of cgroups may be two seconds old: the look back is no shorter. */
static void recent_growth_is_that_of_the_last_two_seconds(void **state)
{
	assert_near(growth_in(SIZES(1000, 2000, 3000, 3000, 4000))->recent, 500 * 1024.0);
	assert_near(growth_in(SIZES(1000, 3000, 5000, 5000, 5000))->recent, 0);
	assert_near(growth_in(SIZES(5000, 5000, 4000))->recent, -500 * 1024.0);
}

static void in_a_shorter_time_all_growth_is_recent(void **state)
{
	assert_near(growth_in(SIZES(1000, 1200))->recent, 200 * 1024.0);
}

/* 10 MiB more in five seconds, all of it the watcher's own window. */
static const struct evidence *watched_from(int32_t cgroup, int32_t cgroup_memory,
					   uint32_t self_pid, bool is_known)
{
	struct snapshot *before = with_service();
	struct snapshot *now;
	struct task *self;

	before->host.self_pid = self_pid;
	own(before, SERVICE, CG_ANON, 20 * MIB_BYTES);
	process(before, 10, "other", SERVICE);
	self = process(before, 11, "refault", SERVICE);
	self->cgroup = cgroup;
	self->cgroup_memory = cgroup_memory;
	task_has(&before->tasks[0], TASK_RSS_ANON, MIB_BYTES);
	task_has(self, TASK_RSS_ANON, 5 * MIB_BYTES);
	now = later(before, 5);
	own(now, SERVICE, CG_ANON, 30 * MIB_BYTES);
	task_has(&now->tasks[1], TASK_RSS_ANON, 15 * MIB_BYTES);
	now->tasks[1].state[TASK_RSS_ANON] = is_known ? OK : DENIED;
	return EVIDENCE(before, now);
}

static void refaults_own_memory_is_no_growth_of_where_it_runs(void **state)
{
	double all = 2.0 * MIB_BYTES;

	assert_near(growth_in(watched_from(SERVICE, -1, 11, true))->rate, 0);
	assert_near(growth_in(watched_from(-1, SERVICE, 11, true))->rate, 0);
	assert_near(growth_in(watched_from(0, -1, 11, true))->rate, all);
	assert_near(growth_in(watched_from(SERVICE, -1, 10, true))->rate, all);
	assert_near(growth_in(watched_from(SERVICE, -1, 0, true))->rate, all);
	/* It was known in one of both: what it held then is all that can be taken off. */
	assert_near(growth_in(watched_from(SERVICE, -1, 11, false))->rate, 3.0 * MIB_BYTES);
}

static void frames_in_which_the_size_is_unknown_are_left_out(void **state)
{
	struct snapshot *first = with_service();
	struct snapshot *second;
	struct snapshot *third;

	own(first, SERVICE, CG_ANON, MIB_BYTES);
	second = later(first, 1);
	own_is(second, SERVICE, CG_ANON, GARBLED);
	third = later(first, 2);
	own(third, SERVICE, CG_ANON, 3 * MIB_BYTES);
	assert_near(growth_in(EVIDENCE(first, second, third))->rate, MIB_BYTES);
}

static void a_size_that_is_unknown_now_is_the_last_that_was_known(void **state)
{
	struct snapshot *first = with_service();
	struct snapshot *second;
	struct snapshot *third;

	own(first, SERVICE, CG_ANON, MIB_BYTES);
	second = later(first, 1);
	own(second, SERVICE, CG_ANON, 2 * MIB_BYTES);
	third = later(second, 1);
	own_is(third, SERVICE, CG_ANON, GARBLED);
	assert_near(growth_in(EVIDENCE(first, second, third))->rate, MIB_BYTES);
	assert_near(growth_in(EVIDENCE(first, second, third))->level, 2.0 * MIB_BYTES);
}

static void a_cgroup_that_was_made_again_has_not_grown(void **state)
{
	struct snapshot *before = with_service();
	struct snapshot *now;

	own(before, SERVICE, CG_ANON, MIB_BYTES);
	now = later(before, 1);
	now->cgroups[SERVICE].id = 8;
	own(now, SERVICE, CG_ANON, 90 * MIB_BYTES);
	assert_true(isnan(growth_in(EVIDENCE(before, now))->rate));
}

/* The window sees the last flank; before it, the cgroup had been larger. */
static void a_size_below_its_own_peak_is_a_saw_tooth(void **state)
{
	assert_true(growth_in(SIZES(9000, 4000, 5000, 6000, 7000, 8000))->below_peak);
	assert_true(growth_in(SIZES(10000, 4000, 9250))->below_peak);
	assert_false(growth_in(SIZES(10000, 4000, 9350))->below_peak);
	assert_false(growth_in(SIZES(4000, 5000, 6000))->below_peak);
}

static bool is_saw_tooth_with(uint64_t current, uint64_t peak)
{
	struct snapshot *before = with_service();
	struct snapshot *now;

	own(before, SERVICE, CG_ANON, MIB_BYTES);
	own(before, SERVICE, CG_CURRENT, current);
	own(before, SERVICE, CG_PEAK, peak);
	now = later(before, 5);
	own(now, SERVICE, CG_ANON, 2 * MIB_BYTES);
	return growth_in(EVIDENCE(before, now))->below_peak;
}

static void usage_below_memory_peak_is_a_saw_tooth(void **state)
{
	assert_true(is_saw_tooth_with(92, 100));
	assert_false(is_saw_tooth_with(94, 100));
	assert_false(is_saw_tooth_with(100, 100));
}

static void a_peak_that_cannot_be_read_shows_no_saw_tooth(void **state)
{
	struct snapshot *before = with_service();
	struct snapshot *now;

	own(before, SERVICE, CG_ANON, MIB_BYTES);
	now = later(before, 5);
	own(now, SERVICE, CG_PEAK, 100);
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
	own_is(now, SERVICE, CG_PEAK, ABSENT);
	own(now, SERVICE, CG_CURRENT, 1);
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
}

/* The largest process tells: resident memory of all kinds and swap against its VmHWM. */
static struct task *grow_process(struct snapshot *now, uint32_t pid, uint64_t anon,
				 uint64_t peak)
{
	struct task *task = process(now, pid, "java", SERVICE);

	task_has(task, TASK_RSS_ANON, anon);
	task_has(task, TASK_PEAK, peak);
	return task;
}

static struct snapshot *growing_later(const struct snapshot *before)
{
	struct snapshot *now = later(before, 5);

	own(now, SERVICE, CG_ANON, 2 * MIB_BYTES);
	return now;
}

static struct snapshot *small_service(void)
{
	struct snapshot *before = with_service();

	own(before, SERVICE, CG_ANON, MIB_BYTES);
	return before;
}

static void a_largest_process_below_its_peak_is_a_saw_tooth(void **state)
{
	struct snapshot *before = small_service();
	struct snapshot *now = growing_later(before);

	grow_process(now, 10, 980, 1000);
	assert_true(growth_in(EVIDENCE(before, now))->below_peak);
	now = growing_later(before);
	grow_process(now, 10, 990, 1000);
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
}

static void all_memory_of_a_process_counts_against_its_peak(void **state)
{
	static const enum task_field fields[] = { TASK_RSS_FILE, TASK_RSS_SHMEM, TASK_SWAP };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		struct snapshot *before = small_service();
		struct snapshot *now = growing_later(before);
		struct task *task = grow_process(now, 10, 500, 1000);

		assert_true(growth_in(EVIDENCE(before, now))->below_peak);
		task_has(task, fields[i], 500);
		assert_false(growth_in(EVIDENCE(before, now))->below_peak);
	}
}

static void a_small_process_below_its_peak_tells_nothing(void **state)
{
	struct snapshot *before = small_service();
	struct snapshot *now = growing_later(before);

	grow_process(now, 10, 100, 1000);
	grow_process(now, 11, 5000, 5000);
	grow_process(now, 12, 200, 1000);
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
}

static void a_process_whose_peak_is_unknown_tells_nothing(void **state)
{
	struct snapshot *before = small_service();
	struct snapshot *now = growing_later(before);
	struct task *task = grow_process(now, 10, 100, 1000);

	task->state[TASK_PEAK] = ABSENT;
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
}

static void a_process_in_no_cgroup_tells_nothing(void **state)
{
	struct snapshot *before = small_service();
	struct snapshot *now = growing_later(before);
	struct task *task = process(now, 10, "lost", -1);

	task_has(task, TASK_RSS_ANON, 100);
	task_has(task, TASK_PEAK, 1000);
	assert_false(EVIDENCE(before, now)->members[0].growth.below_peak);
	assert_false(growth_in(EVIDENCE(before, now))->below_peak);
}

static void a_process_is_charged_to_the_hierarchy_that_has_memory(void **state)
{
	struct snapshot *before = snapshot_new();
	struct snapshot *now;
	struct task *task;
	int v2 = cgroup(before, "", 1, -1);
	int v1 = cgroup_v1(before, "", 1, -1);

	own(before, v1, CG_ANON, MIB_BYTES);
	now = later(before, 5);
	task = process(now, 10, "java", v1);
	task->cgroup = v2;
	task_has(task, TASK_RSS_ANON, 100);
	task_has(task, TASK_PEAK, 1000);
	assert_true(EVIDENCE(before, now)->members[v1].growth.below_peak);
	assert_false(EVIDENCE(before, now)->members[v2].growth.below_peak);
}

static void minutes_are_remembered_where_they_were_watched(void **state)
{
	static const uint64_t wave[] = { 9000, 9000, 9000, 30000 };

	assert_true(isnan(growth_in(grows_by(wave, 3, 30))->long_rate));
	assert_near(growth_in(grows_by(wave, 4, 30))->long_rate, (0 + 21000.0 / 90) / 2 * 1024);
}

static void kernel_and_shared_memory_of_a_cgroup_change_from_first_to_last(void **state)
{
	struct snapshot *first = small_service();
	struct snapshot *last;

	own(first, SERVICE, CG_KERNEL, 1000);
	own(first, SERVICE, CG_SHMEM, 5000);
	last = later(first, 4);
	own(last, SERVICE, CG_KERNEL, 3000);
	own(last, SERVICE, CG_SHMEM, 1000);
	assert_near(growth_in(EVIDENCE(first, later(first, 2), last))->kernel_rate, 500);
	assert_near(growth_in(EVIDENCE(first, later(first, 2), last))->shmem_rate, -1000);
	own_is(last, SERVICE, CG_KERNEL, ABSENT);
	assert_true(isnan(growth_in(EVIDENCE(first, last))->kernel_rate));
	own_is(first, SERVICE, CG_SHMEM, ABSENT);
	assert_true(isnan(growth_in(EVIDENCE(first, last))->shmem_rate));
}

/* Seen in the last two frames of three: no change from the first. */
static void a_cgroup_that_is_new_in_the_window_has_no_change_from_its_begin(void **state)
{
	struct snapshot *first = snapshot_new();
	struct snapshot *second = with_service();
	struct snapshot *third;

	cgroup(first, "", 1, -1);
	second->host.at_us += SECOND_US;
	own(second, SERVICE, CG_ANON, MIB_BYTES);
	own(second, SERVICE, CG_KERNEL, 7);
	third = later(second, 1);
	assert_true(isnan(growth_in(EVIDENCE(first, second, third))->kernel_rate));
	assert_near(growth_in(EVIDENCE(first, second, third))->rate, 0);
}

static struct snapshot *machine_at(const struct snapshot *first, double seconds, uint64_t kib)
{
	struct snapshot *now = later(first, seconds);

	machine(now, MI_SLAB_UNRECLAIMABLE, 10 * kib * KIB_BYTES);
	machine(now, MI_KERNEL_STACK, 20 * kib * KIB_BYTES);
	machine(now, MI_PAGE_TABLES, 30 * kib * KIB_BYTES);
	machine(now, MI_SEC_PAGE_TABLES, 40 * kib * KIB_BYTES);
	machine(now, MI_PERCPU, 50 * kib * KIB_BYTES);
	machine(now, MI_SLAB_RECLAIMABLE, 900 * kib * KIB_BYTES);
	machine(now, MI_SHMEM, 3 * kib * KIB_BYTES);
	machine(now, MI_ANON, 5 * kib * KIB_BYTES);
	return now;
}

/* Slab that can be reclaimed grows by every walk over many files. */
static void kernel_memory_of_the_machine_grows_without_what_can_be_reclaimed(void **state)
{
	const struct snapshot *first = snapshot_new();
	const struct evidence *evidence = EVIDENCE(
		machine_at(first, 0, 1), machine_at(first, 1, 2), machine_at(first, 2, 3));

	assert_near(evidence->kernel_rate, 150 * 1024.0);
	assert_near(evidence->shmem_rate, 3 * 1024.0);
	assert_near(evidence->grown_rate, 8 * 1024.0);
}

static void what_moves_to_swap_has_grown_too(void **state)
{
	struct snapshot *first = machine_at(snapshot_new(), 0, 1);
	struct snapshot *last = later(first, 1);

	machine(first, MI_SWAP_TOTAL, 9000);
	machine(first, MI_SWAP_FREE, 9000);
	machine(last, MI_SWAP_TOTAL, 9000);
	machine(last, MI_SWAP_FREE, 2000);
	assert_near(EVIDENCE(first, last)->grown_rate, 7000);
	machine_is(last, MI_SWAP_TOTAL, ABSENT);
	assert_near(EVIDENCE(first, last)->grown_rate, 0);
	machine_is(last, MI_SWAP_TOTAL, OK);
	machine_is(last, MI_SWAP_FREE, ABSENT);
	assert_near(EVIDENCE(first, last)->grown_rate, 0);
}

static void a_machine_that_shows_nothing_has_no_slopes(void **state)
{
	const struct snapshot *first = snapshot_new();
	const struct evidence *evidence = EVIDENCE(first, later(first, 1));

	assert_true(isnan(evidence->kernel_rate));
	assert_true(isnan(evidence->shmem_rate));
	assert_true(isnan(evidence->grown_rate));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leak_grows_by_its_rate),
		cmocka_unit_test(one_sample_has_no_growth_and_a_size),
		cmocka_unit_test(small_changes_are_noise),
		cmocka_unit_test(recent_growth_is_that_of_the_last_two_seconds),
		cmocka_unit_test(in_a_shorter_time_all_growth_is_recent),
		cmocka_unit_test(refaults_own_memory_is_no_growth_of_where_it_runs),
		cmocka_unit_test(frames_in_which_the_size_is_unknown_are_left_out),
		cmocka_unit_test(a_size_that_is_unknown_now_is_the_last_that_was_known),
		cmocka_unit_test(a_cgroup_that_was_made_again_has_not_grown),
		cmocka_unit_test(a_size_below_its_own_peak_is_a_saw_tooth),
		cmocka_unit_test(usage_below_memory_peak_is_a_saw_tooth),
		cmocka_unit_test(a_peak_that_cannot_be_read_shows_no_saw_tooth),
		cmocka_unit_test(a_largest_process_below_its_peak_is_a_saw_tooth),
		cmocka_unit_test(all_memory_of_a_process_counts_against_its_peak),
		cmocka_unit_test(a_small_process_below_its_peak_tells_nothing),
		cmocka_unit_test(a_process_whose_peak_is_unknown_tells_nothing),
		cmocka_unit_test(a_process_in_no_cgroup_tells_nothing),
		cmocka_unit_test(a_process_is_charged_to_the_hierarchy_that_has_memory),
		cmocka_unit_test(minutes_are_remembered_where_they_were_watched),
		cmocka_unit_test(
			kernel_and_shared_memory_of_a_cgroup_change_from_first_to_last),
		cmocka_unit_test(
			a_cgroup_that_is_new_in_the_window_has_no_change_from_its_begin),
		cmocka_unit_test(
			kernel_memory_of_the_machine_grows_without_what_can_be_reclaimed),
		cmocka_unit_test(what_moves_to_swap_has_grown_too),
		cmocka_unit_test(a_machine_that_shows_nothing_has_no_slopes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
