#pragma once
/*
 * A load: one process that does one thing, as a row of loads.def says.
 */
#include "guest/kinds.h"
#include "guest/moment.h"
#include "guest/progress.h"

struct load {
	enum kind_id kind;
	struct args args;
	struct progress *progress;
	uint64_t seed;
	char program[64]; /* whose code this is: /data/code/PROGRAM */
	bool is_bound;	  /* its memory comes from one NUMA node */
	uint64_t node;
};

#define LOAD(name, ...) void load_##name(struct load *load);
#include "guest/loads.def"

/* An argument of the load's own kind. */
static inline uint64_t arg(const struct load *load, enum arg_id id)
{
	return load->args.number[id];
}

/* Says why in the progress file, which pid 1 reads, and ends with status 1. */
_Noreturn void load_fail(struct load *load, const char *what, int error);

/* The rest of the load's life: it keeps what it has. */
_Noreturn void load_hold(void);

/* KIND [KEY=VALUE]..., as pid 1 starts it; the exit status. */
int load_main(int count, char **words);
