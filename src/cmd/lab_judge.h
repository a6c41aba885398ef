#pragma once
/*
 * What refault's verdicts of a run are worth, held against the truth of its scenario.
 */
#include "analysis/class.h"
#include "lab/error.h"
#include "lab/figures/guarded.h"

struct judged {
	enum verdict_class truth; /* CLASSES: the scenario declares none */
	bool is_judged;		  /* it reached its deadline */
	enum verdict_class said;  /* at the deadline */
	double right_after_s;	  /* the class was right so long after the onset; NAN never */
	size_t false_alarms;	  /* frames */
	enum verdict_class alarm; /* the first of these */
	size_t mismatches;
	char wrong[512]; /* the mismatches, in words */
};

/* The folder of a run, with its scenario.ini. 0 or -errno with a sentence. */
must_check int judge_run(const char *directory, struct judged *out, struct lab_error *error);

/* The same of a guard; figure has FIGURES. */
must_check int judge_guard(const char *directory, const struct figure *figure,
			   struct guarded *out, struct lab_error *error);

/* The right class at the deadline, with the right names, and no false alarm. */
bool judged_right(const struct judged *judged);
