#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/pack.h"

static struct pack pack_of(const char *path)
{
	struct pack pack;

	assert_int_equal(pack_open(path, &pack), 0);
	return pack;
}

static void expect_text(const struct pack *pack, const char *path, const char *text)
{
	struct span found;

	case_of(path);
	assert_int_equal(pack_find(pack, path, &found), 0);
	assert_span_equal(found, text);
}

/* The names of the folders, each followed by a blank, in the pack's order. */
static void expect_list(const struct pack *pack, const char *path, const char *wanted)
{
	char shown[256] = "";
	struct span names;

	case_of(path);
	assert_int_equal(pack_list(pack, path, any_buffer(), &names), 0);
	assert_true(span_len(names) < sizeof(shown));
	for (size_t i = 0; i < span_len(names); i++)
		shown[i] = names.at[i] ? names.at[i] : ' ';
	assert_string_equal(shown, wanted);
}

static void every_kind_of_tar_is_read(void **state)
{
	static const char *const suffixes[] = { ".tar", ".tar.zst", ".tar.gz", ".tar.xz",
						".pax" };

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		struct pack pack =
			pack_of(ARCHIVE(suffixes[i], { "000000/proc/vmstat", "a 1\n" },
					{ "000000/proc/swaps", "" }));

		case_of(suffixes[i]);
		assert_int_equal(pack.count, 2);
		assert_false(pack.cut);
		expect_text(&pack, "000000/proc/vmstat", "a 1\n");
		expect_text(&pack, "000000/proc/swaps", "");
		pack_done(&pack);
	}
}

static void only_the_whole_path_is_found(void **state)
{
	static const char *const paths[] = {
		"", "a", "a/", "a/b", "a/bcd", "A/bc", "a/bc/", "z"
	};
	struct pack pack = pack_of(ARCHIVE(".tar", { "a/bc", "x" }, { "a/bd", "y" }));
	struct span found = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		assert_int_equal(pack_find(&pack, paths[i], &found), -ENOENT);
	assert_null(found.at);
	pack_done(&pack);
}

static void a_dot_and_a_slash_before_a_path_are_dropped(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "./0/proc/a", "1" },
					   { "././0/proc/b", "2" }, { "/0/proc/c", "3" },
					   { ".//0/proc/d", "4" }, { ".hidden", "5" }));

	expect_text(&pack, "0/proc/a", "1");
	expect_text(&pack, "0/proc/b", "2");
	expect_text(&pack, "0/proc/c", "3");
	expect_text(&pack, "0/proc/d", "4");
	expect_text(&pack, ".hidden", "5");
	pack_done(&pack);
}

/* Names that stand for another folder would lead a capture of this one out of its place. */
static void a_path_that_climbs_is_left_out(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0/../../etc/a", "" }, { "../b", "" },
					   { "0/./c", "" }, { "0//d", "" }, { "0/..", "" },
					   { "0/.", "" }, { "0/..e/...", "kept" }));

	assert_int_equal(pack.count, 1);
	expect_text(&pack, "0/..e/...", "kept");
	pack_done(&pack);
}

static void only_files_are_kept(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0", NULL }, { "0/link", "->/etc/passwd" },
					   { "0/file", "x" }));

	assert_int_equal(pack.count, 1);
	expect_text(&pack, "0/file", "x");
	pack_done(&pack);
}

static void names_hold_any_byte(void **state)
{
	static const char *const suffixes[] = { ".tar", ".pax" };
	char path[400];

	memset(path, 'x', sizeof(path));
	memcpy(path, "0/\xff\n\x1b", 5);
	path[sizeof(path) - 1] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		struct pack pack =
			pack_of(ARCHIVE(suffixes[i], { path, "x" }, { "0/caf\xc3\xa9", "y" }));

		case_of(suffixes[i]);
		expect_text(&pack, path, "x");
		expect_text(&pack, "0/caf\xc3\xa9", "y");
		pack_done(&pack);
	}
}

static void folders_are_listed_once_and_files_are_not(void **state)
{
	struct pack pack = pack_of(ARCHIVE(
		".tar", { "0/proc/1/stat", "" }, { "0/proc/1/status", "" },
		{ "0/proc/vmstat", "" }, { "0/proc/10/stat", "" }, { "0/proc/1-x/stat", "" },
		{ "0/proc/1.x", "" }, { "1/proc/2/stat", "" }, { "file", "" }));

	expect_list(&pack, "", "0 1 ");
	expect_list(&pack, "0", "proc ");
	expect_list(&pack, "0/", "proc ");
	expect_list(&pack, "0/proc", "1-x 1 10 ");
	expect_list(&pack, "0/proc/1", "");
	expect_list(&pack, "1/proc", "2 ");
	pack_done(&pack);
}

