#pragma once
/*
 * A table of cgroups or of processes: the numbers of each row are copied from a verdict, so
 * that it can be sorted, filtered and shown while the verdict behind it has gone.
 */
#include "analysis/evidence.h"
#include "base/sort.h"
#include "view/cell.h"

#define COLUMNS_MAX 10

/* index is that of a cgroup or of a process of the newest snapshot. */
struct column {
	const char *title;
	size_t width;
	struct cell (*cell)(const struct evidence *evidence, size_t index);
	cell_format *format;
	const char *help; /* what it is, its unit, and where it comes from */
};

struct layout {
	const char *name_title;
	const char *name_help;
	const struct column *column;
	size_t columns;
	size_t name_at; /* the name stands before this column */
	size_t sort;	/* the column to begin with */
	size_t tie;	/* decides where two rows are alike in that */
};

enum mark {
	MARK_SUFFERS = 1,
	MARK_CAUSES = 2,
};

struct row {
	uint64_t id;
	uint64_t generation; /* with id the identity: the hierarchy, or when it was started */
	const char *path;    /* as the kernel has it; what a filter looks at */
	const char *name;    /* as it is shown */
	int32_t index;	     /* in the snapshot */
	int32_t owner[2];    /* of a process: its cgroup in v2 and in v1, or -1 */
	unsigned int marks;  /* enum mark, several */
	struct cell cell[COLUMNS_MAX];
};

/* All rows, and those to be shown in their order. */
struct table {
	const struct layout *layout;
	struct row *row;
	size_t rows;
	size_t room;
	struct sort_key *order;
	size_t shown;
	size_t sort;   /* the column they are sorted by */
	size_t widest; /* of their names */
	bool cut;      /* there are more than there was room for */
};

/* An empty table with room for that many rows; it stays empty when the arena is full. */
void table_init(struct table *table, const struct layout *layout, size_t rows,
		struct arena *arena);

/* A row with its numbers; NULL when there is no room. */
struct row *table_add(struct table *table, const struct evidence *evidence, size_t index);

/* Which rows are shown. */
struct query {
	const char *glob; /* without any of *?[ it may stand anywhere in the path; "" is all */
	size_t sort;	  /* by this column, the largest first, unknown ones last */
	bool (*has)(const void *context, const struct row *row); /* NULL is all */
	const void *context;
};
void table_query(struct table *table, const struct query *query);

/* The nth of the rows that are shown. */
static inline const struct row *table_row(const struct table *table, size_t n)
{
	return &table->row[table->order[n].index];
}

/* The place of that row among those that are shown; table->shown when it is not there. */
size_t table_find(const struct table *table, uint64_t id, uint64_t generation);

/* What a line of so many characters has room for: the name, and columns from the left. */
struct fitting {
	size_t name_width;
	size_t columns;
	size_t gap; /* blanks before a column */
};
struct fitting table_fit(const struct table *table, size_t width);
void table_title(const struct table *table, const struct fitting *fitting, struct text *out);
void table_line(const struct table *table, const struct fitting *fitting, const struct row *row,
		struct text *out);
