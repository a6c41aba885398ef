#include "fuzz.h"

#include "kernel/devices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zram zram = { 0 };

	zram_parse(input(data, size), &zram);
	check_states((struct numbers){ zram.value, zram.state }, ZRAM_FIELDS);
	CHECK(zram.state[ZRAM_DISKSIZE] == ABSENT);
	return 0;
}
