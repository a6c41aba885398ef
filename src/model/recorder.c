#include "model/recorder.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define PATH_SIZE 8192

static int make_folders(int directory, char *path)
{
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		int r;

		*slash = '\0';
		r = mkdirat(directory, path, 0755);
		*slash = '/';
		if (r < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static int put_file(struct recorder *recorder, char *path, struct span bytes)
{
	auto_fd fd = -1;
	int r = make_folders(recorder->directory, path);

	if (r < 0)
		return r;
	fd = openat(recorder->directory, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	return span_write(fd, bytes);
}

static int put_member(struct recorder *recorder, const char *path, struct span bytes)
{
	struct archive_entry *entry = archive_entry_new();
	int r = 0;

	if (!entry)
		return -ENOMEM;
	archive_entry_set_pathname(entry, path);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (int64_t)span_len(bytes));
	archive_entry_set_mtime(entry, recorder->wall_s, 0);
	if (archive_write_header(recorder->archive, entry) != ARCHIVE_OK ||
	    archive_write_data(recorder->archive, bytes.at, span_len(bytes)) < 0)
		r = archive_errno(recorder->archive) > 0 ? -archive_errno(recorder->archive) :
							   -EIO;
	archive_entry_free(entry);
	return r;
}

static void recorder_put(struct sink *sink, const char *path, struct span bytes)
{
	struct recorder *recorder = (struct recorder *)sink;
	char full[PATH_SIZE];
	int r;

	if (recorder->error < 0)
		return;
	if (snprintf(full, sizeof(full), "%06u/%s", recorder->frame - 1, path) >=
	    (int)sizeof(full))
		r = -ENAMETOOLONG;
	else if (!path_is_plain(path))
		r = -EINVAL; /* it would be written outside the capture */
	else if (recorder->archive)
		r = put_member(recorder, full, bytes);
	else
		r = put_file(recorder, full, bytes);
	recorder->error = r;
	recorder->files++;
	recorder->bytes += span_len(bytes);
}

static const struct {
	const char *suffix;
	int (*add_filter)(struct archive *archive);
} FORMS[] = {
	{ ".tar", archive_write_add_filter_none },
	{ ".tar.zst", archive_write_add_filter_zstd },
	{ ".tar.gz", archive_write_add_filter_gzip },
	{ ".tar.xz", archive_write_add_filter_xz },
};

static int open_archive(const char *path, int (*add_filter)(struct archive *),
			struct recorder *out)
{
	int r = -EIO;

	/* A link is there already, wherever it leads. */
	out->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out->file < 0)
		return -errno;
	out->archive = archive_write_new();
	if (!out->archive) {
		fd_done(&out->file);
		out->file = -1;
		return -ENOMEM;
	}
	/* GNU's form: names may be longer than a plain tar holds, and hold any byte. */
	if (add_filter(out->archive) >= ARCHIVE_WARN &&
	    archive_write_set_format_gnutar(out->archive) == ARCHIVE_OK &&
	    archive_write_open_fd(out->archive, out->file) == ARCHIVE_OK)
		return 0;
	if (archive_errno(out->archive) > 0)
		r = -archive_errno(out->archive);
	archive_write_free(out->archive);
	out->archive = NULL;
	fd_done(&out->file);
	out->file = -1;
	return r;
}

static int open_folder(const char *path, struct recorder *out)
{
	if (mkdir(path, 0755) < 0)
		return -errno;
	out->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return out->directory < 0 ? -errno : 0;
}

static bool ends_with(const char *path, const char *suffix)
{
	size_t length = strlen(path);
	size_t tail = strlen(suffix);

	return length > tail && strcmp(path + length - tail, suffix) == 0;
}

int recorder_open(const char *path, struct recorder *out)
{
	*out = (struct recorder){ .sink = { recorder_put }, .directory = -1, .file = -1 };
	for (size_t i = 0; i < ARRAY_LEN(FORMS); i++)
		if (ends_with(path, FORMS[i].suffix))
			return open_archive(path, FORMS[i].add_filter, out);
	return open_folder(path, out);
}

void recorder_next_frame(struct recorder *recorder)
{
	recorder->frame++;
	recorder->wall_s = time(NULL);
}

int recorder_close(struct recorder *recorder)
{
	if (recorder->archive) {
		if (archive_write_close(recorder->archive) != ARCHIVE_OK &&
		    recorder->error == 0)
			recorder->error = archive_errno(recorder->archive) > 0 ?
						  -archive_errno(recorder->archive) :
						  -EIO;
		archive_write_free(recorder->archive);
	}
	recorder->archive = NULL;
	if (recorder->file >= 0 && close(recorder->file) < 0 && recorder->error == 0)
		recorder->error = -errno;
	if (recorder->directory >= 0)
		close(recorder->directory);
	recorder->file = recorder->directory = -1;
	return recorder->error;
}
