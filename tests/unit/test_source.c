#include "test.h"

#include <errno.h>

#include "model/source.h"

static struct source source_of(const char *from)
{
	struct source source;

	assert_int_equal(source_open(from, NULL, &source), 0);
	return source;
}

/* The lowest descriptor that is free: the same again when nothing was left open. */
static int free_descriptor(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

/* The text of proc/x in the next frame; NULL behind the last one. */
static const char *next_text(struct source *source)
{
	static char text[32];
	struct span got;

	if (source_next(source) == SOURCE_END)
		return NULL;
	assert_int_equal(root_read(&source->root, "proc/x", any_buffer(), &got), 0);
	span_copy(got, text, sizeof(text));
	return text;
}

static void expect_texts(const char *from, enum source_kind kind, const char *const *texts)
{
	int unused = free_descriptor();
	struct source source = source_of(from);

	case_of(from);
	assert_int_equal(source.kind, kind);
	for (; *texts; texts++)
		assert_string_equal(next_text(&source), *texts);
	assert_null(next_text(&source));
	assert_null(next_text(&source));
	source_done(&source);
	assert_int_equal(free_descriptor(), unused);
}

static const struct file FRAMES[] = {
	{ "10/proc/x", "ten" },
	{ "2/proc/x", "two" },
	{ "1/proc/x", "one" },
	/* no frames: not a number, too large for one, too long, a file */
	{ "notes/proc/x", "no" },
	{ "3x/proc/x", "no" },
	{ "-1/proc/x", "no" },
	{ "123456789012345678901/proc/x", "no" },
	{ "99999999999999999999/proc/x", "no" },
	{ "000000000000000000000004/proc/x", "no" },
	{ "5", "a file" },
	{ 0 },
};

static const char *const ORDER[] = { "one", "two", "ten", NULL };

static void frames_come_in_the_order_of_their_numbers(void **state)
{
	expect_texts(tree_new(FRAMES), SOURCE_FRAMES, ORDER);
	expect_texts(archive_new(".tar", FRAMES), SOURCE_PACK, ORDER);
	expect_texts(archive_new(".tar.zst", FRAMES), SOURCE_PACK, ORDER);
}

static void a_tree_is_one_frame(void **state)
{
	static const char *const texts[] = { "tree", NULL };
	static const struct file files[] = {
		{ "proc/x", "tree" },
		{ "000000/proc/x", "no" },
		{ 0 },
	};

	expect_texts(tree_new(files), SOURCE_TREE, texts);
	expect_texts(ARCHIVE(".tar", { "proc/x", "tree" }), SOURCE_PACK, texts);
}

static void the_folder_of_a_run_stands_for_its_recording(void **state)
{
	const char *run = TREE({ "run.ini", "" }, { "7/proc/x", "no" });

	assert_int_equal(rename(archive_new(".tar.zst", FRAMES), path_in(run, RUN_RECORDING)),
			 0);
	expect_texts(run, SOURCE_PACK, ORDER);
}

static void a_root_may_be_given_instead(void **state)
{
	const char *tree = TREE({ "proc/x", "tree" });
	struct source source;

	assert_int_equal(source_open(NULL, tree, &source), 0);
	assert_int_equal(source.kind, SOURCE_TREE);
	assert_string_equal(next_text(&source), "tree");
	source_done(&source);
	assert_int_equal(source_open(tree, "/", &source), 0);
	assert_int_equal(source.kind, SOURCE_TREE);
	source_done(&source);
}

static void a_live_source_never_ends(void **state)
{
	struct source source;

	assert_int_equal(source_open(NULL, "/", &source), 0);
	assert_int_equal(source.kind, SOURCE_LIVE);
	for (int i = 0; i < 3; i++)
		assert_int_equal(source_next(&source), 0);
	source_done(&source);
}

static void what_holds_no_frame_is_refused(void **state)
{
	const char *tree = TREE({ "folder/notes/x", "" }, { "text", "text\n" }, { "empty", "" },
				{ "hollow", NULL });
	static const struct {
		const char *name;
		int error;
	} cases[] = {
		{ "folder", ENODATA }, { "hollow", ENODATA }, { "text", EBADMSG },
		{ "empty", EBADMSG },  { "none", ENOENT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int unused = free_descriptor();
		struct source source;

		case_of(cases[i].name);
		assert_int_equal(source_open(path_in(tree, cases[i].name), NULL, &source),
				 -cases[i].error);
		assert_int_equal(free_descriptor(), unused);
	}
}

static void an_archive_without_frames_is_refused(void **state)
{
	const char *const archives[] = {
		ARCHIVE(".tar", { "0", NULL }),
		ARCHIVE(".tar", { "notes/x", "" }),
		ARCHIVE(".tar", { "x", "" }),
		ARCHIVE(".tar", { "../proc/x", "" }),
	};

	for (size_t i = 0; i < ARRAY_LEN(archives); i++) {
		struct source source;

		assert_int_equal(source_open(archives[i], NULL, &source), -ENODATA);
	}
}

/* Text that does not compress; the last frame is cut in its second file. */
static const char *noise(void)
{
	static char text[200000];
	uint32_t random = 1;

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		random = random * 1664525u + 1013904223u;
		text[i] = (char)(' ' + (random >> 24) % 90);
	}
	return text;
}

static void the_frame_in_which_an_archive_ends_is_left_out(void **state)
{
	static const char *const texts[] = { "one", "two", NULL };
	const char *path = ARCHIVE(".tar", { "1/proc/x", "one" }, { "2/proc/x", "two" },
				   { "3/proc/x", "three" }, { "3/proc/y", noise() });

	assert_int_equal(truncate(path, 100000), 0);
	expect_texts(path, SOURCE_PACK, texts);
}

static void an_archive_that_ends_before_any_frame_is_refused(void **state)
{
	const char *path = ARCHIVE(".tar", { "notes/x", "" }, { "notes/y", noise() });
	struct source source;

	assert_int_equal(truncate(path, 100000), 0);
	assert_int_equal(source_open(path, NULL, &source), -ENODATA);
}

static void an_archive_that_ends_in_its_first_frame_is_refused(void **state)
{
	const char *path = ARCHIVE(".tar", { "1/proc/x", "one" }, { "1/proc/y", noise() });
	struct source source;

	assert_int_equal(truncate(path, 100000), 0);
	assert_int_equal(source_open(path, NULL, &source), -ENODATA);
}

/* The tee belongs to the source, not to the frame. */
static size_t files_put;

static void count_put(struct sink *sink, const char *path, struct span bytes)
{
	files_put++;
}

static void every_frame_goes_to_the_tee(void **state)
{
	const char *const paths[] = { tree_new(FRAMES), archive_new(".tar", FRAMES) };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct source source = source_of(paths[i]);
		struct sink sink = { count_put };

		source.root.tee = &sink;
		files_put = 0;
		while (next_text(&source))
			;
		assert_int_equal(files_put, 3);
		source_done(&source);
	}
}

