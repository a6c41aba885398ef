#include "base/mem.h"

#include <errno.h>
#include <sys/mman.h>

/* One system call a mebibyte; a multiple of every page size. */
#define COMMIT_STEP ((size_t)1 << 20)

int arena_init(struct arena *arena, size_t size)
{
	void *base =
		mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return -ENOMEM;
	*arena = (struct arena){ .base = base, .size = size };
	return 0;
}

void arena_done(struct arena *arena)
{
	if (arena->base)
		munmap(arena->base, arena->size);
	*arena = (struct arena){ 0 };
}

void arena_reset(struct arena *arena)
{
	arena->used = 0;
}

static bool commit(struct arena *arena, size_t wanted)
{
	size_t step = MAX(wanted - arena->committed, COMMIT_STEP);

	step = (step + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
	step = MIN(step, arena->size - arena->committed);
	if (mprotect(arena->base + arena->committed, step, PROT_READ | PROT_WRITE) < 0)
		return false;
	arena->committed += step;
	return true;
}

void *arena_raw(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	size_t rounded;
	void *taken;

	if (__builtin_add_overflow(size, align - 1, &rounded))
		return NULL;
	rounded &= ~(align - 1);
	if (rounded > arena->size - arena->used)
		return NULL;
	if (arena->used + rounded > arena->committed && !commit(arena, arena->used + rounded))
		return NULL;
	taken = arena->base + arena->used;
	arena->used += rounded;
	return taken;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	void *taken = arena_raw(arena, size);

	if (taken)
		memset(taken, 0, size);
	return taken;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy;

	if (length == SIZE_MAX)
		return NULL;
	copy = arena_raw(arena, length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void *xalloc(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		static const char message[] = "refault: out of memory\n";

		if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
			_exit(4);
		_exit(4);
	}
	return memory;
}
