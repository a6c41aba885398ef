#include "view/rows.h"

#define NAME_SIZE 1024

static const struct signals *own(const struct evidence *evidence, size_t index)
{
	return &evidence->members[index].signals;
}

static struct cell signal_cell(const struct evidence *evidence, size_t index,
			       enum signal signal)
{
	return (struct cell){ .first = signal_of(own(evidence, index), signal) };
}

static struct cell signal_cells(const struct evidence *evidence, size_t index,
				enum signal first, enum signal second)
{
	return (struct cell){
		.first = signal_of(own(evidence, index), first),
		.second = signal_of(own(evidence, index), second),
	};
}

static struct cell lost(const struct evidence *evidence, size_t index)
{
	const struct loss *loss = &evidence->members[index].loss;

	return (struct cell){ .first = loss->lower, .second = loss->upper };
}

static struct cell reread(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = reread_of(own(evidence, index)) };
}

/* Where refaults are not known the share is none, unless the mapped set tells it. */
static struct cell share_of_reads(const struct evidence *evidence, size_t index)
{
	const struct loss *loss = &evidence->members[index].loss;
	bool is_known = loss->collapsed || !isnan(reread_of(own(evidence, index)));

	return (struct cell){ .first = is_known ? loss->io_share : (double)NAN };
}

static struct cell memory_pressure(const struct evidence *evidence, size_t index)
{
	return signal_cells(evidence, index, SIG_MEM_FULL, SIG_MEM_SOME);
}

static struct cell io_pressure(const struct evidence *evidence, size_t index)
{
	return signal_cells(evidence, index, SIG_IO_FULL, SIG_IO_SOME);
}

/* Swap may be absent; then it is the anonymous memory alone. */
static struct cell anon_and_swap(const struct evidence *evidence, size_t index)
{
	struct cell cell = signal_cell(evidence, index, SIG_ANON);
	double swap = signal_of(own(evidence, index), SIG_SWAP_USED);

	if (!isnan(swap))
		cell.first += swap;
	return cell;
}

static struct cell growth(const struct evidence *evidence, size_t index)
{
	return (struct cell){ .first = evidence->members[index].growth.rate };
}

static struct cell mapped(const struct evidence *evidence, size_t index)
{
	return (struct cell){
		.first = signal_of(own(evidence, index), SIG_MAPPED),
		.second = evidence->window->track[index].calm_mapped,
	};
}

/* memory.high where it is the lower one: it is met first. */
static struct cell usage(const struct evidence *evidence, size_t index)
{
	double high = signal_of(own(evidence, index), SIG_LIMIT_HIGH);
	double max = signal_of(own(evidence, index), SIG_LIMIT_MAX);
	struct cell cell = signal_cell(evidence, index, SIG_USAGE);

	cell.second = fmin(high, max);
	cell.note = cell.second == high ? "high" : "max";
	return cell;
}

static const struct column COLUMNS[] = {
	{ "LOST", 8, lost, cell_range,
	  "Share of its time lost to memory: lower and upper bound, from its memory.pressure, "
	  "io.pressure and memory.stat." },
	{ "REREAD/s", 8, reread, cell_bytes,
	  "What it reads back a second after eviction: workingset_refault_file and "
	  "workingset_refault_anon of memory.stat." },
	{ "ANON+SWAP", 9, anon_and_swap, cell_bytes,
	  "Anonymous memory and swap: anon of memory.stat and memory.swap.current." },
	{ "GROWTH/s", 9, growth, cell_bytes,
	  "How much anonymous and shared memory and swap grow a second: the slope over the "
	  "window." },
	{ "MEM PSI", 9, memory_pressure, cell_shares,
	  "memory.pressure: share of the time in which all (full) and in which some of its "
	  "tasks "
	  "waited for memory." },
	{ "IO PSI", 9, io_pressure, cell_shares,
	  "io.pressure: the same for reads and writes. In a freeze only this one shows it." },
	{ "OF READS", 8, share_of_reads, cell_share,
	  "How much of what it reads are re-reads: refaults against rbytes of io.stat." },
	{ "MAPPED/CALM", 13, mapped, cell_bytes_pair,
	  "Files that its processes have mapped now, against the most of the last minutes: "
	  "file_mapped of memory.stat." },
	{ "USAGE/LIMIT", 18, usage, cell_bytes_pair,
	  "memory.current against memory.high or memory.max, whichever is lower." },
};

const struct layout CGROUP_LAYOUT = {
	.name_title = "CGROUP",
	.name_help = "Path below the mount point of the cgroup file system. S: it suffers. C: "
		     "it causes it.",
	.column = COLUMNS,
	.columns = ARRAY_LEN(COLUMNS),
	.name_at = 0,
	.sort = 0,
	.tie = 2,
};
_Static_assert(ARRAY_LEN(COLUMNS) <= COLUMNS_MAX, "a row has room for its columns");

/* One with processes, or one whose limit is being hit, which is often a slice. */
static bool is_shown(const struct evidence *evidence, size_t index)
{
	if (evidence->members[index].leaf)
		return true;
	for (size_t i = 0; i < evidence->domains; i++)
		if (evidence->domain[i].cgroup == (int32_t)index)
			return true;
	return false;
}

static unsigned int marks_of(const struct verdict *verdict, size_t index)
{
	unsigned int marks = 0;

	for (size_t i = 0; i < verdict->sufferers; i++)
		if (verdict->sufferer[i].member == (int32_t)index)
			marks |= MARK_SUFFERS;
	for (size_t i = 0; i < verdict->culprits; i++)
		if (verdict->culprit[i].member == (int32_t)index)
			marks |= MARK_CAUSES;
	return marks;
}

const char *row_name(struct arena *arena, const char *name)
{
	char buffer[NAME_SIZE];
	struct text text = text_on(buffer, sizeof(buffer));
	const char *copy;

	text_name(&text, span_cstr(name));
	copy = arena_text(arena, buffer, text.used);
	return copy ? copy : "?";
}

static void add(const struct verdict *verdict, size_t index, struct arena *arena,
		struct table *table)
{
	const struct cgroup *cgroup = &verdict->evidence->pair.now->cgroups[index];
	struct row *row = table_add(table, verdict->evidence, index);

	if (!row)
		return;
	row->id = cgroup->id;
	row->generation = cgroup->hierarchy;
	row->path = arena_text(arena, cgroup->path, strlen(cgroup->path));
	row->name = cgroup->path[0] ? row_name(arena, cgroup->path) : "/";
	row->marks = marks_of(verdict, index);
	if (!row->path)
		row->path = "";
}

void rows_of_cgroups(const struct verdict *verdict, struct arena *arena, struct table *out)
{
	const struct evidence *evidence = verdict->evidence;

	table_init(out, &CGROUP_LAYOUT, evidence->member_count, arena);
	for (size_t i = 0; i < evidence->member_count; i++)
		if (is_shown(evidence, i))
			add(verdict, i, arena, out);
}
