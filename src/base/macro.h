#pragma once
/*
 * The few words that the whole program shares: cleanup attributes, must_check, array length.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

#define must_check __attribute__((warn_unused_result))
#define printf_like(string, first) __attribute__((format(printf, string, first)))
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#define SECOND_US ((uint64_t)1000000)

static inline void fd_done(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void free_done(void *pointer)
{
	free(*(void **)pointer);
}

/* Closed, or freed, when the variable goes out of scope. */
#define auto_fd __attribute__((cleanup(fd_done))) int
#define auto_free __attribute__((cleanup(free_done)))

/* Hands a descriptor over: the variable keeps -1 and closes nothing. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}
