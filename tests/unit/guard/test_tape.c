#include "test.h"

#include <errno.h>

#include "base/mem.h"
#include "guard/tape.h"

static struct shared *shared;
static struct tape_writer writer;
static char room[TAPE_RING];

static int set_up(void **state)
{
	if (!shared)
		shared = xalloc(1, sizeof(*shared));
	memset(shared, 0, sizeof(*shared));
	tape_open(&writer, shared);
	return 0;
}

static void put(const char *path, const char *text)
{
	writer.sink.put(&writer.sink, path, span_cstr(text));
}

static bool put_frame(uint64_t at_us, const char *text)
{
	tape_begin(&writer);
	put("proc/vmstat", text);
	put("proc/meminfo", "");
	return tape_end(&writer, at_us);
}

static int take(struct span *frame, uint64_t *at_us)
{
	return tape_take(shared, (struct buffer){ room, sizeof(room) }, frame, at_us);
}

static void expect_frame(uint64_t wanted_us, const char *text)
{
	struct span frame;
	struct span path;
	struct span bytes;
	uint64_t at_us;

	assert_int_equal(take(&frame, &at_us), 1);
	assert_int_equal(at_us, wanted_us);
	assert_true(tape_cut(&frame, &path, &bytes));
	assert_span_equal(path, "proc/vmstat");
	assert_span_equal(bytes, text);
	assert_true(tape_cut(&frame, &path, &bytes));
	assert_span_equal(path, "proc/meminfo");
	assert_span_equal(bytes, "");
	assert_false(tape_cut(&frame, &path, &bytes));
}

static void frames_come_out_as_they_went_in(void **state)
{
	struct span frame;
	uint64_t at_us;

	assert_true(put_frame(5, "a 1\n"));
	assert_true(put_frame(6, "a 2\n"));
	expect_frame(5, "a 1\n");
	expect_frame(6, "a 2\n");
	assert_int_equal(take(&frame, &at_us), 0);
}

static void a_frame_that_is_not_complete_is_not_seen(void **state)
{
	struct span frame;
	uint64_t at_us;

	tape_begin(&writer);
	put("proc/vmstat", "a 1\n");
	assert_int_equal(take(&frame, &at_us), 0);
}

static void frames_go_round_the_end_of_the_ring(void **state)
{
	static char text[100001];

	memset(text, 'x', sizeof(text) - 1);
	for (uint64_t i = 1; i < 100; i++) {
		text[0] = (char)('a' + i % 26);
		assert_true(put_frame(i, text));
		expect_frame(i, text);
	}
	assert_true(atomic_load(&shared->tape_written) > 4 * TAPE_RING);
}

static void a_frame_that_does_not_fit_is_dropped_whole(void **state)
{
	static char text[700001];
	struct span frame;
	uint64_t at_us;

	memset(text, 'x', sizeof(text) - 1);
	assert_true(put_frame(1, text));
	assert_true(put_frame(2, text));
	assert_false(put_frame(3, text));
	assert_true(put_frame(4, "small"));
	expect_frame(1, text);
	expect_frame(2, text);
	expect_frame(4, "small");
	assert_int_equal(take(&frame, &at_us), 0);
}

static void a_frame_larger_than_the_room_is_skipped(void **state)
{
	struct span frame;
	uint64_t at_us;

	assert_true(put_frame(1, "much"));
	assert_true(put_frame(2, "little"));
	assert_int_equal(tape_take(shared, (struct buffer){ room, 8 }, &frame, &at_us), -EFBIG);
	expect_frame(2, "little");
}

static void expect_skipped(void)
{
	struct span frame;
	uint64_t at_us;

	assert_int_equal(take(&frame, &at_us), -EBADMSG);
	assert_int_equal(take(&frame, &at_us), 0);
}

static void a_head_that_is_none_is_skipped(void **state)
{
	assert_true(put_frame(1, "a"));
	shared->tape[0] ^= 1;
	expect_skipped();
}

static void a_length_beyond_what_is_there_is_skipped(void **state)
{
	struct tape_frame_head head;

	assert_true(put_frame(1, "a"));
	memcpy(&head, shared->tape, sizeof(head));
	head.bytes += 1;
	memcpy(shared->tape, &head, sizeof(head));
	expect_skipped();
	assert_true(put_frame(1, "a"));
	head.bytes = UINT64_MAX;
	memcpy(shared->tape + atomic_load(&shared->tape_read), &head, sizeof(head));
	expect_skipped();
}

static void a_tail_that_is_none_is_skipped(void **state)
{
	assert_true(put_frame(1, "a"));
	shared->tape[atomic_load(&shared->tape_written) - 1] ^= 1;
	expect_skipped();
}

static void counters_that_cannot_be_are_skipped(void **state)
{
	atomic_store(&shared->tape_read, 10);
	atomic_store(&shared->tape_written, 5);
	expect_skipped();
	atomic_store(&shared->tape_written, 10 * TAPE_RING);
	expect_skipped();
	atomic_store(&shared->tape_written, atomic_load(&shared->tape_read) + 3);
	expect_skipped();
}

static void a_file_longer_than_its_frame_is_not_cut(void **state)
{
	struct tape_file_head head = { 3, 4 };
	char text[sizeof(head) + 7];
	struct span frame;
	struct span path;
	struct span bytes;

	memcpy(text, &head, sizeof(head));
	memcpy(text + sizeof(head), "abcdefg", 7);
	for (size_t length = 0; length < sizeof(text); length++) {
		frame = span_of(text, length);
		assert_false(tape_cut(&frame, &path, &bytes));
	}
	frame = span_of(text, sizeof(text));
	assert_true(tape_cut(&frame, &path, &bytes));
	head = (struct tape_file_head){ UINT32_MAX, UINT32_MAX };
	memcpy(text, &head, sizeof(head));
	frame = span_of(text, sizeof(text));
	assert_false(tape_cut(&frame, &path, &bytes));
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(frames_come_out_as_they_went_in),
		TEST(a_frame_that_is_not_complete_is_not_seen),
		TEST(frames_go_round_the_end_of_the_ring),
		TEST(a_frame_that_does_not_fit_is_dropped_whole),
		TEST(a_frame_larger_than_the_room_is_skipped),
		TEST(a_head_that_is_none_is_skipped),
		TEST(a_length_beyond_what_is_there_is_skipped),
		TEST(a_tail_that_is_none_is_skipped),
		TEST(counters_that_cannot_be_are_skipped),
		TEST(a_file_longer_than_its_frame_is_not_cut),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(shared);
	return failed;
}
