#include "fuzz.h"

#include "kernel/devices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct devices devices;

	devices = (struct devices){ 0 };
	diskstats_parse(input(data, size), &devices);
	CHECK(devices.disks <= DISKS_MAX && devices.disk_state <= GARBLED);
	for (size_t i = 0; i < devices.disks; i++)
		for (size_t id = 0; id < DISK_FIELDS; id++)
			CHECK(devices.disk[i].state[id] == OK);
	return 0;
}
