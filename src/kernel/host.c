#include "kernel/host.h"

#include <time.h>

const char *cgroup_mode_name(enum cgroup_mode mode)
{
	static const char *const names[] = {
		[CGROUPS_NONE] = "no cgroups",
		[CGROUPS_V1] = "cgroup v1",
		[CGROUPS_HYBRID] = "cgroup hybrid (memory on v1)",
		[CGROUPS_V2] = "cgroup v2",
		[CGROUPS_V2_BARE] = "cgroup v2 without memory",
	};

	return names[mode];
}

static uint64_t clock_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND_US + (uint64_t)now.tv_nsec / 1000;
}

size_t host_write(char *buffer, size_t size)
{
	int n = snprintf(buffer, size,
			 "at_us=%llu\nwall_us=%llu\npage_size=%ld\ncpus=%ld\nself=%d\n",
			 (unsigned long long)clock_us(CLOCK_BOOTTIME),
			 (unsigned long long)clock_us(CLOCK_REALTIME), sysconf(_SC_PAGESIZE),
			 sysconf(_SC_NPROCESSORS_ONLN), (int)getpid());

	return (size_t)n;
}

void host_parse(struct span text, struct host *out)
{
	struct span line;

	while (span_line(&text, &line)) {
		struct span key;
		struct span word;
		uint64_t value;

		if (!span_split(line, '=', &key, &word) ||
		    span_u64(span_trim(word), &value) < 0)
			continue;
		if (span_eq(key, "at_us")) {
			out->at_us = value;
			out->has_time = true;
		} else if (span_eq(key, "wall_us")) {
			out->wall_us = value;
		} else if (span_eq(key, "page_size") && value >= 512 && value <= 1 << 20) {
			out->page_bytes = value;
		} else if (span_eq(key, "self") && value <= UINT32_MAX) {
			out->self_pid = (uint32_t)value;
		} else if (span_eq(key, "cpus") && value > 0) {
			out->cpus = value;
		}
	}
}

static void text_read(const struct root *root, const char *path, struct buffer buffer,
		      char *out, size_t size)
{
	struct span text;

	if (root_read(root, path, buffer, &text) == 0)
		span_copy(span_trim(text), out, size);
}

/*
 * Process 2 is kthreadd only in the machine's own pid namespace: an image that carries a
 * container's marks but runs as a machine (a micro-VM) is not one.
 */
static bool sees_kernel_threads(const struct root *root, struct buffer buffer)
{
	struct span text;

	return root_read(root, "proc/2/stat", buffer, &text) == 0 &&
	       span_starts(text, "2 (kthreadd)");
}

/* systemd and container engines leave these; the first that is there names the engine. */
static void container_read(const struct root *root, struct buffer buffer, char *out,
			   size_t size)
{
	static const struct {
		const char *path;
		const char *name; /* NULL: the file says */
	} marks[] = {
		{ "run/systemd/container", NULL },
		{ "run/host/container-manager", NULL },
		{ ".dockerenv", "docker" },
		{ "run/.containerenv", "podman" },
	};

	for (size_t i = 0; i < ARRAY_LEN(marks) && !out[0]; i++) {
		struct span text;

		if (root_read(root, marks[i].path, buffer, &text) < 0)
			continue;
		span_copy(marks[i].name ? span_cstr(marks[i].name) : span_trim(text), out,
			  size);
	}
}

/* A tree copied by hand has no _host.ini: the uptime is its clock, to 10 ms. */
static void uptime_read(const struct root *root, struct buffer buffer, struct host *out)
{
	struct span text;
	struct span word;
	uint64_t us;

	if (root_read(root, "proc/uptime", buffer, &text) < 0 || !span_word(&text, &word) ||
	    span_fixed(word, 6, &us) < 0)
		return;
	out->at_us = us;
	out->has_time = true;
}

static void facts_read(const struct root *root, struct buffer buffer, struct host *out)
{
	struct span text;

	if (root->kind == ROOT_LIVE) {
		text = span_of(buffer.at, host_write(buffer.at, buffer.size));
		if (root->tee)
			root->tee->put(root->tee, "_host.ini", text);
		host_parse(text, out);
	} else if (root_read(root, "_host.ini", buffer, &text) == 0) {
		host_parse(text, out);
	}
}

