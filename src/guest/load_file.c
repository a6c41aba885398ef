/*
 * Loads that work on files, and so on the page cache.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "guest/file.h"
#include "guest/work.h"

static char buffer[(size_t)1 << 20];

struct reading {
	uint64_t rate;
	uint64_t most;
};

/* To the end of the file, in pieces; returns what was read. */
static uint64_t read_through(struct load *load, int fd, size_t piece, struct reading how)
{
	uint64_t at = 0;

	while (at < how.most) {
		ssize_t got = pread(fd, buffer, MIN(piece, how.most - at), (off_t)at);

		if (got < 0)
			load_fail(load, "read", -errno);
		if (got == 0)
			break;
		at += (uint64_t)got;
		load->progress->size_bytes += (uint64_t)got;
		if (how.rate > 0)
			sleep_for(pace_us((uint64_t)got, how.rate));
	}
	return at;
}

#define STREAM_PIECE ((size_t)256 << 10)

void load_stream(struct load *load)
{
	const struct reading how = { arg(load, ARG_stream_rate), UINT64_MAX };
	bool more = true;
	struct work_file file;

	work_file_open(load, load->args.text[ARG_stream_file], ACCESS_READ, &file);
	while (more) {
		load->progress->due++;
		read_through(load, file.fd, STREAM_PIECE, how);
		load->progress->done++;
		more = arg(load, ARG_stream_loop);
	}
	load_hold();
}

void load_filler(struct load *load)
{
	const struct reading how = { 0, arg(load, ARG_filler_most) };
	struct work_file file;

	work_file_open(load, load->args.text[ARG_filler_file], ACCESS_READ, &file);
	load->progress->due++;
	read_through(load, file.fd, sizeof(buffer), how);
	load->progress->done++;
	load_hold();
}

void load_scan(struct load *load)
{
	struct work_file file;

	work_file_open(load, load->args.text[ARG_scan_file], arg(load, ARG_scan_access), &file);
	for (;;) {
		uint64_t begun = now_us();

		load->progress->due++;
		work_file_use(&file);
		load->progress->done++;
		load->progress->size_bytes = file.pages * PAGE;
		load->progress->longest_us = MAX(load->progress->longest_us, now_us() - begun);
		if (arg(load, ARG_scan_pause) > 0)
			sleep_for(arg(load, ARG_scan_pause));
	}
}

static int open_for_writing(struct load *load, struct span path, int flags)
{
	char name[256];
	int fd;

	span_copy(path, name, sizeof(name));
	fd = file_open(name, O_WRONLY | O_CREAT | flags);
	if (fd < 0)
		load_fail(load, name, fd);
	return fd;
}

#define TMPFS_PIECE ((size_t)64 << 10)

void load_tmpfs(struct load *load)
{
	int fd = open_for_writing(load, load->args.text[ARG_tmpfs_file], O_TRUNC);
	uint64_t wait_us = pace_us(TMPFS_PIECE, arg(load, ARG_tmpfs_rate));
	struct random random = random_init(load->seed);
	uint64_t most = arg(load, ARG_tmpfs_most);

	anon_fill(&random, (unsigned char *)buffer, TMPFS_PIECE, 100);
	for (uint64_t size = 0; size < most; size += TMPFS_PIECE) {
		int r = span_write(fd, span_of(buffer, TMPFS_PIECE));

		if (r < 0)
			load_fail(load, "write", r);
		load->progress->size_bytes = size + TMPFS_PIECE;
		sleep_for(wait_us);
	}
	load_hold();
}

/* Over and over; one slot is not a slot but a mebibyte, as fast as the disk takes it. */
void load_dirty(struct load *load)
{
	int fd = open_for_writing(load, load->args.text[ARG_dirty_file], 0);
	uint64_t size = MAX(arg(load, ARG_dirty_size) / MIB * MIB, MIB);

	for (uint64_t written = 0;;) {
		uint64_t begun = now_us();
		ssize_t wrote = pwrite(fd, buffer, sizeof(buffer), (off_t)(written % size));

		if (wrote < 0)
			load_fail(load, "write", -errno);
		written += (uint64_t)wrote;
		load->progress->due++;
		load->progress->done++;
		load->progress->size_bytes = written;
		load->progress->longest_us = MAX(load->progress->longest_us, now_us() - begun);
	}
}

/* In steps of a hundredth of a second. */
#define DENTRY_STEPS 100

void load_dentry(struct load *load)
{
	uint64_t step = MAX(arg(load, ARG_dentry_rate) / DENTRY_STEPS, (uint64_t)1);
	struct span dir = load->args.text[ARG_dentry_dir];
	char path[256];

	for (uint64_t i = 0;; i++) {
		snprintf(path, sizeof(path), "%.*s/no-such-file-of-this-name-%ju",
			 (int)span_len(dir), dir.at, (uintmax_t)i);
		if (access(path, F_OK) == 0)
			load_fail(load, path, -EEXIST);
		load->progress->due = load->progress->done = i;
		if (i % step == 0)
			sleep_for(SECOND_US / DENTRY_STEPS);
	}
}
