#include "fuzz.h"

#include "kernel/zones.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct zones zones;

	zones = (struct zones){ 0 };
	zoneinfo_parse(input(data, size), &zones);
	CHECK(zones.zones <= ZONES_MAX && zones.nodes <= NODES_MAX);
	for (size_t i = 0; i < zones.zones; i++)
		CHECK(strnlen(zones.zone[i].name, sizeof(zones.zone[i].name)) <
		      sizeof(zones.zone[i].name));
	return 0;
}
