#pragma once
/*
 * What a guest wrote to its results disk: one cpio stream that may end anywhere. The guest is
 * hostile here: paths are checked, sizes are bounded, and nothing is believed.
 */
#include "base/span.h"

/* The disk is as large; it is sparse, and takes only what is written. */
#define STREAM_MAX ((uint64_t)2 << 30)

/* No file of a guest is larger: the longest is a list of slots. */
#define STREAM_MEMBER_MAX ((size_t)64 << 20)

/* The disk image in memory, up to its last byte that was written. 0 or -errno. */
must_check int stream_open(const char *path, struct span *out);
void stream_close(struct span stream);

/* The end mark was not reached. */
#define STREAM_CUT 1

/*
 * Calls `put` for each whole file, in their order; the path is plain, the bytes lie in
 * the stream. 0, STREAM_CUT, or what put returned when that was not 0.
 */
must_check int stream_read(struct span stream,
			   int (*put)(void *data, const char *path, struct span bytes),
			   void *data);
