#pragma once
/*
 * Who would act when memory runs short: each guard that is there, with what it looks at.
 */
#include "audit/facts.h"

enum guard_kind {
	GUARD_SYSTEMD_OOMD,
	GUARD_EARLYOOM,
	GUARD_OOMD, /* Meta's */
	GUARD_NOHANG,
	GUARD_REFAULT,
	GUARD_KUBELET, /* eviction */
	GUARD_MIN_TTL, /* MGLRU's min_ttl_ms, the kernel's own */
	GUARD_KINDS,
};
const char *guard_kind_name(enum guard_kind kind);

struct guard_found {
	enum guard_kind kind;
	bool is_running;
	bool is_enabled; /* at the next boot */
	bool acts; /* false: observes only, or can't act (no PSI, no swap where it needs it) */
	uint32_t pid;
	const char *at;	     /* "PSI of memory above 60 % for 30 s", "free memory below 10 %" */
	const char *because; /* why it can't act; NULL */
	const struct config_row *row; /* where its threshold is set; NULL for built in */
};

struct guards {
	struct guard_found guard[GUARD_KINDS];
	size_t count;
	enum state state; /* of the list of processes: DENIED means somebody may be missing */
};
void guards_find(struct facts *facts, struct guards *out);

/* NULL for one that is neither running nor enabled. */
const struct guard_found *guard_of(const struct guards *guards, enum guard_kind kind);

/* It runs, and it can kill. */
bool guard_acts(const struct guards *guards, enum guard_kind kind);

/* What etc/systemd/oomd.conf says; oomd.conf(5), 257. */
struct oomd_settings {
	uint64_t swap_centi;	 /* SwapUsedLimit= */
	uint64_t pressure_centi; /* DefaultMemoryPressureLimit= */
	uint64_t duration_us;	 /* DefaultMemoryPressureDurationSec= */
	const struct config_row *row;
};
void oomd_settings_read(struct facts *facts, struct oomd_settings *out);

/* What systemd-oomd would do about a cgroup; path without leading slash, "" is the top. */
struct oomd_reach {
	const char *pressure_of; /* unit whose pressure is watched; NULL for none */
	const char *rules_of;	 /* unit with OOMRules= (systemd 261); NULL */
	const char *swap_of;	 /* unit whose swap is watched; NULL */
	uint64_t pressure_centi;
	uint64_t duration_us;
	const struct config_row *row; /* that asks for it */
	bool omitted;		      /* ManagedOOMPreference=omit */
};
void oomd_reach_read(struct facts *facts, const struct oomd_settings *settings,
		     const char *path, struct oomd_reach *out);

/* "Service" of "a.service"; "" for what is no unit that can be watched. */
const char *unit_section(const char *unit);

/* earlyoom's arguments: those it runs with, else those of etc/default/earlyoom. */
struct earlyoom {
	uint64_t memory_centi; /* of RAM, free below which it kills */
	uint64_t swap_centi;   /* of swap, free below which it kills; both have to be so */
	bool dry_run;
	enum state state;	      /* of its arguments */
	const struct config_row *row; /* of etc/default/earlyoom; NULL */
};
void earlyoom_read(struct facts *facts, uint32_t pid, struct earlyoom *out);

/*
 * Which unit can stall this machine or itself, who would act, at what, after how long. Of each
 * unit or slice above 5 % of RAM, or with a limit; the machine itself is the first.
 */
#define COVERAGE_ROWS 64
#define COVERAGE_ACTORS 6

struct coverage_actor {
	const char *who;   /* "kernel OOM", "systemd-oomd", "nobody" */
	const char *at;	   /* at what */
	const char *after; /* after how long, with its source in words */
};

struct coverage_row {
	const char *unit; /* path of the cgroup; "" is the machine */
	uint64_t used;	  /* bytes; UINT64_MAX unknown */
	uint64_t high;	  /* UINT64_MAX: no limit */
	uint64_t max;
	uint64_t min;	   /* effective memory.min */
	uint64_t swap;	   /* swap it may use */
	enum state limits; /* of the three above */
	const char
		*shape; /* what a shortage does to it: name of a class of refault-verdicts(7) */
	const char *shape_why;
	struct coverage_actor actor[COVERAGE_ACTORS];
	size_t actors;
	bool nobody; /* nobody acts in time */
};

struct coverage {
	struct coverage_row row[COVERAGE_ROWS];
	size_t rows;
	bool cut;
	enum state state;
};
void coverage_find(struct facts *facts, struct coverage *out);
