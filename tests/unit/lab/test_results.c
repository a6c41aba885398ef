#include "test.h"

#include <errno.h>

#include "base/mem.h"
#include "base/pack.h"
#include "lab/boot/files.h"
#include "lab/boot/results.h"
#include "stream_of.h"

static struct span whole(void)
{
	return STREAM({ "mark/0001", "10 phase calm\n" },
		      { "frames/000000/_host.ini", "at_us=1000\n" },
		      { "frames/000000/proc/vmstat", "nr_free_pages 1\n" },
		      { "loads/000000", "worker running 10 9 1 200 4096 x y\n" },
		      { "frames/000001/_host.ini", "at_us=2000\n" },
		      { "loads/000001", "worker ended 20 9 11 200 4096\n" },
		      { "slots/worker", "slot 1 2 3 4 5\n" }, { "kmsg", "a line\n" },
		      { "guest", "release=6.12\nmem_total_bytes=99\n" }, { "done", "" });
}

static struct results results_of(struct span stream)
{
	struct results results;

	assert_int_equal(results_read(stream, &results), 0);
	return results;
}

/* The results, and their files in a new folder. */
static const char *written(struct span stream, struct results *results)
{
	const char *folder = folder_new();

	assert_int_equal(results_write(stream, folder, results), 0);
	return folder;
}

static void expect_file(const char *folder, const char *name, const char *wanted)
{
	char *text = NULL;
	struct span got;

	assert_int_equal(file_read(path_in(folder, name), 65536, &text, &got), 0);
	assert_span_equal(got, wanted);
	free(text);
}

static void a_whole_stream_becomes_a_run_directory(void **state)
{
	struct results results;
	const char *folder = written(whole(), &results);
	struct pack pack;
	struct span got;

	assert_true(results.done);
	assert_false(results.skipped || results.failed);
	assert_int_equal(results.frames, 2);
	assert_int_equal(results.refused, 0);
	assert_string_equal(results.guest, "release=6.12\nmem_total_bytes=99\n");
	expect_file(folder, "marks.tsv", "AT_US\tKIND\tTEXT\n10\tphase\tcalm\n");
	expect_file(
		folder, "loads.tsv",
		"FRAME\tAT_US\tNAME\tSTATE\tDUE\tDONE\tLATE\tLONGEST_US\tSIZE_BYTES\tEXTRA\n"
		"0\t1000\tworker\trunning\t10\t9\t1\t200\t4096\tx y\n"
		"1\t2000\tworker\tended\t20\t9\t11\t200\t4096\t\n");
	expect_file(folder, "slots/worker.tsv",
		    "KIND\tDUE_US\tBEGUN_US\tDONE_US\tVALUE\tFAULTS\nslot\t1\t2\t3\t4\t5\n");
	expect_file(folder, "kmsg.log", "a line\n");
	assert_int_equal(pack_open(path_in(folder, "frames.tar.zst"), &pack), 0);
	assert_int_equal(pack_find(&pack, "000000/proc/vmstat", &got), 0);
	assert_span_equal(got, "nr_free_pages 1\n");
	assert_int_equal(pack_find(&pack, "000001/_host.ini", &got), 0);
	pack_done(&pack);
}

static void a_run_directory_is_not_overwritten(void **state)
{
	struct results results;
	const char *folder = written(whole(), &results);

	assert_int_equal(results_write(whole(), folder, &results), -EEXIST);
}

/* Each cut keeps what lies before it, and never half a frame. */
static void a_stream_may_end_anywhere(void **state)
{
	struct span stream = whole();
	uint64_t frames = 0;

	for (size_t length = 0; length < span_len(stream); length++) {
		char *copy = malloc(length + 1);
		struct results results;

		memcpy(copy, stream.at, length);
		results = results_of(span_of(copy, length));
		assert_true(results.frames >= frames);
		frames = results.frames;
		free(copy);
	}
	assert_int_equal(frames, 2);
}

static void half_a_frame_is_left_out(void **state)
{
	struct span stream = STREAM({ "frames/000000/a", "x" }, { "frames/000001/a", "x" },
				    { "frames/000001/b", "x" });

	/* Without the end mark nobody says that nothing is missing. */
	stream.end -= 124;
	assert_int_equal(results_of(stream).frames, 1);
	stream.end += 124;
	assert_int_equal(results_of(stream).frames, 2);
}

static void zeros_behind_a_cut_are_no_stream(void **state)
{
	static char disk[65536];
	struct span stream = whole();

	memcpy(disk, stream.at, 300);
	assert_false(results_of(span_of(disk, sizeof(disk))).done);
	assert_false(results_of((struct span){ 0 }).done);
}

