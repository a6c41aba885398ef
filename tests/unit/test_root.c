#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int read_in(const char *tree, const char *path, struct span *out)
{
	struct root root = root_of(tree);
	int r = root_read(&root, path, any_buffer(), out);

	root_done(&root);
	return r;
}

static void expect_text(const char *tree, const char *path, const char *text)
{
	struct span got = { 0 };

	case_of(path);
	assert_int_equal(read_in(tree, path, &got), 0);
	assert_span_equal(got, text);
}

static void expect_error(const char *tree, const char *path, int error)
{
	struct span got = { 0 };

	case_of(path);
	assert_int_equal(read_in(tree, path, &got), -error);
	assert_null(got.at); /* untouched */
}

/* A folder of plain files stands in for procfs: what is live is read by path or descriptor. */
static struct root live_of(const char *folder)
{
	struct root root = root_of(folder);

	root.kind = ROOT_LIVE;
	return root;
}

static void a_tree_is_told_from_a_live_machine(void **state)
{
	struct root root = root_of(TREE({ "proc/vmstat", "nr_free_pages 1\n" }));

	assert_int_equal(root.kind, ROOT_TREE);
	root_done(&root);
	assert_int_equal(root.fd, -1);
	root_done(&root);
	root = root_of("/");
	assert_int_equal(root.kind, ROOT_LIVE);
	root_done(&root);
}

static void a_root_must_be_a_folder(void **state)
{
	const char *tree = TREE({ "file", "" });
	struct root root;

	assert_int_equal(root_open(path_in(tree, "none"), &root), -ENOENT);
	assert_int_equal(root_open(path_in(tree, "file"), &root), -ENOTDIR);
}

static void a_file_is_read_whole(void **state)
{
	const char *tree = TREE({ "proc/vmstat", "a 1\nb 2\n" }, { "empty", "" });

	expect_text(tree, "proc/vmstat", "a 1\nb 2\n");
	expect_text(tree, "empty", "");
}

static void what_is_not_there_is_absent(void **state)
{
	const char *tree = TREE({ "proc/vmstat", "" });

	expect_error(tree, "proc/meminfo", ENOENT);
	expect_error(tree, "sys/x/y", ENOENT);
	expect_error(tree, "proc/vmstat/x", ENOTDIR);
	expect_error(tree, "", ENOENT);
}

static void an_error_is_read_as_it_was_captured(void **state)
{
	const char *tree = TREE({ "a.errno", "EACCES" }, { "b.errno", "EOPNOTSUPP\n" },
				{ "c.errno", "ENODEV\n" }, { "d.errno", "EWHATEVER\n" },
				{ "e.errno", "" }, { "f.errno", "EACCES" }, { "f", "there\n" },
				{ "g.errno", "EACCESSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSSS" });

	expect_error(tree, "a", EACCES);
	expect_error(tree, "b", EOPNOTSUPP);
	expect_error(tree, "c", ENODEV);
	expect_error(tree, "d", EIO);
	expect_error(tree, "e", EIO);
	expect_text(tree, "f", "there\n");
	expect_error(tree, "g", ENOENT);
}

static void a_live_machine_has_no_captured_errors(void **state)
{
	struct root root = live_of(TREE({ "a.errno", "EACCES" }));
	struct span got;

	assert_int_equal(root_read(&root, "a", any_buffer(), &got), -ENOENT);
	root_done(&root);
}

static void what_is_no_file_does_not_hang_and_is_absent(void **state)
{
	const char *tree = TREE({ "folder/file", "" });

	assert_int_equal(mkfifo(path_in(tree, "fifo"), 0644), 0);
	expect_error(tree, "fifo", ENOENT);
	expect_error(tree, "folder", ENOENT);
}

static const char *tree_of_links(void)
{
	const char *outside = TREE({ "secret", "outside\n" }, { "folder/secret", "outside\n" },
				   { "folder/below/x", "" });
	const char *tree =
		TREE({ "proc/vmstat", "inside\n" }, { "back", "->/proc/vmstat" },
		     { "up", "->../../../../../../../proc/vmstat" }, { "below", "->proc" },
		     { "loop", "->loop" }, { "top", "inside\n" });
	const struct file links[] = {
		{ "file", path_in("->", path_in(outside, "secret")) },
		{ "folder", path_in("->", path_in(outside, "folder")) },
		{ 0 },
	};

	tree_add(tree, links);
	return tree;
}

