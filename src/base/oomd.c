#include "base/oomd.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define PATH_SIZE 8192
#define TEXT_SIZE 128

int oomd_parse(struct span text, struct oomd_marks *out)
{
	struct oomd_marks marks = { 0 };
	uint64_t owner = UINT64_MAX;
	struct span line;

	while (span_line(&text, &line)) {
		struct span key;
		struct span value;

		if (!span_split(line, '=', &key, &value))
			continue;
		if (span_eq(key, "owner") && span_u64(value, &owner) < 0)
			return -EBADMSG;
		if (span_eq(key, "oomd_avoid"))
			marks.oomd_avoid = span_eq(value, "1");
		if (span_eq(key, "oomd_omit"))
			marks.oomd_omit = span_eq(value, "1");
	}
	if (owner >= UINT32_MAX)
		return -EBADMSG;
	marks.owner = (uint32_t)owner;
	*out = marks;
	return 0;
}

/* systemd writes "1", and takes the attribute away to lift the mark. */
static bool has_mark(int fd, const char *name)
{
	char value[8];

	return fgetxattr(fd, name, value, sizeof(value)) == 1 && value[0] == '1';
}

static int live_read(const struct root *root, const char *directory, struct oomd_marks *out)
{
	auto_fd fd = root_folder(root, directory);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	*out = (struct oomd_marks){
		.owner = st.st_uid,
		.oomd_avoid = has_mark(fd, "user.oomd_avoid"),
		.oomd_omit = has_mark(fd, "user.oomd_omit"),
	};
	return 0;
}

static size_t oomd_write(const struct oomd_marks *marks, char text[TEXT_SIZE])
{
	return (size_t)snprintf(text, TEXT_SIZE, "owner=%u\n%s%s", marks->owner,
				marks->oomd_avoid ? "oomd_avoid=1\n" : "",
				marks->oomd_omit ? "oomd_omit=1\n" : "");
}

int oomd_read(const struct root *root, const char *directory, struct oomd_marks *out)
{
	char path[PATH_SIZE];
	char text[TEXT_SIZE];
	struct span bytes = { 0 };
	int r;

	if (snprintf(path, sizeof(path), "%s/_marks", directory) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (root->kind == ROOT_LIVE) {
		r = live_read(root, directory, out);
		if (r == 0)
			root_tell(root, path, 0, span_of(text, oomd_write(out, text)));
		return r;
	}
	r = root_read(root, path, (struct buffer){ text, sizeof(text) }, &bytes);
	return r < 0 ? r : oomd_parse(bytes, out);
}
