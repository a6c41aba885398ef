/*
 * Counts what allocates. The linker takes these before libc's, for libc's own calls as well.
 */
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench.h"

uint64_t allocations;

/* glibc's own names of the functions behind the replaced ones. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	allocations++;
	return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	allocations++;
	return __libc_realloc(old, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	allocations++;
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int mprotect(void *at, size_t size, int protection)
{
	allocations++;
	return (int)syscall(SYS_mprotect, at, size, protection);
}
