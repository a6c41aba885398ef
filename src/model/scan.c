#include "model/scan.h"

#include <errno.h>

static uint64_t hash_path(enum hierarchy hierarchy, struct span path)
{
	uint64_t hash = 14695981039346656037u + hierarchy;

	for (; !span_empty(path); path.at++)
		hash = (hash ^ (unsigned char)*path.at) * 1099511628211u;
	return hash;
}

/* cgroup.stat begins with "nr_descendants N". */
static int descendants(const struct root *root, struct buffer buffer, struct tracked *top,
		       uint64_t *out)
{
	struct span text;
	struct span word;
	int r = root_read_kept(root, &top->below_slot, ROOT_FILE(top->directory, "cgroup.stat"),
			       buffer, &text);

	if (r < 0)
		return r;
	if (!span_word(&text, &word) || !span_eq(word, "nr_descendants") ||
	    !span_word(&text, &word))
		return -EBADMSG;
	return span_u64(word, out);
}

/*
 * What changes when a cgroup appears. In v2 its top counts all; in v1 each folder has to be
 * looked at. One that goes is also noticed when it is read.
 */
static int count_below(struct sampler *sampler, const struct root *root,
		       struct tracked *tracked, uint64_t *out)
{
	*out = 0;
	if (tracked->hierarchy == HIERARCHY_V1_MEMORY)
		return root_links(root, &tracked->below_slot, tracked->directory, out);
	return tracked->parent < 0 ? descendants(root, sampler->file, tracked, out) : 0;
}

/* A captured tree does not change, and a capture wants the ids in every frame. */
static bool is_watched(const struct root *root)
{
	return root->kind == ROOT_LIVE && !root->tee;
}

/*
 * Most cgroups have none below them and never will: of v1, where each look is a system call,
 * those are looked at in turn.
 */
#define LEAF_TURN 4

static bool is_its_turn(const struct sampler *sampler, const struct tracked *tracked)
{
	return !tracked->is_leaf || tracked->parent < 0 ||
	       (sampler->ticks + tracked->id) % LEAF_TURN == 0;
}

bool scan_is_due(struct sampler *sampler, const struct root *root)
{
	struct tracking *now = &sampler->tracking[sampler->current];

	if (!is_watched(root) || sampler->stale || sampler->ticks == 0)
		return true;
	for (size_t i = 0; i < now->count; i++) {
		uint64_t below;

		if (!is_its_turn(sampler, &now->list[i]))
			continue;
		if (count_below(sampler, root, &now->list[i], &below) < 0 ||
		    below != now->list[i].below)
			return true;
	}
	return false;
}

static struct tracked *add(struct tracking *to, enum hierarchy hierarchy, const char *directory,
			   const char *path, int32_t parent)
{
	struct tracked *tracked;

	if (to->count == CGROUPS_MAX || !directory || !path) {
		to->cut = true;
		return NULL;
	}
	tracked = &to->list[to->count];
	*tracked = (struct tracked){
		.hierarchy = hierarchy,
		.directory = directory,
		.path = path,
		.parent = parent,
		.below_slot = SLOT_EMPTY,
		.owner = UID_UNKNOWN,
	};
	cgroup_files_init(&tracked->files, hierarchy);
	return tracked;
}

/* "MOUNT/a/b" from "MOUNT/a" and "b"; what lies behind the mount point is the path. */
static const char *join(struct tracking *to, const char *directory, struct span name)
{
	size_t left = strlen(directory);
	size_t right = span_len(name);
	char *joined = arena_raw(&to->arena, left + right + 2);

	if (!joined)
		return NULL;
	memcpy(joined, directory, left);
	joined[left] = '/';
	memcpy(joined + left + 1, name.at, right);
	joined[left + right + 1] = '\0';
	return joined;
}

/* The count is taken first: a child that comes in between changes it, and is found next time.
 */
static void identify(struct sampler *sampler, const struct root *root, struct tracking *to,
		     struct tracked *tracked)
{
	int r;

	if (is_watched(root) && count_below(sampler, root, tracked, &tracked->below) < 0)
		tracked->below = 0;
	r = root_id(root, tracked->directory, &tracked->id);
	if (r < 0) {
		slot_close(&tracked->below_slot); /* gone between the listing and now */
		return;
	}
	tracked->is_leaf = r == ROOT_LEAF;
	to->count++;
}

