#pragma once
/*
 * Where somebody is in the full screen: the page, the cursor, the order and the filter. Knows
 * nothing of a terminal.
 */
#include "view/scene.h"

enum page {
	PAGE_CGROUPS,
	PAGE_TASKS,
	TABLE_PAGES,
	PAGE_VERDICT = TABLE_PAGES, /* sheets of text, laid over a table */
	PAGE_HELP,
};

enum action {
	ACT_NONE,
	ACT_QUIT,
	ACT_PAUSE,
	ACT_SORT_LEFT,
	ACT_SORT_RIGHT,
	ACT_FILTER,
	ACT_OPEN,
	ACT_BACK,
	ACT_CLEAR,
	ACT_VERDICT,
	ACT_ZOOM_IN,
	ACT_ZOOM_OUT,
	ACT_UP,
	ACT_DOWN,
	ACT_PAGE_UP,
	ACT_PAGE_DOWN,
	ACT_FIRST,
	ACT_LAST,
	ACT_HELP,
	ACTIONS,
};

/* How a table is looked at. */
struct look {
	size_t sort;
	char glob[128];
	bool is_held; /* the cursor stays with a row, wherever that goes */
	uint64_t id;
	uint64_t generation;
	size_t at;  /* the cursor: the nth of the rows that are shown */
	size_t top; /* the first row on the screen */
};

/* Steps in which the plots reach back further. */
#define ZOOMS 7

struct browse {
	enum page page;
	enum page under; /* the table below a sheet */
	struct look look[TABLE_PAGES];
	size_t height;	 /* rows of the table, or of the sheet, that the screen has */
	size_t scrolled; /* lines of the sheet that are above the screen */
	size_t lines;	 /* of the sheet */
	size_t zoom;
	bool is_typing; /* the filter */
	bool is_paused;
	bool is_done;
	uint64_t opened_id; /* the cgroup whose processes are shown */
	uint64_t opened_generation;
};

void browse_init(struct browse *browse);
void browse_act(struct browse *browse, struct scene *scene, enum action action);

/* A character for the filter; backspace takes one away. */
void browse_type(struct browse *browse, struct scene *scene, struct span character);
void browse_erase(struct browse *browse, struct scene *scene);

/* Puts the rows in order again, after any change of the browse or of the scene. */
void browse_refresh(struct browse *browse, struct scene *scene);

struct table *browse_table(const struct browse *browse, struct scene *scene);

/* The cgroup whose processes are shown; NULL when it is gone. */
const struct row *browse_opened(const struct browse *browse, const struct scene *scene);

/* How many moments of the history a column of the plots stands for. */
size_t browse_each(const struct browse *browse);