static void what_is_no_folder_cannot_be_listed(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0/proc/1/stat", "" }, { "0/a", "" }));
	struct span names = { 0 };

	assert_int_equal(pack_list(&pack, "none", any_buffer(), &names), -ENOENT);
	assert_int_equal(pack_list(&pack, "0/pro", any_buffer(), &names), -ENOENT);
	assert_int_equal(pack_list(&pack, "0/proc/2", any_buffer(), &names), -ENOENT);
	assert_null(names.at);
	pack_done(&pack);
}

static void a_list_larger_than_the_buffer_is_too_large(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0/abc/x", "" }, { "0/def/x", "" }));
	char space[8];
	struct span names;

	assert_int_equal(pack_list(&pack, "0", (struct buffer){ space, 7 }, &names), -EFBIG);
	assert_int_equal(pack_list(&pack, "0", (struct buffer){ space, 8 }, &names), 0);
	assert_int_equal(span_len(names), 8);
	pack_done(&pack);
}

static void files_and_folders_exist(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0/proc/vmstat", "" }));

	assert_true(pack_exists(&pack, "0/proc/vmstat"));
	assert_true(pack_exists(&pack, "0/proc"));
	assert_true(pack_exists(&pack, "0"));
	assert_false(pack_exists(&pack, "0/pro"));
	assert_false(pack_exists(&pack, "0/proc/vmstat/x"));
	assert_false(pack_exists(&pack, "1"));
	pack_done(&pack);
}

static void an_archive_without_files_is_empty(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0", NULL }));

	assert_int_equal(pack.count, 0);
	expect_list(&pack, "", "");
	pack_done(&pack);
}

/*
 * Text that does not compress, and more than is compressed as one: an archive of it can be cut
 * in the middle.
 */
static const char *noise(size_t which)
{
	static char text[3][200000];
	uint32_t random = (uint32_t)which;

	for (size_t i = 0; i < sizeof(text[which]) - 1; i++) {
		random = random * 1664525u + 1013904223u;
		text[which][i] = (char)(' ' + (random >> 24) % 90);
	}
	return text[which];
}

static const char *two_frames(const char *suffix)
{
	return ARCHIVE(suffix, { "000000/proc/a", noise(0) }, { "000001/proc/a", noise(1) },
		       { "000001/proc/b", noise(2) });
}

static void a_cut_archive_keeps_what_came_before(void **state)
{
	static const char *const suffixes[] = { ".tar", ".tar.zst", ".tar.gz", ".tar.xz" };

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		const char *path = two_frames(suffixes[i]);
		struct pack pack;
		struct stat st;

		case_of(suffixes[i]);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(truncate(path, st.st_size / 4 * 3), 0);
		if (pack_open(path, &pack) < 0)
			fail_msg("nothing was kept");
		assert_true(pack.cut);
		assert_true(pack.count < 3);
		pack_done(&pack);
	}
}

static void an_archive_cut_in_its_first_file_is_none(void **state)
{
	const char *path = two_frames(".tar");
	struct pack pack;

	assert_int_equal(truncate(path, 5000), 0);
	assert_int_equal(pack_open(path, &pack), -EBADMSG);
}

static void what_is_no_archive_is_refused(void **state)
{
	const char *tree = TREE({ "text", "some text\n" }, { "empty", "" },
				{ "zip", "PK\003\004 and so on" }, { "folder", NULL });
	struct pack pack = { .count = 77 };

	assert_int_equal(pack_open(path_in(tree, "text"), &pack), -EBADMSG);
	assert_int_equal(pack_open(path_in(tree, "empty"), &pack), -EBADMSG);
	assert_int_equal(pack_open(path_in(tree, "zip"), &pack), -EBADMSG);
	assert_int_equal(pack_open(path_in(tree, "none"), &pack), -ENOENT);
	assert_true(pack_open(path_in(tree, "folder"), &pack) < 0);
	assert_int_equal(pack.count, 77);
}

/* A plain tar's header with that size in octal digits, and nothing behind it. */
static const char *header_that_claims(const char *size)
{
	const char *path = ARCHIVE(".tar", { "0/a", "x" });
	unsigned char block[512];
	auto_fd fd = open(path, O_RDWR);
	unsigned int sum = 0;

	assert_int_equal(pread(fd, block, sizeof(block), 0), 512);
	memcpy(block + 124, size, 12);
	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < sizeof(block); i++)
		sum += block[i];
	snprintf((char *)block + 148, 8, "%06o", sum);
	assert_int_equal(pwrite(fd, block, sizeof(block), 0), 512);
	return path;
}