static void a_link_does_not_lead_out_of_a_tree(void **state)
{
	const char *tree = tree_of_links();
	struct root root = root_of(tree);
	struct span names;
	uint64_t id;

	skip_under_valgrind();
	expect_error(tree, "file", ENOENT);
	expect_error(tree, "folder/secret", ENOENT);
	expect_error(tree, "loop", ELOOP);
	assert_int_equal(root_list(&root, "folder", any_buffer(), &names), -ENOENT);
	assert_int_equal(root_id(&root, "folder/secret", &id), -ENOENT);
	assert_false(root_exists(&root, "folder/secret"));
	assert_false(root_exists(&root, "/etc/passwd"));
	assert_false(root_exists(&root, "../../../../../../../../etc/passwd"));
	assert_true(root_exists(&root, "folder")); /* the link is there */
	root_done(&root);
}

static void a_link_inside_a_tree_starts_at_its_top(void **state)
{
	const char *tree = tree_of_links();

	skip_under_valgrind();
	expect_text(tree, "back", "inside\n");
	expect_text(tree, "up", "inside\n");
	expect_text(tree, "below/vmstat", "inside\n");
}

/* What a sandbox, or a kernel that does not know the call, answers. */
static bool forbid(long call, uint32_t error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_LEN(filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a child, because a filter stays. True when the check held; skipped where there is none. */
static void check_without_openat2(uint32_t error, bool (*holds)(const struct root *root))
{
	struct root root = root_of(tree_of_links());
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (!forbid(SYS_openat2, error))
			_exit(77);
		_exit(holds(&root) ? 0 : 1);
	}
	root_done(&root);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool nothing_leads_out(const struct root *root)
{
	static const char *const paths[] = {
		"folder/secret", "folder/below/x", "/etc/passwd",
		"none/top",	 "../etc/passwd",  "../../../../../../../../etc/passwd",
	};
	static const char *const links[] = { "file", "loop", "up" };
	struct span got = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (root_read(root, paths[i], any_buffer(), &got) >= 0 ||
		    root_exists(root, paths[i]))
			return false;
	for (size_t i = 0; i < ARRAY_LEN(links); i++)
		if (root_read(root, links[i], any_buffer(), &got) >= 0)
			return false;
	return root_list(root, "folder", any_buffer(), &got) < 0 &&
	       root_list(root, "..", any_buffer(), &got) < 0 && !got.at;
}

static bool plain_paths_work(const struct root *root)
{
	static const char *const paths[] = { "proc/vmstat", "/proc//vmstat",
					     "./proc/./vmstat" };
	struct span got = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (root_read(root, paths[i], any_buffer(), &got) < 0 ||
		    !span_eq(got, "inside\n") || !root_exists(root, paths[i]))
			return false;
	return root_list(root, ".", any_buffer(), &got) == 0 &&
	       span_len(got) == sizeof("proc") &&
	       root_read(root, "proc/none", any_buffer(), &got) == -ENOENT;
}

static void links_lead_nowhere_on_an_old_kernel(void **state)
{
	check_without_openat2(ENOSYS, nothing_leads_out);
}

static void links_lead_nowhere_in_a_sandbox(void **state)
{
	check_without_openat2(EPERM, nothing_leads_out);
}

static void plain_paths_work_on_an_old_kernel(void **state)
{
	check_without_openat2(ENOSYS, plain_paths_work);
}

static void a_file_as_large_as_the_buffer_is_too_large(void **state)
{
	struct root root = root_of(TREE({ "file", "12345678" }));
	char space[16];
	struct span got = { 0 };

	for (size_t size = 0; size <= 8; size++)
		assert_int_equal(root_read(&root, "file", (struct buffer){ space, size }, &got),
				 -EFBIG);
	assert_null(got.at);
	assert_int_equal(root_read(&root, "file", (struct buffer){ space, 9 }, &got), 0);
	assert_span_equal(got, "12345678");
	root_done(&root);
}

/* A text with a mark at each of its bytes. */
static const char *long_text(size_t size)
{
	static char text[70000];

	for (size_t i = 0; i < size; i++)
		text[i] = (char)('a' + i % 23);
	text[size] = '\0';
	return text;
}

static void files_of_many_pages_are_read_whole(void **state)
{
	static const size_t sizes[] = { 3999, 4000, 4096, 16383, 16384, 16385, 69999 };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct root root = live_of(TREE({ "d/file", long_text(sizes[i]) }));
		int slot = SLOT_EMPTY;
		struct span got;

		assert_int_equal(root_read(&root, "d/file", any_buffer(), &got), 0);
		assert_span_equal(got, long_text(sizes[i]));
		assert_int_equal(root_read_kept(&root, &slot, ROOT_FILE("d", "file"),
						any_buffer(), &got),
				 0);
		assert_span_equal(got, long_text(sizes[i]));
		slot_close(&slot);
		root_done(&root);
	}
}

static void a_kept_file_is_read_again_from_its_start(void **state)
{
	const char *tree = TREE({ "d/file", "one\n" });
	struct root root = live_of(tree);
	int slot = SLOT_EMPTY;
	struct span got;

	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_true(slot >= 0);
	tree_add(tree, (const struct file[]){ { "d/file", "two\n" }, { 0 } });
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_span_equal(got, "two\n");
	slot_close(&slot);
	assert_int_equal(slot, SLOT_EMPTY);
	slot_close(&slot);
	root_done(&root);
}

static void a_kept_file_larger_than_the_buffer_is_too_large(void **state)
{
	static const size_t sizes[] = { 8, 64, 4000, 4096, 16384 };
	struct root root = live_of(TREE({ "d/file", long_text(16384) }));
	struct span got = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct buffer buffer = { any_buffer().at, sizes[i] };
		int slot = SLOT_EMPTY;

		assert_int_equal(
			root_read_kept(&root, &slot, ROOT_FILE("d", "file"), buffer, &got),
			-EFBIG);
		assert_null(got.at);
		slot_close(&slot);
	}
	root_done(&root);
}

