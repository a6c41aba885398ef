#pragma once
/*
 * The plan of a run: one step for each line, carried out in order by the guest's pid 1. Pure:
 * the host checks with the same code what it hands over.
 */
#include "base/span.h"

enum verb {
#define VERB(id, ...) VERB_##id,
#include "guest/plan.def"
	VERBS,
};

#define STEP_WORDS 6

/* What stands at the large words of the grammar, and at its choices, in their order. */
struct step {
	enum verb verb;
	struct span line;
	struct span word[STEP_WORDS]; /* borrowed */
	uint64_t number[STEP_WORDS];  /* of a NUMBER, or which of the choices */
	int64_t integer;	      /* the INTEGER, of which a line has at most one */
};

/* One line. 0, -ENOENT when no verb is written so, -EINVAL when something behind it is wrong.
 */
must_check int plan_parse(struct span line, struct step *out);

/* The next line that is not empty. 1, 0 at the end, or as plan_parse(); out->line is set. */
must_check int plan_next(struct span *text, struct step *out);

/* "mount NAME PATH ro|rw" */
const char *verb_grammar(enum verb verb);
