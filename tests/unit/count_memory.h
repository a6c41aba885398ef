#pragma once
/*
 * Counts how often a test's program asks for memory; its linker must have the --wrap arguments
 * of tests/unit/meson.build.
 */
#include <stddef.h>

size_t memory_calls(void);
void memory_calls_reset(void);
