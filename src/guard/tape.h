#pragma once
/*
 * The ring in which frames go from the loop to the front as the kernel gave them: no copy is
 * kept by the loop, and a frame that does not fit is dropped whole.
 *
 * A frame is a head, its files, a tail; a file is its lengths, the path without NUL, the bytes.
 * It is published by tape_written, when it is complete.
 */
#include "base/root.h"
#include "guard/shared.h"

struct tape_frame_head {
	uint64_t magic;
	uint64_t at_us; /* CLOCK_BOOTTIME of the frame */
	uint64_t bytes; /* of its files */
};

struct tape_file_head {
	uint32_t path;
	uint32_t bytes;
};

/* The loop's end: a sink. */
struct tape_writer {
	struct sink sink; /* first */
	struct shared *shared;
	uint64_t at; /* where the next byte goes, counted since the start */
	uint64_t begin;
	bool full; /* this frame does not fit */
};
void tape_open(struct tape_writer *writer, struct shared *shared);
void tape_begin(struct tape_writer *writer);

/* False when the frame was dropped. */
bool tape_end(struct tape_writer *writer, uint64_t at_us);

/*
 * The front's end. Copies the next frame out: its files go to room and are cut off by
 * tape_cut(). 1, 0 when there is none, -EBADMSG when the ring holds something else and -EFBIG
 * when the frame is larger than room; what was there is skipped then.
 */
must_check int tape_take(struct shared *shared, struct buffer room, struct span *frame,
			 uint64_t *at_us);

/* False when nothing is left, or it is not of that form. */
must_check bool tape_cut(struct span *frame, struct span *path, struct span *bytes);
