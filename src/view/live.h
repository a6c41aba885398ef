#pragma once
/*
 * The one line that shows a run of the lab while it happens, and how far the whole plan is.
 */
#include "base/text.h"

/* What the guest said last; NAN or "" is unknown. */
struct live_state {
	char phase[64];
	double phase_left_s; /* at most so long */
	double done;	     /* slots of the service */
	double due;
	double longest_s; /* its longest pause */
	double reread;	  /* bytes read back, all of the machine */
	double leak;	  /* bytes */
};

struct live_plan {
	size_t runs;
	size_t finished;
	double expected_s; /* of all runs that are not finished; NAN unknown */
	double elapsed_s;  /* of the one that goes on */
};

/*
 * One line of the guest, "key=value" words. service and leak are names of loads, "" none. What
 * the line does not say stays as it was. True when the phase is a new one.
 */
bool live_parse(struct span line, const char *service, const char *leak,
		struct live_state *state);

/* The line, at most width columns. */
void live_text(struct text *out, const char *title, const struct live_plan *plan,
	       const struct live_state *state, size_t width);
