#include "fuzz.h"

#include "bundle.h"
#include "model/redact.h"

static void nowhere_put(struct sink *sink, const char *path, struct span bytes)
{
	CHECK(*path && span_len(bytes) < (size_t)16 << 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sink nowhere = { nowhere_put };
	struct redactor redactor;
	struct pack pack;

	CHECK(redactor_init(&redactor, &nowhere) == 0);
	bundle_open(input(data, size), &pack);
	bundle_put(&pack, &redactor.sink);
	pack_done(&pack);
	redactor_done(&redactor);
	return 0;
}
