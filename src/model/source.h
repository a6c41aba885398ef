#pragma once
/*
 * Where snapshots come from: this machine, a captured tree, a folder of frames, or a recording.
 * One interface, so that everything that runs live also replays.
 */
#include "base/pack.h"
#include "base/root.h"

enum source_kind {
	SOURCE_LIVE,
	SOURCE_TREE,   /* one captured tree */
	SOURCE_FRAMES, /* a folder of them */
	SOURCE_PACK,   /* a recording */
};

#define FRAMES_MAX 100000

/* The recording in the folder of a run of the lab. */
#define RUN_RECORDING "frames.tar.zst"

struct source {
	enum source_kind kind;
	struct root root;   /* of the current frame; owned */
	struct pack pack;   /* owned */
	int directory;	    /* of SOURCE_FRAMES; owned, or -1 */
	struct arena names; /* owned: the names of the frames, in order */
	const char **frame;
	size_t frames;
	size_t next;
	char prefix[300];
};

/*
 * from is a folder of frames, a tree, a recording or the folder of a run of the lab; when it is
 * NULL, root is the folder where proc and sys are, "/" on this machine. 0 or -errno: -ENOENT,
 * -EACCES, -EBADMSG when it is neither of these, -ENODATA when it holds no frame.
 */
must_check int source_open(const char *from, const char *root, struct source *out);
void source_done(struct source *source);

/* Makes source->root the next frame: 0, SOURCE_END, or -errno. A live source never ends. */
#define SOURCE_END 1
must_check int source_next(struct source *source);
