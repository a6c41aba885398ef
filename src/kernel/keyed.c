#include "kernel/keyed.h"

#define KEY(id, key, scale) { key, sizeof(key) - 1, id, scale },

/* Values are kept as the kernel gives them, but for KiB of meminfo and status: those are bytes. */
#define X(id, key, unit, kind, help) KEY(id, key, 1)
static const struct key VMSTAT[] = {
#include "kernel/vmstat.def"
};
static const struct key CGROUP_EVENTS[] = {
#include "kernel/cgroup_events.def"
};
static const struct key CGROUP_KEYED[] = {
#include "kernel/cgroup_keyed.def"
};
#undef X

#define X(id, key, unit, kind, help) KEY(id, key ":", (unit) == BYTES ? 1024 : 1)
static const struct key MEMINFO[] = {
#include "kernel/meminfo.def"
};
static const struct key TASK_STATUS[] = {
#include "kernel/task.def"
};
#undef X

#define X(id, key, key1, unit, kind, help) KEY(id, key, 1)
static const struct key CGROUP_STAT[] = {
#include "kernel/cgroup_stat.def"
};
#undef X
#define X(id, key, key1, unit, kind, help) KEY(id, key1, 1)
static const struct key CGROUP_STAT_V1[] = {
#include "kernel/cgroup_stat.def"
};
#undef X

#define TABLE(rows, base, end) { rows, ARRAY_LEN(rows), base, end }
const struct key_table VMSTAT_KEYS = TABLE(VMSTAT, VMSTAT_BASE, MEMINFO_BASE);
const struct key_table MEMINFO_KEYS = TABLE(MEMINFO, MEMINFO_BASE, PSI_BASE);
const struct key_table CGROUP_STAT_KEYS = TABLE(CGROUP_STAT, CG_STAT_BASE, CG_EVENTS_BASE);
const struct key_table CGROUP_STAT_V1_KEYS = TABLE(CGROUP_STAT_V1, CG_STAT_BASE, CG_EVENTS_BASE);
const struct key_table CGROUP_EVENTS_KEYS = TABLE(CGROUP_EVENTS, CG_EVENTS_BASE, CG_FILE_BASE);
const struct key_table CGROUP_KEYED_KEYS = TABLE(CGROUP_KEYED, CG_KEYED_BASE, CG_PSI_BASE);
const struct key_table TASK_STATUS_KEYS = TABLE(TASK_STATUS, TASK_RSS_ANON, TASK_OOM_ADJ);

static bool is_key(const struct key *key, struct span word)
{
	return key->length == span_len(word) && key->text[0] == word.at[0] &&
	       memcmp(key->text, word.at, key->length) == 0;
}

/* Rows stand in the kernel's order: the next line is nearly always a row at or behind *next. */
static const struct key *find(const struct key_table *table, struct span word, size_t *next)
{
	for (size_t i = 0; i < table->count; i++) {
		size_t at = (*next + i) % table->count;

		if (!is_key(&table->keys[at], word))
			continue;
		*next = at + 1;
		return &table->keys[at];
	}
	return NULL;
}

/* "kB" may follow a number of KiB and nothing else may. */
static int value_parse(struct span rest, uint64_t scale, uint64_t *out)
{
	struct span word;
	int r;

	if (!span_word(&rest, &word))
		return -1;
	r = span_u64(word, out);
	if (r == 0 && __builtin_mul_overflow(*out, scale, out))
		return -1;
	if (r == 0 && span_word(&rest, &word) && !(scale == 1024 && span_eq(word, "kB")))
		return -1;
	return r;
}

static void line_parse(struct span line, bool whole, const struct key *key, struct numbers out)
{
	uint64_t value;

	if (!whole || out.state[key->id] != ABSENT || value_parse(line, key->scale, &value) < 0)
		out.state[key->id] = GARBLED;
	else
		number_set(out, key->id, value);
}

void keyed_parse(struct span text, const struct key_table *table, struct numbers out)
{
	const char *end = text.end;
	struct span line;
	size_t next = 0;

	while (span_line(&text, &line)) {
		bool whole = line.end < end; /* a line without its newline was cut off */
		struct span word;
		const struct key *key;

		if (!span_word(&line, &word))
			continue;
		key = find(table, word, &next);
		if (key)
			line_parse(line, whole, key, out);
	}
}

void keyed_read(const struct root *root, const char *path, const struct key_table *table,
		struct buffer buffer, struct numbers out)
{
	struct span text;
	int r = root_read(root, path, buffer, &text);

	if (r < 0)
		numbers_fail(out, table->first, table->end, r);
	else
		keyed_parse(text, table, out);
}
