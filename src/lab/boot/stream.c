#include "lab/boot/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "lab/boot/files.h"

/* Where the last data ends: the rest of a sparse file was never written. */
static off_t data_end(int fd)
{
	off_t end = 0;

	for (;;) {
		off_t data = lseek(fd, end, SEEK_DATA);

		if (data < 0)
			return end;
		end = lseek(fd, data, SEEK_HOLE);
		if (end < 0)
			return data;
	}
}

int stream_open(const char *path, struct span *out)
{
	auto_fd fd = file_open(path, O_RDONLY);
	off_t end;
	void *at;

	if (fd < 0)
		return fd;
	end = data_end(fd);
	if ((uint64_t)end > STREAM_MAX)
		return -EFBIG;
	if (end == 0) {
		*out = (struct span){ 0 };
		return 0;
	}
	at = mmap(NULL, (size_t)end, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	*out = span_of(at, (size_t)end);
	return 0;
}

void stream_close(struct span stream)
{
	if (!span_empty(stream))
		munmap((void *)stream.at, span_len(stream));
}

#define HEADER 110u
#define NAME_MAX_BYTES 8192u

struct member {
	bool is_file;
	const char *path; /* with its NUL, in the stream */
	struct span bytes;
};

/* A field of eight hexadecimal digits, by its place behind the magic number. */
static bool field(struct span header, size_t which, uint64_t *out)
{
	return span_hex(span_of(header.at + 6 + which * 8, 8), out) == 0;
}

/* Cuts so many bytes off the front, and what fills them up to a multiple of four. */
static bool cut_padded(struct span stream, const char **at, uint64_t length, struct span *out)
{
	size_t used = (size_t)(*at - stream.at);

	if (length > span_len(stream) - used)
		return false;
	*out = span_of(*at, (size_t)length);
	used = MIN((used + (size_t)length + 3) / 4 * 4, span_len(stream));
	*at = stream.at + used;
	return true;
}

/*
 * libarchive reads this form too, but it believes a header: it reserves the 4 GiB that a name
 * is said to be long. Here nothing is copied.
 */
static bool next_member(struct span stream, const char **at, struct member *out)
{
	struct span header;
	struct span name;
	uint64_t mode;
	uint64_t bytes;
	uint64_t length;

	if ((size_t)(stream.end - *at) < HEADER)
		return false;
	header = span_of(*at, HEADER);
	if (!span_starts(header, "070701") || !field(header, 1, &mode) ||
	    !field(header, 6, &bytes) || !field(header, 11, &length))
		return false;
	if (length < 1 || length > NAME_MAX_BYTES || bytes > STREAM_MEMBER_MAX)
		return false;
	if (!cut_padded(stream, at, HEADER + length, &name) ||
	    !cut_padded(stream, at, bytes, &out->bytes))
		return false;
	out->path = name.at + HEADER;
	out->is_file = (mode & 0170000) == 0100000;
	return strnlen(out->path, (size_t)length) == length - 1;
}

/* Files are taken, folders and links passed over, and so is a path that leads elsewhere. */
int stream_read(struct span stream, int (*put)(void *data, const char *path, struct span bytes),
		void *data)
{
	const char *at = stream.at;
	struct member member;

	while (next_member(stream, &at, &member)) {
		int r;

		if (strcmp(member.path, "TRAILER!!!") == 0)
			return 0;
		if (!member.is_file || !path_is_plain(member.path))
			continue;
		r = put(data, member.path, member.bytes);
		if (r != 0)
			return r;
	}
	return STREAM_CUT;
}
