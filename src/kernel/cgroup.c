#include "kernel/cgroup.h"

#include <errno.h>

#include "kernel/keyed.h"
#include "kernel/psi.h"
#include "kernel/value.h"

enum reader {
	READ_NONE,
	READ_STAT,
	READ_EVENTS,
	READ_KEYED,
	READ_PSI,
	READ_IO,
	READ_VALUE,
	READ_FLAG,
};

struct file {
	const char *name;
	enum reader reader;
	size_t first; /* slots [first, end) are the file's */
	size_t end;
};

#define PSI_FILE(name, first)                             \
	{                                                 \
		name, READ_PSI, first, (first) + PSI_ROWS \
	}
#define ONE(name, reader, id)              \
	{                                  \
		name, reader, id, (id) + 1 \
	}

/*
 * memory.stat comes first: reading it tells whether the cgroup is still there, and whether it
 * has the memory controller.
 */
static const struct file V2_FILES[] = {
	{ "memory.stat", READ_STAT, CG_STAT_BASE, CG_EVENTS_BASE },
	{ "memory.events.local", READ_EVENTS, CG_EVENTS_BASE, CG_FILE_BASE },
	ONE("memory.current", READ_VALUE, CG_CURRENT),
	ONE("memory.peak", READ_VALUE, CG_PEAK),
	ONE("memory.max", READ_VALUE, CG_MAX),
	ONE("memory.high", READ_VALUE, CG_HIGH),
	ONE("memory.low", READ_VALUE, CG_LOW),
	ONE("memory.min", READ_VALUE, CG_MIN),
	ONE("memory.swap.current", READ_VALUE, CG_SWAP_CURRENT),
	ONE("memory.swap.max", READ_VALUE, CG_SWAP_MAX),
	ONE("memory.swap.high", READ_VALUE, CG_SWAP_HIGH),
	ONE("memory.oom.group", READ_FLAG, CG_OOM_GROUP),
	PSI_FILE("memory.pressure", CG_MEM_SOME_AVG10),
	PSI_FILE("io.pressure", CG_IO_SOME_AVG10),
	PSI_FILE("cpu.pressure", CG_CPU_SOME_AVG10),
	{ "io.stat", READ_IO, CG_IO_BASE, CGROUP_FIELDS },
	{ "cpu.stat", READ_KEYED, CG_CPU_USAGE, CG_PSI_BASE },
	{ "cgroup.events", READ_KEYED, CG_POPULATED, CG_DYING },
	{ "cgroup.stat", READ_KEYED, CG_DYING, CG_CPU_USAGE },
	ONE("cgroup.pressure", READ_FLAG, CG_PRESSURE),
};

static const struct file V1_FILES[] = {
	{ "memory.stat", READ_STAT, CG_STAT_BASE, CG_EVENTS_BASE },
	ONE("memory.usage_in_bytes", READ_VALUE, CG_CURRENT),
	ONE("memory.max_usage_in_bytes", READ_VALUE, CG_PEAK),
	ONE("memory.limit_in_bytes", READ_VALUE, CG_MAX),
	ONE("memory.memsw.limit_in_bytes", READ_VALUE, CG_MEMSW_MAX),
	ONE("memory.failcnt", READ_VALUE, CG_FAILCNT),
};

_Static_assert(ARRAY_LEN(V2_FILES) < CGROUP_SLOTS, "one slot more is kept for memory.events");

/* Where a cgroup has no memory.events.local (before 5.2), memory.events counts its children
 * too. */
#define EVENTS_SLOT (CGROUP_SLOTS - 1)

static const struct {
	const struct file *files;
	size_t count;
	size_t of_controller; /* so many of them, from the first on, come and go with it */
	const struct key_table *stat;
} HIERARCHIES[] = {
	[HIERARCHY_V2] = { V2_FILES, ARRAY_LEN(V2_FILES), 12, &CGROUP_STAT_KEYS },
	[HIERARCHY_V1_MEMORY] = { V1_FILES, ARRAY_LEN(V1_FILES), 0, &CGROUP_STAT_V1_KEYS },
};

