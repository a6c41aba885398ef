#pragma once
/*
 * What the kernel said in the last two minutes, each frame compressed on its own in fixed
 * memory, and recordings of that on disk: a minute before and a minute after a decision. A
 * recording is what refault diagnose --from reads.
 */
#include "base/mem.h"
#include "base/span.h"

#define TAPES_FRAMES 2048
#define TAPES_BYTES ((size_t)64 << 20)
#define TAPES_BEFORE_US (120 * SECOND_US) /* what is kept */
#define TAPES_AROUND_US (60 * SECOND_US)  /* before and after a decision */

struct kept_frame {
	uint64_t at_us;
	size_t at; /* into the ring */
	size_t size;
};

struct tapes {
	struct arena memory; /* owned: the three below */
	char *ring;	     /* compressed frames, one behind the other */
	struct buffer raw;   /* one frame as it comes */
	struct buffer small; /* the same compressed */
	struct kept_frame frame[TAPES_FRAMES];
	size_t first; /* the oldest */
	size_t count;
	size_t next; /* where the next one goes in the ring */
	uint64_t dropped;
};

/* 0 or -ENOMEM. */
must_check int tapes_init(struct tapes *tapes);
void tapes_done(struct tapes *tapes);

/*
 * A frame in the form of guard/tape.h, which may lie in tapes->raw. One that cannot be kept is
 * dropped and counted.
 */
void tapes_keep(struct tapes *tapes, struct span frame, uint64_t at_us);

/*
 * The frames from one moment to another become a recording in the folder: its name is time and
 * decision. 0 or -errno: -ENODATA when there is none.
 */
struct tape_order {
	int directory;
	uint64_t from_us;
	uint64_t until_us;
	uint64_t wall_us; /* for the name */
	uint64_t decision;
};
#define TAPE_NAME 80
must_check int tapes_write(struct tapes *tapes, const struct tape_order *order,
			   char name[TAPE_NAME]);

/* Removes the oldest recordings with a name of ours beyond count and bytes. 0 or -errno. */
must_check int tapes_prune(int directory, uint64_t count, uint64_t bytes);
