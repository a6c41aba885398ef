#include "audit/facts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "config/cmdline.h"
#include "config/sysctl.h"
#include "config/tmpfiles.h"
#include "config/tuned.h"

/* A text that was read: each file once. */
struct text_kept {
	struct text_kept *next;
	const char *path;
	enum state state;
	const char *text;
};

struct unit_kept {
	struct unit_kept *next;
	struct unit_file unit;
};

void facts_init(struct facts *facts, const struct root *root, const struct snapshot *snapshot,
		struct reader reader)
{
	*facts = (struct facts){
		.root = root,
		.is_live = root->kind == ROOT_LIVE,
		.is_foreign =
			!root_exists(root, "proc/vmstat") && !root_exists(root, "proc/meminfo"),
		.in_container = snapshot->host.container[0] != '\0',
		.reader = reader,
		.snapshot = snapshot,
	};
	facts->reader.root = root;
}

/* The arena keeps a reserve by being far larger than what is bounded; full means it was not. */
bool facts_failed(const struct facts *facts)
{
	const struct arena *arena = facts->reader.arena;

	return arena->used + ((size_t)1 << 20) > arena->size;
}

static const char *keep(struct facts *facts, const char *text, size_t length)
{
	const char *kept = arena_text(facts->reader.arena, text, length);

	return kept ? kept : "";
}

const char *facts_format(struct facts *facts, const char *format, ...)
{
	char text[4096];
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return keep(facts, text, n < 0 ? 0 : MIN((size_t)n, sizeof(text) - 1));
}

static struct fact fact_of(const char *path, enum state state)
{
	return (struct fact){ .state = state, .path = path, .text = "" };
}

static struct fact read_text(struct facts *facts, const char *path)
{
	struct fact fact = fact_of(path, OK);
	struct span text;
	int r = root_read(facts->root, path, facts->reader.buffer, &text);

	if (r < 0)
		return fact_of(path, state_of_error(r));
	text = span_trim(text);
	if (!span_empty(text) && memchr(text.at, '\0', span_len(text)))
		return fact_of(path, GARBLED);
	fact.text = keep(facts, text.at, span_len(text));
	return fact;
}

struct fact fact_text(struct facts *facts, const char *path)
{
	struct text_kept *kept = facts->lazy.text;
	struct fact fact;

	for (; kept; kept = kept->next)
		if (strcmp(kept->path, path) == 0)
			return (struct fact){ kept->state, kept->path, kept->text, 0 };
	path = keep(facts, path, strlen(path));
	fact = read_text(facts, path);
	kept = arena_alloc(facts->reader.arena, sizeof(*kept));
	if (!kept)
		return fact;
	*kept = (struct text_kept){ facts->lazy.text, path, fact.state, fact.text };
	facts->lazy.text = kept;
	return fact;
}

struct fact fact_number(struct facts *facts, const char *path)
{
	struct fact fact = fact_text(facts, path);

	if (fact.state == OK && span_u64(span_cstr(fact.text), &fact.number) < 0)
		fact.state = GARBLED;
	return fact;
}

struct fact fact_choice(struct facts *facts, const char *path)
{
	struct fact fact = fact_text(facts, path);
	struct span rest = span_cstr(fact.text);
	struct span word;
	size_t words = 0;
	const char *chosen = NULL;

	if (fact.state != OK)
		return fact;
	while (span_word(&rest, &word)) {
		words++;
		if (span_len(word) > 2 && *word.at == '[' && word.end[-1] == ']')
			chosen = keep(facts, word.at + 1, span_len(word) - 2);
	}
	if (chosen)
		fact.text = chosen;
	else if (words != 1)
		fact.state = GARBLED;
	return fact;
}

struct fact fact_field(struct facts *facts, size_t machine_field)
{
	const struct field *row = &catalogue_of(SCOPE_MACHINE)->fields[machine_field];
	bool is_path = strchr(row->file, '/') != NULL;
	const char *path = is_path ? row->file : facts_format(facts, "proc/%s", row->file);
	struct fact fact = fact_of(path, facts->snapshot->state[machine_field]);

	fact.number = facts->snapshot->value[machine_field];
	fact.text = facts_format(facts, "%llu", (unsigned long long)fact.number);
	return fact;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static size_t count_names(struct span rest)
{
	struct span name;
	size_t count = 0;

	while (span_cut(&rest, '\0', &name))
		count++;
	return count;
}

struct names facts_names(struct facts *facts, const char *path)
{
	struct names names = { .state = OK };
	struct span rest = { 0 };
	struct span name;
	const char *kept;
	int r = root_names(facts->root, path, facts->reader.buffer, &rest);

