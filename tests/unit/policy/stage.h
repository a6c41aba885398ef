#pragma once
/*
 * A scene for the guard: a service that suffers and a worker that grows, at the limit of the
 * machine or of a cgroup, looked at again and again.
 */
#include "policy/plan.h"

#include "analysis/scene.h"

struct stage {
	struct scene *scene;
	struct guard_config config;
	struct verdict verdict;
	struct plan_input input;
	struct plan plan;
	struct plan_output out;
	struct feedback feedback[FEEDBACK_MAX];
};

/* Act mode, no warm-up, no policy rows; the worker holds 800 MiB of 1000 and grows 20 MiB/s. */
struct stage *stage_new(enum limit_kind kind);
void stage_turn(struct stage *stage, const struct turn *turns);

/* Another look, so many milliseconds later; feedback that was given is used up. */
void stage_next(struct stage *stage, uint64_t later_ms);
void stage_answer(struct stage *stage, enum action_kind kind, enum became outcome, int error);

/* The action of that kind in the last output; NULL for none. */
const struct action *stage_action(const struct stage *stage, enum action_kind kind);
const struct guard_record *stage_record(const struct stage *stage, enum record_kind kind);
