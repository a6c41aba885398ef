#include "test.h"

#include "analysis/facts.h"
#include "guarded.h"

static struct workingset state;

/* One measurement of api, with what is remembered of those before. */
static struct workingset_size measured(const struct snapshot *before,
				       const struct snapshot *now)
{
	return workingset_of(EVIDENCE(before, now), API, &state);
}

static struct workingset_size first_of(const struct snapshot *now)
{
	state = (struct workingset){ 0 };
	return measured(later(now, -5), now);
}

/* The api service with these MiB of active, inactive and mapped file pages. */
static struct snapshot *files(uint64_t active, uint64_t inactive, uint64_t mapped)
{
	struct snapshot *now = guarded_machine();

	own(now, API, CG_ACTIVE_FILE, MIBS(active));
	own(now, API, CG_INACTIVE_FILE, MIBS(inactive));
	own(now, API, CG_FILE_MAPPED, MIBS(mapped));
	own(now, API, CG_CURRENT, MIBS(active + inactive + 60));
	return now;
}

static void scanned_by_kswapd(struct snapshot *now)
{
	machine_more(now, VM_PGSCAN_KSWAPD, 10000);
	own_more(now, API, CG_PGSCAN, 10000);
}

static void what_is_read_once_is_not_hot(void **unused)
{
	assert_near(first_of(files(88, 300, 88)).hot_file, 88 * MIB);
	assert_near(first_of(files(88, 300, 88)).bytes, 89 * MIB);
}

/* Ageing takes mapped pages off the young generations; they are still mapped. */
static void mapped_pages_are_hot_where_they_are_old(void **unused)
{
	assert_near(first_of(files(1, 387, 88)).hot_file, 88 * MIB);
	assert_near(first_of(files(90, 300, 24)).hot_file, 90 * MIB);
}

static void on_the_classic_lru_mapped_pages_are_inactive_until_they_are_scanned(void **unused)
{
	struct snapshot *now = files(48, 300, 24);

	now->profile.lru = LRU_CLASSIC;
	assert_near(first_of(now).hot_file, 72 * MIB);
	own(now, API, CG_PGSCAN, PAGES_OF(MIBS(34)));
	assert_near(first_of(now).hot_file, 72 * MIB);
	own(now, API, CG_PGSCAN, PAGES_OF(MIBS(35)));
	assert_near(first_of(now).hot_file, 48 * MIB);
}

static void hot_pages_are_no_more_than_the_cache(void **unused)
{
	struct snapshot *now = files(48, 10, 48);

	now->profile.lru = LRU_CLASSIC;
	assert_near(first_of(now).hot_file, 58 * MIB);
	assert_near(first_of(files(10, 20, 88)).hot_file, 30 * MIB);
}

/* Locked file pages are on no list of files. */
static void locked_pages_count_once(void **unused)
{
	struct snapshot *now = files(8, 0, 48);

	own(now, API, CG_UNEVICTABLE, MIBS(40));
	assert_near(first_of(now).hot_file, 48 * MIB);
	assert_near(first_of(now).locked, 0);
	own(now, API, CG_UNEVICTABLE, MIBS(52));
	assert_near(first_of(now).locked, 3 * MIB);
	assert_near(first_of(now).bytes, 52 * MIB);
}

static void shared_memory_that_is_mapped_is_no_file(void **unused)
{
	struct snapshot *now = files(20, 100, 60);
	struct task *task = process(now, 10, "db", API);

	own(now, API, CG_SHMEM, MIBS(50));
	assert_near(first_of(now).hot_file, 60 * MIB); /* nobody has mapped it */
	task_has(task, TASK_RSS_SHMEM, MIBS(30));
	assert_near(first_of(now).hot_file, 30 * MIB);
	assert_near(first_of(now).anon, 51 * MIB);
	now->tasks_state = DENIED;
	assert_near(first_of(now).hot_file, 20 * MIB);
}

