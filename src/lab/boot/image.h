#pragma once
/*
 * Disks of the guest. What a scenario's files and programs need is made once and kept in the
 * cache under a hash of all that goes in; what a run writes to is fresh and sparse.
 */
#include "lab/boot/files.h"
#include "lab/boot/machine.h"

struct image_place {
	const char *images; /* the cache */
	const char *work;   /* the run's temporary folder, in the same file system */
	const char *guest;  /* path of refault-guest */
	stop_flag stop;
};

enum image_kind {
	IMAGE_DATA,
	IMAGE_BIG,
};

/* True when the machine has such a disk: each has "data", few have "big". */
bool image_needed(enum image_kind kind, const struct machine *machine);

/* "data-0123456789abcdef.img": the same for the same content. 0 or -errno. */
must_check int image_name(enum image_kind kind, const struct machine *machine,
			  const char *guest, char *out, size_t size);

/*
 * The path of the image, which is made if it is not there. 0 or -errno: -EINVAL a path that is
 * not on this disk, -ENOENT a program or mkfs.ext4 that is not there, -ECANCELED.
 */
must_check int image_get(enum image_kind kind, const struct machine *machine,
			 const struct image_place *place, char *out, size_t size);

/* A new empty ext4 that can be written to. */
must_check int image_scratch(const char *path, uint64_t bytes, stop_flag stop);
