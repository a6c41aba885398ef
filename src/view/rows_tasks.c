#include "view/rows.h"

/* As oom_score_adj is kept: plus 1000. */
#define OOM_ADJ_BIAS 1000

static const struct task *now_of(const struct evidence *evidence, size_t index)
{
	return &evidence->pair.now->tasks[index];
}

static const struct task *before_of(const struct evidence *evidence, size_t index)
{
	if (!evidence->pair.before)
		return NULL;
	return snapshot_task(evidence->pair.before, now_of(evidence, index));
}

static struct cell pid(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = now_of(evidence, index)->pid };
}

static struct cell run_state(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = now_of(evidence, index)->run_state };
}

/* Swap may be absent; then it is the anonymous memory alone. */
static double anon_and_swap_of(const struct task *task)
{
	if (task->state[TASK_RSS_ANON] != OK)
		return (double)NAN;
	return (double)task->value[TASK_RSS_ANON] +
	       (task->state[TASK_SWAP] == OK ? (double)task->value[TASK_SWAP] : 0);
}

static struct cell anon_and_swap(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = anon_and_swap_of(now_of(evidence, index)) };
}

static struct cell growth(const struct evidence *evidence, size_t index)
{
	const struct task *before = before_of(evidence, index);
	struct cell cell = anon_and_swap(evidence, index);

	cell.first -= before ? anon_and_swap_of(before) : (double)NAN;
	cell.first /= evidence->pair.seconds;
	return cell;
}

static struct cell faults(const struct evidence *evidence, size_t index)
{
	const struct task *now = now_of(evidence, index);
	const struct task *before = before_of(evidence, index);

	if (!before)
		return (struct cell){ .first = (double)NAN };
	return (struct cell){
		.first = number_rate(reading_of(before->value, before->state, TASK_MAJFLT),
				     reading_of(now->value, now->state, TASK_MAJFLT),
				     evidence->pair.seconds, 1)
				 .value,
	};
}

static struct cell oom_adj(const struct evidence *evidence, size_t index)
{
	const struct task *task = now_of(evidence, index);

	if (task->state[TASK_OOM_ADJ] != OK)
		return (struct cell){ .first = (double)NAN };
	return (struct cell){ .first = (double)task->value[TASK_OOM_ADJ] - OOM_ADJ_BIAS };
}

static const struct column COLUMNS[] = {
	{ "PID", 7, pid, cell_number, "Number of the process." },
	{ "S", 1, run_state, cell_letter,
	  "What it does: R runs, S sleeps, D waits for a disk or for memory, T is stopped, Z "
	  "is "
	  "dead; from /proc/PID/stat." },
	{ "ANON+SWAP", 9, anon_and_swap, cell_bytes,
	  "Anonymous memory and swap: RssAnon and VmSwap of /proc/PID/status." },
	{ "GROWTH/s", 9, growth, cell_bytes, "How much that grew a second, over the window." },
	{ "MAJFLT/s", 8, faults, cell_count,
	  "Page faults a second that found nothing in the cache, from /proc/PID/stat. Waits "
	  "for "
	  "readahead are not in it." },
	{ "OOM ADJ", 7, oom_adj, cell_count,
	  "oom_score_adj: bias of the OOM killer, -1000 (never) to 1000 (first)." },
};

const struct layout TASK_LAYOUT = {
	.name_title = "NAME",
	.name_help = "Name of the program, at most 15 bytes.",
	.column = COLUMNS,
	.columns = ARRAY_LEN(COLUMNS),
	.name_at = 1,
	.sort = 2,
	.tie = 3,
};
_Static_assert(ARRAY_LEN(COLUMNS) <= COLUMNS_MAX, "a row has room for its columns");

static unsigned int marks_of(const struct verdict *verdict, const struct task *task)
{
	unsigned int marks = 0;

	for (size_t i = 0; i < verdict->sufferers; i++)
		if (verdict->sufferer[i].task == task)
			marks |= MARK_SUFFERS;
	for (size_t i = 0; i < verdict->culprits; i++)
		if (verdict->culprit[i].task == task)
			marks |= MARK_CAUSES;
	return marks;
}

static void add(const struct verdict *verdict, size_t index, struct arena *arena,
		struct table *table)
{
	const struct task *task = now_of(verdict->evidence, index);
	struct row *row = table_add(table, verdict->evidence, index);

	if (!row)
		return;
	row->id = task->pid;
	row->generation = task->start_ticks;
	row->owner[0] = task->cgroup;
	row->owner[1] = task->cgroup_memory;
	row->path = arena_text(arena, task->name, strlen(task->name));
	row->name = row_name(arena, task->name);
	row->marks = marks_of(verdict, task);
	if (!row->path)
		row->path = "";
}

void rows_of_tasks(const struct verdict *verdict, struct arena *arena, struct table *out)
{
	const struct snapshot *now = verdict->evidence->pair.now;

	table_init(out, &TASK_LAYOUT, now->task_count, arena);
	for (size_t i = 0; i < now->task_count; i++)
		add(verdict, i, arena, out);
}
