#include "fuzz.h"

#include "kernel/devices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct devices devices;

	devices = (struct devices){ 0 };
	swaps_parse(input(data, size), &devices);
	CHECK(devices.swaps <= SWAPS_MAX && devices.swap_state <= GARBLED);
	for (size_t i = 0; i < devices.swaps; i++)
		CHECK(devices.swap[i].value[SWAP_USED] <= devices.swap[i].value[SWAP_SIZE]);
	return 0;
}
