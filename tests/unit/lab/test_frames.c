#include "test.h"

#include <errno.h>

#include "lab/boot/frames.h"

static size_t taken;
static struct frame last;

static int take(void *data, const struct frame *frame)
{
	taken++;
	last = *frame;
	return data ? -EIO : 0;
}

static struct frames frames_of(void *data)
{
	struct frames frames;

	taken = 0;
	assert_int_equal(frames_init(&frames, take, data), 0);
	return frames;
}

static int put(struct frames *frames, const char *path, const char *text)
{
	return frames_put_file(frames, path, span_cstr(text));
}

static void the_next_frame_says_that_one_is_whole(void **state)
{
	struct frames frames = frames_of(NULL);

	assert_int_equal(put(&frames, "000000/_host.ini", "x=1\nat_us=77\n"), 0);
	assert_int_equal(put(&frames, "000000/a/b", ""), 0);
	assert_int_equal(taken, 0);
	assert_int_equal(put(&frames, "000002/a", ""), 0);
	assert_int_equal(taken, 1);
	assert_int_equal(last.number, 0);
	assert_int_equal(last.at_us, 77);
	assert_int_equal(last.count, 2);
	assert_int_equal(frames_end(&frames, false), 0);
	assert_int_equal(taken, 1);
	frames_done(&frames);
}

static void the_loads_behind_a_frame_say_it_too(void **state)
{
	struct frames frames = frames_of(NULL);

	assert_int_equal(put(&frames, "000000/a", ""), 0);
	assert_int_equal(frames_put_loads(&frames, "000000", span_cstr("x")), 0);
	assert_int_equal(frames_end(&frames, false), 0);
	assert_int_equal(taken, 1);
	frames_done(&frames);
	frames = frames_of(NULL);
	assert_int_equal(frames_put_loads(&frames, "000000", span_cstr("x")), 0);
	assert_int_equal(put(&frames, "000000/a", ""), 0);
	assert_int_equal(frames_end(&frames, false), 0);
	assert_int_equal(taken, 0);
	frames_done(&frames);
}

static void what_is_not_as_agreed_is_refused(void **state)
{
	static const char *const paths[] = { "0/a", "00000x/a",	 "0000000/a", "/a",
					     "",    "000000/..", "000000/",   "000000" };
	struct frames frames = frames_of(NULL);

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		assert_int_equal(put(&frames, paths[i], ""), -EINVAL);
	assert_int_equal(frames_put_loads(&frames, "000000/x", span_cstr("")), -EINVAL);
	assert_int_equal(put(&frames, "000005/a", ""), 0);
	assert_int_equal(put(&frames, "000004/a", ""), -EINVAL);
	frames_done(&frames);
}

static void a_frame_that_is_too_large_is_left_out(void **state)
{
	static char big[1 << 20];
	struct frames frames = frames_of(NULL);

	memset(big, 'x', sizeof(big) - 1);
	for (int i = 0; i < 70; i++)
		assert_int_equal(put(&frames, "000000/a", big), 0);
	assert_int_equal(put(&frames, "000001/a", "x"), 0);
	assert_int_equal(taken, 0);
	assert_int_equal(frames_end(&frames, true), 0);
	assert_int_equal(taken, 1);
	frames_done(&frames);
}

static void an_error_of_the_taker_goes_up(void **state)
{
	struct frames frames = frames_of(&taken);

	assert_int_equal(put(&frames, "000000/a", "x"), 0);
	assert_int_equal(put(&frames, "000001/a", "x"), -EIO);
	frames_done(&frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_frame_says_that_one_is_whole),
		cmocka_unit_test(the_loads_behind_a_frame_say_it_too),
		cmocka_unit_test(what_is_not_as_agreed_is_refused),
		cmocka_unit_test(a_frame_that_is_too_large_is_left_out),
		cmocka_unit_test(an_error_of_the_taker_goes_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
