#include "test.h"

#include "model/top.h"

static struct cgroup cgroups[4];

static struct snapshot *snapshot_of(size_t count)
{
	static struct snapshot snapshot;

	snapshot = (struct snapshot){ .cgroups = cgroups, .cgroup_count = count };
	memset(cgroups, 0, sizeof(cgroups));
	for (size_t i = 0; i < count; i++)
		cgroups[i] = (struct cgroup){ .id = i + 1, .path = i ? "a" : "", .parent = -1 };
	return &snapshot;
}

static void set(struct snapshot *snapshot, size_t id, uint64_t value)
{
	number_set((struct numbers){ snapshot->value, snapshot->state }, id, value);
}

static struct numbers numbers_of(struct cgroup *cgroup)
{
	return (struct numbers){ cgroup->value, cgroup->state };
}

static void without_cgroups_one_is_made_up(void **state)
{
	struct snapshot *snapshot = snapshot_of(0);

	set(snapshot, MI_ANON, 5);
	top_fill(snapshot);
	assert_int_equal(snapshot->cgroup_count, 1);
	assert_string_equal(cgroups[0].path, "");
	assert_int_equal(cgroups[0].parent, -1);
	assert_number(cgroups[0], CG_ANON, 5);
	assert_state(cgroups[0], CG_MAX, ABSENT);
}

static void the_top_gets_the_numbers_of_the_machine(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, VM_REFAULT_FILE, 7);
	set(snapshot, VM_PGPGIN, 3);
	set(snapshot, PSI_MEM_FULL_TOTAL, 9);
	snapshot->state[PSI_IO_FULL_TOTAL] = DISABLED;
	top_fill(snapshot);
	assert_int_equal(snapshot->cgroup_count, 1);
	assert_number(cgroups[0], CG_REFAULT_FILE, 7);
	assert_number(cgroups[0], CG_RBYTES, 3 * 1024);
	assert_number(cgroups[0], CG_MEM_FULL_TOTAL, 9);
	assert_state(cgroups[0], CG_IO_FULL_TOTAL, DISABLED);
	assert_state(cgroups[0], CG_REFAULT_ANON, ABSENT);
}

static void what_the_kernel_says_of_the_top_stays(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, VM_REFAULT_FILE, 7);
	set(snapshot, MI_ANON, 8);
	number_set(numbers_of(&cgroups[0]), CG_REFAULT_FILE, 1);
	cgroups[0].state[CG_ANON] = DENIED;
	top_fill(snapshot);
	assert_number(cgroups[0], CG_REFAULT_FILE, 1);
	assert_state(cgroups[0], CG_ANON, DENIED);
}

/* Of v1's top, and of a container that believes to be the top, the kernel says all itself. */
static void only_a_top_without_numbers_is_filled(void **state)
{
	struct snapshot *snapshot = snapshot_of(3);

	set(snapshot, MI_ANON, 8);
	number_set(numbers_of(&cgroups[0]), CG_CURRENT, 1);
	cgroups[2].path = "";
	cgroups[2].hierarchy = HIERARCHY_V1_MEMORY;
	top_fill(snapshot);
	for (size_t i = 0; i < 3; i++)
		assert_state(cgroups[i], CG_ANON, ABSENT);
}

static void reclaim_and_swap_are_summed_up(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, VM_PGSTEAL_ANON, 3);
	set(snapshot, VM_PGSTEAL_FILE, 4);
	set(snapshot, MI_SWAP_TOTAL, 100);
	set(snapshot, MI_SWAP_FREE, 60);
	top_fill(snapshot);
	assert_number(cgroups[0], CG_PGSTEAL, 7);
	assert_number(cgroups[0], CG_SWAP_CURRENT, 40);
}

static void sums_need_all_their_parts(void **state)
{
	static const size_t parts[][2] = {
		{ VM_PGSTEAL_ANON, MI_SWAP_TOTAL },
		{ VM_PGSTEAL_FILE, MI_SWAP_FREE },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct snapshot *snapshot = snapshot_of(1);

		set(snapshot, parts[i][0], 5);
		set(snapshot, parts[i][1], 5);
		top_fill(snapshot);
		assert_state(cgroups[0], CG_PGSTEAL, ABSENT);
		assert_state(cgroups[0], CG_SWAP_CURRENT, ABSENT);
	}
}

static void a_total_that_is_not_known_is_no_part(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, MI_SWAP_TOTAL, 100);
	set(snapshot, MI_SWAP_FREE, 60);
	snapshot->state[MI_SWAP_TOTAL] = GARBLED;
	top_fill(snapshot);
	assert_state(cgroups[0], CG_SWAP_CURRENT, ABSENT);
}

static void more_free_swap_than_there_is_tells_nothing(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, MI_SWAP_TOTAL, 60);
	set(snapshot, MI_SWAP_FREE, 61);
	top_fill(snapshot);
	assert_state(cgroups[0], CG_SWAP_CURRENT, ABSENT);
	set(snapshot, MI_SWAP_FREE, 60);
	top_fill(snapshot);
	assert_number(cgroups[0], CG_SWAP_CURRENT, 0);
}

static void sums_that_the_kernel_gives_stay(void **state)
{
	struct snapshot *snapshot = snapshot_of(1);

	set(snapshot, VM_PGSTEAL_ANON, 3);
	set(snapshot, VM_PGSTEAL_FILE, 4);
	set(snapshot, MI_SWAP_TOTAL, 100);
	set(snapshot, MI_SWAP_FREE, 60);
	number_set(numbers_of(&cgroups[0]), CG_PGSTEAL, 1);
	number_set(numbers_of(&cgroups[0]), CG_SWAP_CURRENT, 2);
	top_fill(snapshot);
	assert_number(cgroups[0], CG_PGSTEAL, 1);
	assert_number(cgroups[0], CG_SWAP_CURRENT, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_cgroups_one_is_made_up),
		cmocka_unit_test(the_top_gets_the_numbers_of_the_machine),
		cmocka_unit_test(what_the_kernel_says_of_the_top_stays),
		cmocka_unit_test(only_a_top_without_numbers_is_filled),
		cmocka_unit_test(reclaim_and_swap_are_summed_up),
		cmocka_unit_test(sums_need_all_their_parts),
		cmocka_unit_test(a_total_that_is_not_known_is_no_part),
		cmocka_unit_test(more_free_swap_than_there_is_tells_nothing),
		cmocka_unit_test(sums_that_the_kernel_gives_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
