#include "cmd/guard_front.h"
#include "kernel/host.h"
#include "kernel/task.h"

/* Less than this of its own limit is too near: the loop locks its memory and needs it at once.
 */
#define ROOM_LEAST ((uint64_t)64 << 20)

static char text_of_file[1 << 16];
static const struct buffer FILE_BUFFER = { text_of_file, sizeof(text_of_file) };

/* The number in a file of a cgroup; false for "max", or when it cannot be read. */
static bool read_bytes(const struct root *root, const char *directory, const char *name,
		       uint64_t *out)
{
	char path[4096];
	struct text full = text_on(path, sizeof(path));
	struct span bytes;

	text_add(&full, "%s/%s", directory, name);
	return !full.cut && root_read(root, path, FILE_BUFFER, &bytes) == 0 &&
	       span_u64(span_trim(bytes), out) == 0;
}

static void check(const struct root *root, const char *directory, const char *cgroup,
		  const char *name)
{
	uint64_t limit;
	uint64_t current;
	char shown[512];
	struct text words = text_on(shown, sizeof(shown));

	if (!read_bytes(root, directory, name, &limit))
		return;
	if (!read_bytes(root, directory, "memory.current", &current))
		current = 0;
	if (limit > current && limit - current >= ROOM_LEAST)
		return;
	text_name(&words, span_cstr(cgroup));
	cmd_error("its own cgroup /%s has %s set: the guard can be throttled or killed itself",
		  shown, name);
}

/* Its own cgroup and all above it. */
static void check_all(const struct root *root, const struct mounts *mounts, struct span own)
{
	char cgroup[2048];
	char directory[4096];

	if (!span_empty(own) && *own.at == '/')
		own.at++;
	while (!span_empty(own) && span_copy(own, cgroup, sizeof(cgroup))) {
		struct text path = text_on(directory, sizeof(directory));
		struct span rest;

		text_add(&path, "%s/%s", mounts->v2, cgroup);
		check(root, directory, cgroup, "memory.high");
		check(root, directory, cgroup, "memory.max");
		if (!span_rsplit(own, '/', &own, &rest))
			return;
	}
}

void front_warn_limits(void)
{
	struct mounts mounts = { 0 };
	struct root root;
	char own[2048];
	struct span text;
	struct span v2;
	struct span v1;

	if (root_open("/", &root) < 0)
		return;
	mounts_read(&root, FILE_BUFFER, &mounts);
	if (mounts.v2[0] && root_read(&root, "proc/self/cgroup", FILE_BUFFER, &text) == 0) {
		task_cgroup_parse(text, &v2, &v1);
		if (span_copy(v2, own, sizeof(own)))
			check_all(&root, &mounts, span_cstr(own));
	}
	root_done(&root);
}
