#include "kernel/task.h"

#include <errno.h>

#include "kernel/keyed.h"

/* include/linux/sched.h */
#define PF_KTHREAD 0x00200000u

/* Columns of stat as fs/proc/array.c numbers them, from 1. */
enum {
	COLUMN_STATE = 3,
	COLUMN_PARENT = 4,
	COLUMN_FLAGS = 9,
	COLUMN_START = 22
};

static const struct {
	unsigned int column;
	size_t field;
} STAT_COLUMNS[] = {
	{ 10, TASK_MINFLT },  { 12, TASK_MAJFLT }, { 14, TASK_UTIME }, { 15, TASK_STIME },
	{ 20, TASK_THREADS }, { 24, TASK_RSS },	   { 42, TASK_BLKIO },
};

static void stat_keep(unsigned int column, uint64_t value, struct task *out)
{
	if (column == COLUMN_PARENT)
		out->parent = (uint32_t)value;
	else if (column == COLUMN_FLAGS)
		out->is_kernel = value & PF_KTHREAD;
	else if (column == COLUMN_START)
		out->start_ticks = value;
	for (size_t i = 0; i < ARRAY_LEN(STAT_COLUMNS); i++)
		if (STAT_COLUMNS[i].column == column)
			number_set((struct numbers){ out->value, out->state },
				   STAT_COLUMNS[i].field, value);
}

int task_stat_parse(struct span text, struct task *out)
{
	struct task task = *out;
	struct span head;
	struct span rest;
	struct span pid;
	struct span name;
	struct span word;
	uint64_t value;
	unsigned int column = COLUMN_STATE;

	if (!span_rsplit(text, ')', &head, &rest) || !span_split(head, '(', &pid, &name))
		return -EBADMSG;
	if (span_u64(span_trim(pid), &value) < 0 || value > UINT32_MAX)
		return -EBADMSG;
	task.pid = (uint32_t)value;
	span_copy(name, task.name, sizeof(task.name));
	if (!span_word(&rest, &word))
		return -EBADMSG;
	task.run_state = *word.at;
	while (span_word(&rest, &word)) {
		column++;
		/* Some columns are negative (tty, priority); none of those is kept. */
		if (span_u64(word, &value) == 0)
			stat_keep(column, value, &task);
	}
	if (column < 24)
		return -EBADMSG;
	*out = task;
	return 0;
}

/* "Uid:\treal\teffective\tsaved\tfile system": unknown unless there is one, in that form. */
static uint32_t uid_parse(struct span text)
{
	struct span line;
	struct span word;
	uint64_t uid;

	while (span_line(&text, &line)) {
		if (!span_word(&line, &word) || !span_eq(word, "Uid:"))
			continue;
		if (!span_word(&line, &word) || span_u64(word, &uid) < 0 || uid > UID_UNKNOWN)
			return UID_UNKNOWN;
		return (uint32_t)uid;
	}
	return UID_UNKNOWN;
}

void task_status_parse(struct span text, struct task *out)
{
	out->uid = uid_parse(text);
	keyed_parse(text, &TASK_STATUS_KEYS, (struct numbers){ out->value, out->state });
}

void task_statm_parse(struct span text, uint64_t page_bytes, struct task *out)
{
	struct numbers numbers = { out->value, out->state };
	uint64_t value[3] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(value); i++) {
		struct span word;

		if (!span_word(&text, &word) || span_u64(word, &value[i]) < 0 ||
		    __builtin_mul_overflow(value[i], page_bytes, &value[i]))
			return;
	}
	if (value[2] > value[1])
		return;
	number_set(numbers, TASK_RSS_ANON, value[1] - value[2]);
	number_set(numbers, TASK_RSS_FILE, value[2]);
}

static bool has_controller(struct span list, const char *name)
{
	struct span piece;

	while (span_cut(&list, ',', &piece))
		if (span_eq(piece, name))
			return true;
	return false;
}

