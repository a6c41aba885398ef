#include "fuzz.h"

#include "base/oomd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oomd_marks marks = { .owner = 77 };
	int r = oomd_parse(input(data, size), &marks);

	CHECK(r == 0 || marks.owner == 77);
	CHECK(marks.owner != UINT32_MAX);
	return 0;
}