static void a_file_that_claims_too_much_is_refused(void **state)
{
	struct rusage before;
	struct rusage after;
	struct pack pack;

	skip_under_valgrind();
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(pack_open(header_that_claims("077777777777"), &pack), -EFBIG);
	assert_int_equal(pack_open(header_that_claims("007777777777"), &pack), -EBADMSG);
	getrusage(RUSAGE_SELF, &after);
	/* In KiB: the claim of a gibibyte was not believed. */
	assert_true(after.ru_maxrss - before.ru_maxrss < 100000);
}

static void a_long_path_is_refused(void **state)
{
	struct pack pack = pack_of(ARCHIVE(".tar", { "0/a", "x" }));
	static char path[9000];
	struct span found;

	memset(path, 'x', sizeof(path) - 1);
	assert_int_equal(pack_find(&pack, path, &found), -ENOENT);
	assert_int_equal(pack_list(&pack, path, any_buffer(), &found), -ENAMETOOLONG);
	assert_false(pack_exists(&pack, path));
	pack_done(&pack);
}

static void folders_with_long_names_are_listed_or_refused(void **state)
{
	static char name[8200];
	struct span names;

	for (size_t length = 8189; length < 8193; length++) {
		struct pack pack;

		memset(name, 'x', length);
		snprintf(name + length, 3, "/y");
		pack = pack_of(ARCHIVE(".tar", { name, "" }));
		assert_int_equal(pack_list(&pack, "", any_buffer(), &names),
				 length <= 8190 ? 0 : -ENAMETOOLONG);
		name[length] = '\0';
		assert_int_equal(pack_list(&pack, name, any_buffer(), &names),
				 length <= 8190 ? 0 : -ENAMETOOLONG);
		pack_done(&pack);
	}
}

static void a_frame_in_a_pack_is_a_root(void **state)
{
	struct pack pack = pack_of(
		ARCHIVE(".tar", { "1/proc/a", "text\n" }, { "1/proc/b.errno", "EACCES\n" },
			{ "1/cg/x/_id", "9\n" }, { "1/cg/y/z", "" }, { "10/proc/c", "" }));
	struct root root = {
		.kind = ROOT_STORE, .fd = -1, .store = &pack.store, .prefix = "1/"
	};
	static char path[9000];
	char space[5];
	struct span got = { 0 };
	uint64_t id;

	assert_int_equal(root_read(&root, "proc/a", (struct buffer){ space, 5 }, &got), -EFBIG);
	assert_int_equal(root_read(&root, "proc/b", any_buffer(), &got), -EACCES);
	assert_int_equal(root_read(&root, "proc/c", any_buffer(), &got), -ENOENT);
	assert_null(got.at);
	assert_int_equal(root_read(&root, "proc/a", any_buffer(), &got), 0);
	assert_span_equal(got, "text\n");
	assert_int_equal(root_list(&root, "cg", any_buffer(), &got), 0);
	assert_int_equal(span_len(got), 4);
	assert_int_equal(root_id(&root, "cg/x", &id), 0);
	assert_int_equal(id, 9);
	assert_int_equal(root_id(&root, "cg/y", &id), 0);
	assert_true(id >> 63);
	assert_int_equal(root_id(&root, "cg/none", &id), -ENOENT);
	assert_true(root_exists(&root, "cg/y"));
	memset(path, 'x', sizeof(path) - 1);
	assert_int_equal(root_read(&root, path, any_buffer(), &got), -ENAMETOOLONG);
	assert_int_equal(root_list(&root, path, any_buffer(), &got), -ENAMETOOLONG);
	assert_false(root_exists(&root, path));
	root_done(&root);
	pack_done(&pack);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_tar_is_read),
		cmocka_unit_test(only_the_whole_path_is_found),
		cmocka_unit_test(a_dot_and_a_slash_before_a_path_are_dropped),
		cmocka_unit_test(a_path_that_climbs_is_left_out),
		cmocka_unit_test(only_files_are_kept),
		cmocka_unit_test(names_hold_any_byte),
		cmocka_unit_test(folders_are_listed_once_and_files_are_not),
		cmocka_unit_test(what_is_no_folder_cannot_be_listed),
		cmocka_unit_test(a_list_larger_than_the_buffer_is_too_large),
		cmocka_unit_test(files_and_folders_exist),
		cmocka_unit_test(an_archive_without_files_is_empty),
		cmocka_unit_test(a_cut_archive_keeps_what_came_before),
		cmocka_unit_test(an_archive_cut_in_its_first_file_is_none),
		cmocka_unit_test(what_is_no_archive_is_refused),
		cmocka_unit_test(a_file_that_claims_too_much_is_refused),
		cmocka_unit_test(a_long_path_is_refused),
		cmocka_unit_test(folders_with_long_names_are_listed_or_refused),
		cmocka_unit_test(a_frame_in_a_pack_is_a_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
