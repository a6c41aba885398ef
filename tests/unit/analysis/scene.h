#pragma once
/*
 * Evidence that is made by hand, for the rules: one domain, and in it a service that suffers
 * and a worker that grows. Every number of it is a knob, so that a case of a rule is a row: a
 * sentence, the knobs that differ, and what the rule then says.
 */
#include "analysis/rules.h"

enum knob {
	NO_KNOB, /* ends a list */
	LOSS,	 /* lower bound of the service's, which suffers most in the domain */
	LOSS_UPPER,
	BYSTANDER_LOSS,
	LIMIT,
	SUFFERER, /* the index of a member, or -1 */
	CULPRIT,
	GROWTH, /* of the worker */
	GROWTH_RECENT,
	GROWTH_LONG,
	GROWTH_LEVEL,
	GROWTH_RISING,
	BELOW_PEAK,
	COLLAPSED,		/* the service's mapped set has */
	OUTSIDE_COLLAPSED_LOSS, /* that of a cgroup beside the domain has, and it loses this */
	UNDERCOUNTED,		/* MGLRU of 6.1 */
	UNDERSTATED,		/* from 7.2 */
	FRAMES,
	SECONDS,
	KERNEL_RATE, /* of the machine */
	SHMEM_RATE,
	GROWN_RATE,
	NODE0_FREE, /* in MiB, as the watermarks */
	NODE0_LOW,
	NODE0_HIGH,
	NODE1_FREE,
	NODE1_LOW,
	NODE1_HIGH,
	KNOBS,
};

/* Signals are knobs too: of the domain, of the machine around it, of the service. */
#define S(name) (KNOBS + SIG_##name)
#define MACHINE(name) (KNOBS + SIGNALS + SIG_##name)
#define SERVICE(name) (KNOBS + 2 * SIGNALS + SIG_##name)

struct turn {
	int knob;
	double value; /* NAN: unknown */
};
#define TURNS_MAX 24

#define SCENE_APP 0
#define SCENE_SERVICE 1
#define SCENE_WORKER 2
#define SCENE_OUTSIDE 3
#define SCENE_MEMBERS 4

struct scene {
	struct evidence evidence;
	struct domain domain;
	struct member members[SCENE_MEMBERS];
	struct snapshot snapshot;
	struct window window;
	struct zones zones;
	struct cgroup cgroups[SCENE_MEMBERS];
};

/* All numbers unknown: the machine, or the cgroup "app" at that limit. */
struct scene *scene_new(enum limit_kind kind);
void scene_turn(struct scene *scene, const struct turn *turns);

const struct rule *rule_of(enum verdict_class class);

struct rule_case {
	const char *when;
	struct turn turns[6];
	enum outcome outcome;
};

/* The base hits; each case is the base but for its turns. */
void rule_check(enum verdict_class class, enum limit_kind kind, const struct turn *base,
		const struct rule_case *cases, size_t count);
