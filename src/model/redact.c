#include "model/redact.h"

#include <errno.h>

#include "kernel/task.h"

#define NAMES_MAX ((size_t)262144)
#define OUT_SIZE ((size_t)8 << 20)
#define PATH_SIZE 8192

/* Names that every machine has tell nothing about this one. */
static const char *const COMMON[] = {
	"system.slice",	 "user.slice",	   "init.scope",
	"machine.slice", "kubepods.slice", "-.slice",
};

static const char *const SUFFIXES[] = { ".service", ".slice",  ".scope", ".mount",
					".socket",  ".target", ".swap" };

static void out_put(struct redactor *redactor, const char *text, size_t length)
{
	length = MIN(length, OUT_SIZE - redactor->used);
	memcpy(redactor->out + redactor->used, text, length);
	redactor->used += length;
}

static void out_span(struct redactor *redactor, struct span text)
{
	out_put(redactor, text.at, span_len(text));
}

/* The number of a name: the same for the same name, in the order in which they are met. */
static size_t number_of(struct redactor *redactor, struct span name)
{
	char *kept;

	for (size_t i = 0; i < redactor->count; i++)
		if (span_eq(name, redactor->name[i]))
			return i + 1;
	kept = arena_text(&redactor->names, name.at, span_len(name));
	if (!kept || redactor->count == NAMES_MAX)
		return 0;
	redactor->name[redactor->count++] = kept;
	return redactor->count;
}

static void put_name(struct redactor *redactor, const char *kind, struct span name,
		     const char *suffix)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s%zu%s", kind, number_of(redactor, name),
			 suffix);

	out_put(redactor, text, (size_t)n);
}

static bool is_common(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(COMMON); i++)
		if (span_eq(name, COMMON[i]))
			return true;
	return span_empty(name);
}

static const char *suffix_of(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(SUFFIXES); i++) {
		size_t length = strlen(SUFFIXES[i]);

		if (span_len(name) > length &&
		    memcmp(name.end - length, SUFFIXES[i], length) == 0)
			return SUFFIXES[i];
	}
	return "";
}

static void put_step(struct redactor *redactor, struct span name)
{
	if (is_common(name))
		out_span(redactor, name);
	else
		put_name(redactor, "unit", name, suffix_of(name));
}

/* "/a.slice/b.service" becomes "/unit1.slice/unit2.service"; "/" stays. */
static void put_cgroup(struct redactor *redactor, struct span path)
{
	struct span name;

	while (span_split(path, '/', &name, &path)) {
		put_step(redactor, name);
		out_put(redactor, "/", 1);
	}
	put_step(redactor, path);
}

static void put_stat(struct redactor *redactor, struct span text)
{
	struct span head;
	struct span tail;
	struct span pid;
	struct span name;

	if (!span_rsplit(text, ')', &head, &tail) || !span_split(head, '(', &pid, &name))
		return;
	out_span(redactor, pid);
	out_put(redactor, "(", 1);
	put_name(redactor, "cmd", name, "");
	out_put(redactor, ")", 1);
	out_span(redactor, tail);
}

static void put_status(struct redactor *redactor, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		/* The kernel escapes newlines of a name here and not in stat: it is left out.
		 */
		if (span_starts(line, "Name:"))
			out_put(redactor, "Name:\t-", 7);
		else
			out_span(redactor, line);
		out_put(redactor, "\n", 1);
	}
}

static void put_task_cgroup(struct redactor *redactor, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct task_cgroup cgroup;

		if (!task_cgroup_line(line, &cgroup))
			continue;
		out_put(redactor, line.at, (size_t)(cgroup.path.at - line.at));
		put_cgroup(redactor, cgroup.path);
		out_put(redactor, "\n", 1);
	}
}

/* Devices keep their names: zram0 is told from a disk by it. */
static void put_swaps(struct redactor *redactor, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct span rest = line;
		struct span name;

		if (span_word(&rest, &name) && span_starts(name, "/") &&
		    !span_starts(name, "/dev/")) {
			put_name(redactor, "/swapfile", name, "");
			line.at = name.end;
		}
		out_span(redactor, line);
		out_put(redactor, "\n", 1);
	}
}

/* The part of the hierarchy that is mounted is a path of cgroups too. */
static void put_mount(struct redactor *redactor, struct span line, const struct mounts *mounts)
{
	struct span rest = line;
	struct span root = line;

	for (size_t i = 0; i < 4; i++)
		if (!span_word(&rest, &root))
			return;
	out_put(redactor, line.at, (size_t)(root.at - line.at));
	out_put(redactor, "/", 1);
	put_cgroup(redactor, span_cstr(mounts->v2[0] ? mounts->v2_root : mounts->v1_root));
	out_span(redactor, rest);
	out_put(redactor, "\n", 1);
}

