#include "foreign.h"

#include "config/unit.h"

/* A value of MemoryMax= and its kin, and the text of a unit. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct reader reader = { .arena = &arena };
	struct unit_file unit = { .name = "x.service", .fragment = "" };
	char text[256];
	uint64_t bytes = 7;

	CHECK(arena_init(&arena, (size_t)256 << 20) == 0);
	span_copy(input(data, size), text, sizeof(text));
	if (unit_bytes(text, (uint64_t)1 << 40, &bytes) < 0)
		CHECK(bytes == 7);
	CHECK(conf_parse(&reader, "x", input(data, size), &unit.config) == 0);
	check_config(&unit.config);
	(void)unit_find(&unit, "Service", "MemoryMax");
	arena_done(&arena);
	return 0;
}