	if (r < 0)
		return (struct names){ .state = state_of_error(r) };
	kept = keep(facts, rest.at, span_len(rest));
	rest = span_of(kept, span_len(rest));
	names.name =
		arena_alloc(facts->reader.arena, (count_names(rest) + 1) * sizeof(*names.name));
	if (!names.name)
		return (struct names){ .state = GARBLED };
	while (span_cut(&rest, '\0', &name))
		names.name[names.count++] = name.at;
	qsort(names.name, names.count, sizeof(*names.name), by_text);
	return names;
}

const char *facts_link(struct facts *facts, const char *path)
{
	struct span target;

	if (root_link(facts->root, path, facts->reader.buffer, &target) < 0)
		return "";
	return keep(facts, target.at, span_len(target));
}

bool facts_exists(struct facts *facts, const char *path)
{
	return root_has(facts->root, path);
}

/* What is empty stands for what there was no memory for: facts_failed() says so. */
#define LAZY(type, name, read)                                          \
	const struct type *facts_##name(struct facts *facts)            \
	{                                                               \
		static struct type nothing;                             \
		struct type *made = facts->lazy.name;                   \
                                                                        \
		if (made)                                               \
			return made;                                    \
		made = arena_alloc(facts->reader.arena, sizeof(*made)); \
		if (!made || read(&facts->reader, made) < 0)            \
			made = &nothing;                                \
		facts->lazy.name = made;                                \
		return made;                                            \
	}

LAZY(config, sysctl, sysctl_read)
LAZY(config, tmpfiles, tmpfiles_read)
LAZY(config, cmdline, cmdline_read)
LAZY(config, cmdline_next, cmdline_next_read)
LAZY(config, tuned, tuned_read)
LAZY(fs_table, fstab, fstab_read)
LAZY(fs_table, mounts, mountinfo_read)
LAZY(unit_names, units, unit_list)

const struct unit_file *facts_unit(struct facts *facts, const char *name)
{
	static const struct unit_file nothing = { .name = "", .fragment = "" };
	struct unit_kept *kept = facts->lazy.unit;

	for (; kept; kept = kept->next)
		if (strcmp(kept->unit.name, name) == 0)
			return &kept->unit;
	kept = arena_alloc(facts->reader.arena, sizeof(*kept));
	name = keep(facts, name, strlen(name));
	if (!kept || unit_read(&facts->reader, name, &kept->unit) < 0)
		return &nothing;
	kept->unit.name = name;
	kept->next = facts->lazy.unit;
	facts->lazy.unit = kept;
	return &kept->unit;
}

const struct roles *facts_roles(struct facts *facts)
{
	static struct roles nothing;

	if (facts->lazy.roles)
		return facts->lazy.roles;
	facts->lazy.roles = arena_alloc(facts->reader.arena, sizeof(*facts->lazy.roles));
	if (!facts->lazy.roles)
		return &nothing;
	roles_find(facts, facts->lazy.roles);
	return facts->lazy.roles;
}

uint64_t facts_ram(const struct facts *facts)
{
	return facts->snapshot->state[MI_TOTAL] == OK ? facts->snapshot->value[MI_TOTAL] : 0;
}

const struct cgroup *facts_cgroup(const struct facts *facts, const char *path)
{
	const struct snapshot *now = facts->snapshot;
	enum hierarchy with_memory =
		now->mounts.mode == CGROUPS_V2 ? HIERARCHY_V2 : HIERARCHY_V1_MEMORY;

	for (size_t i = 0; i < now->cgroup_count; i++)
		if (now->cgroups[i].hierarchy == with_memory &&
		    strcmp(now->cgroups[i].path, path) == 0)
			return &now->cgroups[i];
	return NULL;
}

uint64_t facts_limit(const struct facts *facts, int32_t cgroup)
{
	const struct cgroup *all = facts->snapshot->cgroups;
	uint64_t least = UINT64_MAX;

	if (cgroup < 0)
		return 0;
	for (; cgroup >= 0; cgroup = all[cgroup].parent) {
		enum state state = all[cgroup].state[CG_MAX];

		if (state == DENIED || state == GARBLED)
			return 0;
		if (state == OK)
			least = MIN(least, all[cgroup].value[CG_MAX]);
	}
	return least;
}

const struct task *facts_task(const struct facts *facts, const char *comm)
{
	for (size_t i = 0; i < facts->snapshot->task_count; i++)
		if (strcmp(facts->snapshot->tasks[i].name, comm) == 0)
			return &facts->snapshot->tasks[i];
	return NULL;
}
