#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/oomd.h"

struct log {
	struct sink sink; /* first: the log is the sink */
	char text[512];
	size_t used;
};

static void log_put(struct sink *sink, const char *path, struct span bytes)
{
	struct log *log = (struct log *)sink;

	log->used += (size_t)snprintf(log->text + log->used, sizeof(log->text) - log->used,
				      "%s=%.*s|", path, (int)span_len(bytes), bytes.at);
}

static void marks_are_lines_of_a_captured_file(void **state)
{
	static const struct {
		const char *text;
		struct oomd_marks marks;
	} cases[] = {
		{ "owner=0\n", { 0, false, false } },
		{ "owner=1000\noomd_avoid=1\n", { 1000, true, false } },
		{ "oomd_omit=1\nowner=4294967294", { 4294967294u, false, true } },
		{ "owner=0\noomd_avoid=0\noomd_omit=yes\n", { 0, false, false } },
		{ "owner=0\noomd_omit=11\noomd_avoid=\n", { 0, false, false } },
		{ "later=1\nno sign\nowner=5\n", { 5, false, false } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct oomd_marks got = { 77, true, true };

		case_of(cases[i].text);
		assert_int_equal(oomd_parse(span_cstr(cases[i].text), &got), 0);
		assert_int_equal(got.owner, cases[i].marks.owner);
		assert_int_equal(got.oomd_avoid, cases[i].marks.oomd_avoid);
		assert_int_equal(got.oomd_omit, cases[i].marks.oomd_omit);
	}
}

/* Nobody's marks count for nothing; an owner that is made up would let them. */
static void without_an_owner_nothing_is_known(void **state)
{
	static const char *const texts[] = { "",	   "oomd_omit=1\n",
					     "owner=\n",   "owner=x\noomd_omit=1\n",
					     "owner=-1\n", "owner=4294967295\n",
					     "owner 0\n",  "owner=18446744073709551616\n" };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct oomd_marks got = { 77, true, false };

		case_of(texts[i]);
		assert_int_equal(oomd_parse(span_cstr(texts[i]), &got), -EBADMSG);
		assert_int_equal(got.owner, 77);
		assert_true(got.oomd_avoid);
	}
}

static void a_tree_has_them_beside_the_id(void **state)
{
	struct root root =
		root_of(TREE({ "cg/a/_marks", "owner=7\noomd_omit=1\n" }, { "cg/b/x", "" },
			     { "cg/c/_marks.errno", "EACCES" }, { "cg/d/_marks", "x" }));
	struct oomd_marks got = { 77, false, false };

	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	assert_int_equal(got.owner, 7);
	assert_true(got.oomd_omit);
	assert_int_equal(oomd_read(&root, "cg/b", &got), -ENOENT);
	assert_int_equal(oomd_read(&root, "cg/c", &got), -EACCES);
	assert_int_equal(oomd_read(&root, "cg/d", &got), -EBADMSG);
	assert_int_equal(got.owner, 7);
	root_done(&root);
}

static void mark(const char *folder, const char *name, const char *value)
{
	if (setxattr(folder, name, value, strlen(value), 0) < 0)
		skip(); /* the file system of temporary files has none */
}

/* A folder stands in for a cgroup's: the attributes are the same. */
static void live_they_are_the_folders_owner_and_attributes(void **state)
{
	const char *tree = TREE({ "cg/a/x", "" });
	const char *folder = path_in(tree, "cg/a");
	struct root root = root_of(tree);
	struct oomd_marks got;

	root.kind = ROOT_LIVE;
	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	assert_int_equal(got.owner, getuid());
	assert_false(got.oomd_avoid || got.oomd_omit);
	mark(folder, "user.oomd_avoid", "1");
	mark(folder, "user.oomd_omit", "0");
	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	assert_true(got.oomd_avoid);
	assert_false(got.oomd_omit);
	mark(folder, "user.oomd_omit", "1");
	mark(folder, "user.oomd_avoid", "1 and far more than there is room for");
	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	assert_false(got.oomd_avoid);
	assert_true(got.oomd_omit);
	root_done(&root);
}

static void what_is_gone_or_leads_out_has_none(void **state)
{
	const char *outside = TREE({ "x", "" });
	const char *tree = TREE({ "cg/x", "" });
	const struct file link[] = { { "cg/out", path_in("->", outside + 1) }, { 0 } };
	struct root root;
	struct oomd_marks got = { 77, false, false };

	skip_under_valgrind();
	tree_add(tree, link);
	root = root_of(tree);
	root.kind = ROOT_LIVE;
	assert_int_equal(oomd_read(&root, "cg/none", &got), -ENOENT);
	assert_true(oomd_read(&root, "cg/out", &got) < 0);
	assert_int_equal(oomd_read(&root, "cg/x", &got), -ENOTDIR);
	assert_int_equal(got.owner, 77);
	root_done(&root);
}

static void a_capture_of_a_live_folder_reads_the_same(void **state)
{
	const char *tree = TREE({ "cg/a/x", "" });
	struct root root = root_of(tree);
	struct log log = { .sink = { log_put } };
	struct oomd_marks got;
	char wanted[64];

	root.kind = ROOT_LIVE;
	root.tee = &log.sink;
	mark(path_in(tree, "cg/a"), "user.oomd_omit", "1");
	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	snprintf(wanted, sizeof(wanted), "cg/a/_marks=owner=%u\noomd_omit=1\n|", getuid());
	assert_string_equal(log.text, wanted);
	root_done(&root);
}

static void a_capture_of_a_capture_is_the_same(void **state)
{
	struct root root = root_of(TREE({ "cg/a/_marks", "owner=7\n" }, { "cg/b/x", "" }));
	struct log log = { .sink = { log_put } };
	struct oomd_marks got;

	root.tee = &log.sink;
	assert_int_equal(oomd_read(&root, "cg/a", &got), 0);
	assert_int_equal(oomd_read(&root, "cg/b", &got), -ENOENT);
	assert_string_equal(log.text, "cg/a/_marks=owner=7\n|");
	root_done(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_lines_of_a_captured_file),
		cmocka_unit_test(without_an_owner_nothing_is_known),
		cmocka_unit_test(a_tree_has_them_beside_the_id),
		cmocka_unit_test(live_they_are_the_folders_owner_and_attributes),
		cmocka_unit_test(what_is_gone_or_leads_out_has_none),
		cmocka_unit_test(a_capture_of_a_live_folder_reads_the_same),
		cmocka_unit_test(a_capture_of_a_capture_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
