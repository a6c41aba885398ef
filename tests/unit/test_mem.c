#include "test.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/mem.h"

#define MEBIBYTE ((size_t)1 << 20)

/* Lets calloc() fail as it does without AddressSanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static int set_up(void **state)
{
	static struct arena arena;

	*state = &arena;
	return arena_init(&arena, 4 * MEBIBYTE);
}

static int tear_down(void **state)
{
	arena_done(*state);
	return 0;
}

static void memory_is_zeroed_also_after_a_reset(void **state)
{
	static const char zeroes[1000];
	struct arena *arena = *state;

	memset(arena_alloc(arena, sizeof(zeroes)), 0xff, sizeof(zeroes));
	arena_reset(arena);
	assert_memory_equal(arena_alloc(arena, sizeof(zeroes)), zeroes, sizeof(zeroes));
}

static void memory_is_aligned_for_any_type(void **state)
{
	for (size_t size = 0; size < 70; size++) {
		uintptr_t at = (uintptr_t)arena_alloc(*state, size);

		assert_true(at != 0);
		assert_int_equal(at % _Alignof(max_align_t), 0);
	}
}

static void pieces_do_not_overlap(void **state)
{
	char *left = arena_alloc(*state, 17);
	char *right = arena_alloc(*state, 17);

	assert_true(right >= left + 17);
}

static void a_reset_hands_out_the_same_memory(void **state)
{
	struct arena *arena = *state;
	void *first = arena_alloc(arena, 100);
	size_t committed = arena->committed;

	arena_reset(arena);
	assert_ptr_equal(arena_alloc(arena, 100), first);
	assert_int_equal(arena->committed, committed);
}

static void a_full_arena_gives_nothing_and_stays_usable(void **state)
{
	struct arena *arena = *state;

	assert_non_null(arena_alloc(arena, 4 * MEBIBYTE - 32));
	assert_null(arena_alloc(arena, 33));
	assert_null(arena_text(arena, "", 4 * MEBIBYTE));
	assert_non_null(arena_alloc(arena, 32));
	assert_null(arena_alloc(arena, 1));
	arena_reset(arena);
	assert_non_null(arena_alloc(arena, 1));
}

static void an_arena_can_be_filled_to_the_last_byte(void **state)
{
	char *all = arena_alloc(*state, 4 * MEBIBYTE);

	assert_non_null(all);
	all[4 * MEBIBYTE - 1] = 1;
}

static void a_size_that_overflows_is_refused(void **state)
{
	assert_null(arena_raw(*state, SIZE_MAX));
	assert_null(arena_raw(*state, SIZE_MAX - 14));
	assert_null(arena_alloc(*state, SIZE_MAX / 2));
	assert_null(arena_text(*state, "", SIZE_MAX));
	assert_null(arena_text(*state, "", SIZE_MAX - 1));
	assert_int_equal(((struct arena *)*state)->used, 0);
}

static void memory_is_committed_as_it_is_used(void **state)
{
	struct arena *arena = *state;
	char *at;

	assert_int_equal(arena->committed, 0);
	arena_alloc(arena, 1);
	arena_alloc(arena, 1);
	assert_int_equal(arena->committed, MEBIBYTE);
	arena_alloc(arena, MEBIBYTE - arena->used);
	assert_int_equal(arena->committed, MEBIBYTE);
	at = arena_alloc(arena, 2 * MEBIBYTE);
	assert_int_equal(arena->committed, 3 * MEBIBYTE);
	at[2 * MEBIBYTE - 1] = 1;
}

static void an_arena_smaller_than_a_step_works(void **state)
{
	struct arena arena;

	assert_int_equal(arena_init(&arena, 4096), 0);
	assert_non_null(arena_alloc(&arena, 4000));
	assert_null(arena_alloc(&arena, 4000));
	arena_done(&arena);
}

static void memory_that_the_kernel_refuses_is_not_given(void **state)
{
	struct arena arena;

	assert_int_equal(arena_init(&arena, MEBIBYTE), 0);
	munmap(arena.base, arena.size); /* what is not there can't be made writable */
	assert_null(arena_raw(&arena, 16));
	assert_null(arena_alloc(&arena, 16));
	assert_null(arena_text(&arena, "a", 1));
	assert_int_equal(arena.used, 0);
	assert_int_equal(arena.committed, 0);
}

static void text_is_copied_and_ended(void **state)
{
	struct arena *arena = *state;
	char *copy;

	memset(arena_alloc(arena, 64), 0xff, 64);
	arena_reset(arena);
	copy = arena_text(arena, "a\0bcd", 3);
	assert_memory_equal(copy, "a\0b", 4);
	assert_string_equal(arena_text(arena, "", 0), "");
}

static void address_space_may_run_out(void **state)
{
	struct arena arena;

	assert_int_equal(arena_init(&arena, SIZE_MAX / 4), -ENOMEM);
}

static void done_may_come_twice(void **state)
{
	struct arena arena;

	assert_int_equal(arena_init(&arena, MEBIBYTE), 0);
	arena_done(&arena);
	assert_null(arena.base);
	arena_done(&arena);
}

static void the_command_line_gets_zeroed_memory(void **state)
{
	static const char zeroes[128];
	char *memory = xalloc(8, 16);

	assert_memory_equal(memory, zeroes, sizeof(zeroes));
	free(memory);
}

static void the_command_line_ends_when_memory_runs_out(void **state)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		dup2(STDOUT_FILENO, STDERR_FILENO);
		_exit(xalloc(1, (size_t)1 << 60) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(memory_is_zeroed_also_after_a_reset),
		TEST(memory_is_aligned_for_any_type),
		TEST(pieces_do_not_overlap),
		TEST(a_reset_hands_out_the_same_memory),
		TEST(a_full_arena_gives_nothing_and_stays_usable),
		TEST(an_arena_can_be_filled_to_the_last_byte),
		TEST(a_size_that_overflows_is_refused),
		TEST(memory_is_committed_as_it_is_used),
		TEST(an_arena_smaller_than_a_step_works),
		TEST(memory_that_the_kernel_refuses_is_not_given),
		TEST(text_is_copied_and_ended),
		TEST(address_space_may_run_out),
		TEST(done_may_come_twice),
		TEST(the_command_line_gets_zeroed_memory),
		TEST(the_command_line_ends_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
