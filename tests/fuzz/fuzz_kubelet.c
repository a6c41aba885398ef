#include "fuzz.h"

#include "config/kubelet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct reader reader = { .arena = &arena };
	struct config config = { 0 };

	CHECK(arena_init(&arena, (size_t)256 << 20) == 0);
	CHECK(kubelet_parse(&reader, "x", input(data, size), &config) == 0);
	CHECK(config.rows <= 4096 && config.notes <= 1);
	for (size_t i = 0; i < config.rows; i++) {
		CHECK(config.row[i].line > 0 && *config.row[i].key);
		CHECK(strlen(config.row[i].value) <= CONFIG_LINE);
	}
	arena_done(&arena);
	return 0;
}
