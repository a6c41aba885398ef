#include "guest/cpio.h"

#include <errno.h>

#define FOLDER 0040755u
#define FILE_TYPE 0100000u
#define LINK 0120777u

static void put(struct cpio *cpio, struct span bytes)
{
	int r;

	if (cpio->error < 0 || span_empty(bytes))
		return;
	r = cpio->write(cpio->to, bytes);
	if (r < 0)
		cpio->error = r;
	else
		cpio->written += span_len(bytes);
}

static void pad(struct cpio *cpio)
{
	static const char zeros[4];

	put(cpio, span_of(zeros, -cpio->written % 4));
}

/* Thirteen fields of eight hexadecimal digits behind the magic number. */
static void put_member(struct cpio *cpio, const char *path, unsigned int mode,
		       struct span bytes)
{
	char header[111];
	size_t name = strlen(path) + 1;

	if (span_len(bytes) > UINT32_MAX) {
		cpio->error = -EFBIG;
		return;
	}
	snprintf(header, sizeof(header),
		 "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", ++cpio->inode,
		 mode, 0u, 0u, 1u, 0u, (unsigned int)span_len(bytes), 0u, 0u, 0u, 0u,
		 (unsigned int)name, 0u);
	put(cpio, span_of(header, 110));
	put(cpio, span_of(path, name));
	pad(cpio);
	put(cpio, bytes);
	pad(cpio);
}

void cpio_folder(struct cpio *cpio, const char *path)
{
	put_member(cpio, path, FOLDER, (struct span){ 0 });
}

void cpio_file(struct cpio *cpio, const char *path, unsigned int mode, struct span bytes)
{
	put_member(cpio, path, FILE_TYPE | mode, bytes);
}

void cpio_link(struct cpio *cpio, const char *path, const char *target)
{
	put_member(cpio, path, LINK, span_cstr(target));
}

int cpio_end(struct cpio *cpio)
{
	put_member(cpio, "TRAILER!!!", 0, (struct span){ 0 });
	return cpio->error;
}
