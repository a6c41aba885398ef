#include "fuzz.h"

#include "kernel/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct host host = { 0 };

	host_parse(input(data, size), &host);
	CHECK(host.page_bytes == 0 || (host.page_bytes >= 512 && host.page_bytes <= 1 << 20));
	CHECK(host.at_us == 0 || host.has_time);
	return 0;
}
