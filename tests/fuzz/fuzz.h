#pragma once
/*
 * What every fuzz target shares. A target is one function that must take any bytes; libFuzzer
 * calls it, or replay.c with the seeds.
 */
#include "base/root.h"
#include "base/span.h"
#include "kernel/field.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline struct span input(const uint8_t *data, size_t size)
{
	return span_of((const char *)data, size);
}

/* Slots as in a new snapshot, and the check that a parser left only states in them. */
#define NUMBERS(count) ((struct numbers){ (uint64_t[count]){ 0 }, (uint8_t[count]){ 0 } })

static inline void check_states(struct numbers numbers, size_t count)
{
	for (size_t id = 0; id < count; id++)
		if (numbers.state[id] > GARBLED)
			__builtin_trap();
}

#define CHECK(condition)                  \
	do {                              \
		if (!(condition))         \
			__builtin_trap(); \
	} while (0)
