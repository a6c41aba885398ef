#pragma once
/*
 * The report of one or more runs: one HTML page that needs nothing else to be looked at. What
 * it shows comes as plain data, so that it knows neither run directories nor the guest.
 *
 * All text may be hostile: it is escaped where it is written. NULL is the same as "".
 */
#include "base/span.h"

enum page_panel {
#define PANEL(id, ...) PAGE_##id,
#include "lab/page/panels.def"
#undef PANEL
	PAGE_PANELS,
};

struct page_series {
	enum page_panel panel; /* the first of a panel is the one that runs are compared by */
	const char *label;
	bool reference;	     /* what the others are held against, as a watermark is */
	const double *value; /* one for each sample of the run, in base units; NAN: not known */
};

struct page_event {
	double at_s;
	const char *kind; /* as in marks.tsv; "phase", "start", "stop" and "ended" are drawn */
	const char *text;
};

struct page_fact {
	const char *name;
	const char *text;
};

enum page_mark {
	PAGE_UNMARKED,
	PAGE_HOLDS,
	PAGE_FAILS,
};

struct page_figure {
	const char *name; /* the column, the same in all runs: "ticks done" */
	const char *help;
	const char *value;  /* "28 %" */
	const char *anchor; /* the published value */
	enum page_mark mark;
};

struct page_run {
	const char *title; /* names the run among the others: "20 MB/s, no swap, 2nd" */
	const char *scenario, *arm, *kernel;
	const char *accelerator; /* "kvm", "tcg" */
	const char *status;	 /* as in run.ini */
	const char *reason;	 /* for that status */
	const char *verdict;	 /* what refault diagnose says, in a sentence or two */
	const char *begun;
	const char *command; /* that repeats it */
	const char *config;  /* scenario.ini */
	const struct page_fact *fact;
	size_t facts; /* of host and guest: processor, QEMU, load, calibration */
	const struct page_figure *figure;
	size_t figures;
	const struct page_event *event; /* in the order of time */
	size_t events;
	const double *time_s; /* rising; 0 is where the measured part begins */
	size_t samples;
	const struct page_series *series;
	size_t series_count;
	double pressure_from_s, pressure_to_s; /* NAN: there was none */
};

struct page {
	const char *title;
	const char *note; /* how the figures are defined, and where the anchors come from */
	const struct page_run *run;
	size_t runs;
};

/* What page_write() fills; empty in a build without it (-Dreport). Made by tools/build-page. */
struct span page_template(void);

/* 0, -ENOTSUP when the template is empty, -ENOMEM, or -EIO when not all was written. */
must_check int page_write(FILE *out, const struct page *page, struct span template);