static void without_swap_all_anonymous_memory_is_needed(void **unused)
{
	struct snapshot *now = files(20, 0, 20);

	own(now, API, CG_ANON, MIBS(40));
	own(now, API, CG_ACTIVE_ANON, MIBS(10));
	assert_near(first_of(now).anon, 40 * MIB);
	machine(now, MI_SWAP_TOTAL, MIBS(64));
	machine(now, MI_SWAP_FREE, MIBS(16));
	assert_near(first_of(now).anon, 40 * MIB);
	machine(now, MI_SWAP_FREE, MIBS(17));
	assert_near(first_of(now).anon, 10 * MIB);
	own(now, API, CG_SWAP_MAX, MIBS(16));
	own(now, API, CG_SWAP_CURRENT, 0);
	assert_near(first_of(now).anon, 40 * MIB);
}

static void what_came_back_from_swap_is_needed(void **unused)
{
	struct snapshot *before = files(20, 0, 20);
	struct snapshot *now;

	own(before, API, CG_ANON, MIBS(40));
	own(before, API, CG_ACTIVE_ANON, MIBS(10));
	machine(before, MI_SWAP_TOTAL, MIBS(64));
	machine(before, MI_SWAP_FREE, MIBS(64));
	first_of(before);
	now = later(before, 5);
	own_more(now, API, CG_REFAULT_ANON, PAGES_OF(MIBS(6)));
	assert_near(measured(before, now).anon, 16 * MIB);
	own_more(now, API, CG_REFAULT_ANON, PAGES_OF(MIBS(60)));
	assert_near(measured(before, now).anon, 40 * MIB);
}

static void it_is_never_more_than_there_is(void **unused)
{
	struct snapshot *now = files(88, 0, 88);

	own(now, API, CG_CURRENT, MIBS(70));
	assert_near(first_of(now).bytes, 70 * MIB);
}

static void kernel_memory_is_needed(void **unused)
{
	struct snapshot *now = files(88, 0, 88);

	own(now, API, CG_KERNEL, MIBS(5));
	assert_near(first_of(now).bytes, 94 * MIB);
}

static void in_calm_it_is_forgotten_by_half_in_ten_minutes(void **unused)
{
	struct snapshot *before = files(88, 0, 88);
	struct snapshot *now;

	first_of(before);
	now = later(before, 600);
	own(now, API, CG_ACTIVE_FILE, MIBS(10));
	own(now, API, CG_FILE_MAPPED, MIBS(10));
	assert_near(measured(later(now, -5), now).hot_file, 44 * MIB);
}

static void it_never_falls_while_memory_is_short(void **unused)
{
	struct snapshot *before = files(88, 0, 88);
	struct snapshot *now;

	first_of(before);
	before = later(before, 595);
	now = later(before, 5);
	own(now, API, CG_ACTIVE_FILE, MIBS(10));
	own(now, API, CG_FILE_MAPPED, MIBS(10));
	own(now, API, CG_CURRENT, MIBS(20));
	scanned_by_kswapd(now);
	assert_near(measured(before, now).hot_file, 88 * MIB);
	assert_near(measured(before, now).bytes, 89 * MIB);
}

static void it_never_falls_at_a_limit_above_it(void **unused)
{
	struct snapshot *before = files(88, 0, 88);
	struct snapshot *now;

	first_of(before);
	before = later(before, 595);
	own(before, SLICE, CG_HIGH, MIBS(400));
	now = later(before, 5);
	own(now, API, CG_ACTIVE_FILE, MIBS(10));
	own(now, API, CG_FILE_MAPPED, MIBS(10));
	own(now, SLICE, CG_CURRENT, MIBS(399));
	assert_near(measured(later(now, -5), now).hot_file, 88 * MIB);
	own(now, SLICE, CG_CURRENT, MIBS(200));
	first_of(files(88, 0, 88));
	assert_near(measured(later(now, -5), now).hot_file, 44 * MIB);
}