/* Only what tells where the cgroups are. */
static void put_mountinfo(struct redactor *redactor, struct span text)
{
	struct span line;

	mountinfo_parse(text, &redactor->mounts);
	while (span_line(&text, &line)) {
		struct mounts mounts = { 0 };

		mountinfo_parse(line, &mounts);
		if (mounts.v2[0] || mounts.v1_memory[0]) {
			put_mount(redactor, line, &mounts);
		} else if (mounts.lxcfs) {
			out_span(redactor, line);
			out_put(redactor, "\n", 1);
		}
	}
}

static void put_host_name(struct redactor *redactor, struct span text)
{
	(void)text;
	out_put(redactor, "host\n", 5);
}

static void put_boot_id(struct redactor *redactor, struct span text)
{
	static const char zero[] = "00000000-0000-0000-0000-000000000000\n";

	(void)text;
	out_put(redactor, zero, sizeof(zero) - 1);
}

static const struct {
	const char *path; /* "proc/#/" stands for any process */
	void (*put)(struct redactor *redactor, struct span text);
} FILES[] = {
	{ "proc/#/stat", put_stat },
	{ "proc/#/status", put_status },
	{ "proc/#/cgroup", put_task_cgroup },
	{ "proc/swaps", put_swaps },
	{ "proc/self/mountinfo", put_mountinfo },
	{ "proc/sys/kernel/hostname", put_host_name },
	{ "proc/sys/kernel/random/boot_id", put_boot_id },
};

static bool is_path(const char *path, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern != '#') {
			if (*path++ != *pattern)
				return false;
			continue;
		}
		if (*path < '0' || *path > '9')
			return false;
		while (*path >= '0' && *path <= '9')
			path++;
	}
	return *path == '\0';
}

/* The part of a path behind a mount point of cgroups, or NULL. */
static const char *below_mount(const char *path, const char *mount)
{
	size_t length = strlen(mount);

	if (length == 0 || strncmp(path, mount, length) != 0 || path[length] != '/')
		return NULL;
	return path + length + 1;
}

/* "sys/fs/cgroup/a.slice/memory.stat": folders are renamed, the file's name stays. */
static bool rename_path(struct redactor *redactor, const char *path, char *out)
{
	const char *below = below_mount(path, redactor->mounts.v2);
	const char *slash;
	size_t before = redactor->used;

	if (!below)
		below = below_mount(path, redactor->mounts.v1_memory);
	slash = below ? strrchr(below, '/') : NULL;
	if (!slash)
		return snprintf(out, PATH_SIZE, "%s", path) < PATH_SIZE;
	put_cgroup(redactor, (struct span){ below, slash });
	if (snprintf(out, PATH_SIZE, "%.*s%.*s%s", (int)(below - path), path,
		     (int)(redactor->used - before), redactor->out + before,
		     slash) >= PATH_SIZE)
		return false;
	redactor->used = before;
	return true;
}

static void redactor_put(struct sink *sink, const char *path, struct span bytes)
{
	struct redactor *redactor = (struct redactor *)sink;
	char renamed[PATH_SIZE];

	redactor->used = 0;
	if (!rename_path(redactor, path, renamed))
		return;
	for (size_t i = 0; i < ARRAY_LEN(FILES); i++) {
		if (!is_path(path, FILES[i].path))
			continue;
		FILES[i].put(redactor, bytes);
		bytes = span_of(redactor->out, redactor->used);
		break;
	}
	redactor->next->put(redactor->next, renamed, bytes);
}

int redactor_init(struct redactor *redactor, struct sink *next)
{
	int r;

	*redactor = (struct redactor){ .sink = { redactor_put }, .next = next };
	r = arena_init(&redactor->names, ((size_t)64 << 20) + OUT_SIZE);
	if (r < 0)
		return r;
	redactor->name = arena_raw(&redactor->names, NAMES_MAX * sizeof(*redactor->name));
	redactor->out = arena_raw(&redactor->names, OUT_SIZE);
	if (redactor->name && redactor->out)
		return 0;
	redactor_done(redactor);
	return -ENOMEM;
}

void redactor_done(struct redactor *redactor)
{
	arena_done(&redactor->names);
}