static void a_missing_file_is_not_looked_for_again_until_told(void **state)
{
	const char *tree = TREE({ "d/other", "" });
	struct root root = live_of(tree);
	int slot = SLOT_EMPTY;
	struct span got;

	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got),
		-ENOENT);
	tree_add(tree, (const struct file[]){ { "d/file", "now\n" }, { 0 } });
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got),
		-ENOENT);
	slot = SLOT_EMPTY;
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_span_equal(got, "now\n");
	slot_close(&slot);
	root_done(&root);
}

/* As when its cgroup is gone, where the kernel says ENODEV: here a folder, which cannot be
 * read. */
static void a_kept_descriptor_that_fails_is_dropped(void **state)
{
	struct root root = live_of(TREE({ "d/file", "again\n" }));
	struct span got = { 0 };
	int kept = openat(root.fd, "d", O_RDONLY | O_CLOEXEC);
	int slot = kept;

	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got),
		-EISDIR);
	assert_null(got.at);
	assert_int_equal(slot, SLOT_EMPTY);
	assert_int_equal(fcntl(kept, F_GETFD), -1);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_span_equal(got, "again\n");
	slot_close(&slot);
	root_done(&root);
}

static void without_free_descriptors_a_file_is_tried_again(void **state)
{
	struct root root = live_of(TREE({ "d/file", "text\n" }));
	struct rlimit limit;
	struct rlimit none;
	int slot = SLOT_EMPTY;
	struct span got;

	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got),
		-EMFILE);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_int_equal(slot, SLOT_EMPTY);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	slot_close(&slot);
	root_done(&root);
}

/* Some descriptors stay free for files that are opened only for a moment. */
static void with_few_free_descriptors_a_file_is_not_kept(void **state)
{
	struct root root = live_of(TREE({ "d/file", "text\n" }));
	struct rlimit limit;
	struct rlimit few;
	int slot = SLOT_EMPTY;
	struct span got;

	getrlimit(RLIMIT_NOFILE, &limit);
	few = limit;
	few.rlim_cur = (rlim_t)root.fd + 20;
	setrlimit(RLIMIT_NOFILE, &few);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_span_equal(got, "text\n");
	assert_int_equal(slot, SLOT_EMPTY);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_true(slot >= 0);
	setrlimit(RLIMIT_NOFILE, &few); /* what is kept stays */
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_true(slot >= 0);
	slot_close(&slot);
	root_done(&root);
}