/* Seen for the first time in the middle of it: what was mapped before is what is needed. */
static void a_falling_mapped_set_counts_as_it_was(void **unused)
{
	struct snapshot *before = files(88, 0, 88);
	struct snapshot *now = later(before, 0.1);

	own(now, API, CG_ACTIVE_FILE, MIBS(85));
	own(now, API, CG_FILE_MAPPED, MIBS(85));
	state = (struct workingset){ 0 };
	assert_true(measured(before, now).hot_file > 87.9 * MIB);
	own(now, API, CG_ACTIVE_FILE, MIBS(86));
	own(now, API, CG_FILE_MAPPED, MIBS(86));
	state = (struct workingset){ 0 };
	assert_near(measured(before, now).hot_file, 86 * MIB);
}

/* That many MiB come back in five seconds, to a service with a read() hot set. */
static struct snapshot *come_back(struct snapshot *before, uint64_t mib)
{
	struct snapshot *now = later(before, 5);

	own_more(now, API, CG_REFAULT_FILE, PAGES_OF(MIBS(mib)));
	return now;
}

static void files_that_are_read_again_are_found_by_their_refaults(void **unused)
{
	struct snapshot *before = files(24, 64, 24);

	assert_near(first_of(before).hot_file, 24 * MIB);
	assert_near(measured(before, come_back(before, 40)).hot_file, 64 * MIB);
	assert_string_equal(measured(before, come_back(before, 40)).how,
			    "active or mapped, and refaults");
}

static void refaults_count_for_no_more_than_the_cache(void **unused)
{
	struct snapshot *before = files(24, 64, 24);

	first_of(before);
	assert_near(measured(before, come_back(before, 400)).hot_file, 88 * MIB);
}

static void a_first_read_raises_nothing(void **unused)
{
	struct snapshot *before = files(24, 64, 24);
	struct snapshot *now = come_back(before, 0);

	first_of(before);
	own_more(now, API, CG_RBYTES, MIBS(300));
	own_more(now, API, CG_INACTIVE_FILE, MIBS(300));
	own_more(now, API, CG_CURRENT, MIBS(300));
	assert_near(measured(before, now).hot_file, 24 * MIB);
}

static void refaults_before_the_first_look_do_not_count(void **unused)
{
	struct snapshot *now = files(24, 64, 24);

	own(now, API, CG_REFAULT_FILE, PAGES_OF(MIBS(40)));
	assert_near(first_of(now).hot_file, 24 * MIB);
}

/* Then it is the mapped set that comes back, which is known already. */
static void refaults_of_an_evicted_mapped_set_do_not_count(void **unused)
{
	struct snapshot *before = files(40, 64, 40);
	struct snapshot *now = come_back(before, 40);

	first_of(before);
	own(now, API, CG_ACTIVE_FILE, MIBS(30));
	own(now, API, CG_FILE_MAPPED, MIBS(30));
	assert_near(measured(before, now).hot_file, 40 * MIB);
}

static void refaults_of_what_grows_do_not_count(void **unused)
{
	struct snapshot *first = files(24, 64, 24);
	struct snapshot *middle = later(first, 2.5);
	struct snapshot *now;

	own(first, API, CG_ANON, MIBS(40));
	own(middle, API, CG_ANON, MIBS(50));
	now = later(middle, 2.5);
	own(now, API, CG_ANON, MIBS(60));
	own(now, API, CG_CURRENT, MIBS(200));
	own_more(now, API, CG_REFAULT_FILE, PAGES_OF(MIBS(40)));
	state = (struct workingset){ .at_s = 95, .refaulted = 0 };
	assert_near(workingset_of(EVIDENCE(first, middle, now), API, &state).hot_file,
		    24 * MIB);
	state = (struct workingset){ .at_s = 95, .refaulted = 0 };
	own(now, API, CG_ANON, MIBS(40));
	assert_near(workingset_of(EVIDENCE(first, middle, now), API, &state).hot_file,
		    64 * MIB);
}

