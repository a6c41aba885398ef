#include "model/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/sort.h"

#define NAMES_SIZE ((size_t)16 << 20)

static bool is_frame(struct span name, uint64_t *number)
{
	return span_len(name) <= 20 && span_u64(name, number) == 0;
}

/* The frames among the folders, by their number. */
static int keep_frames(struct source *out, struct span names)
{
	struct span rest = names;
	struct span name;
	struct sort_key *keys = arena_raw(&out->names, FRAMES_MAX * sizeof(*keys));

	out->frame = arena_raw(&out->names, FRAMES_MAX * sizeof(*out->frame));
	if (!keys || !out->frame)
		return -ENOMEM;
	while (span_cut(&rest, '\0', &name)) {
		struct sort_key key = { .index = (uint32_t)(name.at - names.at) };

		if (!is_frame(name, &key.major))
			continue;
		if (out->frames == FRAMES_MAX)
			return -EFBIG;
		keys[out->frames++] = key;
	}
	sort_keys(keys, out->frames);
	for (size_t i = 0; i < out->frames; i++)
		out->frame[i] = names.at + keys[i].index;
	return 0;
}

static int names_init(struct source *out, struct buffer *buffer)
{
	int r = arena_init(&out->names, 2 * NAMES_SIZE);

	if (r < 0)
		return r;
	*buffer = (struct buffer){ arena_raw(&out->names, NAMES_SIZE), NAMES_SIZE };
	return buffer->at ? 0 : -ENOMEM;
}

static int open_pack(const char *path, struct source *out)
{
	struct buffer buffer;
	struct span names;
	int r = pack_open(path, &out->pack);

	if (r < 0)
		return r;
	out->kind = SOURCE_PACK;
	r = names_init(out, &buffer);
	if (r == 0)
		r = pack_list(&out->pack, "", buffer, &names);
	if (r == 0)
		r = keep_frames(out, names);
	if (r < 0)
		return r;
	if (out->frames == 0 && pack_exists(&out->pack, "proc")) {
		out->frame[0] = "";
		out->frames = 1;
	}
	/* The frame in which the archive ends lacks files: they would read as absent. */
	if (out->pack.cut && out->frames > 0)
		out->frames--;
	return out->frames > 0 ? 0 : -ENODATA;
}

static int open_frames(struct source *out)
{
	struct buffer buffer;
	struct span names;
	int r = names_init(out, &buffer);

	if (r == 0)
		r = root_list(&out->root, ".", buffer, &names);
	if (r == 0)
		r = keep_frames(out, names);
	if (r < 0)
		return r;
	if (out->frames == 0)
		return -ENODATA;
	out->kind = SOURCE_FRAMES;
	out->directory = take_fd(&out->root.fd);
	return 0;
}

static int open_folder(const char *path, struct source *out)
{
	int r = root_open(path, &out->root);

	if (r < 0)
		return r;
	out->kind = out->root.kind == ROOT_LIVE ? SOURCE_LIVE : SOURCE_TREE;
	if (out->kind == SOURCE_TREE && !root_exists(&out->root, "proc"))
		return open_frames(out);
	return 0;
}

static int open_path(const char *path, struct source *out)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? open_folder(path, out) : open_pack(path, out);
}

/* The folder of a run of the lab stands for the recording in it. */
static int open_any(const char *from, const char *root, struct source *out)
{
	char inside[4096];
	int r;

	if (!from)
		return open_folder(root, out);
	if (snprintf(inside, sizeof(inside), "%s/" RUN_RECORDING, from) >= (int)sizeof(inside))
		return -ENAMETOOLONG;
	r = open_path(inside, out);
	return r == -ENOENT || r == -ENOTDIR ? open_path(from, out) : r;
}

int source_open(const char *from, const char *root, struct source *out)
{
	int r;

	*out = (struct source){ .directory = -1, .root.fd = -1 };
	r = open_any(from, root, out);
	if (r < 0)
		source_done(out);
	return r;
}

void source_done(struct source *source)
{
	root_done(&source->root);
	if (source->directory >= 0)
		close(source->directory);
	source->directory = -1;
	pack_done(&source->pack);
	arena_done(&source->names);
}

static int next_frame(struct source *source)
{
	struct root next;
	int r = root_open_at(source->directory, source->frame[source->next], &next);

	if (r < 0)
		return r;
	next.kind = ROOT_TREE;
	next.tee = source->root.tee;
	root_done(&source->root);
	source->root = next;
	return 0;
}

static void next_in_pack(struct source *source)
{
	const char *name = source->frame[source->next];

	snprintf(source->prefix, sizeof(source->prefix), "%s%s", name, *name ? "/" : "");
	source->root.kind = ROOT_STORE;
	source->root.store = &source->pack.store;
	source->root.prefix = source->prefix;
}

int source_next(struct source *source)
{
	int r = 0;

	if (source->kind == SOURCE_LIVE)
		return 0;
	if (source->next >= (source->kind == SOURCE_TREE ? 1 : source->frames))
		return SOURCE_END;
	if (source->kind == SOURCE_FRAMES)
		r = next_frame(source);
	else if (source->kind == SOURCE_PACK)
		next_in_pack(source);
	if (r == 0)
		source->next++;
	return r;
}
