#pragma once
/*
 * A calm machine with one service below the top, and what is said of it when something differs.
 */
#include "made.h"

#define SERVICE 1
#define SECONDS 5

/* Everything is known and nothing happens. */
struct snapshot *calm_machine(void);

/* Five seconds later: the machine is short, and the service re-reads and loses that much. */
struct snapshot *freeze_later(const struct snapshot *before, uint64_t percent);

/* With a snapshot half way between them. */
const struct verdict *verdict_between(const struct snapshot *before,
				      const struct snapshot *now);
const char *class_between(const struct snapshot *before, const struct snapshot *now);