/* -EPERM has the value of an empty slot. */
static bool a_forbidden_file_stays_denied(const struct root *root)
{
	struct root live = *root;
	struct span got;
	int slot = SLOT_EMPTY;

	live.kind = ROOT_LIVE;
	return forbid(SYS_openat, EPERM) &&
	       root_read_kept(&live, &slot, ROOT_FILE("proc", "vmstat"), any_buffer(), &got) ==
		       -EACCES &&
	       root_read_kept(&live, &slot, ROOT_FILE("proc", "vmstat"), any_buffer(), &got) ==
		       -EACCES;
}

static void a_file_that_may_not_be_opened_is_denied(void **state)
{
	check_without_openat2(EPERM, a_forbidden_file_stays_denied);
}

static void a_kept_file_of_a_tree_is_read_by_its_path(void **state)
{
	struct root root = root_of(TREE({ "d/file", "text\n" }, { "d/gone.errno", "ENODEV" }));
	int slot = SLOT_EMPTY;
	struct span got;

	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "file"), any_buffer(), &got), 0);
	assert_span_equal(got, "text\n");
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "gone"), any_buffer(), &got),
		-ENODEV);
	assert_int_equal(
		root_read_kept(&root, &slot, ROOT_FILE("d", "none"), any_buffer(), &got),
		-ENOENT);
	assert_int_equal(slot, SLOT_EMPTY);
	root_done(&root);
}

/* Names in any order: how many, and whether one is among them. */
static size_t count_names(struct span names, const char *wanted, bool *found)
{
	struct span name;
	size_t count = 0;

	*found = false;
	for (; span_cut(&names, '\0', &name); count++)
		*found |= span_eq(name, wanted);
	return count;
}

static void folders_are_listed_and_files_and_links_are_not(void **state)
{
	struct root root =
		root_of(TREE({ "p/1/stat", "" }, { "p/22", NULL }, { "p/vmstat", "" },
			     { "p/self", "->1" }, { "p/two\nlines", NULL }));
	struct span names;
	bool found;

	assert_int_equal(root_list(&root, "p", any_buffer(), &names), 0);
	assert_int_equal(count_names(names, "22", &found), 3);
	assert_true(found);
	count_names(names, "two\nlines", &found);
	assert_true(found);
	assert_int_equal(root_list(&root, "p/22", any_buffer(), &names), 0);
	assert_true(span_empty(names));
	root_done(&root);
}

/* A file system that does not say what an entry is; the linker brings the calls here. */
static bool hides_types;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d);
long __wrap_syscall(long number, long a, long b, long c, long d)
{
	long n = __real_syscall(number, a, b, c, d);

	if (number != SYS_getdents64 || !hides_types)
		return n;
	for (long at = 0; at < n;) {
		struct dirent64 *entry = (struct dirent64 *)(b + at);

		entry->d_type = DT_UNKNOWN;
		at += entry->d_reclen;
	}
	return n;
}

static void folders_are_listed_also_when_the_list_does_not_say_what_they_are(void **state)
{
	hides_types = true;
	folders_are_listed_and_files_and_links_are_not(state);
	hides_types = false;
}

static void what_is_no_folder_cannot_be_listed(void **state)
{
	struct root root = root_of(TREE({ "p/file", "" }));
	struct span names = { 0 };

	assert_int_equal(root_list(&root, "p/file", any_buffer(), &names), -ENOTDIR);
	assert_int_equal(root_list(&root, "none", any_buffer(), &names), -ENOENT);
	assert_null(names.at);
	root_done(&root);
}

static void a_list_larger_than_the_buffer_is_too_large(void **state)
{
	struct root root = root_of(TREE({ "p/abc", NULL }, { "p/def", NULL }));
	char space[8];
	struct span names;

	assert_int_equal(root_list(&root, "p", (struct buffer){ space, 7 }, &names), -EFBIG);
	assert_int_equal(root_list(&root, "p", (struct buffer){ space, 8 }, &names), 0);
	assert_int_equal(span_len(names), 8);
	root_done(&root);
}

/* Shorter ones behind it do not make up for it, in whatever order they come. */
static void one_name_that_does_not_fit_is_too_much(void **state)
{
	static const char *const names[] = { "p/a", "p/b", "p/c", "p/long-name", "p/d", "p/e" };
	const char *tree = TREE({ "p", NULL });
	struct root root = root_of(tree);
	struct span listed;
	char space[11];

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(mkdir(path_in(tree, names[i]), 0755), 0);
	assert_int_equal(
		root_list(&root, "p", (struct buffer){ space, sizeof(space) }, &listed),
		-EFBIG);
	root_done(&root);
}

