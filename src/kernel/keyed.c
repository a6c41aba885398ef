#include "kernel/keyed.h"

#define KEY(id, key, scale) { key, sizeof(key) - 1, id, scale },

/* Values are kept as the kernel gives them, but for KiB of meminfo and status: those are bytes.
 */
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

#define TABLE(rows, base, end)                   \
	{                                        \
		rows, ARRAY_LEN(rows), base, end \
	}
const struct key_table VMSTAT_KEYS = TABLE(VMSTAT, VMSTAT_BASE, MEMINFO_BASE);
const struct key_table MEMINFO_KEYS = TABLE(MEMINFO, MEMINFO_BASE, PSI_BASE);
const struct key_table CGROUP_STAT_KEYS = TABLE(CGROUP_STAT, CG_STAT_BASE, CG_EVENTS_BASE);
const struct key_table CGROUP_STAT_V1_KEYS =
	TABLE(CGROUP_STAT_V1, CG_STAT_BASE, CG_EVENTS_BASE);
const struct key_table CGROUP_EVENTS_KEYS = TABLE(CGROUP_EVENTS, CG_EVENTS_BASE, CG_FILE_BASE);
const struct key_table CGROUP_KEYED_KEYS = TABLE(CGROUP_KEYED, CG_KEYED_BASE, CG_PSI_BASE);
const struct key_table TASK_STATUS_KEYS = TABLE(TASK_STATUS, TASK_RSS_ANON, TASK_OOM_ADJ);

/*
 * Rows stand in the kernel's order: the next line is nearly always the row behind the last one.
 * For a line that is not, rows are chained by length and last letter, so that a key which is
 * not in the table, as half of them are, is not compared with every row.
 */
#define CHAINS 64
#define KEYS_MAX 128
#define CHAIN_END KEYS_MAX

struct finder {
	const struct key_table *table;
	size_t next; /* the row that is expected */
	bool chained;
	uint8_t head[CHAINS];
	uint8_t behind[KEYS_MAX];
};

_Static_assert(ARRAY_LEN(VMSTAT) <= KEYS_MAX, "the largest table");

static size_t chain_of(const char *key, size_t length)
{
	return (length + (size_t)(unsigned char)key[length - 1] * 7) % CHAINS;
}

static void chain(struct finder *finder)
{
	const struct key_table *table = finder->table;

	memset(finder->head, CHAIN_END, sizeof(finder->head));
	for (size_t i = 0; i < table->count; i++) {
		const struct key *key = &table->keys[i];
		uint8_t *head;

		if (key->length == 0)
			continue; /* not in this version of cgroups */
		head = &finder->head[chain_of(key->text, key->length)];
		finder->behind[i] = *head;
		*head = (uint8_t)i;
	}
	finder->chained = true;
}

static bool is_key(const struct key *key, struct span word)
{
	return key->length == span_len(word) && memcmp(key->text, word.at, key->length) == 0;
}

static const struct key *find(struct finder *finder, struct span word)
{
	const struct key *keys = finder->table->keys;
	size_t at = finder->next;

	if (at >= finder->table->count || !is_key(&keys[at], word)) {
		if (!finder->chained)
			chain(finder);
		at = finder->head[chain_of(word.at, span_len(word))];
		while (at != CHAIN_END && !is_key(&keys[at], word))
			at = finder->behind[at];
		if (at == CHAIN_END)
			return NULL;
	}
	finder->next = at + 1;
	return &keys[at];
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
	struct finder finder;
	struct span line;

	finder.table = table;
	finder.next = 0;
	finder.chained = false;
	while (span_line(&text, &line)) {
		bool whole = line.end < end; /* a line without its newline was cut off */
		struct span word;
		const struct key *key;

		if (!span_word(&line, &word))
			continue;
		key = find(&finder, word);
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
