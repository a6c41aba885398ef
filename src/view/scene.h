#pragma once
/*
 * What the full screen shows, copied from a verdict: it stays as it is while the window moves
 * on, so a frozen screen can still be sorted, filtered and scrolled.
 */
#include "view/history.h"
#include "view/rows.h"

/* "suffers", and who and how much. */
struct saying {
	const char *label;
	char text[512];
};

enum say {
	SAY_WHERE,
	SAY_SUFFERS,
	SAY_CAUSED,
	SAY_NEXT,
	SAY_NOW,
	SAYINGS,
};

#define REPORT_SIZE 32768

struct scene {
	struct arena arena; /* owned: the tables */
	bool is_filled;
	bool is_judged; /* two samples at least */
	enum severity severity;
	char machine[512];
	char clock[32];
	char headline[512];
	struct saying say[SAYINGS];
	char report[REPORT_SIZE]; /* the verdict as refault diagnose prints it */
	struct table cgroups;
	struct table tasks;
	enum state tasks_state;
	int32_t *parent; /* of every cgroup of the snapshot, for who is below whom */
	size_t parents;
	double total_bytes;
	size_t moments; /* of the history, when it was taken */
};

/* 0 or -ENOMEM. */
must_check int scene_init(struct scene *scene);
void scene_done(struct scene *scene);
void scene_take(struct scene *scene, const struct verdict *verdict,
		const struct history *history);

/* True when the process is in that cgroup or below it. */
bool scene_has_task(const struct scene *scene, const struct row *cgroup,
		    const struct row *task);