static void folders_by_the_thousand_are_listed(void **state)
{
	const char *tree = folder_new();
	struct root root;
	struct span names;
	bool found;

	for (int i = 0; i < 3000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "folder-%d", i);
		assert_int_equal(mkdir(path_in(tree, name), 0755), 0);
	}
	root = root_of(tree);
	assert_int_equal(root_list(&root, ".", any_buffer(), &names), 0);
	assert_int_equal(count_names(names, "folder-2999", &found), 3000);
	assert_true(found);
	root_done(&root);
}

static void the_id_of_a_captured_cgroup_is_in_its_file(void **state)
{
	struct root root = root_of(TREE({ "cg/a/_id", "4242\n" }, { "cg/b/_id", "7" },
					{ "cg/c/_id", "x\n" }, { "cg/d/_id", "" }));
	uint64_t id = 0;

	assert_int_equal(root_id(&root, "cg/a", &id), 0);
	assert_int_equal(id, 4242);
	assert_int_equal(root_id(&root, "cg/b", &id), 0);
	assert_int_equal(id, 7);
	assert_int_equal(root_id(&root, "cg/c", &id), -EBADMSG);
	assert_int_equal(root_id(&root, "cg/d", &id), -EBADMSG);
	assert_int_equal(root_id(&root, "cg/none", &id), -ENOENT);
	assert_int_equal(id, 7);
	root_done(&root);
}

static void without_a_file_the_id_is_a_hash_of_the_path(void **state)
{
	struct root root = root_of(TREE({ "cg/a/x", "" }, { "cg/b/x", "" }));
	uint64_t a;
	uint64_t b;
	uint64_t again;

	assert_int_equal(root_id(&root, "cg/a", &a), 0);
	assert_int_equal(root_id(&root, "cg/b", &b), 0);
	assert_int_equal(root_id(&root, "cg/a", &again), 0);
	assert_int_equal(a, again);
	assert_int_not_equal(a, b);
	assert_true(a >> 63 && b >> 63);
	root_done(&root);
}

static void the_id_of_a_live_cgroup_is_its_inode(void **state)
{
	const char *tree = TREE({ "cg/a/_id", "4242\n" }, { "cg/file", "" });
	struct root root = live_of(tree);
	struct stat st;
	uint64_t id;

	assert_int_equal(stat(path_in(tree, "cg/a"), &st), 0);
	assert_int_equal(root_id(&root, "cg/a", &id), st.st_nlink == 2 ? ROOT_LEAF : 0);
	assert_int_equal(id, st.st_ino);
	assert_int_equal(root_id(&root, "cg", &id), 0);
	assert_int_equal(root_id(&root, "cg/file", &id), -ENOTDIR);
	assert_int_equal(root_id(&root, "cg/none", &id), -ENOENT);
	root_done(&root);
}

static void links_count_folders_on_a_live_machine_only(void **state)
{
	const char *tree = TREE({ "cg/a", NULL });
	struct root root = live_of(tree);
	struct stat st;
	uint64_t links;
	int slot = SLOT_EMPTY;

	assert_int_equal(root_links(&root, &slot, "cg", &links), 0);
	assert_int_equal(stat(path_in(tree, "cg"), &st), 0);
	assert_int_equal(links, st.st_nlink);
	assert_true(slot >= 0);
	slot_close(&slot);
	assert_int_equal(root_links(&root, &slot, "none", &links), -ENOENT);
	assert_int_equal(slot, SLOT_EMPTY);
	root.kind = ROOT_TREE;
	assert_int_equal(root_links(&root, &slot, "cg", &links), 0);
	assert_int_equal(links, 0);
	assert_int_equal(slot, SLOT_EMPTY);
	root_done(&root);
}

/* As deep as the kernel allows a path: folders of 249 bytes. */
static char *deep_path(size_t length)
{
	static char path[10000];

	for (size_t i = 0; i < length; i++)
		path[i] = i % 250 == 249 ? '/' : 'd';
	path[length] = '\0';
	return path;
}

static void a_path_of_4000_bytes_is_read(void **state)
{
	const char *tree = TREE({ deep_path(3999), "deep\n" });

	expect_text(tree, deep_path(3999), "deep\n");
}

