#pragma once
/*
 * A finished run as time courses: what its directory holds, read once, into arrays. All of it
 * is foreign text, since a run directory can be packed and sent.
 */
#include "base/mem.h"
#include "base/span.h"
#include "guest/slot_kind.h"
#include "lab/error.h"
#include "lab/figures/point.h"

/* A service in the machine: the numbers of one cgroup, one column for each frame. */
struct group {
	const char *name; /* of the scenario, "api" */
	const char *path; /* "system.slice/api.service" */
	double *value[GROUP_POINTS];
};

enum load_point {
	LOAD_DUE,     /* slots that have begun */
	LOAD_DONE,    /* of these, done */
	LOAD_LATE,    /* of these, after the next one was due */
	LOAD_LONGEST, /* the longest delay so far, seconds */
	LOAD_SIZE,    /* bytes that it holds, or has moved */
	LOAD_POINTS,
};

/* One job of a load, as it was due. All times are the guest's, since its boot. */
struct slot {
	enum slot_kind kind;
	uint64_t due_us;
	uint64_t begun_us; /* 0 never */
	uint64_t done_us;  /* 0 never */
	uint64_t value;
	uint64_t faults;
};

enum load_end {
	LOAD_RUNS,    /* until the run ended */
	LOAD_STOPPED, /* by the scenario */
	LOAD_EXITED,
	LOAD_KILLED,
};

struct load {
	const char *name;
	const char *kind;	   /* "service" */
	const struct group *group; /* NULL unknown */
	size_t rows;		   /* of loads.tsv that are about it */
	uint64_t *at_us;
	double *value[LOAD_POINTS];
	struct slot *slot; /* as the guest listed them */
	size_t slots;
	bool has_slots; /* their file is there */
	enum load_end end;
	uint64_t ended_us; /* 0 unless it ended */
};

struct mark {
	uint64_t at_us;
	const char *kind;
	const char *text;
};

#define GROUPS_MAX 64
#define LOADS_MAX 64
#define MARKS_MAX 65536
#define SLOTS_MAX 1000000

struct series {
	struct arena arena;   /* owned: everything below */
	struct span run;      /* run.ini */
	struct span scenario; /* scenario.ini */
	struct span kmsg;     /* kmsg.log; empty where it was not kept */
	size_t frames;
	uint64_t *at_us;
	double *at; /* seconds since the measured part began; below 0 is the warm-up */
	double *value[POINTS];
	struct group group[GROUPS_MAX];
	size_t groups;
	struct load load[LOADS_MAX];
	size_t loads;
	struct mark *mark; /* in the order of time */
	size_t marks;
	uint64_t page_bytes;
	bool measured;	      /* the measured part began */
	uint64_t measured_us; /* when; where it did not, when the first frame was taken */
	uint64_t end_us;      /* of the run, as far as anything says */
};

/* 0 or -errno with a sentence; series_done() in any case. */
must_check int series_open(const char *directory, struct series *out, struct lab_error *error);
void series_done(struct series *series);

const struct load *series_load(const struct series *series, struct span name);

/* The load that [measure] names by this key; NULL when it names none that is there. */
const struct load *series_measured_load(const struct series *series, const char *key);

/* The cgroup of a guard that no load is: measure.guard_group; NULL without. */
const struct group *series_guard_group(const struct series *series);

/* The scenario came to where it is started. */
bool load_is_started(const struct series *series, const struct load *load);

/* The row of a load that says how it was then: the last one not after it. False before all. */
bool load_row(const struct load *load, uint64_t at_us, size_t *out);

/* Frames in a stretch of time; first > last when there is none. */
struct frame_range {
	size_t first;
	size_t last;
};
struct frame_range series_frames(const struct series *series, uint64_t from_us, uint64_t to_us);

/*
 * The guest takes a last frame when it ends, whenever that is: what happened in a moment says
 * nothing about a rate.
 */
bool series_is_apart(const struct series *series, struct frame_range frames);

/*
 * How much a counter rose from the first to the last frame; NAN when it is not known at both
 * ends, when it went back in between, or when these are fewer than two frames.
 */
double series_rise(const double *value, struct frame_range frames);

/* The same a second. */
double series_rate(const struct series *series, const double *value, struct frame_range frames);
