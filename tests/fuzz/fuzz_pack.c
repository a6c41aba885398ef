#include "fuzz.h"

#include <sys/mman.h>

#include "base/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_fd fd = memfd_create("pack", MFD_CLOEXEC);
	char path[64];
	char names[4096];
	struct span list;
	struct pack pack;

	CHECK(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pack_open(path, &pack) < 0)
		return 0;
	if (pack_list(&pack, "", (struct buffer){ names, sizeof(names) }, &list) == 0)
		CHECK(span_empty(list) || pack_exists(&pack, list.at));
	pack_done(&pack);
	return 0;
}
