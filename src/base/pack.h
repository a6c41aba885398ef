#pragma once
/*
 * A recording: a tar (plain, zstd, gzip or xz) of frame folders, read whole into memory and
 * looked up by path. Read with libarchive, so "tar xf" unpacks one by hand.
 */
#include "base/mem.h"
#include "base/root.h"

/* Aligned as the arena aligns, so that the arena holds them as an array. */
struct pack_file {
	_Alignas(max_align_t) const char *path;
	struct span bytes;
};

struct pack {
	struct store store; /* first: a root reads a frame through it */
	struct arena index; /* struct pack_file[], sorted by path */
	struct arena text;
	size_t count;
	bool cut; /* the archive ended early: what is here is what came before */
};

/* What a pack's store is. */
extern const struct store pack_store;

/* 0 or -errno: -EBADMSG not an archive, -EFBIG more than a gibibyte of text. */
must_check int pack_open(const char *path, struct pack *out);
void pack_done(struct pack *pack);

must_check int pack_find(const struct pack *pack, const char *path, struct span *out);

/* Names of the folders in a folder, each ended with NUL; "" is the top. */
must_check int pack_list(const struct pack *pack, const char *path, struct buffer buffer,
			 struct span *out);
bool pack_exists(const struct pack *pack, const char *path);
