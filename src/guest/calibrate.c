#include "guest/calibrate.h"

#include "guest/moment.h"

#define PAGE ((size_t)4096)
#define PAGES 256
#define TIME_US (SECOND_US / 5)

static uint64_t hash_words(const uint64_t *words, uint64_t hash)
{
	for (size_t i = 0; i < PAGE / sizeof(*words); i++)
		hash = (hash ^ words[i]) * 1099511628211u;
	return hash;
}

uint64_t calibrate(void)
{
	static uint64_t from[PAGE / sizeof(uint64_t)];
	static uint64_t to[PAGE / sizeof(uint64_t)];
	uint64_t begun = now_us();
	uint64_t hash = 14695981039346656037u;
	uint64_t bytes = 0;
	uint64_t took_us;

	do {
		for (size_t i = 0; i < PAGES; i++) {
			from[i] = hash;
			memcpy(to, from, PAGE);
			hash = hash_words(to, hash);
		}
		bytes += PAGES * PAGE;
		took_us = now_us() - begun;
	} while (took_us < TIME_US);
	return bytes * SECOND_US / took_us >> 20;
}
