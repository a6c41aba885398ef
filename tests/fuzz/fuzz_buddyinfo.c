#include "fuzz.h"

#include "kernel/zones.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char known[] = "Node 0, zone DMA\nNode 0, zone Normal\n";
	static struct zones zones;

	zones = (struct zones){ 0 };
	zoneinfo_parse(span_cstr(known), &zones);
	buddyinfo_parse(input(data, size), &zones);
	CHECK(zones.zones == 2 && zones.zone[0].orders <= ORDERS_MAX);
	return 0;
}