/* A file larger than memory, read in a circle: nobody grows, and it comes back all the time. */
static void refaults_of_a_circle_do_not_count(void **unused)
{
	struct snapshot *before = files(24, 64, 24);
	struct snapshot *now;

	machine(before, VM_REFAULT_FILE, 0);
	machine(before, VM_PGPGIN, 0);
	machine(before, MI_ACTIVE_FILE, MIBS(50));
	machine(before, MI_INACTIVE_FILE, MIBS(50));
	machine(before, VM_ACTIVE_ANON, PAGES_OF(MIBS(50)));
	machine(before, VM_INACTIVE_ANON, PAGES_OF(MIBS(50)));
	machine(before, MI_UNEVICTABLE, 0);
	first_of(before);
	now = come_back(before, 40);
	machine(now, VM_REFAULT_FILE, PAGES_OF(MIBS(200)));
	machine(now, VM_PGPGIN, MIBS(200) / 1024);
	machine(now, VM_PGSTEAL_FILE, 0);
	assert_near(measured(before, now).hot_file, 24 * MIB);
}

static void what_came_back_is_forgotten_slowly(void **unused)
{
	struct snapshot *before = files(24, 64, 24);
	struct snapshot *now;

	first_of(before);
	now = come_back(before, 40);
	measured(before, now);
	now = later(now, 3600);
	assert_near(measured(later(now, -5), now).hot_file, 44 * MIB);
}

static void what_is_unknown_is_named(void **unused)
{
	static const struct {
		enum cgroup_field field;
		const char *how;
	} parts[] = {
		{ CG_ANON, "its anonymous memory is unknown" },
		{ CG_ACTIVE_FILE, "its file pages are unknown" },
		{ CG_FILE_MAPPED, "its file pages are unknown" },
		{ CG_KERNEL, "its kernel memory is unknown" },
		{ CG_CURRENT, "its memory.current is unknown" },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct snapshot *now = files(88, 0, 88);

		own_is(now, API, parts[i].field, DENIED);
		assert_true(isnan(first_of(now).bytes));
		assert_string_equal(first_of(now).how, parts[i].how);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_once_is_not_hot),
		cmocka_unit_test(mapped_pages_are_hot_where_they_are_old),
		cmocka_unit_test(
			on_the_classic_lru_mapped_pages_are_inactive_until_they_are_scanned),
		cmocka_unit_test(hot_pages_are_no_more_than_the_cache),
		cmocka_unit_test(locked_pages_count_once),
		cmocka_unit_test(shared_memory_that_is_mapped_is_no_file),
		cmocka_unit_test(without_swap_all_anonymous_memory_is_needed),
		cmocka_unit_test(what_came_back_from_swap_is_needed),
		cmocka_unit_test(it_is_never_more_than_there_is),
		cmocka_unit_test(kernel_memory_is_needed),
		cmocka_unit_test(in_calm_it_is_forgotten_by_half_in_ten_minutes),
		cmocka_unit_test(it_never_falls_while_memory_is_short),
		cmocka_unit_test(it_never_falls_at_a_limit_above_it),
		cmocka_unit_test(a_falling_mapped_set_counts_as_it_was),
		cmocka_unit_test(files_that_are_read_again_are_found_by_their_refaults),
		cmocka_unit_test(refaults_count_for_no_more_than_the_cache),
		cmocka_unit_test(a_first_read_raises_nothing),
		cmocka_unit_test(refaults_before_the_first_look_do_not_count),
		cmocka_unit_test(refaults_of_an_evicted_mapped_set_do_not_count),
		cmocka_unit_test(refaults_of_what_grows_do_not_count),
		cmocka_unit_test(refaults_of_a_circle_do_not_count),
		cmocka_unit_test(what_came_back_is_forgotten_slowly),
		cmocka_unit_test(what_is_unknown_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
