#pragma once
/*
 * FNV-1a, 64 bits: names an image by what went into it. It guards against stale images, not
 * against an enemy: the cache belongs to the user.
 */
#include "base/span.h"

struct hash {
	uint64_t state;
};

static inline struct hash hash_new(void)
{
	return (struct hash){ 0xcbf29ce484222325u };
}

static inline void hash_bytes(struct hash *hash, struct span bytes)
{
	for (const char *at = bytes.at; at < bytes.end; at++)
		hash->state = (hash->state ^ (unsigned char)*at) * 0x100000001b3u;
}

static inline void hash_number(struct hash *hash, uint64_t number)
{
	hash_bytes(hash, span_of((const char *)&number, sizeof(number)));
}

/* With its NUL, so that "ab" "c" is not "a" "bc". */
static inline void hash_text(struct hash *hash, const char *text)
{
	hash_bytes(hash, span_of(text, strlen(text) + 1));
}
