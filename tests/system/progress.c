/*
 * progress FILE size|rounds|make [LEAST SECONDS]: of a load's progress file prints how much it
 * holds or how many rounds it did; with LEAST waits until it is so much, and ends with 1 when
 * that takes longer. "make" makes an empty one for a load to fill.
 *
 * A load writes to it as memory, which wakes nobody up: so it is looked at 20 times a second.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "guest/progress.h"

static const struct timespec PAUSE = { .tv_nsec = 50000000 };

static int make(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int r = fd < 0 ? -1 : ftruncate(fd, (off_t)progress_size(PROGRESS_SLOTS));

	if (fd < 0 || r < 0)
		return 1;
	/* How many slots there is room for is for the one who makes it to say. */
	uint32_t listed = PROGRESS_SLOTS;
	r = pwrite(fd, &listed, sizeof(listed), offsetof(struct progress, listed)) < 0;
	close(fd);
	return r;
}

static const volatile struct progress *map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *at = fd < 0 ? MAP_FAILED :
			    mmap(NULL, sizeof(struct progress), PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? NULL : at;
}

static uint64_t value(const volatile struct progress *progress, const char *what)
{
	return strcmp(what, "size") == 0 ? progress->size_bytes : progress->done;
}

static int await(const volatile struct progress *progress, const char *what, uint64_t least,
		 uint64_t seconds)
{
	for (uint64_t i = 0; value(progress, what) < least; i++) {
		if (i >= seconds * 20)
			return 1;
		nanosleep(&PAUSE, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const volatile struct progress *progress;
	uint64_t least = 0;
	uint64_t seconds = 0;

	if (argc == 3 && strcmp(argv[2], "make") == 0)
		return make(argv[1]);
	progress = argc >= 3 ? map(argv[1]) : NULL;
	if (!progress)
		return 2;
	if (argc == 3) {
		printf("%" PRIu64 "\n", value(progress, argv[2]));
		return 0;
	}
	if (argc != 5 || span_u64(span_cstr(argv[3]), &least) < 0 ||
	    span_u64(span_cstr(argv[4]), &seconds) < 0)
		return 2;
	return await(progress, argv[2], least, seconds);
}
