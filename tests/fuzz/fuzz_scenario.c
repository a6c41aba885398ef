#include "fuzz.h"

#include <errno.h>

#include "lab/scenario/plan_text.h"
#include "lab/scenario/print.h"

/* What resolves has a plan, and says the same when it is written and read again. */
static void check_arm(const struct scenario *scenario)
{
	const struct scenario_choice none = { 0 };
	auto_free char *text = NULL;
	struct scenario_set again;
	struct lab_error error = { "" };
	struct machine machine;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);

	CHECK(file);
	scenario_write(scenario, file);
	fclose(file);
	CHECK(scenario_set_parse(span_of(text, length), "again.ini", &none, &again, &error) ==
	      0);
	CHECK(again.arms == 1 && strcmp(again.arm[0].arm, scenario->arm) == 0);
	scenario_set_done(&again);
	if (scenario_machine(scenario, 1, &machine) == 0)
		free(machine.plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct scenario_choice choice = { .quick = size % 2 == 1 };
	struct scenario_set set;
	struct lab_error error = { "" };
	int r = scenario_set_parse(input(data, size), "fuzz.ini", &choice, &set, &error);

	CHECK(r <= 0);
	if (r < 0) {
		CHECK(r != -EINVAL || error.text[0] != '\0');
		return 0;
	}
	for (size_t i = 0; i < MIN(set.arms, (size_t)4); i++)
		check_arm(&set.arm[i]);
	scenario_set_done(&set);
	return 0;
}
