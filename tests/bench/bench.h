#pragma once
/*
 * Figures: what the program costs on this machine, each beside its goal and beside what the
 * barest program that reads the same would cost. Times are CPU time, so that a busy neighbour
 * disturbs them less, and medians of interleaved runs.
 */
#include "base/macro.h"

void figure_plain(const char *name, double value, const char *unit);
void figure_skip(const char *name, const char *reason);

/* At most the goal, or the benchmark fails. */
void figure_goal(const char *name, double value, const char *unit, double goal);

/* Compared with a floor or a peer: "floor pread". */
void figure_beside(const char *name, double value, const char *unit, const char *beside,
		   double beside_value);

/* What the command line says. */
struct setup {
	const char *program;   /* refault */
	const char *recording; /* whose cgroups are multiplied for a replay */
	const char *reboot;    /* the pid 1 of the barest guest */
	const char *guard;     /* refault-guard; NULL is not measured */
	const char *json;      /* where the figures go as well; NULL is nowhere */
	char folder[256];      /* for files; removed in the end */
};

/* One file each; a row of the table in bench.c. */
void bench_sweep(const struct setup *setup);
void bench_replay(const struct setup *setup);
void bench_lab(const struct setup *setup);
void bench_check(const struct setup *setup);
void bench_guard(const struct setup *setup);
void bench_parse(const struct setup *setup);

/* CPU time of this process. */
double cpu_us(void);

/* Sorts in place. */
double median_of(double *values, size_t count);

/* Calls of malloc, calloc, realloc, mmap and mprotect so far: count.c stands before libc's. */
extern uint64_t allocations;

/* Ends the program with a sentence. */
_Noreturn void give_up(const char *what, int error);