bool task_cgroup_line(struct span line, struct task_cgroup *out)
{
	struct span rest;

	return span_split(line, ':', &out->id, &rest) &&
	       span_split(rest, ':', &out->controllers, &out->path);
}

void task_cgroup_parse(struct span text, struct span *v2, struct span *v1_memory)
{
	struct span line;

	*v2 = *v1_memory = span_of(text.at, 0);
	while (span_line(&text, &line)) {
		struct task_cgroup cgroup;

		if (!task_cgroup_line(line, &cgroup))
			continue;
		if (span_eq(cgroup.id, "0") && span_empty(cgroup.controllers))
			*v2 = cgroup.path;
		else if (has_controller(cgroup.controllers, "memory"))
			*v1_memory = cgroup.path;
	}
}

/* -1000 to 1000 is kept as 0 to 2000: values are unsigned. */
static void adj_parse(struct span text, struct task *out)
{
	int64_t value;

	if (span_i64(span_trim(text), &value) < 0 || value < -1000 || value > 1000)
		out->state[TASK_OOM_ADJ] = GARBLED;
	else
		number_set((struct numbers){ out->value, out->state }, TASK_OOM_ADJ,
			   (uint64_t)(value + 1000));
}

#define TASK_PATH_SIZE 64

static void path_of(const char *pid, const char *name, char *path)
{
	snprintf(path, TASK_PATH_SIZE, "proc/%.20s/%s", pid, name);
}

static int read_one(const struct root *root, const char *pid, const char *name,
		    struct buffer buffer, struct span *out)
{
	char path[TASK_PATH_SIZE];

	path_of(pid, name, path);
	return root_read(root, path, buffer, out);
}

/* Kernel threads, known by their stat, are kept out of captures: there are hundreds. */
static int read_stat(const struct root *root, const char *pid, struct buffer buffer,
		     struct task *out)
{
	struct root quiet = *root;
	struct span text = { 0 };
	char path[TASK_PATH_SIZE];
	int r;

	quiet.tee = NULL;
	path_of(pid, "stat", path);
	r = root_read(&quiet, path, buffer, &text);
	if (r < 0)
		root_tell(root, path, r, text);
	if (r < 0)
		return r;
	r = task_stat_parse(text, out);
	if (r < 0 || !out->is_kernel)
		root_tell(root, path, 0, text);
	return r;
}

static void memory_read(const struct root *root, const struct task_query *query,
			struct buffer buffer, struct task *out)
{
	struct numbers numbers = { out->value, out->state };
	struct span text;
	int r = read_one(root, query->pid, "status", buffer, &text);

	if (r < 0)
		numbers_fail(numbers, TASK_RSS_ANON, TASK_OOM_ADJ, r);
	else
		task_status_parse(text, out);
	if (r == 0 && out->state[TASK_RSS_ANON] == ABSENT &&
	    read_one(root, query->pid, "statm", buffer, &text) == 0)
		task_statm_parse(text, query->page_bytes, out);
	r = read_one(root, query->pid, "oom_score_adj", buffer, &text);
	if (r < 0)
		numbers_fail(numbers, TASK_OOM_ADJ, TASK_FIELDS, r);
	else
		adj_parse(text, out);
}

int task_read(const struct root *root, const struct task_query *query, struct buffer buffer,
	      struct task *out, struct task_paths *paths)
{
	struct span text;
	int r = read_stat(root, query->pid, buffer, out);

	out->uid = UID_UNKNOWN;
	if (r < 0)
		return r;
	paths->v2 = paths->v1_memory = span_of(buffer.at, 0);
	if (out->is_kernel)
		return 0;
	memory_read(root, query, buffer, out);
	if (read_one(root, query->pid, "cgroup", buffer, &text) == 0)
		task_cgroup_parse(text, &paths->v2, &paths->v1_memory);
	return 0;
}
