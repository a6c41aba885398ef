#include "fuzz.h"

#include "kernel/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mounts mounts = { 0 };

	mountinfo_parse(input(data, size), &mounts);
	CHECK(!mounts.v2[0] || path_is_plain(mounts.v2));
	CHECK(!mounts.v1_memory[0] || path_is_plain(mounts.v1_memory));
	CHECK(strnlen(mounts.v2, MOUNT_SIZE) < MOUNT_SIZE);
	return 0;
}
