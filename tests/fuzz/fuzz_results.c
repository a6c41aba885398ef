#include "fuzz.h"

#include "lab/boot/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct results results;

	CHECK(results_read(input(data, size), &results) == 0);
	CHECK(strlen(results.guest) < sizeof(results.guest));
	CHECK(!strpbrk(results.reason, "\n\t\033"));
	return 0;
}
