#pragma once
/*
 * What the line form and the full screen of refault watch have in common: one verdict after the
 * other, and when to stop.
 */
#include "analysis/window.h"
#include "cmd/cmd.h"

struct watch_options {
	struct common common;
	uint64_t duration_us;
	uint64_t count; /* 0 has no end */
	const char *cgroup;
	bool lines;
};

struct watch {
	const struct watch_options *options; /* borrowed */
	struct session session;
	struct window window;
	struct arena arena; /* owned: the evidence */
	struct evidence evidence;
	struct verdict verdict;
	uint64_t verdicts;
	int status;    /* of the last verdict */
	sigset_t mask; /* the signals that were blocked before */
	bool hung_up;  /* the terminal is gone */
};

/* 0, or an exit status after one sentence. */
must_check int watch_open(const struct watch_options *options, struct watch *out);
void watch_close(struct watch *watch);

/* Takes a sample and judges: 0, SESSION_END or -errno. */
must_check int watch_next(struct watch *watch);

/* One sample makes no verdict yet. */
bool watch_has_verdict(const struct watch *watch);

/* There were as many verdicts as were asked for, or somebody wants an end. */
bool watch_is_over(const struct watch *watch);

/* The exit status, after a sentence if need be; r is what watch_next() returned. */
int watch_status(const struct watch *watch, int r);

/* Both return an exit status. The screen falls back to lines where it can't have a terminal. */
int watch_in_lines(struct watch *watch);
int watch_on_screen(struct watch *watch);
