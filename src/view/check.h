#pragma once
/*
 * How an audit is shown: one row for each format. Exit statuses are cmd/'s, the same for all
 * but nagios and npd, which have contracts of their own.
 */
#include "audit/audit.h"
#include "audit/guards.h"
#include "audit/waiver.h"

#define CHECK_SCHEMA "refault.check/1"

struct check_view {
	const struct audit *audit; /* sorted */
	const struct coverage *coverage;
	const struct facts *facts;
	const struct waivers *waivers;
	enum level least;   /* what is less is only counted, in text */
	enum level fail_on; /* findings at or above it make the exit status 1 */
	bool all;	    /* passes and skips too, in text */
	bool color;
	size_t width; /* columns; 0 is no terminal */
};

struct check_format {
	const char *name; /* "json": its option is --json */
	void (*print)(FILE *file, const struct check_view *view);
	/* The exit status of formats with a contract of their own; NULL for the others. */
	int (*status)(const struct check_view *view, bool unknown);
};

/* The first is the text for people. */
#define CHECK_FORMATS 7
extern const struct check_format CHECK_FORMAT[CHECK_FORMATS];
