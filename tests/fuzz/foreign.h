#pragma once
/*
 * A target for a parser of configuration that others wrote: it takes any bytes, its rows have a
 * line and end with NUL, and it stays within its bounds.
 */
#include "fuzz.h"

#include "config/config.h"

static inline void check_config(const struct config *config)
{
	CHECK(config->rows <= CONFIG_ROWS && config->notes <= CONFIG_NOTES);
	for (size_t i = 0; i < config->rows; i++) {
		CHECK(config->row[i].line > 0);
		CHECK(strlen(config->row[i].key) + strlen(config->row[i].value) <=
		      2 * CONFIG_LINE);
	}
}

#define FUZZ_PARSER(parse)                                                       \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)             \
	{                                                                        \
		struct arena arena;                                              \
		struct reader reader = { .arena = &arena };                      \
		struct config config = { 0 };                                    \
                                                                                 \
		CHECK(arena_init(&arena, (size_t)256 << 20) == 0);               \
		CHECK(parse(&reader, "etc/x", input(data, size), &config) == 0); \
		check_config(&config);                                           \
		arena_done(&arena);                                              \
		return 0;                                                        \
	}
