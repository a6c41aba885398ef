#pragma once
/*
 * The frames of a stream, put together: a frame is handed on when it is whole, since half a
 * frame would look like a machine on which half of everything has gone.
 */
#include "base/mem.h"
#include "base/span.h"

#define FRAME_FILES 16384

struct frame_file {
	const char *path;
	struct span bytes;
};

struct frame {
	uint64_t number;
	uint64_t at_us;	   /* as the frame says itself; 0 when it does not */
	struct span loads; /* the states of the loads at that moment; may be empty */
	struct frame_file *files;
	size_t count;
};

struct frames {
	struct arena arena; /* owned: the frame that is being put together */
	struct frame frame;
	bool open;  /* a frame has begun */
	bool whole; /* nothing of it is missing */
	bool full;  /* it was too large: it is left out */
	int (*take)(void *data, const struct frame *frame);
	void *data;
};

must_check int frames_init(struct frames *frames,
			   int (*take)(void *data, const struct frame *frame), void *data);
void frames_done(struct frames *frames);

/*
 * "NNNNNN/PATH" and "NNNNNN" of what the stream has below frames/ and loads/. 0, -EINVAL for
 * what is not as agreed, or what take() returned.
 */
must_check int frames_put_file(struct frames *frames, const char *path, struct span bytes);
must_check int frames_put_loads(struct frames *frames, const char *path, struct span bytes);

/* Nothing more comes: hands on the last frame, if it is whole, or `complete` says that it is.
 */
must_check int frames_end(struct frames *frames, bool complete);
