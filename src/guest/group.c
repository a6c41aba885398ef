#include "guest/group.h"

#include <errno.h>
#include <sys/stat.h>

#include "guest/file.h"

#define TOP "/sys/fs/cgroup"

/* Each on its own: what one kernel lacks must not keep the others away. */
static const char *const CONTROLLERS[] = { "+cpu", "+io", "+memory", "+pids" };

static int enable(const char *folder)
{
	char path[GROUP_PATH + 32];

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", folder);
	for (size_t i = 0; i < ARRAY_LEN(CONTROLLERS); i++) {
		int r = file_write(path, span_cstr(CONTROLLERS[i]));

		if (r < 0 && r != -ENOENT && r != -EINVAL)
			return r;
	}
	return 0;
}

int group_make(const char *group)
{
	char path[GROUP_PATH] = TOP;
	struct span rest = span_cstr(group);
	struct span name;

	while (span_cut(&rest, '/', &name)) {
		size_t length = strlen(path);
		int r;

		if (span_empty(name))
			continue;
		r = enable(path);
		if (r < 0)
			return r;
		snprintf(path + length, sizeof(path) - length, "/%.*s", (int)span_len(name),
			 name.at);
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static const char *path_of(char path[static GROUP_PATH], const char *group, const char *file)
{
	snprintf(path, GROUP_PATH, TOP "/%s/%s", group, file);
	return path;
}

int group_set(const char *group, const char *file, struct span value)
{
	char path[GROUP_PATH];

	return file_write(path_of(path, group, file), value);
}

uint64_t group_number(const char *group, const char *file)
{
	char path[GROUP_PATH];
	char text[64];
	struct span bytes;
	uint64_t number;

	if (file_read(path_of(path, group, file), (struct buffer){ text, sizeof(text) },
		      &bytes) < 0 ||
	    span_u64(span_trim(bytes), &number) < 0)
		return 0;
	return number;
}

uint64_t group_needs(const char *group)
{
	char path[GROUP_PATH];
	char text[8192];
	struct span rest;
	struct span line;
	struct span key;
	struct span value;
	uint64_t number;
	uint64_t sum = 0;

	if (file_read(path_of(path, group, "memory.stat"),
		      (struct buffer){ text, sizeof(text) }, &rest) < 0)
		return 0;
	while (span_line(&rest, &line))
		if (span_split(line, ' ', &key, &value) &&
		    (span_eq(key, "anon") || span_eq(key, "file_mapped")) &&
		    span_u64(value, &number) == 0)
			sum += number;
	return sum;
}
