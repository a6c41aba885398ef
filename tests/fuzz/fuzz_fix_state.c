#include "fuzz.h"

#include "fix/state.h"

/* What is read is printed and read again as the same; no path leads out of the root. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct deeds deeds;
	struct arena arena;
	size_t bad;

	CHECK(arena_init(&arena, (size_t)64 << 20) == 0);
	CHECK(deeds_parse(input(data, size), &arena, &deeds, &bad) == 0);
	for (size_t i = 0; i < deeds.count; i++) {
		char line[8192];

		CHECK(path_is_plain(deeds.deed[i].path));
		(void)deed_print(line, sizeof(line), &deeds.deed[i]);
	}
	arena_done(&arena);
	return 0;
}
