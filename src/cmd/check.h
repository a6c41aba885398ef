#pragma once
/*
 * One run of refault check, and the parts of the command that have a file of their own.
 */
#include "audit/waiver.h"
#include "cmd/cmd.h"
#include "view/check.h"

struct check_options {
	struct common common;
	const struct check_format *format;
	const char *pattern[64]; /* rules by id or glob; none: all */
	size_t patterns;
	const char *skip[64];
	size_t skips;
	const char *roles;
	const char *save;
	enum level least;
	enum level fail_on;
	bool all;
	bool list;
	bool strict;
	bool fix;
	bool revert;
	bool dry_run;
};

struct check_run {
	struct check_options options;
	struct session session;
	struct arena samples; /* the snapshot */
	struct arena arena;   /* facts and results */
	struct snapshot *snapshot;
	struct facts facts;
	struct audit audit;
	struct coverage coverage;
	struct waivers waivers;
};

/* What refault protect has measured, as facts. check_measured.c */
void check_measured(struct check_run *run);

/* check --fix and --revert: an exit status. check_fix.c */
int check_fix(struct check_run *run);
int check_revert(const struct check_options *options);

/* check diff A.json B.json: an exit status. check_diff.c */
int check_diff(int argc, char **argv);
