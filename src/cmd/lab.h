#pragma once
/*
 * The lab's actions. They join what the lab measured with what refault says of it.
 */
#include "cmd/cmd.h"
#include "lab/error.h"

#define SETTINGS_MAX 64
#define KERNELS_MAX 8
#define OPERANDS_MAX 256

struct lab_options {
	const char *operand[OPERANDS_MAX]; /* behind the action */
	size_t operands;
	const char *setting[SETTINGS_MAX]; /* --set KEY=VALUE */
	size_t settings;
	const char *kernel[KERNELS_MAX];
	size_t kernels;
	const char *arm; /* a glob of arms; NULL is all */
	const char *output;
	uint64_t repeats;
	uint64_t seed;
	bool has_seed;
	bool quick;
	bool force;
	bool resume;
	bool json;
};

/* EXIT_NOT_MEASURED after one sentence: that of the error, or else of r about what is named. */
int lab_not_measured(const char *name, int r, const struct lab_error *error);

/* A new action: its word here, a function action_WORD(), its paragraph in refault-lab(1). */
#define LAB_ACTIONS(X)                                                             \
	X(list, "", "the scenarios there are")                                     \
	X(show, "SCENARIO", "what a scenario does, and what it is compared with")  \
	X(run, "SCENARIO…", "boot a guest for each arm, and say what it cost")     \
	X(table, "RUN", "the table of runs that are there")                        \
	X(kernels, "[fetch NAME…]", "the kernels there are, and what each can do") \
	X(report, "RUN…", "one page of what happened, with time courses")          \
	X(compare, "RUN RUN", "two runs, figure by figure")                        \
	X(verify, "[SCENARIO…]", "is each verdict right? the confusion matrix")    \
	X(judge, "RUN…", "the same for runs that are there")                       \
	X(fixture, "RUN NAME", "shorten a run to a recording with its truth")

#define X(name, operands, summary) int action_##name(const struct lab_options *options);
LAB_ACTIONS(X)
#undef X
