#include <errno.h>

#include "cmd/lab.h"
#include "lab/figures/compare.h"
#include "lab/figures/cut.h"

int action_compare(const struct lab_options *options)
{
	enum figure_id all[FIGURES];
	struct compare compare = { .figure = all, .figures = FIGURES };
	struct json json = json_on(stdout, true);
	struct lab_error error = { 0 };
	int r;

	if (options->operands != 2) {
		cmd_error("lab compare: expected two runs, or two folders of runs");
		return EXIT_USAGE;
	}
	for (enum figure_id id = 0; id < FIGURES; id++)
		all[id] = id;
	compare.a = options->operand[0];
	compare.b = options->operand[1];
	compare.forced = options->force;
	r = options->json ? compare_json(&compare, &json, &error) :
			    compare_print(&compare, stdout, &error);
	return r < 0 ? lab_not_measured(compare.a, r, &error) : EXIT_FINE;
}

int action_fixture(const struct lab_options *options)
{
	struct lab_error error = { 0 };
	struct cut cut = { 0 };
	int r;

	if (options->operands != 2) {
		cmd_error("lab fixture: expected a run and a name");
		return EXIT_USAGE;
	}
	cut.run = options->operand[0];
	cut.name = options->operand[1];
	r = cut_write(&cut, &error);
	return r < 0 ? lab_not_measured(cut.run, r, &error) : EXIT_FINE;
}
