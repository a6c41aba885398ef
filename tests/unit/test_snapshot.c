#include "test.h"

#include "model/snapshot.h"

/* A snapshot that knows nothing yet. */
static struct snapshot *snapshot_new(void)
{
	static struct snapshot snapshot;
	static struct zones zones;

	zones = (struct zones){ 0 };
	snapshot = (struct snapshot){ .zones = &zones };
	return &snapshot;
}

static void set(struct snapshot *snapshot, size_t id, uint64_t value)
{
	number_set((struct numbers){ snapshot->value, snapshot->state }, id, value);
}

static const struct profile *profile_of(struct snapshot *snapshot, const char *release)
{
	span_copy(span_cstr(release), snapshot->host.release, sizeof(snapshot->host.release));
	snapshot_profile(snapshot);
	return &snapshot->profile;
}

static void a_release_is_a_version_whatever_its_suffix(void **state)
{
	static const struct {
		const char *release;
		uint32_t version;
	} cases[] = {
		{ "6.12.57+deb13-cloud-amd64", 6012 },
		{ "6.1.0-18-amd64", 6001 },
		{ "4.19", 4019 },
		{ "7.1-rc3", 7001 },
		{ "6.12rc1", 6012 },
		{ "999.999", 999999 },
		{ "1000.1", 0 },
		{ "6.1000", 0 },
		{ "6.18446744073709551616", 0 },
		{ "6.", 0 },
		{ "6.x", 0 },
		{ ".12", 0 },
		{ "six.1", 0 },
		{ "6", 0 },
		{ "-6.1", 0 },
		{ "", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		case_of(cases[i].release);
		assert_int_equal(profile_of(snapshot_new(), cases[i].release)->version,
				 cases[i].version);
	}
}

static enum lru lru_with(enum state known, uint64_t value)
{
	struct snapshot *snapshot = snapshot_new();

	snapshot->value[TUN_LRU_GEN] = value;
	snapshot->state[TUN_LRU_GEN] = (uint8_t)known;
	return profile_of(snapshot, "6.12.0")->lru;
}

static void the_lru_is_what_its_switch_says(void **state)
{
	assert_int_equal(lru_with(OK, 7), LRU_MGLRU);
	assert_int_equal(lru_with(OK, 1), LRU_MGLRU);
	assert_int_equal(lru_with(OK, 0), LRU_CLASSIC);
	assert_int_equal(lru_with(OK, 6), LRU_CLASSIC); /* bit 0 is the switch */
	assert_int_equal(lru_with(DENIED, 7), LRU_UNKNOWN);
	assert_int_equal(lru_with(GARBLED, 7), LRU_UNKNOWN);
	assert_int_equal(lru_with(DISABLED, 7), LRU_UNKNOWN);
	assert_int_equal(lru_with(UNLIMITED, 7), LRU_UNKNOWN);
}

/* Without the file MGLRU is not built, provided that its folder could have been read. */
static void a_missing_switch_tells_something_only_beside_others(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	assert_int_equal(profile_of(snapshot, "6.1")->lru, LRU_UNKNOWN);
	set(snapshot, TUN_SWAPPINESS, 60);
	assert_int_equal(profile_of(snapshot, "6.1")->lru, LRU_CLASSIC);
	snapshot = snapshot_new();
	set(snapshot, TUN_THP, CHOICE_ALWAYS);
	assert_int_equal(profile_of(snapshot, "6.1")->lru, LRU_CLASSIC);
}

static bool undercounts(const char *release, uint64_t lru)
{
	struct snapshot *snapshot = snapshot_new();

	set(snapshot, TUN_LRU_GEN, lru);
	return profile_of(snapshot, release)->refaults_undercounted;
}

static void mglru_undercounts_refaults_before_6_12(void **state)
{
	assert_true(undercounts("6.1.0-18-amd64", 7));
	assert_true(undercounts("6.11.9", 7));
	assert_false(undercounts("6.12.0", 7));
	assert_false(undercounts("7.1.0", 7));
	assert_false(undercounts("6.1.0", 0));
	assert_false(undercounts("unknown", 7));
}

static void refaults_understate_reads_from_7_2(void **state)
{
	assert_false(profile_of(snapshot_new(), "7.1.9")->refaults_understate_reads);
	assert_true(profile_of(snapshot_new(), "7.2.0")->refaults_understate_reads);
	assert_false(profile_of(snapshot_new(), "?")->refaults_understate_reads);
}

/* L05: what a counter means is seen in zoneinfo; the release would miss backports. */
static void what_reclaim_counts_is_seen_in_the_nodes(void **state)
{
	struct snapshot *snapshot = snapshot_new();

	assert_int_equal(profile_of(snapshot, "7.1.0")->reclaim_counts, RECLAIM_UNKNOWN);
	snapshot->zones_state = OK;
	assert_int_equal(profile_of(snapshot, "7.1.0")->reclaim_counts, RECLAIM_UNKNOWN);
	snapshot->zones->nodes = 1;
	assert_int_equal(profile_of(snapshot, "7.1.0")->reclaim_counts, RECLAIM_GLOBAL);
	snapshot->zones->node[0].state[NODE_PGSCAN_KSWAPD] = OK;
	assert_int_equal(profile_of(snapshot, "6.12.0")->reclaim_counts, RECLAIM_ALL);
	snapshot->zones_state = GARBLED;
	assert_int_equal(profile_of(snapshot, "6.12.0")->reclaim_counts, RECLAIM_UNKNOWN);
}

static struct snapshot *with_cgroups(void)
{
	static struct cgroup cgroups[] = {
		{ .hierarchy = HIERARCHY_V2, .id = 1, .parent = -1 },
		{ .hierarchy = HIERARCHY_V2, .id = 5, .parent = 0 },
		{ .hierarchy = HIERARCHY_V2, .id = UINT64_MAX, .parent = 1 },
		{ .hierarchy = HIERARCHY_V1_MEMORY, .id = 1, .parent = -1 },
		{ .hierarchy = HIERARCHY_V1_MEMORY, .id = 7, .parent = 3 },
	};
	struct snapshot *snapshot = snapshot_new();

	snapshot->cgroups = cgroups;
	snapshot->cgroup_count = ARRAY_LEN(cgroups);
	return snapshot;
}

/* L14: another id is another cgroup, whatever its path. */
static void a_cgroup_is_found_by_hierarchy_and_id(void **state)
{
	struct snapshot *snapshot = with_cgroups();
	static const struct cgroup missing[] = {
		{ .hierarchy = HIERARCHY_V2, .id = 0 },
		{ .hierarchy = HIERARCHY_V2, .id = 4 },
		{ .hierarchy = HIERARCHY_V2, .id = 7 },
		{ .hierarchy = HIERARCHY_V1_MEMORY, .id = 5 },
		{ .hierarchy = HIERARCHY_V1_MEMORY, .id = 8 },
	};

	for (size_t i = 0; i < snapshot->cgroup_count; i++) {
		struct cgroup like = snapshot->cgroups[i];

		assert_ptr_equal(snapshot_cgroup(snapshot, &like), &snapshot->cgroups[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(missing); i++)
		assert_null(snapshot_cgroup(snapshot, &missing[i]));
	snapshot->cgroup_count = 0;
	assert_null(snapshot_cgroup(snapshot, &missing[0]));
}

/* M25: a pid that is used again is another process. */
static void a_task_is_found_by_pid_and_start(void **state)
{
	static struct task tasks[] = {
		{ .pid = 1, .start_ticks = 10 },
		{ .pid = 20, .start_ticks = 5 },
		{ .pid = UINT32_MAX, .start_ticks = 7 },
	};
	static const struct task missing[] = {
		{ .pid = 0 },
		{ .pid = 1, .start_ticks = 11 },
		{ .pid = 2, .start_ticks = 10 },
		{ .pid = 2, .start_ticks = 5 }, /* as the next one */
		{ .pid = 20, .start_ticks = 10 },
		{ .pid = 21, .start_ticks = 5 },
	};
	struct snapshot *snapshot = snapshot_new();

	snapshot->tasks = tasks;
	snapshot->task_count = ARRAY_LEN(tasks);
	for (size_t i = 0; i < ARRAY_LEN(tasks); i++)
		assert_ptr_equal(snapshot_task(snapshot, &tasks[i]), &tasks[i]);
	for (size_t i = 0; i < ARRAY_LEN(missing); i++)
		assert_null(snapshot_task(snapshot, &missing[i]));
	assert_ptr_equal(snapshot_pid(snapshot, 20), &tasks[1]);
	assert_null(snapshot_pid(snapshot, 19));
	snapshot->task_count = 0;
	assert_null(snapshot_task(snapshot, &tasks[0]));
}

static void within_is_itself_or_below(void **state)
{
	struct snapshot *snapshot = with_cgroups();

	assert_true(cgroup_is_within(snapshot, 2, 0));
	assert_true(cgroup_is_within(snapshot, 2, 1));
	assert_true(cgroup_is_within(snapshot, 2, 2));
	assert_false(cgroup_is_within(snapshot, 1, 2));
	assert_false(cgroup_is_within(snapshot, 4, 0));
	assert_false(cgroup_is_within(snapshot, -1, 0));
	assert_false(cgroup_is_within(snapshot, 2, -1));
}

static void every_profile_has_words(void **state)
{
	for (enum lru i = LRU_UNKNOWN; i <= LRU_MGLRU; i++)
		assert_true(strlen(lru_name(i)) > 0);
	for (enum reclaim_counts i = RECLAIM_UNKNOWN; i <= RECLAIM_ALL; i++)
		assert_true(strlen(reclaim_counts_name(i)) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_release_is_a_version_whatever_its_suffix),
		cmocka_unit_test(the_lru_is_what_its_switch_says),
		cmocka_unit_test(a_missing_switch_tells_something_only_beside_others),
		cmocka_unit_test(mglru_undercounts_refaults_before_6_12),
		cmocka_unit_test(refaults_understate_reads_from_7_2),
		cmocka_unit_test(what_reclaim_counts_is_seen_in_the_nodes),
		cmocka_unit_test(a_cgroup_is_found_by_hierarchy_and_id),
		cmocka_unit_test(a_task_is_found_by_pid_and_start),
		cmocka_unit_test(within_is_itself_or_below),
		cmocka_unit_test(every_profile_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
