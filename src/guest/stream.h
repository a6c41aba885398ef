#pragma once
/*
 * The results disk: one cpio stream, written past the page cache as it happens, so that what
 * was written is there when the guest dies. Two threads write to it.
 */
#include <pthread.h>

#include "base/text.h"
#include "guest/cpio.h"

#define STREAM_BLOCK ((size_t)4096)
#define STREAM_BUFFER ((size_t)1 << 20)

struct stream {
	struct cpio cpio;
	pthread_mutex_t lock;
	int fd;	      /* owned; -1: what is put is lost, which the host sees as a lost run */
	char *buffer; /* owned; aligned as O_DIRECT wants it */
	size_t used;
	uint64_t at; /* on the disk, of the buffer's first byte */
	unsigned int marks;
};

/* path is a block device, or a file. 0 or -errno. */
must_check int stream_open(const char *path, struct stream *out);

/* A whole member. After the first error nothing more is written. */
void stream_put(struct stream *stream, const char *path, struct span bytes);

/* What was put is on the disk when this returns 0. */
must_check int stream_flush(struct stream *stream);

/* "AT_US KIND TEXT" as the next mark, flushed. */
void stream_mark(struct stream *stream, const char *kind, const char *text);

/* The end mark; the stream is closed. */
must_check int stream_close(struct stream *stream);
