#include <archive.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/text.h"
#include "guard/tape.h"
#include "guard/tapes.h"
#include "model/recorder.h"

#define PREFIX "guard-"
#define PART "part-" PREFIX
#define SUFFIX ".tar.zst"

/* Into tapes->raw; 0 or -errno. */
static int expand(struct tapes *tapes, const struct kept_frame *frame, struct span *out)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	la_ssize_t got = -1;

	if (!archive)
		return -ENOMEM;
	if (archive_read_support_filter_zstd(archive) >= ARCHIVE_WARN &&
	    archive_read_support_format_raw(archive) == ARCHIVE_OK &&
	    archive_read_open_memory(archive, tapes->ring + frame->at, frame->size) ==
		    ARCHIVE_OK &&
	    archive_read_next_header(archive, &entry) == ARCHIVE_OK)
		got = archive_read_data(archive, tapes->raw.at, tapes->raw.size);
	archive_read_free(archive);
	if (got < 0)
		return -EIO;
	*out = span_of(tapes->raw.at, (size_t)got);
	return 0;
}

static void put_files(struct span frame, struct recorder *recorder)
{
	struct span path;
	struct span bytes;
	char name[4096];

	while (tape_cut(&frame, &path, &bytes))
		if (span_copy(path, name, sizeof(name)))
			recorder->sink.put(&recorder->sink, name, bytes);
}

static int put_frames(struct tapes *tapes, const struct tape_order *order,
		      struct recorder *recorder)
{
	struct span raw;
	int frames = 0;

	for (size_t i = 0; i < tapes->count; i++) {
		const struct kept_frame *frame =
			&tapes->frame[(tapes->first + i) % TAPES_FRAMES];

		if (frame->at_us < order->from_us || frame->at_us > order->until_us)
			continue;
		if (expand(tapes, frame, &raw) < 0)
			continue;
		recorder_next_frame(recorder);
		put_files(raw, recorder);
		frames++;
	}
	return frames > 0 ? 0 : -ENODATA;
}

static void name_of(const struct tape_order *order, char name[TAPE_NAME])
{
	time_t seconds = (time_t)(order->wall_us / SECOND_US);
	struct text text = text_on(name, TAPE_NAME);
	struct tm tm = { 0 };

	gmtime_r(&seconds, &tm);
	text_add(&text, PREFIX "%04d%02d%02dT%02d%02d%02dZ-%llu" SUFFIX, tm.tm_year + 1900,
		 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		 (unsigned long long)order->decision);
}

/* The recorder wants a path, and the folder may have been moved: the descriptor leads there. */
static void part_path(int directory, const char *name, char *path, size_t size)
{
	struct text text = text_on(path, size);

	text_add(&text, "/proc/self/fd/%d/part-%s", directory, name);
}

int tapes_write(struct tapes *tapes, const struct tape_order *order, char name[TAPE_NAME])
{
	char path[TAPE_NAME + 64];
	const char *part;
	struct recorder recorder;
	int closed;
	int r;

	name_of(order, name);
	part_path(order->directory, name, path, sizeof(path));
	part = strrchr(path, '/') + 1;
	if (faccessat(order->directory, name, F_OK, 0) == 0)
		return -EEXIST;
	unlinkat(order->directory, part, 0); /* of one that was interrupted */
	r = recorder_open(path, &recorder);
	if (r < 0)
		return r;
	r = put_frames(tapes, order, &recorder);
	closed = recorder_close(&recorder);
	if (r == 0)
		r = closed;
	if (r == 0 && renameat(order->directory, part, order->directory, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(order->directory, part, 0);
	return r;
}

/* All digits and letters of our own pattern: anything else in the folder is somebody else's. */
static bool is_ours(const char *name)
{
	struct span rest = span_cstr(name);
	size_t length = span_len(rest);
	size_t tail = strlen(SUFFIX);

	if (span_starts(rest, PART))
		rest.at += strlen("part-");
	if (!span_starts(rest, PREFIX) || length < tail ||
	    strcmp(name + length - tail, SUFFIX) != 0)
		return false;
	rest.at += strlen(PREFIX);
	rest.end -= tail;
	/* 20261201T041000Z-12 */
	if (span_len(rest) < 18 || rest.at[8] != 'T' || rest.at[15] != 'Z' ||
	    rest.at[16] != '-')
		return false;
	for (const char *c = rest.at; c < rest.end; c++)
		if ((*c < '0' || *c > '9') && *c != 'T' && *c != 'Z' && *c != '-')
			return false;
	return true;
}

struct census {
	uint64_t count;
	uint64_t bytes;
	char oldest[TAPE_NAME];
};

/* The name begins with the time, so the oldest is the first of them. */
static void take_census(DIR *folder, int directory, struct census *out)
{
	const struct dirent *entry;
	struct stat stat;

	*out = (struct census){ 0 };
	rewinddir(folder);
	while ((entry = readdir(folder)) != NULL) {
		if (!is_ours(entry->d_name) || strlen(entry->d_name) >= TAPE_NAME ||
		    fstatat(directory, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(stat.st_mode))
			continue;
		out->count++;
		out->bytes += (uint64_t)stat.st_size;
		if (!out->oldest[0] || strcmp(entry->d_name, out->oldest) < 0)
			span_copy(span_cstr(entry->d_name), out->oldest, TAPE_NAME);
	}
}

int tapes_prune(int directory, uint64_t count, uint64_t bytes)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = copy < 0 ? NULL : fdopendir(copy);
	struct census census;
	int r = 0;

	if (!folder) {
		r = -errno;
		if (copy >= 0)
			close(copy);
		return r;
	}
	for (take_census(folder, directory, &census);
	     r == 0 && census.count > 0 && (census.count > count || census.bytes > bytes);
	     take_census(folder, directory, &census))
		if (unlinkat(directory, census.oldest, 0) < 0)
			r = -errno;
	closedir(folder);
	return r;
}
