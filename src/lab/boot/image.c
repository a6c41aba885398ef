#include "lab/boot/image.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "lab/boot/content.h"
#include "lab/boot/hash.h"
#include "lab/boot/kernels.h"
#include "lab/boot/process.h"

/* Raised when the same scenario gives other disks than before. */
#define LAYOUT 1

/* What ext4 itself needs: 1 inode for 32 KiB are 0.8 %, the rest is bitmaps and spare room. */
#define SPARE_BYTES ((uint64_t)16 << 20)
#define SPARE_SHARE 32

#define GUEST_MAX ((size_t)64 << 20)

struct image_row {
	const char *name;
	const char *prefix; /* of paths in the guest */
	size_t kept;	    /* images in the cache, so that it does not grow for ever */
};

static const struct image_row ROWS[] = {
	[IMAGE_DATA] = { "data", "/data/", 6 },
	/* A few GiB each. */
	[IMAGE_BIG] = { "big", "/big/", 2 },
};

/* The path on this disk of a path in the guest; NULL when it is on another one. */
static const char *path_on(enum image_kind kind, const char *path)
{
	size_t length = strlen(ROWS[kind].prefix);

	return strncmp(path, ROWS[kind].prefix, length) == 0 ? path + length : NULL;
}

bool image_needed(enum image_kind kind, const struct machine *machine)
{
	if (kind == IMAGE_DATA)
		return true;
	for (size_t i = 0; i < machine->files; i++)
		if (path_on(kind, machine->file[i].path))
			return true;
	return false;
}

static int hash_file(struct hash *hash, const char *path)
{
	auto_free char *text = NULL;
	struct span bytes;
	int r = file_read(path, GUEST_MAX, &text, &bytes);

	if (r == 0)
		hash_bytes(hash, bytes);
	return r;
}

/* Where a program comes from; *root is "" unless it is from a package. */
static int program_source(const struct disk_program *program, const char *guest,
			  char root[static 1024], char source[static 1024])
{
	root[0] = '\0';
	if (*program->package)
		return package_program(program->package, program->name,
				       (struct buffer){ root, 1024 },
				       (struct buffer){ source, 1024 });
	return path_of(source, 1024, "%s", *program->host ? program->host : guest);
}

static bool is_guest(const struct disk_program *program)
{
	return !*program->host && !*program->package;
}

static int hash_programs(struct hash *hash, const struct machine *machine, const char *guest)
{
	char root[1024];
	char source[1024];
	int r = hash_file(hash, guest);

	for (size_t i = 0; i < machine->programs && r == 0; i++) {
		const struct disk_program *program = &machine->program[i];

		hash_text(hash, program->name);
		hash_text(hash, program->host);
		hash_text(hash, program->package);
		hash_number(hash, program->code_bytes);
		if (is_guest(program))
			continue;
		r = program_source(program, guest, root, source);
		if (r == 0)
			r = hash_file(hash, source);
	}
	return r;
}

int image_name(enum image_kind kind, const struct machine *machine, const char *guest,
	       char *out, size_t size)
{
	struct hash hash = hash_new();
	int r = 0;

	hash_number(&hash, LAYOUT);
	for (size_t i = 0; i < machine->files; i++)
		if (path_on(kind, machine->file[i].path)) {
			hash_text(&hash, machine->file[i].path);
			hash_number(&hash, machine->file[i].bytes);
		}
	if (kind == IMAGE_DATA)
		r = hash_programs(&hash, machine, guest);
	if (r < 0)
		return r;
	return path_of(out, size, "%s-%016llx.img", ROWS[kind].name,
		       (unsigned long long)hash.state);
}

static int put_program(const struct content *content, const struct disk_program *program,
		       const char *guest)
{
	char root[1024];
	char source[1024];
	char code[128];
	int r = program_source(program, guest, root, source);

	if (r == 0)
		r = content_program(content, program->name, source, *root ? root : NULL);
	if (r < 0 || program->code_bytes == 0)
		return r;
	r = path_of(code, sizeof(code), "code/%s", program->name);
	return r < 0 ? r : content_code(content, code, program->code_bytes);
}

static int put_files(enum image_kind kind, const struct machine *machine,
		     const struct content *content)
{
	int r = 0;

	for (size_t i = 0; i < machine->files && r == 0; i++) {
		const struct disk_file *file = &machine->file[i];
		const char *path = path_on(kind, file->path);

		if (!path)
			continue;
		r = kind == IMAGE_BIG ? content_pattern(content, path, file->bytes) :
					content_random(content, path, file->bytes);
	}
	return r;
}

