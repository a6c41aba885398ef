#include "fuzz.h"

#include "bundle.h"
#include "model/sampler.h"

/* Any files that anybody might send as a captured tree. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sampler sampler; /* kept: making one takes longer than a snapshot */
	static struct arena arena;
	struct pack pack;
	struct root root = { .kind = ROOT_STORE, .fd = -1, .store = &pack.store, .prefix = "" };
	struct snapshot *snapshot;

	if (!arena.base)
		CHECK(sampler_init(&sampler) == 0 && arena_init(&arena, SNAPSHOT_ARENA) == 0);
	bundle_open(input(data, size), &pack);
	for (int i = 0; i < 2; i++)
		CHECK(sampler_take(&sampler, &root, SAMPLE_ALL, &arena, &snapshot) == 0);
	bundle_check(snapshot);
	pack_done(&pack);
	return 0;
}