static void a_path_that_is_too_long_is_an_error(void **state)
{
	static const size_t lengths[] = { 4095, 5000, 8191, 8192, 9999 };
	struct root root = root_of(TREE({ "file", "" }));
	struct span got;
	uint64_t id;

	skip_under_valgrind();
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		const char *path = deep_path(lengths[i]);
		int slot = SLOT_EMPTY;

		assert_true(root_read(&root, path, any_buffer(), &got) < 0);
		assert_true(root_list(&root, path, any_buffer(), &got) < 0);
		assert_true(root_id(&root, path, &id) < 0);
		assert_false(root_exists(&root, path));
		assert_true(root_read_kept(&root, &slot, ROOT_FILE(path, "x"), any_buffer(),
					   &got) < 0);
		root.kind = ROOT_LIVE;
		assert_true(root_read_kept(&root, &slot, ROOT_FILE(path, "x"), any_buffer(),
					   &got) < 0);
		root.kind = ROOT_TREE;
	}
	assert_int_equal(root_read(&root, deep_path(5000), any_buffer(), &got), -ENAMETOOLONG);
	root_done(&root);
}

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

static void a_tee_gets_a_copy_of_what_is_read(void **state)
{
	struct root root = root_of(
		TREE({ "d/a", "text" }, { "d/b.errno", "EACCES\n" }, { "d/_id", "5\n" }));
	struct log log = { .sink = { log_put } };
	struct span got;
	uint64_t id;
	int slot = SLOT_EMPTY;

	root.tee = &log.sink;
	assert_int_equal(root_read(&root, "d/a", any_buffer(), &got), 0);
	assert_int_equal(root_read(&root, "d/b", any_buffer(), &got), -EACCES);
	assert_int_equal(root_read(&root, "d/c", any_buffer(), &got), -ENOENT);
	assert_int_equal(root_read_kept(&root, &slot, ROOT_FILE("d", "a"), any_buffer(), &got),
			 0);
	assert_int_equal(root_id(&root, "d", &id), 0);
	assert_int_equal(root_id(&root, "e", &id), -ENOENT);
	assert_string_equal(log.text, "d/a=text|d/b.errno=EACCES|d/a=text|d/_id=5\n|");
	root_done(&root);
}

static void all_names_in_a_folder_are_listed_also_those_that_were_only_seen(void **state)
{
	struct root root = root_of(TREE({ "c/1/stat", "" }, { "c/a.conf", "" },
					{ "c/b.conf.errno", "EACCES\n" }, { "c/l", "->1" },
					{ "c/m.link", "/dev/null" }, { "d/_names", "x" }));
	struct span names;
	bool found;

	assert_int_equal(root_names(&root, "c", any_buffer(), &names), 0);
	assert_int_equal(count_names(names, "b.conf", &found), 5);
	assert_true(found);
	count_names(names, "m", &found);
	assert_true(found);
	assert_int_equal(root_names(&root, "d", any_buffer(), &names), 0);
	assert_span_equal(names, "x");
	assert_int_equal(root_names(&root, "e", any_buffer(), &names), -ENOENT);
	assert_true(root_has(&root, "c/b.conf") && root_has(&root, "c/m") &&
		    root_has(&root, "d") && !root_has(&root, "c/z"));
	root_done(&root);
}

static void a_link_is_read_and_not_followed(void **state)
{
	struct root root = root_of(TREE({ "c/l", "->/dev/null" }, { "c/m.link", "../x" },
					{ "c/f", "" }, { "c/n.link.errno", "EACCES\n" }));
	struct span target;

	assert_int_equal(root_link(&root, "c/l", any_buffer(), &target), 0);
	assert_span_equal(target, "/dev/null");
	assert_int_equal(root_link(&root, "c/m", any_buffer(), &target), 0);
	assert_span_equal(target, "../x");
	assert_int_equal(root_link(&root, "c/f", any_buffer(), &target), -EINVAL);
	assert_int_equal(root_link(&root, "c/g", any_buffer(), &target), -ENOENT);
	assert_int_equal(root_link(&root, "c/n", any_buffer(), &target), -EACCES);
	root_done(&root);
}

static void a_tee_gets_names_links_and_that_something_is_there(void **state)
{
	struct root root = live_of(TREE({ "d/a", "text" }, { "e/l", "->a" }));
	struct log log = { .sink = { log_put } };
	struct span got;

	root.tee = &log.sink;
	assert_int_equal(root_names(&root, "d", any_buffer(), &got), 0);
	assert_int_equal(root_link(&root, "e/l", any_buffer(), &got), 0);
	assert_int_equal(root_link(&root, "d/a", any_buffer(), &got), -EINVAL);
	assert_true(root_has(&root, "d/a") && !root_has(&root, "d/b"));
	assert_string_equal(log.text, "d/_names=a|e/l.link=a|d/a.exists=|");
	root_done(&root);
}

