/*
 * Runs a fuzz target over files, and folders of files: each whole, and cut off at some places.
 * So the seeds are checked in every build, and on compilers that have no libFuzzer.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

/* So many cuts of one file. */
#define CUTS 64

/* Memory of just that size, so that a read past the end is seen. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(MAX(size, (size_t)1));

	CHECK(copy);
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int run_file(int folder, const char *name)
{
	auto_fd fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	auto_free uint8_t *data = NULL;
	struct stat st;
	size_t size;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	size = (size_t)st.st_size;
	data = malloc(MAX(size, (size_t)1));
	CHECK(data && read(fd, data, size) == st.st_size);
	for (size_t cut = 0; cut < CUTS; cut++)
		run(data, size * cut / CUTS);
	run(data, size);
	return 0;
}

static int run_folder(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	int count = 0;

	if (!folder) {
		fprintf(stderr, "%s: no such folder\n", path);
		return 0;
	}
	for (entry = readdir(folder); entry; entry = readdir(folder))
		if (entry->d_name[0] != '.' && run_file(dirfd(folder), entry->d_name) == 0)
			count++;
	closedir(folder);
	return count;
}

int main(int argc, char **argv)
{
	int count = 0;

	for (int i = 1; i < argc; i++)
		count += run_folder(argv[i]);
	printf("%d seeds\n", count);
	return count > 0 ? 0 : 1;
}
