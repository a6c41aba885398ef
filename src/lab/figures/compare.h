#pragma once
/*
 * Two runs, or two sets of runs, figure by figure: what differs in their configuration, and by
 * how much in their numbers.
 */
#include "base/json.h"
#include "lab/figures/outcome.h"

struct compare {
	const char *a; /* directories: a run, or a folder of runs */
	const char *b;
	const enum figure_id *figure;
	size_t figures;
	bool forced; /* also where the accelerators differ */
};

/*
 * 0 or -errno with a sentence: -EXDEV when one ran under another accelerator than the other,
 * since what takes time there is not the same; -ENODATA when they have no arm in common.
 */
must_check int compare_print(const struct compare *compare, FILE *file,
			     struct lab_error *error);
must_check int compare_json(const struct compare *compare, struct json *json,
			    struct lab_error *error);
