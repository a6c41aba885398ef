#pragma once
/*
 * The content of the guest's disks, as a tree of files that mkfs.ext4 takes in.
 */
#include "lab/boot/files.h"
#include "lab/boot/machine.h"

struct content {
	const char *tree; /* a folder that is there */
	stop_flag stop;
};

/* Bytes that do not compress, other ones for each path, and the same ones every time. */
must_check int content_random(const struct content *content, const char *path, uint64_t bytes);

/* Text that repeats; never zero, so that each block is a real one. */
must_check int content_pattern(const struct content *content, const char *path, uint64_t bytes);

/*
 * Machine code of a program: each page begins with a function that returns its argument plus
 * one, so that calling it page by page needs exactly that page.
 */
must_check int content_code(const struct content *content, const char *path, uint64_t bytes);

/*
 * A dynamic program as "bin/NAME" and its libraries where the loader looks for them. root:
 * where the program's package was unpacked, which may have libraries of its own; NULL none.
 */
must_check int content_program(const struct content *content, const char *name,
			       const char *program, const char *root);
