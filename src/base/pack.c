#include "base/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#define TEXT_MAX ((size_t)1 << 30)
#define FILES_MAX ((size_t)4 << 20)

static const struct pack_file *files_of(const struct pack *pack)
{
	return (const struct pack_file *)(const void *)pack->index.base;
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct pack_file *)left)->path,
		      ((const struct pack_file *)right)->path);
}

static const char *plain(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	while (path[0] == '/')
		path++;
	return path;
}

static int read_body(struct archive *archive, int64_t size, struct pack *out,
		     struct span *bytes)
{
	size_t want = (size_t)size;
	char *text;

	if (size < 0 || want > TEXT_MAX)
		return -EFBIG;
	/* Not zeroed: a header may claim a gibibyte that does not follow. */
	text = arena_raw(&out->text, want + 1);
	if (!text)
		return -EFBIG;
	for (size_t used = 0; used < want;) {
		ssize_t n = archive_read_data(archive, text + used, want - used);

		if (n <= 0)
			return -EBADMSG;
		used += (size_t)n;
	}
	*bytes = span_of(text, want);
	return 0;
}

static int read_entry(struct archive *archive, struct archive_entry *entry, struct pack *out)
{
	const char *path = archive_entry_pathname(entry);
	struct pack_file file;
	struct pack_file *kept;
	int r;

	if (!path || archive_entry_filetype(entry) != AE_IFREG)
		return 0;
	path = plain(path);
	if (!path_is_plain(path))
		return 0;
	file.path = arena_text(&out->text, path, strlen(path));
	if (!file.path)
		return -EFBIG;
	r = read_body(archive, archive_entry_size(entry), out, &file.bytes);
	if (r < 0)
		return r;
	kept = arena_alloc(&out->index, sizeof(file));
	if (!kept)
		return -EFBIG;
	*kept = file;
	out->count++;
	return 0;
}

/* What comes before a cut is kept and the pack marked; nothing at all is an error. */
static int read_entries(struct archive *archive, struct pack *out)
{
	struct archive_entry *entry;
	int r;

	for (;;) {
		r = archive_read_next_header(archive, &entry);
		if (r == ARCHIVE_EOF)
			return 0;
		r = r < ARCHIVE_WARN ? -EBADMSG : read_entry(archive, entry, out);
		if (r == -EBADMSG && out->count > 0) {
			out->cut = true;
			return 0;
		}
		if (r < 0)
			return r;
	}
}

static int read_archive(const char *path, struct pack *out)
{
	struct archive *archive = archive_read_new();
	int r;

	if (!archive)
		return -ENOMEM;
	archive_read_support_filter_all(archive);
	archive_read_support_format_tar(archive);
	if (archive_read_open_filename(archive, path, 65536) != ARCHIVE_OK) {
		int error = archive_errno(archive);

		r = error == ENOENT || error == EACCES || error == EISDIR ? -error : -EBADMSG;
	} else {
		r = read_entries(archive, out);
	}
	archive_read_free(archive);
	return r;
}

static int store_find(const struct store *store, const char *path, struct span *out)
{
	return pack_find((const struct pack *)store, path, out);
}

static int store_list(const struct store *store, const char *path, struct buffer buffer,
		      struct span *out)
{
	return pack_list((const struct pack *)store, path, buffer, out);
}

static bool store_exists(const struct store *store, const char *path)
{
	return pack_exists((const struct pack *)store, path);
}

const struct store pack_store = { store_find, store_list, store_exists };

int pack_open(const char *path, struct pack *out)
{
	struct pack pack = { .store = pack_store };
	int r = arena_init(&pack.index, FILES_MAX * sizeof(struct pack_file));

	if (r == 0)
		r = arena_init(&pack.text, TEXT_MAX + ((size_t)64 << 20));
	if (r == 0)
		r = read_archive(path, &pack);
	if (r < 0) {
		pack_done(&pack);
		return r;
	}
	qsort(pack.index.base, pack.count, sizeof(struct pack_file), by_path);
	*out = pack;
	return 0;
}

void pack_done(struct pack *pack)
{
	arena_done(&pack->index);
	arena_done(&pack->text);
}

/* The first file that sorts at or after the path. */
static size_t lower_bound(const struct pack *pack, const char *path)
{
	size_t low = 0;
	size_t high = pack->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(files_of(pack)[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int pack_find(const struct pack *pack, const char *path, struct span *out)
{
	size_t at = lower_bound(pack, path);

	if (at == pack->count || strcmp(files_of(pack)[at].path, path) != 0)
		return -ENOENT;
	*out = files_of(pack)[at].bytes;
	return 0;
}

/* The first file inside the folder, or count. */
static size_t first_inside(const struct pack *pack, const char *folder)
{
	size_t at = lower_bound(pack, folder);

	if (at < pack->count && strncmp(files_of(pack)[at].path, folder, strlen(folder)) == 0)
		return at;
	return pack->count;
}

static bool as_folder(const char *path, char *folder, size_t size)
{
	size_t length = strlen(path);
	bool slash = length > 0 && path[length - 1] != '/';

	return snprintf(folder, size, "%s%s", path, slash ? "/" : "") < (int)size;
}

int pack_list(const struct pack *pack, const char *path, struct buffer buffer, struct span *out)
{
	char folder[8192];
	char next[8192];
	size_t used = 0;
	size_t length;

	if (!as_folder(path, folder, sizeof(folder)))
		return -ENAMETOOLONG;
	length = strlen(folder);
	for (size_t at = first_inside(pack, folder); at < pack->count;) {
		const char *name = files_of(pack)[at].path + length;
		const char *slash = strchr(name, '/');
		size_t n = slash ? (size_t)(slash - name) : 0;

		if (strncmp(files_of(pack)[at].path, folder, length) != 0)
			break;
		if (!slash) {
			at++;
			continue;
		}
		if (n + 1 > buffer.size - used)
			return -EFBIG;
		memcpy(buffer.at + used, name, n);
		buffer.at[used + n] = '\0';
		used += n + 1;
		/* '0' sorts right behind '/': the first path that is no longer inside. */
		if (snprintf(next, sizeof(next), "%s%.*s0", folder, (int)n, name) >=
		    (int)sizeof(next))
			return -ENAMETOOLONG;
		at = lower_bound(pack, next);
	}
	if (used == 0 && *path && !pack_exists(pack, path))
		return -ENOENT;
	*out = span_of(buffer.at, used);
	return 0;
}

bool pack_exists(const struct pack *pack, const char *path)
{
	char folder[8192];
	struct span bytes;

	if (pack_find(pack, path, &bytes) == 0)
		return true;
	return as_folder(path, folder, sizeof(folder)) &&
	       first_inside(pack, folder) < pack->count;
}
