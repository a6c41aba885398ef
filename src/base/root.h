#pragma once
/*
 * Where the kernel's files are: this machine, another machine's file systems mounted somewhere,
 * a captured tree, or one frame of a recording. Paths have no leading slash ("proc/vmstat").
 * Nobody else opens the kernel's files.
 *
 * A captured tree is plain files. What is not a file has a file form beside it: PATH.errno
 * holds the name of the error that reading PATH gave ("EACCES"), DIR/_id the kernfs id of a
 * cgroup, DIR/_marks its owner and the marks on it, DIR/_names the names in a folder, each
 * ended with NUL, PATH.link where a link leads, PATH.exists that it is there.
 */
#include "base/span.h"

struct root;

/* Gets a copy of everything that is read: how a capture is made. */
struct sink {
	void (*put)(struct sink *sink, const char *path, struct span bytes);
};

/*
 * Files that are in no folder, such as those of a recording. A program that only reads live
 * files need not be linked with what unpacks one.
 */
struct store {
	int (*find)(const struct store *store, const char *path, struct span *out);
	int (*list)(const struct store *store, const char *path, struct buffer buffer,
		    struct span *out);
	bool (*exists)(const struct store *store, const char *path);
};

enum root_kind {
	ROOT_LIVE,  /* procfs and sysfs: files may be kept open and change between reads */
	ROOT_TREE,  /* a captured tree of plain files */
	ROOT_STORE, /* one frame inside a store */
};

struct root {
	enum root_kind kind;
	int fd;			   /* owned; -1 for ROOT_STORE */
	const struct store *store; /* borrowed */
	const char *prefix;	   /* borrowed; the frame's folder in it, with its slash */
	struct sink *tee;	   /* borrowed; may be NULL */
};

/* A directory: live when its proc/ is a procfs, else a captured tree. 0 or -errno. */
must_check int root_open(const char *directory, struct root *out);
must_check int root_open_at(int directory, const char *name, struct root *out);
void root_done(struct root *root);

/*
 * Reads a whole file into the buffer. 0 or -errno as the kernel gave it, then or in the
 * capture: -ENOENT absent, -EACCES or -EPERM denied, -EOPNOTSUPP switched off, -EFBIG larger
 * than buffer.
 */
must_check int root_read(const struct root *root, const char *path, struct buffer buffer,
			 struct span *out);

/*
 * The same for a file that is read again and again: on a live root *slot keeps the descriptor,
 * or the error of the last attempt to open. Start with SLOT_EMPTY, end with slot_close().
 */
/* A path in two parts, which are joined only when they must be. */
struct root_file {
	const char *directory;
	const char *name;
};
#define ROOT_FILE(directory, name) ((struct root_file){ directory, name })

#define SLOT_EMPTY (-1)
must_check int root_read_kept(const struct root *root, int *slot, struct root_file file,
			      struct buffer buffer, struct span *out);
void slot_close(int *slot);

/* Hands to the tee what reading that path gave; root_read() has done so already. */
void root_tell(const struct root *root, const char *path, int result, struct span bytes);

/* Names of the folders in a folder, each ended with NUL, in no order. 0 or -errno. */
must_check int root_list(const struct root *root, const char *path, struct buffer buffer,
			 struct span *out);

/* The same with files, links and all else that is in it; DIR/_names first where there is one.
 */
must_check int root_names(const struct root *root, const char *path, struct buffer buffer,
			  struct span *out);

/* Where a link leads, as it is written in it. 0, -EINVAL when it is none, or -errno. */
must_check int root_link(const struct root *root, const char *path, struct buffer buffer,
			 struct span *out);

/*
 * The kernfs id of a cgroup's folder; of a hand-made tree without _id a hash of the path, with
 * the highest bit set. 0 or -errno; ROOT_LEAF when it is live and has no folder in it.
 */
#define ROOT_LEAF 1
must_check int root_id(const struct root *root, const char *path, uint64_t *out);

/* A descriptor of a folder, which the caller closes; no link leads out of the root. Or -errno.
 */
must_check int root_folder(const struct root *root, const char *path);

/* True when the path exists; of a link that it exists, not what it points to. */
bool root_exists(const struct root *root, const char *path);

/* The same, of a captured tree also what was seen and not read; the tee is told. */
bool root_has(const struct root *root, const char *path);

/*
 * Live: the link count of a folder, which changes when one appears or goes in it; the
 * descriptor is kept in *slot. Elsewhere 0: a captured tree does not change.
 */
must_check int root_links(const struct root *root, int *slot, const char *path, uint64_t *out);

/*
 * What the guard's hand writes to, and nobody else. A folder is pinned by its kernfs id, so
 * that a cgroup that was made anew under the same path is another one, also between look and
 * write. A descriptor, or -errno: -ESTALE when it is another, -EROFS when the root is not live.
 */
must_check int root_pin(const struct root *root, const char *path, uint64_t id);

/* A file of a pinned folder; kernfs takes a write whole or not at all. 0 or -errno. */
must_check int root_write(int folder, const char *name, struct span bytes);
must_check int root_read_at(int folder, const char *name, struct buffer buffer,
			    struct span *out);

/* The same in two steps: a descriptor, or -errno. */
must_check int root_open_read(int folder, const char *name);
must_check int root_open_write(int folder, const char *name);
must_check int root_put(int fd, struct span bytes);
