#include "stream_of.h"

static char space[1 << 20];
static size_t used;

static int put(void *to, struct span bytes)
{
	memcpy(space + used, bytes.at, span_len(bytes));
	used += span_len(bytes);
	return 0;
}

struct span stream_of(const struct member *members)
{
	struct cpio cpio = { .write = put };

	used = 0;
	for (; members->path; members++)
		cpio_file(&cpio, members->path, 0644, span_cstr(members->text));
	if (cpio_end(&cpio) < 0)
		return (struct span){ 0 };
	return span_of(space, used);
}
