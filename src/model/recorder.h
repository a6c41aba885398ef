#pragma once
/*
 * Keeps what is read, frame by frame, as a folder of plain trees or as a tar of them. It is a
 * sink: the sampler reads, the recorder gets the copy, so a capture holds exactly what a
 * verdict is made of.
 */
#include "base/root.h"

struct archive;

struct recorder {
	struct sink sink;	 /* first: the recorder is the sink */
	int directory;		 /* owned; -1 for an archive */
	int file;		 /* owned; -1 for a folder */
	struct archive *archive; /* owned; writes to file */
	unsigned int frame;
	uint64_t files;
	uint64_t bytes;
	int64_t wall_s; /* time stamp of the archive's members */
	int error;	/* the first -errno */
};

/*
 * A path that ends in .tar, .tar.zst, .tar.gz or .tar.xz becomes an archive; any other a new
 * folder. 0 or -errno: -EEXIST when it is there already, since nothing is ever overwritten.
 */
must_check int recorder_open(const char *path, struct recorder *out);

/* What is put from now on belongs to the next frame: folder "000000", "000001" … */
void recorder_next_frame(struct recorder *recorder);

/* 0, or the first error that happened. */
must_check int recorder_close(struct recorder *recorder);
