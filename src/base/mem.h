#pragma once
/*
 * Memory that is reset as a whole. An arena reserves address space once and hands it out from
 * the front; memory is committed in steps as it is used, so a generous size costs nothing, also
 * where the kernel counts commitments (vm.overcommit_memory=2). There is no free: arena_reset()
 * starts again and keeps the pages, so a steady state allocates nothing.
 */
#include "base/macro.h"

struct arena {
	char *base; /* owned */
	size_t size;
	size_t committed; /* readable and writable so far */
	size_t used;
};

/* 0, or -ENOMEM when the address space is not to be had. */
must_check int arena_init(struct arena *arena, size_t size);
void arena_done(struct arena *arena);
void arena_reset(struct arena *arena);

/* Zeroed memory, aligned for any type; NULL when the arena is full. */
void *arena_alloc(struct arena *arena, size_t size);

/* The same, not zeroed: large room that is touched only as far as it is used. */
void *arena_raw(struct arena *arena, size_t size);

/* A copy ended with NUL; NULL when the arena is full. */
char *arena_text(struct arena *arena, const char *text, size_t length);

/* For the command line, where running out of memory ends the program (exit 4). */
void *xalloc(size_t count, size_t size);
