#include "count_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/*
 * Whoever watches memory run out must not need more of it. The linker's --wrap brings the calls
 * of this program here; with AddressSanitizer those inside the C library are seen as well.
 */
static size_t calls;

size_t memory_calls(void)
{
	return calls;
}

void memory_calls_reset(void)
{
	calls = 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	calls++;
	return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
	calls++;
	return __real_calloc(count, size);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
	calls++;
	return __real_realloc(memory, size);
}

void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	calls++;
	return __real_mmap(at, size, protection, flags, fd, offset);
}

int __real_mprotect(void *at, size_t size, int protection);
int __wrap_mprotect(void *at, size_t size, int protection);
int __wrap_mprotect(void *at, size_t size, int protection)
{
	calls++;
	return __real_mprotect(at, size, protection);
}

void __sanitizer_malloc_hook(const volatile void *memory, size_t size);
void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
	calls++;
}

#define TICKS 1000