static void a_skip_and_an_error_give_their_reason(void **state)
{
	struct results results = results_of(STREAM({ "mark/0001", "10 skip no zram here\n" },
						   { "mark/0002", "11 error and more\n" }));

	assert_true(results.skipped);
	assert_false(results.failed);
	assert_string_equal(results.reason, "no zram here");
	results = results_of(STREAM({ "mark/0001", "10 error a \033[31m b" }));
	assert_true(results.failed);
	assert_string_equal(results.reason, "a \\x1b[31m b");
}

static void hostile_names_lead_nowhere(void **state)
{
	struct results results;
	const char *folder = written(
		STREAM({ "../up", "x" }, { "/frames/000000/a", "x" },
		       { "frames/../../up", "x" }, { "frames/000000/../../../up", "x" },
		       { "frames/x/a", "x" }, { "frames/0/a", "x" }, { "frames/000000/", "x" },
		       { "frames/18446744073709551616/a", "x" }, { "slots/../up", "x" },
		       { "slots/.hidden", "x" }, { "slots/a/b", "x" }, { "slots/", "x" },
		       { "loads/000000/x", "x" }, { "kmsg/x", "x" }, { "unknown", "x" },
		       { "mark/", "" }),
		&results);

	assert_int_equal(results.frames, 0);
	assert_true(results.refused > 0);
	assert_false(file_exists(path_in(folder, "../up")));
	assert_false(file_exists(path_in(folder, "slots")));
}

static void hostile_text_makes_no_columns_and_lines(void **state)
{
	struct results results;
	const char *folder = written(
		STREAM({ "mark/0001", "10 phase a\tb\033c\nsecond" }, { "mark/0002", "x y z" },
		       { "slots/a", "slot 1 2 3 4\nslot 1 2 3 4 x\nslot 1 2 3 4 5 6\n" },
		       { "slots/a", "slot 1 1 1 1 1\n" },
		       { "guest", "[run]\n[x]=1\n=2\nkey=va\rlue\n;c=1\nno\n" }),
		&results);

	expect_file(folder, "marks.tsv", "AT_US\tKIND\tTEXT\n10\tphase\ta\\x09b\\x1bc\n");
	expect_file(folder, "slots/a.tsv",
		    "KIND\tDUE_US\tBEGUN_US\tDONE_US\tVALUE\tFAULTS\nslot\t1\t2\t3\t4\t5\n");
	assert_string_equal(results.guest, "key=va\\x0dlue\n");
	assert_true(results.refused >= 8);
}

static void a_frame_that_comes_twice_is_taken_once(void **state)
{
	struct results results = results_of(
		STREAM({ "frames/000003/a", "x" }, { "loads/000003", "" },
		       { "frames/000004/a", "x" }, { "frames/000003/a", "x" }, { "done", "" }));

	assert_int_equal(results.frames, 2);
	assert_int_equal(results.refused, 1);
}

/* How many marks are read when a field of the second member's header is written over. */
static size_t marks_with(size_t at, const char *text)
{
	struct span stream = STREAM({ "mark/0001", "10 skip a\n" }, { "mark/0002", "11 x y\n" },
				    { "bad", "" });
	struct results results;
	char *copy = malloc(span_len(stream));
	char *second;

	memcpy(copy, stream.at, span_len(stream));
	second = memmem(copy, span_len(stream), "mark/0002", 9);
	assert_non_null(second);
	memcpy(second - 110 + at, text, strlen(text));
	results = results_of(span_of(copy, span_len(stream)));
	free(copy);
	assert_true(results.skipped);
	return (size_t)results.refused; /* "bad" is seen only when nothing ended the stream */
}

static void a_header_is_not_believed(void **state)
{
	assert_int_equal(marks_with(0, "070701"), 1);
	assert_int_equal(marks_with(0, "070702"), 0);
	assert_int_equal(marks_with(14, "0000zzzz"), 0);
	assert_int_equal(marks_with(14, "00004000"), 1); /* a folder is passed over */
	assert_int_equal(marks_with(54, "ffffffff"), 0);
	assert_int_equal(marks_with(54, "00000fff"), 0);
	assert_int_equal(marks_with(94, "00000000"), 0);
	assert_int_equal(marks_with(94, "ffffffff"), 0);
	assert_int_equal(marks_with(94, "00000009"), 0);
	assert_int_equal(marks_with(94, "0000000b"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_stream_becomes_a_run_directory),
		cmocka_unit_test(a_run_directory_is_not_overwritten),
		cmocka_unit_test(a_stream_may_end_anywhere),
		cmocka_unit_test(half_a_frame_is_left_out),
		cmocka_unit_test(zeros_behind_a_cut_are_no_stream),
		cmocka_unit_test(a_skip_and_an_error_give_their_reason),
		cmocka_unit_test(hostile_names_lead_nowhere),
		cmocka_unit_test(hostile_text_makes_no_columns_and_lines),
		cmocka_unit_test(a_frame_that_comes_twice_is_taken_once),
		cmocka_unit_test(a_header_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
