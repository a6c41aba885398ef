#pragma once
/*
 * One arm of a scenario, resolved: everything that one run needs to know. Texts and arrays are
 * in the arena of the set it belongs to.
 */
#include "lab/boot/machine.h"
#include "lab/scenario/schema.h"

/* Numbers that are not given are VALUE_UNSET, texts "" . */
struct scenario_machine {
	uint64_t ram, cpus, nodes;
	uint64_t disk_bps, disk_iops, disk_delay;
	uint64_t swap; /* enum swap_kind */
	uint64_t swap_size, swap_own, swap_delay;
	const char *compressor;
	uint64_t zswap_percent;
	const char *cmdline;
	uint64_t wall_limit, scratch;
	const char *root;
};

struct scenario_group {
	const char *name;
	const char *path; /* below the root of all cgroups */
};

struct scenario_load {
	const char *name;
	const struct scenario_group *group;
	const char *program;
	const struct load_kind *kind;
};

enum condition_subject {
#define CONDITION(id, word, argument, unit, example, help) CONDITION_##id,
#include "lab/scenario/conditions.def"
	CONDITIONS
};

/* What a phase waits for: CONDITIONS is nothing. */
struct scenario_condition {
	enum condition_subject subject;
	const char *argument; /* of the plan: a load's name, a cgroup's path, a node; "" none */
	char comparison;      /* '<' or '>'; 0 with killed */
	uint64_t number;
};

struct scenario_phase {
	const char *name;
	const char *start, *stop;     /* names of loads, with blanks between them */
	const char *suspend, *resume; /* of disks */
	struct scenario_condition until;
	uint64_t limit_us;
	uint64_t wait_us; /* VALUE_UNSET: not at all */
};

struct scenario_truth {
	const char *class;
	const char *domain, *sufferer, *culprit; /* "machine", paths of cgroups, "" nobody */
	const char *sufferer_process, *culprit_process;
	const char *onset; /* a phase, or "harm" */
	uint64_t deadline_us;
	const char *expect_kill;
	const char *kill; /* loads, "none", or "" */
};

struct scenario_measure {
	const char *from; /* a phase */
	const char *service, *leak, *prober, *guard, *guard_group, *figures;
};

/* A published number; both are the same unless it is a range. In bytes, seconds, percent. */
struct scenario_anchor {
	const char *figure;
	const char *text;
	double low, high; /* infinite where "< 5" and "> 5" leave it open; both NAN: "none" */
};

struct scenario {
	const char *name, *arm, *arm_title;
	const char *title, *about, *source, *anchor_source, *id, *tags, *kernels;
	uint64_t base; /* other arms are measured against it */
	uint64_t interval_us;
	struct scenario_machine machine;
	struct scenario_group *group;
	struct scenario_load *load;
	struct scenario_phase *phase;
	struct scenario_anchor *anchor;
	size_t groups, loads, phases, anchors;
	struct scenario_truth truth;
	struct scenario_measure measure;
	struct settings settings; /* what it was made of */
};

/* Fills out from its settings, checks all of them. 0, -EINVAL with the error, or -ENOMEM. */
must_check int scenario_resolve(const struct settings *settings, struct scenario *out,
				struct lab_error *error);

const struct scenario_load *scenario_load_find(const struct scenario *scenario,
					       struct span name);
const struct scenario_group *scenario_group_find(const struct scenario *scenario,
						 struct span name);
const struct scenario_phase *scenario_phase_find(const struct scenario *scenario,
						 const char *name);

/* True when the blank-separated list has the word. */
bool words_have(const char *list, const char *word);