static int put_content(enum image_kind kind, const struct machine *machine,
		       const struct content *content, const char *guest)
{
	int r = put_files(kind, machine, content);

	if (kind != IMAGE_DATA)
		return r;
	for (size_t i = 0; i < machine->programs && r == 0; i++)
		r = put_program(content, &machine->program[i], guest);
	return r;
}

static int add_size(void *data, const struct tree_entry *entry)
{
	uint64_t *sum = data;

	*sum += (entry->bytes + 4095) / 4096 * 4096;
	return 0;
}

/*
 * Blocks of a page, as every real disk of today has them: mkfs would give a small disk blocks
 * of 1 KiB, and then pages are read in another way. No journal, which a disk that is read only
 * does not need and a throttled one would pay for.
 */
static int make_ext4(const char *path, const char *tree, stop_flag stop)
{
	const char *argv[] = { "mkfs.ext4",
			       "-F",
			       "-q",
			       "-b",
			       "4096",
			       "-O",
			       "^has_journal",
			       "-m",
			       "0",
			       "-i",
			       "32768",
			       "-E",
			       "lazy_itable_init=0,nodiscard",
			       path,
			       NULL,
			       NULL,
			       NULL };
	const size_t last = ARRAY_LEN(argv) - 4;

	if (tree) {
		argv[last] = "-d";
		argv[last + 1] = tree;
		argv[last + 2] = path;
	}
	return program_run(&(struct program){ .argv = argv }, stop);
}

static int make_image(const char *path, const char *tree, stop_flag stop)
{
	uint64_t bytes = 0;
	int r = tree_walk(tree, 0, add_size, &bytes);

	if (r == 0)
		r = file_sparse(path, (bytes + bytes / SPARE_SHARE + SPARE_BYTES) &
					      ~(uint64_t)0xfffff);
	return r < 0 ? r : make_ext4(path, tree, stop);
}

static int make(enum image_kind kind, const struct machine *machine,
		const struct image_place *place, const char *path)
{
	char tree[1024];
	char part[1024];
	struct content content = { tree, place->stop };
	int r = path_of(tree, sizeof(tree), "%s/tree", place->work);

	if (r == 0)
		r = path_of(part, sizeof(part), "%s/part.img", place->work);
	if (r == 0)
		r = folder_make(tree);
	if (r == 0)
		r = put_content(kind, machine, &content, place->guest);
	if (r == 0)
		r = make_image(part, tree, place->stop);
	tree_remove(tree);
	if (r == 0 && rename(part, path) < 0)
		r = -errno;
	return r;
}

/* The image of a kind that was not used for the longest time. */
struct oldest {
	const char *name;
	size_t count;
	int64_t changed_ns;
	char path[1024];
};

static int find_oldest(void *data, const struct tree_entry *entry)
{
	struct oldest *oldest = data;
	size_t length = strlen(oldest->name);

	if (entry->folder || strncmp(entry->name, oldest->name, length) != 0 ||
	    entry->name[length] != '-')
		return 0;
	oldest->count++;
	if (*oldest->path && entry->changed_ns >= oldest->changed_ns)
		return 0;
	oldest->changed_ns = entry->changed_ns;
	return path_of(oldest->path, sizeof(oldest->path), "%s", entry->path);
}

/* Leaves room for one more. */
static int remove_old(enum image_kind kind, const char *images)
{
	for (;;) {
		struct oldest oldest = { .name = ROWS[kind].name };
		int r = tree_walk(images, 1, find_oldest, &oldest);

		if (r < 0 || oldest.count < ROWS[kind].kept)
			return r;
		r = tree_remove(oldest.path);
		if (r < 0)
			return r;
	}
}

int image_get(enum image_kind kind, const struct machine *machine,
	      const struct image_place *place, char *out, size_t size)
{
	char name[64];
	int r = image_name(kind, machine, place->guest, name, sizeof(name));

	if (r == 0)
		r = path_of(out, size, "%s/%s", place->images, name);
	if (r == 0)
		r = folder_make(place->images);
	if (r < 0)
		return r;
	/* Its time says when it was last used. */
	if (file_exists(out))
		return utimensat(AT_FDCWD, out, NULL, 0) < 0 ? -errno : 0;
	r = remove_old(kind, place->images);
	return r < 0 ? r : make(kind, machine, place, out);
}

int image_scratch(const char *path, uint64_t bytes, stop_flag stop)
{
	int r = file_sparse(path, bytes);

	return r < 0 ? r : make_ext4(path, NULL, stop);
}
