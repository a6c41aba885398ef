#pragma once
/*
 * A stream of results by hand: what a guest would have written.
 */
#include "guest/cpio.h"

struct member {
	const char *path; /* ends with NULL */
	const char *text;
};

/* With its end mark; lives until the next call. */
struct span stream_of(const struct member *members);
#define STREAM(...) stream_of((const struct member[]){ __VA_ARGS__, { 0 } })
