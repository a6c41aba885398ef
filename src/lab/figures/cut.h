#pragma once
/*
 * Cuts a piece out of a run's recording, small enough for a test, with the truth about it
 * beside it.
 */
#include "lab/error.h"
#include "lab/figures/series.h"

#define CUT_BYTES ((size_t)200 * 1024)

struct cut {
	const char *run;  /* the run directory */
	const char *name; /* NAME.tar.zst and NAME.truth are made, and are not there yet */
	bool chosen;	  /* window is given; else it is chosen around the onset */
	struct frame_range window;
};

/* 0 or -errno with a sentence: -EFBIG when it does not get small enough, -EEXIST. */
must_check int cut_write(const struct cut *cut, struct lab_error *error);

/* Some calm frames before the onset, and so many after it as there are, at most `after`. */
struct frame_range cut_window(const struct series *series, size_t onset, size_t after);
