#include "lab/boot/content.h"

#include <errno.h>
#include <fcntl.h>

#include "lab/boot/hash.h"

#define BLOCK ((size_t)1 << 20)
#define PAGE ((size_t)4096)

static int create(const struct content *content, const char *path)
{
	char full[4096];
	int r = path_of(full, sizeof(full), "%s/%s", content->tree, path);

	if (r == 0 && !path_is_plain(path))
		r = -EINVAL;
	if (r == 0)
		r = folder_make_above(full);
	return r < 0 ? r : file_open(full, O_WRONLY | O_CREAT | O_EXCL);
}

/* Writes a file block by block; `fill` makes the next block. */
static int write_blocks(const struct content *content, const char *path, uint64_t bytes,
			void (*fill)(char *block, uint64_t *state))
{
	static char block[BLOCK];
	struct hash seed = hash_new();
	auto_fd fd = create(content, path);
	int r = 0;

	if (fd < 0)
		return fd;
	hash_text(&seed, path);
	for (uint64_t done = 0; done < bytes && r == 0; done += BLOCK) {
		fill(block, &seed.state);
		r = span_write(fd, span_of(block, MIN(BLOCK, bytes - done)));
		if (stopped(content->stop))
			return -ECANCELED;
	}
	return r;
}

/* splitmix64 */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void fill_random(char *block, uint64_t *state)
{
	for (size_t at = 0; at < BLOCK; at += sizeof(uint64_t)) {
		uint64_t word = random_next(state);

		memcpy(block + at, &word, sizeof(word));
	}
}

/* The type is that of all fillers. NOLINTNEXTLINE(readability-non-const-parameter) */
static void fill_pattern(char *block, uint64_t *state)
{
	static const char line[] = "a line of a backup, which looks like the one before it\n";

	(void)state;
	for (size_t at = 0; at < BLOCK; at++)
		block[at] = line[at % (sizeof(line) - 1)];
}

/* The type is that of all fillers. NOLINTNEXTLINE(readability-non-const-parameter) */
static void fill_code(char *block, uint64_t *state)
{
#if defined(__x86_64__)
	static const unsigned char function[] = { 0x48, 0x8d, 0x47, 0x01, /* lea 1(%rdi),%rax */
						  0xc3 };		  /* ret */
	const int trap = 0xcc;						  /* int3 */
#elif defined(__aarch64__)
	static const unsigned char function[] = { 0x00, 0x04, 0x00, 0x91,   /* add x0, x0, #1 */
						  0xc0, 0x03, 0x5f, 0xd6 }; /* ret */
	const int trap = 0xff;
#else
#error "no code for this processor yet"
#endif

	(void)state;
	memset(block, trap, BLOCK);
	for (size_t at = 0; at < BLOCK; at += PAGE)
		memcpy(block + at, function, sizeof(function));
}

int content_random(const struct content *content, const char *path, uint64_t bytes)
{
	return write_blocks(content, path, bytes, fill_random);
}

int content_pattern(const struct content *content, const char *path, uint64_t bytes)
{
	return write_blocks(content, path, bytes, fill_pattern);
}

int content_code(const struct content *content, const char *path, uint64_t bytes)
{
	/* Whole pages: the last function must not be cut. */
	return write_blocks(content, path, (bytes + PAGE - 1) / PAGE * PAGE, fill_code);
}