void host_read(const struct root *root, struct buffer buffer, struct host *out)
{
	facts_read(root, buffer, out);
	if (!out->has_time)
		uptime_read(root, buffer, out);
	out->page_assumed = out->page_bytes == 0;
	if (out->page_assumed)
		out->page_bytes = 4096;
	text_read(root, "proc/sys/kernel/hostname", buffer, out->name, sizeof(out->name));
	text_read(root, "proc/sys/kernel/osrelease", buffer, out->release,
		  sizeof(out->release));
	text_read(root, "proc/sys/kernel/random/boot_id", buffer, out->boot_id,
		  sizeof(out->boot_id));
	if (!sees_kernel_threads(root, buffer))
		container_read(root, buffer, out->container, sizeof(out->container));
}

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

/*
 * Mount points have blanks and backslashes as \040: three octal digits. False when it does not
 * fit, or would lead out of the root.
 */
static bool unescape(struct span text, char *out, size_t size)
{
	size_t used = 0;

	while (!span_empty(text)) {
		char c = *text.at++;

		if (c == '\\' && span_len(text) >= 3 && is_octal(text.at)) {
			c = (char)((text.at[0] - '0') << 6 | (text.at[1] - '0') << 3 |
				   (text.at[2] - '0'));
			text.at += 3;
		}
		if (used + 1 >= size || c == '\0')
			return false;
		out[used++] = c;
	}
	out[used] = '\0';
	return path_is_plain(out);
}

static bool has_option(struct span options, const char *name)
{
	struct span piece;

	while (span_cut(&options, ',', &piece))
		if (span_eq(piece, name))
			return true;
	return false;
}

/* Where, and which part of the hierarchy: a container may see its own only. First one wins. */
static void keep_mount(const struct span *word, char *point, char *root)
{
	if (point[0])
		return;
	if (!unescape(word[4], point, MOUNT_SIZE))
		point[0] = '\0';
	/* "/../.." lies outside of our cgroup namespace: so do the paths of processes. */
	if (!unescape(word[3], root, MOUNT_SIZE))
		root[0] = '\0';
}

/* ID PARENT DEV ROOT POINT OPTIONS [TAGS…] - TYPE SOURCE SUPEROPTIONS; proc(5). */
static void mount_parse(struct span line, struct mounts *out)
{
	struct span word[5];
	struct span type = { 0 };
	struct span super = { 0 };
	struct span piece;

	for (size_t i = 0; i < ARRAY_LEN(word); i++)
		if (!span_word(&line, &word[i]))
			return;
	while (span_word(&line, &piece) && !span_eq(piece, "-"))
		;
	if (!span_word(&line, &type) || !span_word(&line, &piece))
		return;
	if (!span_word(&line, &super))
		super = span_of(type.at, 0);
	for (size_t i = 3; i < ARRAY_LEN(word); i++)
		if (span_starts(word[i], "/"))
			word[i].at++;
	if (span_starts(type, "fuse.lxcfs") && span_eq(word[4], "proc/meminfo"))
		out->lxcfs = true;
	if (span_eq(type, "cgroup2"))
		keep_mount(word, out->v2, out->v2_root);
	if (span_eq(type, "cgroup") && has_option(super, "memory"))
		keep_mount(word, out->v1_memory, out->v1_root);
}

void mountinfo_parse(struct span text, struct mounts *out)
{
	struct span line;

	while (span_line(&text, &line))
		mount_parse(line, out);
}

static bool v2_has_memory(const struct root *root, const char *mount, struct buffer buffer)
{
	char path[MOUNT_SIZE + 32];
	struct span text;
	struct span word;

	snprintf(path, sizeof(path), "%s/cgroup.controllers", mount);
	if (root_read(root, path, buffer, &text) < 0)
		return false;
	while (span_word(&text, &word))
		if (span_eq(word, "memory"))
			return true;
	return false;
}

void mounts_read(const struct root *root, struct buffer buffer, struct mounts *out)
{
	struct span text;

	if (root_read(root, "proc/self/mountinfo", buffer, &text) == 0)
		mountinfo_parse(text, out);
	if (out->v2[0] && v2_has_memory(root, out->v2, buffer))
		out->mode = CGROUPS_V2;
	else if (out->v1_memory[0])
		out->mode = out->v2[0] ? CGROUPS_HYBRID : CGROUPS_V1;
	else
		out->mode = out->v2[0] ? CGROUPS_V2_BARE : CGROUPS_NONE;
}