void cgroup_files_init(struct cgroup_files *files, enum hierarchy hierarchy)
{
	files->hierarchy = hierarchy;
	for (size_t i = 0; i < CGROUP_SLOTS; i++)
		files->slot[i] = SLOT_EMPTY;
}

void cgroup_files_close(struct cgroup_files *files)
{
	for (size_t i = 0; i < CGROUP_SLOTS; i++)
		slot_close(&files->slot[i]);
}

void cgroup_files_retry(struct cgroup_files *files)
{
	for (size_t i = 0; i < CGROUP_SLOTS; i++)
		if (files->slot[i] < 0)
			files->slot[i] = SLOT_EMPTY;
}

static const char *const IO_KEYS[] = { "rbytes", "wbytes", "rios", "wios" };

static void io_add(struct span word, struct numbers out)
{
	struct span key;
	struct span text;
	uint64_t value;

	if (!span_split(word, '=', &key, &text))
		return;
	for (size_t i = 0; i < ARRAY_LEN(IO_KEYS); i++) {
		size_t id = CG_IO_BASE + i;

		if (!span_eq(key, IO_KEYS[i]))
			continue;
		if (span_u64(text, &value) < 0 ||
		    __builtin_add_overflow(out.value[id], value, &out.value[id]))
			out.state[id] = GARBLED;
		return;
	}
}

void cgroup_io_parse(struct span text, struct numbers out)
{
	struct span line;
	struct span word;

	for (size_t id = CG_IO_BASE; id < CGROUP_FIELDS; id++)
		number_set(out, id, 0);
	while (span_line(&text, &line))
		while (span_word(&line, &word))
			io_add(word, out);
}

static void file_parse(const struct file *file, const struct key_table *stat, struct span text,
		       struct numbers out)
{
	switch (file->reader) {
	case READ_STAT:
		keyed_parse(text, stat, out);
		break;
	case READ_EVENTS:
		keyed_parse(text, &CGROUP_EVENTS_KEYS, out);
		break;
	case READ_KEYED:
		keyed_parse(text, &CGROUP_KEYED_KEYS, out);
		break;
	case READ_PSI:
		psi_parse(text, file->first, out);
		break;
	case READ_IO:
		cgroup_io_parse(text, out);
		break;
	case READ_VALUE:
		value_parse_as(text, FORM_U64, file->first, out);
		break;
	case READ_FLAG:
		value_parse_as(text, FORM_FLAG, file->first, out);
		break;
	case READ_NONE:
		break;
	}
}

/* cgroup.pressure=0 takes the pressure files away: they are switched off, not missing. */
static void mark_disabled(struct numbers out)
{
	if (out.state[CG_PRESSURE] != OK || out.value[CG_PRESSURE] != 0)
		return;
	for (size_t id = CG_PSI_BASE; id < CG_IO_BASE; id++)
		out.state[id] = DISABLED;
}

int cgroup_read(const struct root *root, const char *directory, struct cgroup_files *files,
		struct buffer buffer, struct numbers out)
{
	static const struct file events = { "memory.events", READ_EVENTS, CG_EVENTS_BASE,
					    CG_FILE_BASE };
	const size_t of_controller = HIERARCHIES[files->hierarchy].of_controller;
	struct span text;

	files->local_events = true;
	for (size_t i = 0; i < HIERARCHIES[files->hierarchy].count; i++) {
		const struct file *file = &HIERARCHIES[files->hierarchy].files[i];
		int r = root_read_kept(root, &files->slot[i], ROOT_FILE(directory, file->name),
				       buffer, &text);

		if (r == -ENOENT && file->reader == READ_EVENTS) {
			files->local_events = false;
			file = &events;
			r = root_read_kept(root, &files->slot[EVENTS_SLOT],
					   ROOT_FILE(directory, file->name), buffer, &text);
		}
		if (r == -ENODEV)
			return r;
		/* A thousand cgroups without memory would cost ten thousand vain look-ups. */
		if (r == -ENOENT && i == 0 && of_controller > 0 && root->kind == ROOT_LIVE)
			i = of_controller - 1;
		if (r < 0)
			numbers_fail(out, file->first, file->end, r);
		else
			file_parse(file, HIERARCHIES[files->hierarchy].stat, text, out);
	}
	mark_disabled(out);
	return 0;
}
