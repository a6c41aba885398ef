#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

#define PATH_SIZE 8192
#define FOLDERS_MAX 1024
#define TEXTS_SIZE ((size_t)4 << 20)

static char folders[FOLDERS_MAX][64];
static size_t folder_count;

/* What lives until the program ends: paths and seeds. */
static char texts[TEXTS_SIZE];
static size_t texts_used;

static char *keep(size_t size)
{
	char *kept = texts + texts_used;

	assert_true(size <= TEXTS_SIZE - texts_used);
	texts_used += size;
	return kept;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	return remove(path);
}

static void remove_folders(void)
{
	for (size_t i = 0; i < folder_count; i++)
		nftw(folders[i], remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *folder_new(void)
{
	const char *temporary = getenv("TMPDIR");
	char *path = folders[folder_count];

	assert_true(folder_count < FOLDERS_MAX);
	if (folder_count == 0)
		assert_int_equal(atexit(remove_folders), 0);
	snprintf(path, sizeof(folders[0]), "%.40s/refault-XXXXXX",
		 temporary ? temporary : "/tmp");
	assert_non_null(mkdtemp(path));
	folder_count++;
	return path;
}

static void make_folders(int folder, const char *path)
{
	char part[PATH_SIZE];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		span_copy((struct span){ path, slash }, part, sizeof(part));
		mkdirat(folder, part, 0755);
	}
}

static void put(int folder, const struct file *file)
{
	auto_fd fd = -1;

	make_folders(folder, file->path);
	if (!file->text) {
		assert_int_equal(mkdirat(folder, file->path, 0755), 0);
		return;
	}
	if (span_starts(span_cstr(file->text), "->")) {
		assert_int_equal(symlinkat(file->text + 2, folder, file->path), 0);
		return;
	}
	fd = openat(folder, file->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file->text, strlen(file->text)), strlen(file->text));
}

void tree_add(const char *folder, const struct file *files)
{
	auto_fd fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	for (; files->path; files++)
		put(fd, files);
}

const char *tree_new(const struct file *files)
{
	const char *folder = folder_new();

	tree_add(folder, files);
	return folder;
}

static const struct {
	const char *suffix;
	int (*add_filter)(struct archive *archive);
	int (*set_format)(struct archive *archive);
} FORMS[] = {
	{ ".tar", archive_write_add_filter_none, archive_write_set_format_gnutar },
	{ ".pax", archive_write_add_filter_none, archive_write_set_format_pax },
	{ ".tar.zst", archive_write_add_filter_zstd, archive_write_set_format_gnutar },
	{ ".tar.gz", archive_write_add_filter_gzip, archive_write_set_format_gnutar },
	{ ".tar.xz", archive_write_add_filter_xz, archive_write_set_format_gnutar },
};

static void put_member(struct archive *archive, const struct file *file)
{
	struct archive_entry *entry = archive_entry_new();
	bool link = file->text && span_starts(span_cstr(file->text), "->");
	size_t size = file->text && !link ? strlen(file->text) : 0;

	archive_entry_set_pathname(entry, file->path);
	archive_entry_set_filetype(entry, link ? AE_IFLNK : file->text ? AE_IFREG : AE_IFDIR);
	if (link)
		archive_entry_set_symlink(entry, file->text + 2);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (int64_t)size);
	assert_true(archive_write_header(archive, entry) >= ARCHIVE_WARN);
	assert_int_equal(archive_write_data(archive, file->text, size), size);
	archive_entry_free(entry);
}

const char *archive_new(const char *suffix, const struct file *files)
{
	const char *path = path_in(folder_new(), suffix);
	struct archive *archive = archive_write_new();

	for (size_t i = 0; i < ARRAY_LEN(FORMS); i++) {
		if (strcmp(suffix, FORMS[i].suffix) != 0)
			continue;
		assert_int_equal(FORMS[i].add_filter(archive), ARCHIVE_OK);
		assert_int_equal(FORMS[i].set_format(archive), ARCHIVE_OK);
	}
	assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
	for (; files->path; files++)
		put_member(archive, files);
	assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
	return path;
}

const char *path_in(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = keep(size);

	snprintf(path, size, "%s/%s", folder, name);
	return path;
}

struct root root_of(const char *folder)
{
	struct root root;

	assert_int_equal(root_open(folder, &root), 0);
	return root;
}

struct span seed(const char *name)
{
	const char *path = path_in(SEEDS, name);
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *text;

	if (fd < 0 || fstat(fd, &st) < 0)
		fail_msg("%s: cannot be opened", path);
	text = keep((size_t)st.st_size + 1);
	assert_int_equal(read(fd, text, (size_t)st.st_size), st.st_size);
	return span_of(text, (size_t)st.st_size);
}

void skip_under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	if (preload && strstr(preload, "vgpreload"))
		skip();
}

struct buffer any_buffer(void)
{
	static char space[1 << 20];

	return (struct buffer){ space, sizeof(space) };
}

void span_expect(struct span got, const char *wanted, const char *file, int line)
{
	if (span_eq(got, wanted))
		return;
	print_error("\"%.*s\" is not \"%s\"\n", (int)span_len(got), span_len(got) ? got.at : "",
		    wanted);
	_fail(file, line);
}
