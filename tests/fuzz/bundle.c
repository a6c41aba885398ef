#include "bundle.h"

#include "fuzz.h"

#define FILES_MAX 1024

static struct pack_file *files_of(const struct pack *pack)
{
	return (struct pack_file *)(void *)pack->index.base;
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct pack_file *)left)->path,
		      ((const struct pack_file *)right)->path);
}

/* Up to the line that begins the next file. */
static struct span cut_body(struct span *text)
{
	struct span body = span_of(text->at, 0);
	struct span rest = *text;
	struct span line;

	while (span_line(&rest, &line) && !span_starts(line, "== ")) {
		body.end = rest.at;
		*text = rest;
	}
	return body;
}

static void add(struct pack *out, struct span path, struct span body)
{
	struct pack_file file = {
		.path = arena_text(&out->text, path.at, span_len(path)),
		.bytes = body,
	};
	struct pack_file *kept;

	if (out->count == FILES_MAX || !path_is_plain(file.path))
		return;
	kept = arena_raw(&out->index, sizeof(file));
	CHECK(kept);
	*kept = file;
	out->count++;
}

void bundle_open(struct span text, struct pack *out)
{
	struct span line;

	*out = (struct pack){ .store = pack_store };
	CHECK(arena_init(&out->index, FILES_MAX * sizeof(struct pack_file)) == 0);
	CHECK(arena_init(&out->text, span_len(text) + FILES_MAX * 32) == 0);
	while (span_line(&text, &line)) {
		if (!span_starts(line, "== "))
			continue;
		line.at += 3;
		add(out, line, cut_body(&text));
	}
	qsort(out->index.base, out->count, sizeof(struct pack_file), by_path);
}

void bundle_put(const struct pack *pack, struct sink *sink)
{
	for (size_t i = 0; i < pack->count; i++)
		sink->put(sink, files_of(pack)[i].path, files_of(pack)[i].bytes);
}

static void check_index(int32_t index, size_t count)
{
	CHECK(index >= -1 && index < (int32_t)count);
}

void bundle_check(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->cgroup_count; i++) {
		const struct cgroup *cgroup = &snapshot->cgroups[i];

		check_index(cgroup->parent, snapshot->cgroup_count);
		check_index(cgroup->pressure, snapshot->cgroup_count);
		check_states((struct numbers){ snapshot->cgroups[i].value,
					       snapshot->cgroups[i].state },
			     CGROUP_FIELDS);
		CHECK(snapshot_cgroup(snapshot, cgroup));
		CHECK(cgroup_is_within(snapshot, (int32_t)i, (int32_t)i));
	}
	for (size_t i = 0; i < snapshot->task_count; i++) {
		check_index(snapshot->tasks[i].cgroup, snapshot->cgroup_count);
		check_index(snapshot->tasks[i].cgroup_memory, snapshot->cgroup_count);
	}
}