static void a_frame_that_went_away_is_an_error(void **state)
{
	const char *tree = TREE({ "1/proc/x", "one" }, { "2/proc/x", "two" });
	struct source source = source_of(tree);

	assert_string_equal(next_text(&source), "one");
	assert_int_equal(rename(path_in(tree, "2"), path_in(tree, "away")), 0);
	assert_int_equal(source_next(&source), -ENOENT);
	assert_int_equal(rename(path_in(tree, "away"), path_in(tree, "2")), 0);
	assert_string_equal(next_text(&source), "two");
	assert_null(next_text(&source));
	source_done(&source);
}

static void done_may_come_twice(void **state)
{
	struct source source = source_of(tree_new(FRAMES));

	source_done(&source);
	source_done(&source);
	assert_int_equal(source_open("/nowhere/at/all", NULL, &source), -ENOENT);
	assert_int_equal(source_open(NULL, "/nowhere/at/all", &source), -ENOENT);
	source_done(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_come_in_the_order_of_their_numbers),
		cmocka_unit_test(a_tree_is_one_frame),
		cmocka_unit_test(the_folder_of_a_run_stands_for_its_recording),
		cmocka_unit_test(a_root_may_be_given_instead),
		cmocka_unit_test(a_live_source_never_ends),
		cmocka_unit_test(what_holds_no_frame_is_refused),
		cmocka_unit_test(an_archive_without_frames_is_refused),
		cmocka_unit_test(the_frame_in_which_an_archive_ends_is_left_out),
		cmocka_unit_test(an_archive_that_ends_before_any_frame_is_refused),
		cmocka_unit_test(an_archive_that_ends_in_its_first_frame_is_refused),
		cmocka_unit_test(every_frame_goes_to_the_tee),
		cmocka_unit_test(a_frame_that_went_away_is_an_error),
		cmocka_unit_test(done_may_come_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