static void a_tee_gets_what_kept_descriptors_give(void **state)
{
	static const char *const names[] = { "a", "b" };
	struct root root = live_of(TREE({ "d/a", "text" }, { "d/b", "more" }));
	struct log log = { .sink = { log_put } };
	struct span got;
	int slots[] = { SLOT_EMPTY, SLOT_EMPTY };

	root.tee = &log.sink;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(root_read_kept(&root, &slots[i % 2],
						ROOT_FILE("d", names[i % 2]), any_buffer(),
						&got),
				 0);
	assert_string_equal(log.text, "d/a=text|d/b=more|d/a=text|d/b=more|");
	slot_close(&slots[0]);
	slot_close(&slots[1]);
	root_done(&root);
}

static void plain_paths_work_in_a_sandbox(void **state)
{
	check_without_openat2(EPERM, plain_paths_work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_told_from_a_live_machine),
		cmocka_unit_test(a_root_must_be_a_folder),
		cmocka_unit_test(a_file_is_read_whole),
		cmocka_unit_test(what_is_not_there_is_absent),
		cmocka_unit_test(an_error_is_read_as_it_was_captured),
		cmocka_unit_test(a_live_machine_has_no_captured_errors),
		cmocka_unit_test(what_is_no_file_does_not_hang_and_is_absent),
		cmocka_unit_test(a_link_does_not_lead_out_of_a_tree),
		cmocka_unit_test(a_link_inside_a_tree_starts_at_its_top),
		cmocka_unit_test(links_lead_nowhere_on_an_old_kernel),
		cmocka_unit_test(links_lead_nowhere_in_a_sandbox),
		cmocka_unit_test(plain_paths_work_on_an_old_kernel),
		cmocka_unit_test(plain_paths_work_in_a_sandbox),
		cmocka_unit_test(a_file_as_large_as_the_buffer_is_too_large),
		cmocka_unit_test(files_of_many_pages_are_read_whole),
		cmocka_unit_test(a_kept_file_is_read_again_from_its_start),
		cmocka_unit_test(a_kept_file_larger_than_the_buffer_is_too_large),
		cmocka_unit_test(a_missing_file_is_not_looked_for_again_until_told),
		cmocka_unit_test(a_kept_descriptor_that_fails_is_dropped),
		cmocka_unit_test(without_free_descriptors_a_file_is_tried_again),
		cmocka_unit_test(with_few_free_descriptors_a_file_is_not_kept),
		cmocka_unit_test(a_file_that_may_not_be_opened_is_denied),
		cmocka_unit_test(a_kept_file_of_a_tree_is_read_by_its_path),
		cmocka_unit_test(folders_are_listed_and_files_and_links_are_not),
		cmocka_unit_test(
			folders_are_listed_also_when_the_list_does_not_say_what_they_are),
		cmocka_unit_test(what_is_no_folder_cannot_be_listed),
		cmocka_unit_test(a_list_larger_than_the_buffer_is_too_large),
		cmocka_unit_test(one_name_that_does_not_fit_is_too_much),
		cmocka_unit_test(folders_by_the_thousand_are_listed),
		cmocka_unit_test(the_id_of_a_captured_cgroup_is_in_its_file),
		cmocka_unit_test(without_a_file_the_id_is_a_hash_of_the_path),
		cmocka_unit_test(the_id_of_a_live_cgroup_is_its_inode),
		cmocka_unit_test(links_count_folders_on_a_live_machine_only),
		cmocka_unit_test(a_path_of_4000_bytes_is_read),
		cmocka_unit_test(a_path_that_is_too_long_is_an_error),
		cmocka_unit_test(a_tee_gets_a_copy_of_what_is_read),
		cmocka_unit_test(a_tee_gets_what_kept_descriptors_give),
		cmocka_unit_test(
			all_names_in_a_folder_are_listed_also_those_that_were_only_seen),
		cmocka_unit_test(a_link_is_read_and_not_followed),
		cmocka_unit_test(a_tee_gets_names_links_and_that_something_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
