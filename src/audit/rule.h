#pragma once
/*
 * A rule is one row: what it says for ever, and the function that looks. Rows stand in tables
 * by topic (rules_swap.c …); rules.h lists the tables.
 */
#include "base/macro.h"

/* How much it matters; also how a result is sorted. */
enum level {
	LEVEL_INFO, /* context that changes the meaning of others */
	LEVEL_LOW,  /* hygiene */
	LEVEL_MED,  /* measurable latency, or a missing safety net */
	LEVEL_HIGH, /* likely outage or stall under pressure */
	LEVEL_CRIT, /* known shape of a hang */
};
const char *level_name(enum level level);

/* Evidence behind a rule; C alone (one vendor's opinion) is never above LEVEL_LOW. */
enum grade {
	GRADE_A, /* document or source of the kernel, systemd, Kubernetes or the vendor */
	GRADE_B, /* a measurement */
	GRADE_C, /* convention */
};

struct audit;

struct rule {
	const char *id;	   /* "SWAP-001": for ever */
	const char *title; /* what is wrong when it fires; no full stop */
	enum level level;  /* base; a result may have another */
	enum grade grade;
	const char *scope;   /* "host", "unit", "swap device", "kubernetes node", "process" */
	const char *reads;   /* files, for people: "/proc/swaps, /proc/meminfo" */
	const char *why;     /* sentences, with numbers where there are some */
	const char *unless;  /* what must be true to avoid a false alarm; may be NULL */
	const char *fix;     /* what to set and where, in words */
	const char *revert;  /* in words */
	const char *source;  /* documents and files with versions; "; " between them */
	const char *checked; /* "2026-12-01": when the sources were read */
	/*
	 * Emits results (audit.h). One that emits none has passed. It reads by way of facts
	 * only, asks no clock, writes nothing.
	 */
	void (*test)(struct audit *audit);
};

/* A table of rows. */
struct rules {
	const struct rule *rule;
	size_t count;
};
