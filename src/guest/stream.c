#include "guest/stream.h"

#include <errno.h>
#include <fcntl.h>

#include "guest/file.h"
#include "guest/moment.h"

static int write_at(int fd, const char *bytes, size_t size, uint64_t at)
{
	while (size > 0) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENOSPC;
		bytes += n;
		size -= (size_t)n;
		at += (uint64_t)n;
	}
	return 0;
}

/* Whole blocks leave; the last one, perhaps not full, is written again next time. */
static int write_out(struct stream *stream)
{
	size_t blocks = (stream->used + STREAM_BLOCK - 1) / STREAM_BLOCK * STREAM_BLOCK;
	size_t tail = stream->used / STREAM_BLOCK * STREAM_BLOCK;
	int r;

	memset(stream->buffer + stream->used, 0, blocks - stream->used);
	r = write_at(stream->fd, stream->buffer, blocks, stream->at);
	if (r < 0)
		return r;
	memmove(stream->buffer, stream->buffer + tail, stream->used - tail);
	stream->at += tail;
	stream->used -= tail;
	return 0;
}

static int take_bytes(void *to, struct span bytes)
{
	struct stream *stream = to;

	while (!span_empty(bytes)) {
		size_t part = MIN(span_len(bytes), STREAM_BUFFER - stream->used);

		memcpy(stream->buffer + stream->used, bytes.at, part);
		stream->used += part;
		bytes.at += part;
		if (stream->used == STREAM_BUFFER) {
			int r = write_out(stream);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* The main thread may hold the lock while the observer, which must not be late, waits. */
static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t how;

	pthread_mutexattr_init(&how);
	pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &how);
	pthread_mutexattr_destroy(&how);
}

int stream_open(const char *path, struct stream *out)
{
	*out = (struct stream){ .cpio = { .write = take_bytes, .to = out } };
	lock_init(&out->lock);
	out->buffer = aligned_alloc(STREAM_BLOCK, STREAM_BUFFER);
	if (!out->buffer) {
		out->fd = -1;
		out->cpio.error = -ENOMEM;
		return -ENOMEM;
	}
	memset(out->buffer, 0, STREAM_BUFFER);
	out->fd = file_open(path, O_RDWR | O_DIRECT);
	if (out->fd == -EINVAL) /* a file system without O_DIRECT: only in tests */
		out->fd = file_open(path, O_RDWR);
	out->cpio.error = out->fd < 0 ? out->fd : 0;
	return out->cpio.error;
}

void stream_put(struct stream *stream, const char *path, struct span bytes)
{
	pthread_mutex_lock(&stream->lock);
	cpio_file(&stream->cpio, path, 0644, bytes);
	pthread_mutex_unlock(&stream->lock);
}

int stream_flush(struct stream *stream)
{
	int r = stream->cpio.error;

	pthread_mutex_lock(&stream->lock);
	if (r == 0)
		r = write_out(stream);
	stream->cpio.error = r;
	pthread_mutex_unlock(&stream->lock);
	return r;
}

void stream_mark(struct stream *stream, const char *kind, const char *text)
{
	char path[32];
	char line[512];
	struct text bytes = text_on(line, sizeof(line) - 1);

	text_add(&bytes, "%ju %s %s", (uintmax_t)now_us(), kind, text);
	bytes.size++; /* what was cut ends with a newline all the same */
	text_add(&bytes, "\n");
	pthread_mutex_lock(&stream->lock);
	snprintf(path, sizeof(path), "mark/%04u", stream->marks++);
	cpio_file(&stream->cpio, path, 0644, span_of(line, bytes.used));
	pthread_mutex_unlock(&stream->lock);
	if (stream_flush(stream) < 0)
		return; /* the error stays in the stream */
}

int stream_close(struct stream *stream)
{
	int r = cpio_end(&stream->cpio);

	if (r == 0)
		r = stream_flush(stream);
	if (stream->fd >= 0) {
		fdatasync(stream->fd);
		close(stream->fd);
	}
	free(stream->buffer);
	stream->fd = -1;
	stream->buffer = NULL;
	return r;
}