static void add_children(struct sampler *sampler, const struct root *root, struct tracking *to,
			 size_t parent, size_t mount_length)
{
	struct span names;
	struct span name;

	if (to->list[parent].is_leaf ||
	    root_list(root, to->list[parent].directory, sampler->names, &names) < 0)
		return;
	while (span_cut(&names, '\0', &name)) {
		const char *directory = join(to, to->list[parent].directory, name);
		const char *path = directory ? directory + mount_length + 1 : NULL;
		struct tracked *child =
			add(to, to->list[parent].hierarchy, directory, path, (int32_t)parent);

		if (!child)
			return;
		to->list[parent].has_children = true;
		identify(sampler, root, to, child);
	}
}

/* Breadth first: the list is its own queue, so depth costs nothing. */
static void walk(struct sampler *sampler, const struct root *root, struct tracking *to,
		 enum hierarchy hierarchy, const char *mount)
{
	const char *top = arena_text(&to->arena, mount, strlen(mount));
	struct tracked *first = add(to, hierarchy, top, "", -1);
	size_t at = to->count;

	if (!first)
		return;
	identify(sampler, root, to, first);
	for (; at < to->count; at++)
		add_children(sampler, root, to, at, strlen(mount));
}

static void sort_list(struct sampler *sampler, struct tracking *to)
{
	struct sort_key *keys = sampler->keys;

	for (size_t i = 0; i < to->count; i++)
		keys[i] =
			(struct sort_key){ to->list[i].hierarchy, to->list[i].id, (uint32_t)i };
	sort_keys(keys, to->count);
	memcpy(sampler->walked, to->list, to->count * sizeof(*to->list));
	for (size_t i = 0; i < to->count; i++) {
		to->list[i] = sampler->walked[keys[i].index];
		sampler->places[keys[i].index] = (int32_t)i;
	}
	for (size_t i = 0; i < to->count; i++)
		if (to->list[i].parent >= 0)
			to->list[i].parent = sampler->places[to->list[i].parent];
}

static void index_paths(struct tracking *to)
{
	for (size_t i = 0; i < to->count; i++)
		to->by_path[i] = (struct sort_key){
			.major = hash_path(to->list[i].hierarchy, span_cstr(to->list[i].path)),
			.index = (uint32_t)i,
		};
	sort_keys(to->by_path, to->count);
}

int32_t scan_find(const struct tracking *tracking, enum hierarchy hierarchy, struct span path)
{
	uint64_t hash;

	if (span_starts(path, "/"))
		path.at++;
	hash = hash_path(hierarchy, path);
	for (size_t at = sort_find(tracking->by_path, tracking->count, hash, 0);
	     at < tracking->count && tracking->by_path[at].major == hash; at++) {
		const struct tracked *tracked = &tracking->list[tracking->by_path[at].index];

		if (tracked->hierarchy == hierarchy && span_eq(path, tracked->path))
			return (int32_t)tracking->by_path[at].index;
	}
	return -1;
}

static void inherit(const struct tracked *old, struct tracked *out)
{
	out->files = old->files;
	out->owner = old->owner;
	out->marks = old->marks;
	out->has_marks = old->has_marks;
}

/* Both lists are sorted alike: one merge hands the open files over and closes the rest. */
static void hand_over(struct tracking *from, struct tracking *to)
{
	size_t i = 0;

	for (size_t j = 0; j < from->count; j++) {
		struct tracked *old = &from->list[j];

		while (i < to->count &&
		       (to->list[i].hierarchy < old->hierarchy ||
			(to->list[i].hierarchy == old->hierarchy && to->list[i].id < old->id)))
			i++;
		if (i < to->count && to->list[i].hierarchy == old->hierarchy &&
		    to->list[i].id == old->id && strcmp(to->list[i].path, old->path) == 0)
			inherit(old, &to->list[i]);
		else
			cgroup_files_close(&old->files);
		slot_close(&old->below_slot);
	}
	from->count = 0;
}

void scan(struct sampler *sampler, const struct root *root)
{
	struct tracking *from = &sampler->tracking[sampler->current];
	struct tracking *to = &sampler->tracking[!sampler->current];

	arena_reset(&to->arena);
	to->count = 0;
	to->cut = false;
	if (sampler->mounts.v2[0])
		walk(sampler, root, to, HIERARCHY_V2, sampler->mounts.v2);
	if (sampler->mounts.mode != CGROUPS_V2 && sampler->mounts.v1_memory[0])
		walk(sampler, root, to, HIERARCHY_V1_MEMORY, sampler->mounts.v1_memory);
	sort_list(sampler, to);
	index_paths(to);
	hand_over(from, to);
	sampler->current = !sampler->current;
	sampler->stale = false;
}
