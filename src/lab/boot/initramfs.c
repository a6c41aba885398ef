#include "lab/boot/initramfs.h"

#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "guest/cpio.h"

/* A module is at most a few MiB, a program a few more. */
#define FILE_MAX ((size_t)64 << 20)

static const char *const FOLDERS[] = {
	"dev", "proc", "sys", "run", "data", "big", "scratch", "tmp", "modules", "etc", "var",
};

/*
 * Programs of the host find their libraries where they always are, but on the throttled disk:
 * their pages can be evicted like those of any service.
 */
static const struct {
	const char *path;
	const char *target;
} LINKS[] = {
	{ "lib", "data/lib" },
	{ "lib64", "data/lib64" },
	{ "usr", "data/usr" },
};

/*
 * Without regard to what depends on what: the guest tries them all until a round adds nothing.
 * A name that a kernel does not have is built in, or not needed there.
 */
static const char *const MODULES[] = {
	"virtio",
	"virtio_ring",
	"virtio_pci",
	"virtio_pci_modern_dev",
	"virtio_pci_legacy_dev",
	"virtio_blk",
	/* compressed memory */
	"zsmalloc",
	"zbud",
	"z3fold",
	"zram",
	"lz4",
	"lz4_compress",
	"lz4hc",
	"lz4hc_compress",
	"lzo",
	"lzo-rle",
	"lzo_compress",
	"zstd",
	"zstd_compress",
	"842",
	"842_compress",
	"842_decompress",
	"deflate",
	/* a disk that answers late */
	"dax",
	"dm-mod",
	"dm-delay",
	/* file systems, where they are not built in */
	"crc16",
	"crc32c_generic",
	"crc32c-intel",
	"crc32c-cryptoapi",
	"libcrc32c",
	"mbcache",
	"jbd2",
	"ext4",
};

struct initramfs {
	struct cpio cpio;
	char space[65536]; /* so that headers are not written one by one */
	size_t used;
	int fd;
};

static int flush(struct initramfs *image)
{
	int r = span_write(image->fd, span_of(image->space, image->used));

	image->used = 0;
	return r;
}

static int put(void *to, struct span bytes)
{
	struct initramfs *image = to;
	int r = 0;

	if (span_len(bytes) > sizeof(image->space) - image->used)
		r = flush(image);
	if (r < 0)
		return r;
	if (span_len(bytes) > sizeof(image->space))
		return span_write(image->fd, bytes);
	memcpy(image->space + image->used, bytes.at, span_len(bytes));
	image->used += span_len(bytes);
	return 0;
}

/* "zram" for "zram.ko", "zram.ko.xz", "zram.ko.zst"; false for what is no module. */
static bool module_name(const char *file, struct span *out)
{
	struct span rest = span_cstr(file);
	struct span name;

	if (!span_cut(&rest, '.', &name) || !span_starts(rest, "ko"))
		return false;
	*out = name;
	return true;
}

static bool is_wanted(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(MODULES); i++)
		if (span_eq(name, MODULES[i]))
			return true;
	return false;
}

static int put_module(void *data, const struct tree_entry *entry)
{
	struct initramfs *image = data;
	auto_free char *text = NULL;
	struct span name;
	struct span bytes;
	char path[128];
	int r;

	if (entry->folder || !module_name(entry->name, &name) || !is_wanted(name))
		return 0;
	r = path_of(path, sizeof(path), "modules/%.*s.ko", (int)span_len(name), name.at);
	if (r == 0)
		r = file_unpack(entry->path, FILE_MAX, &text, &bytes);
	if (r == 0)
		cpio_file(&image->cpio, path, 0644, bytes);
	return r;
}

static int put_modules(struct initramfs *image, const struct kernel *kernel)
{
	return *kernel->modules ? tree_walk(kernel->modules, 0, put_module, image) : 0;
}

static int put_guest(struct initramfs *image, const char *guest)
{
	auto_free char *text = NULL;
	struct span bytes;
	int r = file_read(guest, FILE_MAX, &text, &bytes);

	if (r == 0)
		cpio_file(&image->cpio, "init", 0755, bytes);
	return r;
}

static int put_all(struct initramfs *image, const struct machine *machine,
		   const struct kernel *kernel, const char *guest)
{
	int r = put_guest(image, guest);

	for (size_t i = 0; i < ARRAY_LEN(FOLDERS); i++)
		cpio_folder(&image->cpio, FOLDERS[i]);
	for (size_t i = 0; i < ARRAY_LEN(LINKS); i++)
		cpio_link(&image->cpio, LINKS[i].path, LINKS[i].target);
	if (*machine->root)
		cpio_folder(&image->cpio, "own-root"); /* tells the guest to mount it */
	cpio_file(&image->cpio, "plan", 0644, span_cstr(machine->plan ? machine->plan : ""));
	if (r == 0)
		r = put_modules(image, kernel);
	if (r == 0)
		r = cpio_end(&image->cpio);
	return r < 0 ? r : flush(image);
}

int initramfs_write(const char *path, const struct machine *machine,
		    const struct kernel *kernel, const char *guest, uint64_t *bytes)
{
	auto_fd fd = file_open(path, O_WRONLY | O_CREAT | O_EXCL);
	struct initramfs *image;
	int r;

	if (fd < 0)
		return fd;
	image = xalloc(1, sizeof(*image));
	*image = (struct initramfs){ .fd = fd };
	image->cpio = (struct cpio){ .write = put, .to = image };
	r = put_all(image, machine, kernel, guest);
	*bytes = image->cpio.written;
	free(image);
	return r;
}
